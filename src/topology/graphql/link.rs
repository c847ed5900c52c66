//! Links, and the evidence for links and unknown neighbors, over GraphQL.

use std::sync::Arc;

use async_graphql::{Context, Enum, Object, Result};
use toposcope_topology::network::{
    Snapshot,
    layers::{EdgeAt, NodeAt},
    links::End,
};
use toposcope_types::{BigInt, Id, Layer, Method};

use super::{explanation::Explanation, load, node::TopologyNode};
use crate::{
    graphql::{context, loader},
    groups::{self, Group},
    hosts::{self, Host},
    if_entries::{self, IfEntry, Observation, observation},
    interfaces::{self, Interface},
};

/// The state of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum LinkState {
    /// Both ports are up, as far as they are known.
    Up,
    /// At least one of its ports is down.
    Down,
    /// No port reports its state.
    Unknown,
}

impl LinkState {
    pub(super) const fn of(up: Option<bool>) -> Self {
        match up {
            Some(true) => Self::Up,
            Some(false) => Self::Down,
            None => Self::Unknown,
        }
    }
}

/// A connection of two nodes: a link between ports, an address in a subnet, or a step of a group.
#[derive(Clone, Debug)]
pub struct Link {
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) layer: Layer,
    pub(super) edge: EdgeAt,
}

impl Link {
    /// Returns the link with this number in its layer.
    pub(super) fn at(snapshot: &Arc<Snapshot>, layer: Layer, number: u32) -> Self {
        let edge = snapshot.layer(layer).edges[number as usize];
        Self { snapshot: Arc::clone(snapshot), layer, edge }
    }

    /// Returns the link between ports, if it is one.
    fn of_ports(&self) -> Option<&toposcope_topology::network::links::Link> {
        of_link(self.edge).map(|place| &self.snapshot.links[place as usize])
    }

    fn end(&self, which: usize) -> LinkEnd {
        let (node, port) = match self.edge {
            EdgeAt::Link(place) => {
                let End { host, port } = self.snapshot.links[place as usize].ends[which];
                (NodeAt::Host(host), self.snapshot.port_id(port))
            }
            EdgeAt::Address(place) => {
                let address = &self.snapshot.addresses[place as usize];
                ([NodeAt::Host(address.host), NodeAt::Subnet(address.subnet)][which], None)
            }
            EdgeAt::Step { group, from, to } => {
                let services = &self.snapshot.groups[group as usize].services;
                (NodeAt::Service(services[[from, to][which] as usize]), None)
            }
        };
        let (snapshot, layer) = (Arc::clone(&self.snapshot), self.layer);
        LinkEnd { node: TopologyNode { snapshot, layer, node }, port }
    }

    /// Returns the evidence for it, or against it, that `which` selects.
    fn seen(
        &self,
        which: impl Fn(&toposcope_topology::network::links::Link) -> &[u32],
    ) -> Vec<Evidence> {
        let seen = self.of_ports().map(which).unwrap_or_default();
        let of = |seen: &u32| Evidence { snapshot: Arc::clone(&self.snapshot), seen: *seen };
        seen.iter().map(of).collect()
    }
}

/// A connection of two nodes: a link between ports, an address in a subnet, or a step of a group.
#[Object]
impl Link {
    /// The id; it stays the same as long as both ends do.
    async fn id(&self) -> Id {
        self.snapshot.edge_id(self.edge)
    }

    /// One end.
    async fn a(&self) -> LinkEnd {
        self.end(0)
    }

    /// The other end.
    async fn b(&self) -> LinkEnd {
        self.end(1)
    }

    /// The state.
    async fn state(&self) -> LinkState {
        LinkState::of(self.of_ports().and_then(|link| self.snapshot.is_up(link)))
    }

    /// The strongest method by which it is known, on layer L2.
    async fn method(&self) -> Option<Method> {
        self.of_ports().map(|link| link.method)
    }

