//! The requested part of a layer: all of it, or the neighborhood of a root.

use toposcope_types::{Id, Layer};

use super::{Snapshot, layers::NodeAt};

/// The default number of hops around a root.
const HOPS: u32 = 2;

/// A part of a layer, by the numbers of its nodes.
#[derive(Clone, Debug)]
pub struct Region(Option<Vec<u32>>);

impl Region {
    /// Creates the region that covers a whole layer.
    pub const fn all() -> Self {
        Self(None)
    }

    /// Returns whether the region covers the whole layer.
    pub const fn is_all(&self) -> bool {
        self.0.is_none()
    }

    /// Creates the region of at most `hops` links around the node with the number `root`.
    pub fn around(snapshot: &Snapshot, layer: Layer, root: u32, hops: Option<u32>) -> Self {
        let within = snapshot.layer(layer).graph.within(root, hops.unwrap_or(HOPS));
        let mut shown: Vec<u32> = within.into_iter().map(|reached| reached.node).collect();
        shown.sort_unstable();
        Self(Some(shown))
    }

    /// Returns whether the region contains a node.
    pub fn shows(&self, number: u32) -> bool {
        self.0.as_ref().is_none_or(|shown| shown.binary_search(&number).is_ok())
    }
}

impl Snapshot {
    /// Returns the number of the node with this id in the graph of a layer, if there is one.
    pub fn numbered(&self, layer: Layer, id: Id) -> Option<u32> {
        let node = match layer {
            Layer::L2 => self.host(id).map(NodeAt::Host),
            Layer::L3 => {
                let host = self.host(id).map(NodeAt::Host);
                host.or_else(|| self.subnet(id).map(NodeAt::Subnet))
            }
            Layer::Application => self.service(id).map(NodeAt::Service),
        };
        node.map(|node| self.number(node))
    }
}
