//! Topology over GraphQL: all of an answer is read from one snapshot.

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
    answers::{Component, Impact, Loop, Miscabling, Path},
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

/// How many answers are worked out at the same time; more would only take memory.
static TURNS: Semaphore = Semaphore::const_new(4);

/// Queries for topology.
#[derive(Clone, Copy, Debug, Default)]
pub struct TopologyQuery;

#[Object]
impl TopologyQuery {
    /// A network as a graph, if it is within reach: what is joined to what, and what follows from it.
    async fn topology(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the network.")] network_id: Id,
        #[graphql(default_with = "Layer::L2", desc = "Which layer of it.")] layer: Layer,
        #[graphql(desc = "Only what is around this device, subnet or service.")] root: Option<Id>,
        #[graphql(
            desc = "Only what is at most so many links from the root, without which it has no effect; 2 if left out."
        )]
        hops: Option<u32>,
    ) -> Result<Option<Topology>> {
        let network = loader::by_id::<networks::Entity>(context, Some(network_id)).await?;
        let Some(network) = network else { return Ok(None) };
        let topology = Topology { network, layer, root, hops, scene: OnceCell::new() };
        // Who asks for no more than the revision shall not wait for the rest.
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
    /// Read at once or never, so that all of an answer is of one revision.
    scene: OnceCell<Scene>,
}

impl Topology {
    async fn scene(&self, context: &Context<'_>) -> Result<&Scene> {
        let read = || async {
            let snapshot = load::snapshot(context, self.network.id).await?;
            let gone = || Error::NotFound { kind: Kind::Network, id: self.network.id };
            let snapshot = snapshot.ok_or_else(gone)?;
            let region = region(&snapshot, self.layer, self.root, self.hops)?;
            Ok(Scene { snapshot, layer: self.layer, region: Arc::new(region) })
        };
        self.scene.get_or_try_init(read).await
    }

    /// The revision that is shown.
    fn shown(&self) -> BigInt {
        self.scene.get().map_or(self.network.revision, |scene| BigInt(scene.snapshot.revision))
    }

    /// Works out an answer where it keeps no other request waiting, as one of the request's loads.
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

    /// The revision of the network that all of this answer shows.
    async fn revision(&self) -> BigInt {
        self.shown()
    }

    /// What is joined: devices, subnets, or services, by the layer.
    async fn nodes(&self, context: &Context<'_>) -> Result<Vec<TopologyNode>> {
        let scene = self.scene(context).await?;
        let all = scene.snapshot.layer(scene.layer).graph.nodes();
        let nodes = scene.nodes(all.filter(|number| scene.shows(*number)));
        context::count(context, nodes.len())?;
        Ok(nodes)
    }

    /// What joins them.
    async fn links(&self, context: &Context<'_>) -> Result<Vec<Link>> {
        let scene = self.scene(context).await?;
        let graph = &scene.snapshot.layer(scene.layer).graph;
        let shown = (0_u32..)
            .zip(graph.edges())
            .filter(|(_, ends)| ends.iter().all(|number| scene.shows(*number)))
            .map(|(edge, _)| edge);
        let links = scene.links(shown);
        context::count(context, links.len())?;
        Ok(links)
    }

    /// This part of the network laid out to be drawn. Above so many boxes, what belongs together
    /// becomes one with a count.
    async fn picture(
        &self,
        context: &Context<'_>,
        #[graphql(default = 300, desc = "At most so many boxes, 1 to 5,000.")] at_most: u32,
    ) -> Result<Picture> {
        bounded("at_most", at_most, picture::MOST)?;
        let picture = self.away(context, move |scene| picture::picture(scene, at_most)).await?;
        context::count(context, picture.len())?;
        Ok(picture)
    }

    /// Neighbors that were heard and are not known, grouped by who they claim to be, most heard first.
    async fn unresolved(&self, context: &Context<'_>) -> Result<Vec<UnresolvedNeighbor>> {
        let unresolved = self.away(context, unresolved::unresolved).await?;
        let evidence: usize = unresolved.iter().map(|neighbor| neighbor.evidence.len()).sum();
        context::count(context, unresolved.len() + evidence)?;
        Ok(unresolved)
    }

