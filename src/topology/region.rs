//! Selection of the requested part of a network.

use toposcope_topology::network::{Snapshot, neighborhood::Region};
use toposcope_types::{Id, Kind, Layer};

use crate::error::{Error, Result};

/// Returns the nodes within `hops` links of a root, or the whole layer without one.
pub fn region(
    snapshot: &Snapshot,
    layer: Layer,
    root: Option<Id>,
    hops: Option<u32>,
) -> Result<Region> {
    let Some(root) = root else { return Ok(Region::all()) };
    Ok(Region::around(snapshot, layer, numbered(snapshot, layer, root)?, hops))
}

/// Returns the number of the node with this id in the graph of a layer.
pub fn numbered(snapshot: &Snapshot, layer: Layer, id: Id) -> Result<u32> {
    let kind = if layer == Layer::Application { Kind::Service } else { Kind::Host };
    snapshot.numbered(layer, id).ok_or(Error::NotFound { kind, id })
}
