//! Which part of a layer is asked for: all of it, or what is around a root.

use super::{
    layer::{Layer, NodeAt},
    snapshot::Snapshot,
};
use crate::{
    error::{Error, Kind, Result},
    types::Id,
};

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

    /// What is at most so many links from a root; all of the layer without one.
    pub fn around(
        snapshot: &Snapshot,
        layer: Layer,
        root: Option<Id>,
        hops: Option<u32>,
    ) -> Result<Self> {
        let Some(root) = root else { return Ok(Self::all()) };
        let root = snapshot.numbered(layer, root)?;
        let within = snapshot.layer(layer).graph.within(root, hops.unwrap_or(HOPS));
        let mut shown: Vec<u32> = within.into_iter().map(|reached| reached.node).collect();
        shown.sort_unstable();
        Ok(Self(Some(shown)))
    }

    /// Whether a node is in it.
    pub fn shows(&self, number: u32) -> bool {
        self.0.as_ref().is_none_or(|shown| shown.binary_search(&number).is_ok())
    }
}

impl Snapshot {
    /// The number of what has this id in the graph of a layer.
    pub fn numbered(&self, layer: Layer, id: Id) -> Result<u32> {
        let node = match layer {
            Layer::L2 => self.host(id).map(NodeAt::Host),
            Layer::L3 => {
                let host = self.host(id).map(NodeAt::Host);
                host.or_else(|| self.subnet(id).map(NodeAt::Subnet))
            }
            Layer::Application => self.service(id).map(NodeAt::Service),
        };
        let kind = if layer == Layer::Application { Kind::Service } else { Kind::Host };
        node.map(|node| self.number(node)).ok_or(Error::NotFound { kind, id })
    }
}