    /// The speed in bits per second, the lower of the two ports.
    async fn speed_bps(&self) -> Option<BigInt> {
        self.of_ports().and_then(|link| self.snapshot.speed_bps(link)).map(BigInt)
    }

    /// The LLDP and CDP observations that support it.
    async fn observations(&self, context: &Context<'_>) -> Result<Vec<Observation>> {
        let mut observations = Vec::new();
        for one in self.seen(|link| &link.evidence) {
            observations.extend(one.load(context).await?);
        }
        context::count(context, observations.len())?;
        Ok(observations)
    }

    /// All evidence that supports it, the strongest first.
    async fn evidence(&self, context: &Context<'_>) -> Result<Vec<Evidence>> {
        let all = self.seen(|link| &link.evidence);
        context::count(context, all.len())?;
        Ok(all)
    }

    /// Evidence of less authority that contradicts it, from its ports or from ports that heard
    /// them.
    async fn contradictions(&self, context: &Context<'_>) -> Result<Vec<Evidence>> {
        let all = self.seen(|link| &link.contradictions);
        context::count(context, all.len())?;
        Ok(all)
    }

    /// The reason why it is believed to exist, by the strongest evidence; on layer L2.
    async fn explanation(&self, context: &Context<'_>) -> Result<Option<Explanation>> {
        let Some(strongest) = self.of_ports().and_then(|link| link.evidence.first()) else {
            return Ok(None);
        };
        explained(context, &self.snapshot, *strongest).await.map(Some)
    }

    /// Whether the evidence proves a cable that no other link stands for. Other links are drawn, and
    /// left out of bridges, loops, paths and the impact of failures: for example, where three ports
    /// hear each other on one segment, two links join them and the third adds no redundancy.
    async fn is_proven(&self) -> bool {
        self.of_ports().is_none_or(|link| link.is_proven)
    }

    /// Whether the spanning tree blocks it at either end, so that it is on no path.
    async fn is_blocked(&self) -> bool {
        self.of_ports().is_some_and(|link| !self.snapshot.forwards(link))
    }

    /// The link aggregation groups that it belongs to, at either end.
    async fn aggregates(&self, context: &Context<'_>) -> Result<Vec<IfEntry>> {
        let Some(link) = self.of_ports() else { return Ok(Vec::new()) };
        let mut aggregates = Vec::new();
        for port in self.snapshot.aggregates_of(link).into_iter().flatten() {
            let id = self.snapshot.port_id(port);
            aggregates.extend(loader::by_id::<if_entries::Entity>(context, id).await?);
        }
        Ok(aggregates)
    }

    /// The links between the same two nodes, including this one.
    async fn bundle(&self, context: &Context<'_>) -> Result<Bundle> {
        let ends = [self.end(0), self.end(1)].map(|end| self.snapshot.number(end.node.node));
        let graph = &self.snapshot.layer(self.layer).graph;
        let link = |number| Self::at(&self.snapshot, self.layer, number);
        let links: Vec<Self> = graph.between(ends[0], ends[1]).map(link).collect();
        context::count(context, links.len())?;
        Ok(Bundle { links })
    }

    /// The interface whose address connects a device to a subnet, on layer L3.
    async fn interface(&self, context: &Context<'_>) -> Result<Option<Interface>> {
        let EdgeAt::Address(place) = self.edge else { return Ok(None) };
        let id = self.snapshot.addresses[place as usize].id;
        loader::by_id::<interfaces::Entity>(context, id).await
    }

    /// The group that it is a step of, on layer APPLICATION.
    async fn group(&self, context: &Context<'_>) -> Result<Option<Group>> {
        let EdgeAt::Step { group, .. } = self.edge else { return Ok(None) };
        loader::by_id::<groups::Entity>(context, self.snapshot.groups[group as usize].id).await
    }
}

/// The links between the same two nodes.
#[derive(Clone, Debug)]
pub struct Bundle {
    links: Vec<Link>,
}

/// The links between the same two nodes.
#[Object]
impl Bundle {
    /// The number of links.
    async fn count(&self) -> usize {
        self.links.len()
    }

