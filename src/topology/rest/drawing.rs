//! The JSON of topology over REST.

use serde::Serialize;
use toposcope_topology::{
    findings::miscabling::Miscabling,
    network::{Snapshot, layers::EdgeAt, neighborhood::Region, unresolved::UnknownNeighbor},
    view::{End, Link, Node, NodeKind, View},
};
use toposcope_types::{Id, Layer, Method, MiscablingKind, Timestamp};
use utoipa::ToSchema;

use crate::{app::App, error::Result, networks::Network, topology::explain};

/// A layer of a network as a graph, or a part of it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Topology)]
pub(super) struct Drawing {
    /// The network.
    network_id: String,
    /// What people call the network.
    network: String,
    /// The layer.
    layer: Layer,
    /// The revision of the network that all of this shows.
    revision: i64,
    /// What is joined.
    nodes: Vec<DrawnNode>,
    /// What joins it.
    links: Vec<DrawnLink>,
    /// Ports that contradict each other, on layer L2.
    miscablings: Vec<DrawnMiscabling>,
}

/// One thing in the graph of a network.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TopologyNode)]
struct DrawnNode {
    /// The id of the host, subnet or service; of a neighbor that is not known, a text that is unique
    /// in the answer.
    id: String,
    /// What it is.
    kind: DrawnKind,
    /// What people call it.
    label: String,
    /// What else is known of it.
    facts: std::collections::BTreeMap<&'static str, String>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = TopologyNodeKind)]
enum DrawnKind {
    /// A device of the inventory.
    Host,
    /// A neighbor that was heard and is not in the inventory.
    Unknown,
    /// A subnet.
    Subnet,
    /// A service.
    Service,
}

/// What joins two nodes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TopologyLink)]
struct DrawnLink {
    /// Unique in the answer; it stays as long as both ends do.
    id: String,
    /// One end.
    a: DrawnEnd,
    /// The other end.
    b: DrawnEnd,
    /// Whether it leads from `a` to `b` only.
    directed: bool,
    /// The speed in bits per second, the lower one where the ends differ.
    speed_bps: Option<u64>,
    /// Whether it works, where that is known.
    up: Option<bool>,
    /// How it is known: `pinned`, `LLDP`, `CDP` or `FDB`; empty above layer L2.
    method: Option<&'static str>,
    /// What it is called, where it has a name of its own, such as that of a group.
    label: Option<String>,
}

/// One end of a link.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TopologyLinkEnd)]
struct DrawnEnd {
    /// The node.
    node_id: String,
    /// The id of the if-entry or interface, where it is known.
    port_id: Option<String>,
    /// What it is called.
    port: Option<String>,
}

/// Ports that contradict each other.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Miscabling)]
struct DrawnMiscabling {
    /// What it is.
    kind: MiscablingKind,
    /// What it is, in plain words.
    sentence: String,
    /// The ids of the if-entries that it is about.
    if_entry_ids: Vec<Id>,
    /// The ids of the links that it is about.
    link_ids: Vec<Id>,
}

/// A network, of which there is a graph.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NetworkTopology)]
pub(super) struct Topology {
    /// The id: that of the network.
    id: Id,
    /// When the network was recorded.
    created_at: Timestamp,
    /// When the network itself was last changed.
    updated_at: Timestamp,
    /// What people call the network.
    name: String,
    /// The network.
    network_id: Id,
}

impl From<Network> for Topology {
    fn from(network: Network) -> Self {
        let Network { id, created_at, updated_at, name, .. } = network;
        Self { id, created_at, updated_at, name, network_id: id }
    }
}

/// A network with its graph.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TopologyOfNetwork {
    /// The id: that of the network.
    id: Id,
    /// When the network was recorded.
    created_at: Timestamp,
    /// When the network itself was last changed.
    updated_at: Timestamp,
    /// What people call the network.
    name: String,
    #[serde(flatten)]
    drawing: Drawing,
}

impl TopologyOfNetwork {
    pub(super) fn new(network: Network, drawing: Drawing) -> Self {
        let Network { id, created_at, updated_at, name, .. } = network;
        Self { id, created_at, updated_at, name, drawing }
    }
}

