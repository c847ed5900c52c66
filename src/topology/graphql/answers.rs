//! Results derived from the graph of a network, over GraphQL.

use std::sync::Arc;

use async_graphql::{Context, Enum, Result, SimpleObject};
use toposcope_topology::{
    graph::{Cycle, Without},
    network::{
        Snapshot,
        impact::{self, NotInNetwork},
        layers::Counted,
    },
};
use toposcope_types::{Id, Kind, Layer, MiscablingKind};

use super::{
    link::{Evidence, Link},
    load,
    node::TopologyNode,
    scene::Scene,
};
use crate::{
    error::Error,
    graphql::{context, loader},
    groups::{self, Group},
    hosts::{self, Host},
    if_entries::{self, IfEntry},
    services::{self, Service},
    topology::region::numbered,
};

/// A connected part of a network.
#[derive(Clone, Debug, SimpleObject)]
pub struct Component {
    /// The number of nodes in it.
    size: usize,
    /// The nodes in it.
    nodes: Vec<TopologyNode>,
}

/// The links that count as one when redundancy is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum Redundancy {
    /// Each cable: a link aggregation group of two cables survives the loss of one.
    Cables,
    /// Each link aggregation group: all of its cables are one link between two devices.
    Aggregates,
}

/// A closed chain of links.
pub(super) type Loop = Vec<Link>;

/// A path from one node to another.
#[derive(Clone, Debug, SimpleObject)]
pub struct Path {
    /// The number of links that the path takes.
    length: usize,
    /// The nodes on the path, from the first to the last.
    nodes: Vec<TopologyNode>,
    /// The hops of the path.
    hops: Vec<Hop>,
}

impl Path {
    pub(super) const fn len(&self) -> usize {
        self.nodes.len() + self.hops.len()
    }
}

/// A hop of a path.
#[derive(Clone, Debug, SimpleObject)]
pub struct Hop {
    /// The node where the hop starts.
    from: TopologyNode,
    /// The node where the hop ends.
    to: TopologyNode,
    /// The links that the hop can take, with the ports at their ends.
    links: Vec<Link>,
}

/// The impact of a failure.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(complex)]
pub struct Impact {
    /// Devices that do not fail but are cut off from the rest of the network.
    cut_off: Vec<TopologyNode>,
    /// The same devices, grouped by which are still connected to each other.
    parts: Vec<Component>,
    #[graphql(skip)]
    services: Vec<Id>,
    #[graphql(skip)]
    groups: Vec<Id>,
}

impl Impact {
    pub(super) const fn len(&self) -> usize {
        self.cut_off.len() * 2 + self.services.len() + self.groups.len()
    }
}

#[async_graphql::ComplexObject]
impl Impact {
    /// Services on devices that fail or are cut off.
    async fn services_lost(&self, context: &Context<'_>) -> Result<Vec<Service>> {
        all::<services::Entity>(context, &self.services).await
    }

    /// Groups that contain such a service.
    async fn groups_broken(&self, context: &Context<'_>) -> Result<Vec<Group>> {
        all::<groups::Entity>(context, &self.groups).await
    }
}

async fn all<E: crate::resource::Resource>(
    context: &Context<'_>,
    ids: &[Id],
) -> Result<Vec<E::Model>> {
    let loads = ids.iter().map(|id| loader::by_id::<E>(context, *id));
    Ok(futures_util::future::try_join_all(loads).await?.into_iter().flatten().collect())
}

/// Ports that contradict each other.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(complex)]
pub struct Miscabling {
    /// The kind of contradiction.
    kind: MiscablingKind,
    /// The link involved, if there is exactly one.
    link: Option<Link>,
    /// The evidence to the contrary.
    evidence: Option<Evidence>,
    /// The contradiction in plain words.
    sentence: String,
    #[graphql(skip)]
    links: Vec<Link>,
    #[graphql(skip)]
    ports: Vec<Id>,
}

#[async_graphql::ComplexObject]
impl Miscabling {
    /// The links involved.
    async fn links(&self, context: &Context<'_>) -> Result<&[Link]> {
        context::count(context, self.links.len())?;
        Ok(&self.links)
    }

    /// The ports involved.
    async fn if_entries(&self, context: &Context<'_>) -> Result<Vec<IfEntry>> {
        context::count(context, self.ports.len())?;
        all::<if_entries::Entity>(context, &self.ports).await
    }
}

