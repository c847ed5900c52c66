//! Topology over GraphQL: each response reads one snapshot.

pub mod answers;
pub mod explanation;
pub mod link;
mod load;
pub mod node;
pub mod picture;
mod scene;
pub mod unlinked;
pub mod unresolved;

use std::sync::Arc;

use async_graphql::{Context, Object, Result};
use tokio::sync::{OnceCell, Semaphore};
use toposcope_types::{BigInt, Id, Kind, Layer};

use self::{
    answers::{Component, Impact, Loop, Miscabling, Path, Redundancy},
    node::TopologyNode,
    picture::Picture,
    scene::Scene,
    unresolved::UnresolvedNeighbor,
};
pub use self::{
    answers::{HostDistance, HostNeighbor, links_of, neighbors, within},
    link::Link,
    load::with_table,
    unlinked::{Unlinked, unlinked},
};
use crate::{
    error::Error,
    graphql::{context, loader},
    if_entries::IfEntry,
    networks::{self, Network},
    topology::{identify, region::region},
};

/// The number of results computed at the same time; more would only take memory.
static TURNS: Semaphore = Semaphore::const_new(4);

/// Queries for topology.
#[derive(Clone, Copy, Debug, Default)]
pub struct TopologyQuery;

#[Object]
impl TopologyQuery {
    /// A network as a graph, if it is within reach: its nodes and links, and results derived from
    /// them.
    async fn topology(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the network.")] network_id: Id,
        #[graphql(default_with = "Layer::L2", desc = "The layer to return.")] layer: Layer,
        #[graphql(desc = "Returns only the neighborhood of this device, subnet or service.")] root: Option<Id>,
        #[graphql(
            desc = "Returns only nodes within this many links of `root`; 2 by default, ignored without `root`."
        )]
        hops: Option<u32>,
        #[graphql(
            desc = "Returns only what may carry this VLAN, 1 to 4094, on layer L2: links of which no port says that it does not, and the devices at their ends or with a port in it."
        )]
        vlan: Option<u16>,
    ) -> Result<Option<Topology>> {
        if vlan.is_some_and(|vlan| layer != Layer::L2 || !(1..=4094).contains(&vlan)) {
            let reason = "a VLAN is a number from 1 to 4094, and only layer `L2` has them";
            return Err(Error::invalid("vlan", reason).into());
        }
        let network = loader::by_id::<networks::Entity>(context, Some(network_id)).await?;
        let Some(network) = network else { return Ok(None) };
        let topology = Topology { network, layer, root, hops, vlan, scene: OnceCell::new() };
        // A query for no more than the revision must not wait for the rest.
        let asks_for = |name: &str| !["network", "layer", "revision", "__typename"].contains(&name);
        if root.is_some() || context.field().selection_set().any(|field| asks_for(field.name())) {
            topology.scene(context).await?;
        }
        Ok(Some(topology))
    }
}

/// A layer of a network as a graph, at one revision.
#[derive(Clone, Debug)]
pub struct Topology {
    network: Network,
    layer: Layer,
    root: Option<Id>,
    hops: Option<u32>,
    vlan: Option<u16>,
    /// Loaded at once or never, so that the whole response shows one revision.
    scene: OnceCell<Scene>,
}

impl Topology {
    async fn scene(&self, context: &Context<'_>) -> Result<&Scene> {
        let read = || async {
            let snapshot = load::snapshot(context, self.network.id).await?;
            let gone = || Error::NotFound { kind: Kind::Network, id: self.network.id };
            let snapshot = snapshot.ok_or_else(gone)?;
            let mut region = region(&snapshot, self.layer, self.root, self.hops)?;
            if let Some(vlan) = self.vlan {
                let all = Arc::clone(&snapshot);
                let work = tokio::task::spawn_blocking(move || region.in_vlan(&all, vlan));
                region = work.await.map_err(anyhow::Error::from)?;
            }
            Ok(Scene { snapshot, layer: self.layer, region: Arc::new(region) })
        };
        self.scene.get_or_try_init(read).await
    }

    /// Returns the revision that is shown.
    fn shown(&self) -> BigInt {
        self.scene.get().map_or(self.network.revision, |scene| BigInt(scene.snapshot.revision))
    }

