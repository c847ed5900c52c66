//! The networks that are remembered as graphs.

use std::{sync::Arc, time::Duration};

use tokio::sync::Mutex;
use toposcope_topology::network::Snapshot;
use toposcope_types::Id;

/// How many octets the snapshots that are remembered may take together, roughly.
const MAX_SIZE: u64 = 512 << 20;
/// How long a snapshot that nobody asks for is remembered.
const IDLE: Duration = Duration::from_mins(10);

/// Snapshots of networks, the latest revision of each that somebody asked for lately.
#[derive(Clone, Debug)]
pub struct Snapshots {
    /// The graph of each network.
    pub(crate) latest: moka::sync::Cache<Id, Arc<Snapshot>>,
    /// Who builds the snapshot of a network; the others wait.
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