pub(super) fn components(scene: &Scene) -> Vec<Component> {
    let cables = scene.counted(Counted::Cables);
    let mut components: Vec<Component> = (cables.graph)
        .components()
        .iter()
        .filter_map(|members| {
            let shown = members.iter().copied().filter(|number| scene.shows(*number));
            let nodes = scene.nodes(shown);
            (!nodes.is_empty()).then(|| Component { size: nodes.len(), nodes })
        })
        .collect();
    components.sort_by_key(|component| std::cmp::Reverse(component.size));
    components
}

pub(super) fn articulation_points(scene: &Scene) -> Vec<TopologyNode> {
    let mut points = scene.counted(Counted::Cables).cuts().articulation_points.clone();
    points.retain(|point| scene.shows(point.node));
    points.sort_by_key(|point| (std::cmp::Reverse(point.cut_off()), point.node));
    scene.nodes(points.into_iter().map(|point| point.node))
}

pub(super) fn bridges(scene: &Scene, redundancy: Redundancy) -> Vec<Link> {
    let edges = scene.counted(match redundancy {
        Redundancy::Cables => Counted::Cables,
        Redundancy::Aggregates => Counted::Bundles,
    });
    let mut bridges = edges.cuts().bridges.clone();
    bridges.retain(|one| edges.graph.ends(one.edge).into_iter().all(|number| scene.shows(number)));
    bridges.sort_by_key(|one| (std::cmp::Reverse(one.cut_off()), one.edge));
    scene.links(bridges.into_iter().map(|one| edges.whole(one.edge)))
}

pub(super) fn loops(scene: &Scene, first: u32) -> Vec<Loop> {
    let edges = scene.counted(Counted::Bundles);
    let shown = |cycle: &Cycle| cycle.nodes.iter().all(|number| scene.shows(*number));
    // For a part of the network, search all loops of the whole for those within it.
    let at_most = if scene.is_whole() { first as usize } else { usize::MAX };
    let cycles = edges.graph.cycles(at_most);
    let cycles = cycles.shortest.into_iter().filter(shown).take(first as usize);
    let links = |cycle: Cycle| scene.links(cycle.edges.into_iter().map(|edge| edges.whole(edge)));
    cycles.map(links).collect()
}

pub(super) fn paths(scene: &Scene, from: Id, to: Id, at_most: u32) -> Result<Vec<Path>, Error> {
    let (from, to) = (
        numbered(&scene.snapshot, scene.layer, from)?,
        numbered(&scene.snapshot, scene.layer, to)?,
    );
    let edges = scene.counted(Counted::Forwarding);
    let graph = &edges.graph;
    let found = graph.alternatives(from, to, at_most as usize, &Without::default());
    let paths = found.paths.into_iter().map(|path| path.nodes);
    Ok(paths
        .map(|nodes| {
            let hop = |step: &[u32]| Hop {
                from: scene.node(step[0]),
                to: scene.node(step[1]),
                links: scene.links(graph.between(step[0], step[1]).map(|edge| edges.whole(edge))),
            };
            let hops: Vec<Hop> = nodes.windows(2).map(hop).collect();
            Path { length: hops.len(), hops, nodes: scene.nodes(nodes) }
        })
        .collect())
}

/// Computes what is lost on layer L2, and with it on the other layers.
pub(super) fn impact(
    snapshot: &Arc<Snapshot>,
    hosts: &[Id],
    if_entries: &[Id],
    links: &[Id],
    roots: &[Id],
) -> Result<Impact, Error> {
    let lost =
        snapshot.lost(hosts, if_entries, links, roots).map_err(|NotInNetwork { field, id }| {
            Error::invalid(field, format!("there is no `{id}` in this network"))
        })?;
    let scene = Scene::new(Arc::clone(snapshot), Layer::L2);
    let part = |members: Vec<u32>| Component { size: members.len(), nodes: scene.nodes(members) };
    let ids = |places: &[u32], of: &dyn Fn(usize) -> Id| {
        places.iter().map(|place| of(*place as usize)).collect()
    };
    Ok(Impact {
        cut_off: scene.nodes(lost.parts.iter().flatten().copied()),
        services: ids(&lost.services, &|place| snapshot.services[place].id),
        groups: ids(&lost.groups, &|place| snapshot.groups[place].id),
        parts: lost.parts.into_iter().map(part).collect(),
    })
}

