//! The data that a topology response is read from.

use std::sync::Arc;

use toposcope_topology::network::{
    Snapshot,
    layers::{Counted, Held},
    neighborhood::Region,
};
use toposcope_types::{Id, Layer};

use super::{link::Link, node::TopologyNode};

/// A layer of a snapshot, or the part of it around a root.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) layer: Layer,
    pub(super) region: Arc<Region>,
}

impl Scene {
    pub(super) fn new(snapshot: Arc<Snapshot>, layer: Layer) -> Self {
        Self { snapshot, layer, region: Arc::new(Region::all()) }
    }

    pub(super) fn is_whole(&self) -> bool {
        self.region.is_all()
    }

    pub(super) fn shows(&self, number: u32) -> bool {
        self.region.shows(number)
    }

    /// Returns the graph that an answer counts, in the VLAN of the region if it has one.
    pub(super) fn counted(&self, counted: Counted) -> Held<'_> {
        self.snapshot.counted(self.layer, counted, self.region.vlan())
    }

    pub(super) fn node(&self, number: u32) -> TopologyNode {
        let node = self.snapshot.layer(self.layer).nodes[number as usize];
        TopologyNode { snapshot: Arc::clone(&self.snapshot), layer: self.layer, node }
    }

    pub(super) fn nodes(&self, numbers: impl IntoIterator<Item = u32>) -> Vec<TopologyNode> {
        numbers.into_iter().map(|number| self.node(number)).collect()
    }

    pub(super) fn link(&self, number: u32) -> Link {
        Link::at(&self.snapshot, self.layer, number)
    }

    pub(super) fn id(&self, number: u32) -> Id {
        TopologyNode::id_of(&self.snapshot, self.snapshot.layer(self.layer).nodes[number as usize])
    }

    pub(super) fn link_id(&self, number: u32) -> Id {
        self.snapshot.edge_id(self.snapshot.layer(self.layer).edges[number as usize])
    }

    pub(super) fn links(&self, numbers: impl IntoIterator<Item = u32>) -> Vec<Link> {
        numbers.into_iter().map(|number| self.link(number)).collect()
    }
}
