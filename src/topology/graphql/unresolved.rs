//! Who was heard and is not known.

use std::sync::Arc;

use async_graphql::SimpleObject;
use toposcope_types::Layer;

use super::{link::Evidence, scene::Scene};

/// A neighbor that was heard and is not known.
#[derive(Clone, Debug, SimpleObject)]
pub struct UnresolvedNeighbor {
    /// Who it claims to be, by its strongest claim: a kind and a value, such as `mac 00:00:…`; empty
    /// if it claims nothing by which it could be known.
    pub(super) claim: Option<String>,
    /// How it calls itself.
    pub(super) sys_name: Option<String>,
    /// How it identifies itself.
    pub(super) chassis_id: Option<String>,
    /// The address by which it is managed.
    pub(super) mgmt_addr: Option<String>,
    /// How many observations of it there are.
    pub(super) count: usize,
    /// Who heard it, and why it is not known.
    pub(super) evidence: Vec<Evidence>,
}

/// Who was heard by the devices shown and is not known, most heard first.
pub(super) fn unresolved(scene: &Scene) -> Vec<UnresolvedNeighbor> {
    let snapshot = &scene.snapshot;
    let shown = |host: u32| scene.layer != Layer::L2 || scene.shows(host);
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let neighbors = snapshot.unknown_neighbors(shown).into_iter();
    neighbors
        .map(|neighbor| UnresolvedNeighbor {
            claim: owned(neighbor.claim),
            sys_name: owned(neighbor.sys_name()),
            chassis_id: owned(neighbor.chassis_id()),
            mgmt_addr: owned(neighbor.mgmt_addr()),
            count: neighbor.heard.len(),
            evidence: (neighbor.heard.iter())
                .map(|one| Evidence { snapshot: Arc::clone(snapshot), seen: one.seen })
                .collect(),
        })
        .collect()
}