    /// Computes a result where it keeps no other request waiting, as one of the request's loads.
    async fn away<T: Send + 'static>(
        &self,
        context: &Context<'_>,
        work: impl FnOnce(&Scene) -> T + Send + 'static,
    ) -> Result<T> {
        let scene = self.scene(context).await?.clone();
        let worked = context::run(context, move |_, _| async move {
            let _turn = TURNS.acquire().await.map_err(anyhow::Error::from)?;
            let work = tokio::task::spawn_blocking(move || work(&scene));
            Ok(work.await.map_err(anyhow::Error::from)?)
        });
        Ok(worked.await?)
    }
}

/// A layer of a network as a graph, at one revision.
#[Object]
impl Topology {
    /// The network.
    async fn network(&self) -> Network {
        Network { revision: self.shown(), ..self.network.clone() }
    }

    /// The layer.
    async fn layer(&self) -> Layer {
        self.layer
    }

    /// The revision of the network that the whole response shows.
    async fn revision(&self) -> BigInt {
        self.shown()
    }

    /// The nodes: devices, subnets, or services, depending on the layer.
    async fn nodes(&self, context: &Context<'_>) -> Result<Vec<TopologyNode>> {
        let scene = self.scene(context).await?;
        let all = scene.snapshot.layer(scene.layer).graph.nodes();
        let nodes = scene.nodes(all.filter(|number| scene.shows(*number)));
        context::count(context, nodes.len())?;
        Ok(nodes)
    }

    /// The links between the nodes.
    async fn links(&self, context: &Context<'_>) -> Result<Vec<Link>> {
        let scene = self.scene(context).await?;
        let graph = scene.snapshot.layer(scene.layer);
        let shown = (0_u32..)
            .zip(graph.graph.edges())
            .filter(|(_, ends)| ends.iter().all(|number| scene.shows(*number)))
            .map(|(edge, _)| edge)
            .filter(|edge| scene.region.shows_edge(&scene.snapshot, graph.edges[*edge as usize]));
        let links = scene.links(shown);
        context::count(context, links.len())?;
        Ok(links)
    }

    /// This part of the network, laid out for drawing. Above `atMost` boxes, nodes that belong
    /// together become one with a count.
    async fn picture(
        &self,
        context: &Context<'_>,
        #[graphql(default = 300, desc = "The maximum number of boxes, 1 to 5,000.")] at_most: u32,
    ) -> Result<Picture> {
        bounded("at_most", at_most, picture::MOST)?;
        let picture = self.away(context, move |scene| picture::picture(scene, at_most)).await?;
        context::count(context, picture.len())?;
        Ok(picture)
    }

    /// Neighbors that ports heard and the inventory does not know, grouped by the identity that
    /// they claim, most heard first.
    async fn unresolved(&self, context: &Context<'_>) -> Result<Vec<UnresolvedNeighbor>> {
        let unresolved = self.away(context, unresolved::unresolved).await?;
        let evidence: usize = unresolved.iter().map(|neighbor| neighbor.evidence.len()).sum();
        context::count(context, unresolved.len() + evidence)?;
        Ok(unresolved)
    }

    /// The connected parts, the largest first.
    async fn components(&self, context: &Context<'_>) -> Result<Vec<Component>> {
        let components = self.away(context, answers::components).await?;
        context::count(context, components.len())?;
        Ok(components)
    }

    /// Nodes whose loss cuts the network into parts, the one that cuts off most first.
    async fn articulation_points(&self, context: &Context<'_>) -> Result<Vec<TopologyNode>> {
        let points = self.away(context, answers::articulation_points).await?;
        context::count(context, points.len())?;
        Ok(points)
    }

