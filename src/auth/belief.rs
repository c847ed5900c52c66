//! How long cached credentials are trusted while no other process reports a change.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// The maximum age of the last confirmation for which cached credentials are trusted.
const BELIEVED: Duration = Duration::from_secs(1);

/// The time of the last confirmation that nothing had changed. A process that watches nothing, such
/// as a command that ends by itself, trusts its lookups.
#[derive(Debug)]
pub(super) struct Belief {
    start: Instant,
    /// Milliseconds from the start, 0 before the first confirmation.
    asked: AtomicU64,
}

impl Default for Belief {
    fn default() -> Self {
        Self { start: Instant::now(), asked: AtomicU64::new(0) }
    }
}

impl Belief {
    pub(super) fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns whether a recent lookup may still be used.
    pub(super) fn is_believed(&self) -> bool {
        let asked = self.asked.load(Ordering::SeqCst);
        asked == 0 || u128::from(self.now() - asked.min(self.now())) <= BELIEVED.as_millis()
    }

    /// Records that nothing had changed unnoticed at `moment`.
    pub(super) fn confirm(&self, moment: u64) {
        self.asked.store(moment.max(1), Ordering::SeqCst);
    }
}