impl Drawing {
    pub(super) fn new(view: View, snapshot: &Snapshot, region: &Region) -> Self {
        let miscablings = match view.layer {
            Layer::L2 => snapshot.miscablings(|host| region.shows(host)),
            _ => Vec::new(),
        };
        let drawn = |one: Miscabling| DrawnMiscabling {
            kind: one.kind,
            sentence: one.sentence,
            if_entry_ids: one.ports.iter().filter_map(|port| snapshot.port_id(*port)).collect(),
            link_ids: (one.links.iter())
                .map(|link| snapshot.edge_id(EdgeAt::Link(*link)))
                .collect(),
        };
        let links = view.links.iter().map(|link| DrawnLink::new(&view, link)).collect();
        Self {
            layer: view.layer,
            revision: view.revision,
            links,
            miscablings: miscablings.into_iter().map(drawn).collect(),
            nodes: view.nodes.into_iter().map(DrawnNode::new).collect(),
            network_id: view.network_id,
            network: view.network,
        }
    }
}

impl DrawnNode {
    fn new(node: Node) -> Self {
        let kind = match node.kind {
            NodeKind::Host => DrawnKind::Host,
            NodeKind::Unknown => DrawnKind::Unknown,
            NodeKind::Subnet => DrawnKind::Subnet,
            NodeKind::Service => DrawnKind::Service,
        };
        Self { id: node.id, kind, label: node.label, facts: node.facts.into_iter().collect() }
    }
}

impl DrawnLink {
    fn new(view: &View, link: &Link) -> Self {
        let end = |end: &End| DrawnEnd {
            node_id: view.nodes[end.node].id.clone(),
            port_id: end.port.as_ref().map(|port| port.id.clone()),
            port: end.port.as_ref().map(|port| port.label.clone()),
        };
        Self {
            id: link.id.clone(),
            a: end(&link.ends[0]),
            b: end(&link.ends[1]),
            directed: link.directed,
            speed_bps: link.speed_bps,
            up: link.up,
            method: link.method.map(Method::spelled),
            label: link.label.clone(),
        }
    }
}

/// A neighbor that was heard and is not known.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct UnresolvedNeighbor {
    /// Who it claims to be, by its strongest claim: a kind and a value, such as `mac 00:1A:…`; empty
    /// if it claims nothing by which it could be known.
    claim: Option<String>,
    /// How it calls itself.
    sys_name: Option<String>,
    /// How it identifies itself.
    chassis_id: Option<String>,
    /// The address by which it is managed.
    mgmt_addr: Option<String>,
    /// How many observations of it there are.
    count: u64,
    /// Who heard it, and why it is not known.
    heard_by: Vec<HeardBy>,
}

/// A port that heard a neighbor that is not known.
#[derive(Debug, Serialize, ToSchema)]
struct HeardBy {
    /// By which the neighbor can be identified: the id of the observation; of a forwarding table,
    /// that of its if-entry.
    observation_id: Id,
    /// How it was heard: `LLDP`, `CDP` or `FDB`.
    method: &'static str,
    /// The device.
    host_id: Id,
    /// What people call the device.
    host: String,
    /// The port.
    if_entry_id: Id,
    /// What the port is called.
    if_entry: String,
    /// How the neighbor calls its own port.
    port_id: Option<String>,
    /// Why it is not known, in plain words.
    explanation: Option<String>,
}

/// These neighbors, with who heard them and why they are not known.
pub(super) async fn unresolved(
    app: &App,
    snapshot: &Snapshot,
    neighbors: Vec<UnknownNeighbor<'_>>,
) -> Result<Vec<UnresolvedNeighbor>> {
    let seen = |place: u32| &snapshot.seen[place as usize];
    let heard = neighbors.iter().flat_map(|neighbor| &neighbor.heard);
    let ports: Vec<Id> = heard.map(|one| snapshot.ports[seen(one.seen).port as usize].id).collect();
    let explained = explain::explain(app.db.reader(), &app.db, snapshot.network_id, &ports).await?;
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let described = neighbors.iter().map(|neighbor| UnresolvedNeighbor {
        claim: owned(neighbor.claim),
        sys_name: owned(neighbor.sys_name()),
        chassis_id: owned(neighbor.chassis_id()),
        mgmt_addr: owned(neighbor.mgmt_addr()),
        count: neighbor.heard.len() as u64,
        heard_by: neighbor
            .heard
            .iter()
            .map(|one| {
                let seen = seen(one.seen);
                let (host, port) =
                    (&snapshot.hosts[seen.host as usize], &snapshot.ports[seen.port as usize]);
                let explanation = explained.get(&(seen.observation_id, seen.method));
                HeardBy {
                    observation_id: seen.observation_id,
                    method: seen.method.spelled(),
                    host_id: host.id,
                    host: host.name.to_string(),
                    if_entry_id: port.id,
                    if_entry: port.name.to_string(),
                    port_id: owned(one.port_id.as_deref()),
                    explanation: explanation
                        .filter(|one| one.host_id.is_none())
                        .map(|one| one.sentence.clone()),
                }
            })
            .collect(),
    });
    Ok(described.collect())
}
