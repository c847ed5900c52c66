//! The layers of a network as graphs of nodes and edges.

use std::{ops::Deref, sync::OnceLock};

use crate::graph::{Cuts, Graph};

/// A node, by its index in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeAt {
    /// A device.
    Host(u32),
    /// A subnet.
    Subnet(u32),
    /// A service.
    Service(u32),
}

/// An edge, by its index in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeAt {
    /// A link.
    Link(u32),
    /// An address of a device in a subnet.
    Address(u32),
    /// A step of a group, from one of its bindings to another, by their positions in its order.
    Step {
        /// The index of the group.
        group: u32,
        /// The position of the binding that it starts from.
        from: u32,
        /// The position of the binding that it leads to.
        to: u32,
    },
}

/// A layer as a graph.
#[derive(Debug)]
pub struct LayerGraph {
    /// The nodes, by number in the graph.
    pub nodes: Vec<NodeAt>,
    /// The edges, by number in the graph.
    pub edges: Vec<EdgeAt>,
    /// The graph.
    pub graph: Graph,
    cuts: OnceLock<Cuts>,
}

impl LayerGraph {
    pub(crate) fn new(nodes: Vec<NodeAt>, edges: Vec<EdgeAt>, ends: Vec<[u32; 2]>) -> Self {
        let graph = Graph::new(count(nodes.len()), ends);
        Self { nodes, edges, graph, cuts: OnceLock::new() }
    }

    /// Returns the number that an edge of this graph has in the graph of the whole layer.
    pub fn whole(&self, number: u32) -> u32 {
        match self.edges[number as usize] {
            EdgeAt::Link(place) => place,
            EdgeAt::Address(_) | EdgeAt::Step { .. } => number,
        }
    }

    /// Returns the number in this graph of a link of the snapshot, if it is an edge here.
    pub fn edge_of_link(&self, link: u32) -> Option<u32> {
        let place_of = |edge: &EdgeAt| match edge {
            EdgeAt::Link(place) => *place,
            EdgeAt::Address(_) | EdgeAt::Step { .. } => u32::MAX,
        };
        let found = self.edges.binary_search_by_key(&link, place_of).ok()?;
        Some(count(found))
    }

    /// Returns the single points of failure of the layer.
    pub fn cuts(&self) -> &Cuts {
        self.cuts.get_or_init(|| self.graph.cuts())
    }
}

/// A graph that is kept with its snapshot, or was made for one answer.
#[derive(Debug)]
pub enum Held<'s> {
    /// The graph is kept.
    Kept(&'s LayerGraph),
    /// The graph was made for one answer.
    Made(Box<LayerGraph>),
}

impl Deref for Held<'_> {
    type Target = LayerGraph;

    fn deref(&self) -> &LayerGraph {
        match self {
            Self::Kept(graph) => graph,
            Self::Made(graph) => graph,
        }
    }
}

/// The links that an answer about layer L2 counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Each proven cable.
    Cables,
    /// Each bundle of proven cables once.
    Bundles,
    /// Each proven cable that the spanning tree does not block.
    Forwarding,
}

/// The layers of a snapshot, each computed on first use.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    pub(crate) l2: OnceLock<LayerGraph>,
    pub(crate) cables: OnceLock<LayerGraph>,
    pub(crate) bundles: OnceLock<LayerGraph>,
    pub(crate) forwarding: OnceLock<LayerGraph>,
    pub(crate) l3: OnceLock<LayerGraph>,
    pub(crate) application: OnceLock<LayerGraph>,
}

/// Converts a number of things in memory to `u32`; it is far below 2³².
pub fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