    /// Links whose loss cuts the network in two, the one that cuts off most first. Only links that
    /// are proven count.
    async fn bridges(
        &self,
        context: &Context<'_>,
        #[graphql(
            default_with = "Redundancy::Cables",
            desc = "Whether each cable counts as a link, or each link aggregation group."
        )]
        redundancy: Redundancy,
    ) -> Result<Vec<Link>> {
        let bridges = self.away(context, move |scene| answers::bridges(scene, redundancy)).await?;
        context::count(context, bridges.len())?;
        Ok(bridges)
    }

    /// Independent loops, the shortest first: each a closed chain of links that are proven. The
    /// cables of a link aggregation group count as one link, and are no loop.
    async fn loops(
        &self,
        context: &Context<'_>,
        #[graphql(default = 100, desc = "Returns at most this many, up to 10,000.")] first: u32,
    ) -> Result<Vec<Vec<Link>>> {
        let loops: Vec<Loop> =
            self.away(context, move |scene| answers::loops(scene, first.min(10_000))).await?;
        context::count(context, loops.iter().map(Vec::len).sum())?;
        Ok(loops)
    }

    /// Ports that contradict each other: both ends report different cables, speeds, VLANs, duplex
    /// modes or MTUs, one end reports several cables, or one device bundles what the other does not.
    async fn miscablings(&self, context: &Context<'_>) -> Result<Vec<Miscabling>> {
        let miscablings = self.away(context, answers::miscablings).await?;
        context::count(context, miscablings.len())?;
        Ok(miscablings)
    }

    /// The shortest paths from one node to another over links that are proven and that the spanning
    /// tree does not block, without visiting any node twice.
    async fn paths(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the device, subnet or service where the paths start.")]
        from: Id,
        #[graphql(desc = "The id of the device, subnet or service where the paths end.")] to: Id,
        #[graphql(default = 1, desc = "The maximum number of paths, 1 to 100.")] at_most: u32,
    ) -> Result<Vec<Path>> {
        bounded("at_most", at_most, 100)?;
        let paths =
            self.away(context, move |scene| answers::paths(scene, from, to, at_most)).await??;
        context::count(context, paths.iter().map(Path::len).sum())?;
        Ok(paths)
    }

    /// The impact if all of these fail together.
    async fn impact(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Devices to fail.")] hosts: Option<Vec<Id>>,
        #[graphql(desc = "Ports to fail, with every link that ends at them.")] if_entries: Option<
            Vec<Id>,
        >,
        #[graphql(desc = "Links to fail.")] links: Option<Vec<Id>>,
        #[graphql(
            desc = "Devices that stand for the network, such as its gateways; by default, its largest part does."
        )]
        roots: Option<Vec<Id>>,
    ) -> Result<Impact> {
        let [hosts, if_entries, links, roots] =
            [hosts, if_entries, links, roots].map(Option::unwrap_or_default);
        let impact = self
            .away(context, move |scene| {
                answers::impact(&scene.snapshot, &hosts, &if_entries, &links, &roots)
            })
            .await??;
        context::count(context, impact.len())?;
        Ok(impact)
    }
}

/// Mutations that teach and forget the identities of neighbors.
#[derive(Clone, Copy, Debug, Default)]
pub struct TopologyMutation;

#[Object]
impl TopologyMutation {
    /// Teaches who a neighbor is: every neighbor that announces the same identity is this device,
    /// for every port that hears it and after every scan. Returns the port that heard it. Requires
    /// the Member permission level.
    async fn identify_neighbor(
        &self,
        context: &Context<'_>,
        #[graphql(
            desc = "The id of the observation; for a forwarding table, the id of its interface-table entry."
        )]
        observation_id: Id,
        #[graphql(desc = "The host that the neighbor is.")] host_id: Id,
        #[graphql(desc = "The port of that host, to teach this one port only.")]
        if_entry_id: Option<Id>,
    ) -> Result<IfEntry> {
        let taught = context::run(context, move |app, viewer| async move {
            identify::identify(&app, &viewer, observation_id, host_id, if_entry_id).await
        });
        Ok(taught.await?)
    }

    /// Forgets the identity taught for a neighbor, and returns the port that heard it. Requires the
    /// Member permission level.
    async fn forget_neighbor(
        &self,
        context: &Context<'_>,
        #[graphql(
            desc = "The id of the observation; for a forwarding table, the id of its interface-table entry."
        )]
        observation_id: Id,
    ) -> Result<IfEntry> {
        let forgotten = context::run(context, move |app, viewer| async move {
            identify::forget(&app, &viewer, observation_id).await
        });
        Ok(forgotten.await?)
    }
}

fn bounded(field: &str, number: u32, max: u32) -> Result<()> {
    if (1..=max).contains(&number) {
        return Ok(());
    }
    Err(Error::OutOfRange { field: field.to_owned(), min: 1, max: max.into() }.into())
}
