//! Which part of a layer is asked for: all of it, or what is around a root.

use toposcope_types::{Id, Layer};

use super::{Snapshot, layers::NodeAt};

/// How far around a root, where nothing else is said.
const HOPS: u32 = 2;

/// A part of a layer, by the numbers of its nodes.
#[derive(Clone, Debug)]
pub struct Region(Option<Vec<u32>>);

impl Region {
    /// All of a layer.
    pub const fn all() -> Self {
        Self(None)
    }

    /// Whether it is all of the layer.
    pub const fn is_all(&self) -> bool {
        self.0.is_none()
    }

    /// What is at most so many links from the node with this number.
    pub fn around(snapshot: &Snapshot, layer: Layer, root: u32, hops: Option<u32>) -> Self {
        let within = snapshot.layer(layer).graph.within(root, hops.unwrap_or(HOPS));
        let mut shown: Vec<u32> = within.into_iter().map(|reached| reached.node).collect();
        shown.sort_unstable();
        Self(Some(shown))
    }

    /// Whether a node is in it.
    pub fn shows(&self, number: u32) -> bool {
        self.0.as_ref().is_none_or(|shown| shown.binary_search(&number).is_ok())
    }
}

impl Snapshot {
    /// The number of what has this id in the graph of a layer, if something has.
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