    /// All of the links.
    async fn links(&self) -> &[Link] {
        &self.links
    }

    /// The total speed in bits per second, as far as the speeds are known.
    async fn speed_bps(&self) -> Option<BigInt> {
        let speeds = self.links.iter().filter_map(|link| {
            link.of_ports().and_then(|of_ports| link.snapshot.speed_bps(of_ports))
        });
        speeds.reduce(i64::saturating_add).map(BigInt)
    }
}

/// One end of a link.
#[derive(Clone, Debug)]
pub struct LinkEnd {
    pub(super) node: TopologyNode,
    port: Option<Id>,
}

/// One end of a link.
#[Object]
impl LinkEnd {
    /// The node at this end.
    async fn node(&self) -> &TopologyNode {
        &self.node
    }

    /// The device, or the device that runs the service; null for a subnet.
    async fn host(&self, context: &Context<'_>) -> Result<Option<Host>> {
        let snapshot = &self.node.snapshot;
        let place = match self.node.node {
            NodeAt::Host(place) => place,
            NodeAt::Service(place) => snapshot.services[place as usize].host,
            NodeAt::Subnet(_) => return Ok(None),
        };
        let id = snapshot.host_id(place);
        loader::by_id::<hosts::Entity>(context, id).await
    }

    /// The port, if known.
    async fn if_entry(&self, context: &Context<'_>) -> Result<Option<IfEntry>> {
        loader::by_id::<if_entries::Entity>(context, self.port).await
    }
}

/// A piece of evidence that was heard, seen in a forwarding table, or pinned by hand.
#[derive(Clone, Debug)]
pub struct Evidence {
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) seen: u32,
}

impl Evidence {
    async fn load(&self, context: &Context<'_>) -> Result<Option<Observation>> {
        let seen = &self.snapshot.seen[self.seen as usize];
        if !matches!(seen.method, Method::Lldp | Method::Cdp) {
            return Ok(None);
        }
        loader::by_id::<observation::Entity>(context, seen.observation_id).await
    }
}

/// A piece of evidence that was heard, seen in a forwarding table, or pinned by hand.
#[Object]
impl Evidence {
    /// The method by which it is known.
    async fn method(&self) -> Method {
        self.snapshot.seen[self.seen as usize].method
    }

    /// The id by which to identify the neighbor: that of the observation, or for a forwarding table
    /// or a pin, that of its interface-table entry.
    async fn observation_id(&self) -> Id {
        self.snapshot.seen[self.seen as usize].observation_id
    }

    /// The port that reports it.
    async fn if_entry(&self, context: &Context<'_>) -> Result<Option<IfEntry>> {
        let port = self.snapshot.seen[self.seen as usize].port;
        let id = self.snapshot.ports[port as usize].id;
        loader::by_id::<if_entries::Entity>(context, id).await
    }

    /// The observation, for LLDP or CDP.
    async fn observation(&self, context: &Context<'_>) -> Result<Option<Observation>> {
        self.load(context).await
    }

    /// The reason why the neighbor was resolved to a device, or why it is unknown.
    async fn explanation(&self, context: &Context<'_>) -> Result<Explanation> {
        explained(context, &self.snapshot, self.seen).await
    }
}

pub(super) async fn explained(
    context: &Context<'_>,
    snapshot: &Snapshot,
    seen: u32,
) -> Result<Explanation> {
    let explanation = load::explanation(context, snapshot, seen).await?;
    let moved_on =
        || Arc::new(toposcope_topology::explanation::Explanation::moved_on(snapshot, seen));
    let mut explanation = explanation.unwrap_or_else(moved_on);
    if let Some(told) = snapshot.told_sockets(seen) {
        Arc::make_mut(&mut explanation).sentence.push_str(&told);
    }
    Ok(Explanation(explanation))
}

/// Returns the index of a link between ports, if the edge is one.
const fn of_link(edge: EdgeAt) -> Option<u32> {
    match edge {
        EdgeAt::Link(link) => Some(link),
        _ => None,
    }
}
