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
    /// The id of the network.
    network_id: String,
    /// The name of the network.
    network: String,
    /// The layer.
    layer: Layer,
    /// The revision of the network that the whole graph shows.
    revision: i64,
    /// The nodes.
    nodes: Vec<DrawnNode>,
    /// The links between the nodes.
    links: Vec<DrawnLink>,
    /// Ports that contradict each other, on layer L2.
    miscablings: Vec<DrawnMiscabling>,
}

/// A node in the graph of a network.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TopologyNode)]
struct DrawnNode {
    /// The id of the host, subnet or service; for an unknown neighbor, a text that is unique in the
    /// response.
    id: String,
    /// The kind of node.
    kind: DrawnKind,
    /// The display name.
    label: String,
    /// Other known facts, by name.
    facts: std::collections::BTreeMap<&'static str, String>,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = TopologyNodeKind)]
enum DrawnKind {
    /// A device in the inventory.
    Host,
    /// A neighbor that a port heard and the inventory does not know.
    Unknown,
    /// A subnet.
    Subnet,
    /// A service.
    Service,
}

/// A link between two nodes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TopologyLink)]
struct DrawnLink {
    /// The id, unique in the response; it stays the same as long as both ends do.
    id: String,
    /// One end.
    a: DrawnEnd,
    /// The other end.
    b: DrawnEnd,
    /// Whether the link leads from `a` to `b` only.
    directed: bool,
    /// The speed in bits per second, the lower one if the ends differ.
    speed_bps: Option<u64>,
    /// Whether the link works, if known.
    up: Option<bool>,
    /// The method by which the link is known: `pinned`, `LLDP`, `CDP` or `FDB`; null above layer
    /// L2.
    method: Option<&'static str>,
    /// The label, if the link has its own, such as the name of a group.
    label: Option<String>,
}

/// One end of a link.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TopologyLinkEnd)]
struct DrawnEnd {
    /// The id of the node.
    node_id: String,
    /// The id of the if-entry or interface, if known.
    port_id: Option<String>,
    /// The display name of that if-entry or interface.
    port: Option<String>,
}

/// Ports that contradict each other.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Miscabling)]
struct DrawnMiscabling {
    /// The kind of contradiction.
    kind: MiscablingKind,
    /// The contradiction in plain words.
    sentence: String,
    /// The ids of the if-entries involved.
    if_entry_ids: Vec<Id>,
    /// The ids of the links involved.
    link_ids: Vec<Id>,
}

/// A network that has a graph.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NetworkTopology)]
pub(super) struct Topology {
    /// The id, which is that of the network.
    id: Id,
    /// The time when the network was recorded.
    created_at: Timestamp,
    /// The time when the network itself was last changed.
    updated_at: Timestamp,
    /// The name of the network.
    name: String,
    /// The id of the network.
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
    /// The id, which is that of the network.
    id: Id,
    /// The time when the network was recorded.
    created_at: Timestamp,
    /// The time when the network itself was last changed.
    updated_at: Timestamp,
    /// The name of the network.
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

/// A neighbor that a port heard and the inventory does not know.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct UnresolvedNeighbor {
    /// The strongest identity that it claims: a kind and a value, such as `mac 00:1A:…`; null if it
    /// claims nothing that could identify it.
    claim: Option<String>,
    /// The system name that it gives itself.
    sys_name: Option<String>,
    /// The chassis id by which it identifies itself.
    chassis_id: Option<String>,
    /// The address by which it is managed.
    mgmt_addr: Option<String>,
    /// The number of observations of it.
    count: u64,
    /// The ports that heard it, and why it is unknown.
    heard_by: Vec<HeardBy>,
}

/// A port that heard an unknown neighbor.
#[derive(Debug, Serialize, ToSchema)]
struct HeardBy {
    /// The id by which to identify the neighbor: that of the observation, or for a forwarding
    /// table, that of its if-entry.
    observation_id: Id,
    /// The method by which the port heard it: `LLDP`, `CDP` or `FDB`.
    method: &'static str,
    /// The id of the device.
    host_id: Id,
    /// The name of the device.
    host: String,
    /// The id of the port.
    if_entry_id: Id,
    /// The name of the port.
    if_entry: String,
    /// The neighbor's name for its own port.
    port_id: Option<String>,
    /// The reason why the neighbor is unknown, in plain words.
    explanation: Option<String>,
}

/// Describes these neighbors, with the ports that heard them and why they are unknown.
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
