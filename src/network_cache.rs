//! The cache of networks as graphs.

use std::{sync::Arc, time::Duration};

use tokio::sync::Mutex;
use toposcope_topology::network::Snapshot;
use toposcope_types::Id;

/// The maximum size of all cached snapshots together, in octets, roughly.
const MAX_SIZE: u64 = 512 << 20;
/// How long to cache a snapshot that no request uses.
const IDLE: Duration = Duration::from_mins(10);

/// Snapshots of networks, at the latest revision that a recent request needed.
#[derive(Clone, Debug)]
pub struct Snapshots {
    /// The graph of each network.
    pub(crate) latest: moka::sync::Cache<Id, Arc<Snapshot>>,
    /// The lock of the request that builds a network's snapshot; other requests wait for it.
    pub(crate) building: moka::sync::Cache<Id, Arc<Mutex<()>>>,
}

impl Default for Snapshots {
    fn default() -> Self {
        let size =
            |_: &Id, snapshot: &Arc<Snapshot>| u32::try_from(snapshot.size()).unwrap_or(u32::MAX);
        Self {
            latest: moka::sync::Cache::builder()
                .weigher(size)
                .max_capacity(MAX_SIZE)
                .time_to_idle(IDLE)
                .build(),
            building: moka::sync::Cache::builder().time_to_idle(IDLE).build(),
        }
    }
}
