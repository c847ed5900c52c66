//! A budget of database time for each user, in addition to the request budget.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use toposcope_types::Id;

use crate::error::{Error, Result};

/// The time that a user may spend at once. It is charged afterwards, so the last request may be
/// long.
pub const BURST: Duration = Duration::from_secs(20);
/// The seconds that it takes to earn one second of database time: twenty a minute.
const EARN: u32 = 3;
/// The time spent, and not yet earned back, above which a user leaves connections to others.
const MUCH: Duration = Duration::from_secs(2);
/// The most time that can remain to be earned back; a user waits only for the part beyond the
/// burst.
const MOST: Duration = Duration::from_secs(40);

/// The time that users have spent and not yet earned back.
#[derive(Clone, Debug, Default)]
pub struct DatabaseTime(Arc<Mutex<HashMap<Id, Spent>>>);

#[derive(Clone, Copy, Debug)]
struct Spent {
    /// The time that it takes to earn the spent time back.
    wait: Duration,
    at: Instant,
}

impl Spent {
    fn left(self, now: Instant) -> Duration {
        self.wait.saturating_sub(now.saturating_duration_since(self.at))
    }
}

impl DatabaseTime {
    /// Adds to the time that a user has spent.
    pub fn charge(&self, user_id: Id, time: Duration, now: Instant) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let spent = all.entry(user_id).or_insert(Spent { wait: Duration::ZERO, at: now });
        let wait = spent.left(now).saturating_add(time.saturating_mul(EARN));
        *spent = Spent { wait: wait.min(MOST * EARN), at: now };
    }

    /// Returns whether a user has recently spent so much that they must leave connections to
    /// others.
    pub fn is_much(&self, user_id: Id, now: Instant) -> bool {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&user_id).is_some_and(|spent| spent.left(now) > MUCH * EARN)
    }

    /// Rejects a user who has spent the budget.
    pub fn check(&self, user_id: Id, now: Instant) -> Result<()> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let left = all.get(&user_id).map_or(Duration::ZERO, |spent| spent.left(now));
        let over = left.saturating_sub(BURST * EARN);
        if over.is_zero() {
            return Ok(());
        }
        let seconds = over.as_secs() + u64::from(over.subsec_nanos() > 0);
        Err(Error::DatabaseTimeSpent { retry_after: seconds })
    }

    /// Forgets users who have earned everything back.
    pub fn retain_recent(&self, now: Instant) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, spent| !spent.left(now).is_zero());
        all.shrink_to_fit();
    }
}
