//! Neighbors that a port heard and the inventory does not know, over GraphQL.

use std::sync::Arc;

use async_graphql::SimpleObject;
use toposcope_types::Layer;

use super::{link::Evidence, scene::Scene};

/// A neighbor that a port heard and the inventory does not know.
#[derive(Clone, Debug, SimpleObject)]
pub struct UnresolvedNeighbor {
    /// The strongest identity that it claims: a kind and a value, such as `mac 00:00:…`; null if it
    /// claims nothing that could identify it.
    pub(super) claim: Option<String>,
    /// The system name that it gives itself.
    pub(super) sys_name: Option<String>,
    /// The chassis id by which it identifies itself.
    pub(super) chassis_id: Option<String>,
    /// The address by which it is managed.
    pub(super) mgmt_addr: Option<String>,
    /// The number of observations of it.
    pub(super) count: usize,
    /// The evidence of the ports that heard it, and why it is unknown.
    pub(super) evidence: Vec<Evidence>,
}

/// Returns the unknown neighbors that the shown devices heard, most heard first.
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
