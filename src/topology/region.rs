//! Finding the part of a network that is asked for.

use toposcope_topology::network::{Snapshot, neighborhood::Region};
use toposcope_types::{Id, Kind, Layer};

use crate::error::{Error, Result};

/// What is at most so many links from a root; all of the layer without one.
pub fn region(
    snapshot: &Snapshot,
    layer: Layer,
    root: Option<Id>,
    hops: Option<u32>,
) -> Result<Region> {
    let Some(root) = root else { return Ok(Region::all()) };
    Ok(Region::around(snapshot, layer, numbered(snapshot, layer, root)?, hops))
}

/// The number of what has this id in the graph of a layer.
pub fn numbered(snapshot: &Snapshot, layer: Layer, id: Id) -> Result<u32> {
    let kind = if layer == Layer::Application { Kind::Service } else { Kind::Host };
    snapshot.numbered(layer, id).ok_or(Error::NotFound { kind, id })
}