    /// The parts that hang together, the largest first.
    async fn components(&self, context: &Context<'_>) -> Result<Vec<Component>> {
        let components = self.away(context, answers::components).await?;
        context::count(context, components.len())?;
        Ok(components)
    }

    /// What cuts the network in parts if it is lost, the one that cuts off most first.
    async fn articulation_points(&self, context: &Context<'_>) -> Result<Vec<TopologyNode>> {
        let points = self.away(context, answers::articulation_points).await?;
        context::count(context, points.len())?;
        Ok(points)
    }

    /// Links that cut the network in two if they are lost, the one that cuts off most first.
    async fn bridges(&self, context: &Context<'_>) -> Result<Vec<Link>> {
        let bridges = self.away(context, answers::bridges).await?;
        context::count(context, bridges.len())?;
        Ok(bridges)
    }

    /// Independent loops, short ones first: each a closed chain of links.
    async fn loops(
        &self,
        context: &Context<'_>,
        #[graphql(default = 100, desc = "At most so many, up to 10,000.")] first: u32,
    ) -> Result<Vec<Vec<Link>>> {
        let loops: Vec<Loop> =
            self.away(context, move |scene| answers::loops(scene, first.min(10_000))).await?;
        context::count(context, loops.iter().map(Vec::len).sum())?;
        Ok(loops)
    }

    /// Ports that contradict each other: both ends tell of different cables or speeds, or one end of
    /// several cables.
    async fn miscablings(&self, context: &Context<'_>) -> Result<Vec<Miscabling>> {
        let miscablings = self.away(context, answers::miscablings).await?;
        context::count(context, miscablings.len())?;
        Ok(miscablings)
    }

    /// The shortest ways from one to another, without going anywhere twice.
    async fn paths(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the device, subnet or service where they start.")] from: Id,
        #[graphql(desc = "The id of the one where they end.")] to: Id,
        #[graphql(default = 1, desc = "At most so many, 1 to 100.")] at_most: u32,
    ) -> Result<Vec<Path>> {
        bounded("at_most", at_most, 100)?;
        let paths =
            self.away(context, move |scene| answers::paths(scene, from, to, at_most)).await??;
        context::count(context, paths.iter().map(Path::len).sum())?;
        Ok(paths)
    }

    /// What is lost when these fail together.
    async fn impact(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Devices that fail.")] hosts: Option<Vec<Id>>,
        #[graphql(desc = "Ports that fail, with every link that ends there.")] if_entries: Option<
            Vec<Id>,
        >,
        #[graphql(desc = "Links that fail.")] links: Option<Vec<Id>>,
        #[graphql(
            desc = "Devices that stand for the network, such as its gateways; left out, its largest part does."
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

/// Changes of what is known of neighbors.
#[derive(Clone, Copy, Debug, Default)]
pub struct TopologyMutation;

#[Object]
impl TopologyMutation {
    /// Teaches who a neighbor is: whoever calls itself so is this device, for every port that hears
    /// it and after every scan. It answers the port that heard it. Needs the level Member.
    async fn identify_neighbor(
        &self,
        context: &Context<'_>,
        #[graphql(
            desc = "The id of the observation; of a forwarding table, that of its interface-table entry."
        )]
        observation_id: Id,
        #[graphql(desc = "The device that it is.")] host_id: Id,
        #[graphql(desc = "The port of it that was heard, if only that port is meant.")] if_entry_id: Option<
            Id,
        >,
    ) -> Result<IfEntry> {
        let taught = context::run(context, move |app, viewer| async move {
            identify::identify(&app, &viewer, observation_id, host_id, if_entry_id).await
        });
        Ok(taught.await?)
    }

    /// Forgets what was taught of a neighbor. It answers the port that heard it. Needs the level
    /// Member.
    async fn forget_neighbor(
        &self,
        context: &Context<'_>,
        #[graphql(
            desc = "The id of the observation; of a forwarding table, that of its interface-table entry."
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
