//! Health check: whether the database answers and accepts writes.

use std::{
    sync::atomic::Ordering::SeqCst,
    time::{Duration, Instant},
};

use sea_orm::DbBackend;

use super::{connect::Db, signal::Signal};
use crate::error::{Error, Outage, Result};

/// The minimum interval between two test writes.
const TRIED: Duration = Duration::from_secs(1);
/// The time that a test write may wait for other writers, who show by writing that writes work.
const PATIENCE: Duration = Duration::from_millis(1500);
/// The time for which nothing at all may be written while a test write waits: longer than most
/// statements take.
const STILL: Duration = Duration::from_secs(10);
const BUSY: &str = "nothing can be written to the database: it has been busy for too long";

impl Db {
    /// Checks whether the database answers and accepts writes. At most once a second it writes a
    /// meaningless row to find out. Since a small write may still fit where a larger one did not, a
    /// recently refused write counts until another one is accepted.
    ///
    /// # Errors
    ///
    /// Returns Unavailable, with the reason why nothing can be written.
    pub async fn check(&self) -> Result<()> {
        self.ping().await?;
        if let Some(reason) = self.storage.refused() {
            return Err(Error::unavailable(reason));
        }
        let mut tried = self.storage.tried.lock().await;
        if tried.at.is_none_or(|at| at.elapsed() >= TRIED) {
            tried.refusal = self.try_to_write(&mut tried.waits_since).await;
            tried.at = Some(Instant::now());
        }
        tried.refusal.map_or(Ok(()), |reason| Err(Error::unavailable(reason)))
    }

    async fn try_to_write(&self, waits_since: &mut Option<Instant>) -> Option<Outage> {
        let began = Instant::now();
        match tokio::time::timeout(PATIENCE, Signal::Probe.raise(self.writer())).await {
            Ok(Ok(())) => *waits_since = None,
            Ok(Err(error)) => {
                error.log();
                return error.unavailable_because();
            }
            // This process itself is writing, if only slowly.
            Err(_) if self.backend() == DbBackend::Sqlite && self.storage.open.load(SeqCst) > 0 => {
                *waits_since = None;
            }
            Err(_) => {
                let since = waits_since.filter(|since| self.storage.moved() < *since);
                let since = *waits_since.insert(since.unwrap_or(began));
                return (since.elapsed() > STILL).then_some(Outage::Other(BUSY));
            }
        }
        None
    }
}
