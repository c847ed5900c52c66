//! The layers of a network as graphs: what is joined, and by what.

use std::{str::FromStr, sync::OnceLock};

use async_graphql::Enum;
use serde::Serialize;
use utoipa::ToSchema;

use super::graph::{Cuts, Graph};

/// A layer of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[graphql(name = "TopologyLayer")]
#[schema(as = TopologyLayer)]
pub enum Layer {
    /// Devices, and the links between their ports.
    L2,
    /// Devices, and the subnets that their addresses are in.
    L3,
    /// Services, and what depends on what by the order of groups.
    Application,
}

impl Layer {
    /// How people write it in a request or a name of a file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::L2 => "l2",
            Self::L3 => "l3",
            Self::Application => "application",
        }
    }

    /// How people read it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::L2 => "Layer 2",
            Self::L3 => "Layer 3",
            Self::Application => "Applications",
        }
    }
}

impl FromStr for Layer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::L2, Self::L3, Self::Application]
            .into_iter()
            .find(|layer| layer.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| "use one of L2, L3, APPLICATION".to_owned())
    }
}

/// What is joined, by its place in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeAt {
    /// A device.
    Host(u32),
    /// A subnet.
    Subnet(u32),
    /// A service.
    Service(u32),
}

/// What joins, by its place in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeAt {
    /// A link.
    Link(u32),
    /// An address of a device in a subnet.
    Address(u32),
    /// A step of a group, from one of its bindings to another: their places in its order.
    Step { group: u32, from: u32, to: u32 },
}

/// A layer as a graph.
#[derive(Debug)]
pub struct LayerGraph {
    /// What is joined, by its number in the graph.
    pub nodes: Vec<NodeAt>,
    /// What joins it, by its number in the graph.
    pub edges: Vec<EdgeAt>,
    /// The graph.
    pub graph: Graph,
    cuts: OnceLock<Cuts>,
}

impl LayerGraph {
    pub(super) fn new(nodes: Vec<NodeAt>, edges: Vec<EdgeAt>, ends: Vec<[u32; 2]>) -> Self {
        let graph = Graph::new(count(nodes.len()), ends);
        Self { nodes, edges, graph, cuts: OnceLock::new() }
    }

    /// What cuts it in parts.
    pub fn cuts(&self) -> &Cuts {
        self.cuts.get_or_init(|| self.graph.cuts())
    }
}

/// The layers of a snapshot, worked out when first asked for.
#[derive(Debug, Default)]
pub(super) struct Layers {
    pub(super) l2: OnceLock<LayerGraph>,
    pub(super) l3: OnceLock<LayerGraph>,
    pub(super) application: OnceLock<LayerGraph>,
}

/// A number of things in memory, which is far below 2³².
pub(super) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