pub(super) fn miscablings(scene: &Scene) -> Vec<Miscabling> {
    if scene.layer != Layer::L2 {
        return Vec::new();
    }
    let snapshot = &scene.snapshot;
    let found = snapshot.miscablings(|host| scene.shows(host)).into_iter();
    found
        .map(|found| {
            let links = scene.links(found.links);
            Miscabling {
                kind: found.kind,
                link: if let [one] = links.as_slice() { Some(one.clone()) } else { None },
                links,
                evidence: (found.seen)
                    .map(|seen| Evidence { snapshot: Arc::clone(snapshot), seen }),
                sentence: found.sentence,
                ports: found.ports.iter().filter_map(|port| snapshot.port_id(*port)).collect(),
            }
        })
        .collect()
}

/// A device that a link connects to another.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(complex)]
pub struct HostNeighbor {
    /// The link.
    link: Link,
    #[graphql(skip)]
    far: Id,
    #[graphql(skip)]
    ports: [Option<Id>; 2],
}

#[async_graphql::ComplexObject]
impl HostNeighbor {
    /// The other device.
    async fn host(&self, context: &Context<'_>) -> Result<Option<Host>> {
        loader::by_id::<hosts::Entity>(context, self.far).await
    }

    /// The port of this device, if known.
    async fn local_port(&self, context: &Context<'_>) -> Result<Option<IfEntry>> {
        loader::by_id::<if_entries::Entity>(context, self.ports[0]).await
    }

    /// The port of the other device, if known.
    async fn far_port(&self, context: &Context<'_>) -> Result<Option<IfEntry>> {
        loader::by_id::<if_entries::Entity>(context, self.ports[1]).await
    }
}

/// Returns the devices that a device is connected to, once for each link.
pub async fn neighbors(context: &Context<'_>, host: &Host) -> Result<Vec<HostNeighbor>> {
    let Some(snapshot) = load::snapshot(context, host.network_id).await? else {
        return Ok(Vec::new());
    };
    let Some(place) = snapshot.host(host.id) else { return Ok(Vec::new()) };
    let scene = Scene::new(Arc::clone(&snapshot), Layer::L2);
    let edges = snapshot.links_of(place);
    context::count(context, edges.len())?;
    let neighbor = |edge: u32| {
        let mut ends = snapshot.links[edge as usize].ends;
        if ends[0].host != place {
            ends.reverse();
        }
        HostNeighbor {
            link: scene.link(edge),
            far: snapshot.hosts[ends[1].host as usize].id,
            ports: ends.map(|end| snapshot.port_id(end.port)),
        }
    };
    Ok(edges.into_iter().map(neighbor).collect())
}

/// A device and its distance.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(complex)]
pub struct HostDistance {
    /// The minimum number of links to the device; on layer L3, of subnets.
    distance: u32,
    #[graphql(skip)]
    id: Id,
}

#[async_graphql::ComplexObject]
impl HostDistance {
    /// The device.
    async fn host(&self, context: &Context<'_>) -> Result<Option<Host>> {
        loader::by_id::<hosts::Entity>(context, self.id).await
    }
}

/// Returns the devices around a device, the nearest first.
pub async fn within(
    context: &Context<'_>,
    host: &Host,
    hops: u32,
    layer: Layer,
) -> Result<Vec<HostDistance>> {
    let Some(snapshot) = load::snapshot(context, host.network_id).await? else {
        return Ok(Vec::new());
    };
    let around = impact::around(&snapshot, host.id, hops, layer)
        .ok_or_else(|| Error::NotFound { kind: Kind::Host, id: host.id })?;
    context::count(context, around.len())?;
    let of = |(place, distance): (u32, u32)| HostDistance {
        distance,
        id: snapshot.hosts[place as usize].id,
    };
    Ok(around.into_iter().map(of).collect())
}

/// Returns the links of a port.
pub async fn links_of(context: &Context<'_>, entry: &IfEntry) -> Result<Vec<Link>> {
    let Some(snapshot) = load::snapshot(context, entry.network_id).await? else {
        return Ok(Vec::new());
    };
    let Some(port) = snapshot.port(entry.id) else { return Ok(Vec::new()) };
    let scene = Scene::new(Arc::clone(&snapshot), Layer::L2);
    Ok(scene.links(snapshot.links_at(port)))
}
