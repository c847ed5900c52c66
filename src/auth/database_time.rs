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
const BURST: Duration = Duration::from_secs(20);
/// The seconds that it takes to earn one second of database time: twenty a minute.
const EARN: u32 = 3;
/// The time spent, and not yet earned back, above which a user leaves connections to others.
const MUCH: Duration = Duration::from_secs(2);
/// The most time that can remain to be earned back; a user waits only for the part beyond the
/// burst.
const MOST: Duration = Duration::from_secs(40);

/// The time that users have spent and not yet earned back.
#[derive(Clone, Debug, Default)]
pub(super) struct DatabaseTime(Arc<Mutex<HashMap<Id, Spent>>>);

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
    pub(super) fn charge(&self, user_id: Id, time: Duration, now: Instant) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let spent = all.entry(user_id).or_insert(Spent { wait: Duration::ZERO, at: now });
        let wait = spent.left(now).saturating_add(time.saturating_mul(EARN));
        *spent = Spent { wait: wait.min(MOST * EARN), at: now };
    }

    /// Returns whether a user has recently spent so much that they must leave connections to
    /// others.
    pub(super) fn is_much(&self, user_id: Id, now: Instant) -> bool {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&user_id).is_some_and(|spent| spent.left(now) > MUCH * EARN)
    }

    /// Rejects a user who has spent the budget.
    pub(super) fn check(&self, user_id: Id, now: Instant) -> Result<()> {
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
    pub(super) fn retain_recent(&self, now: Instant) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, spent| !spent.left(now).is_zero());
        all.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_spends_more_than_the_budget_waits_until_it_is_earned() {
        let time = DatabaseTime::default();
        let (user, other, start) = (Id::new(), Id::new(), Instant::now());
        let after = |seconds| start + Duration::from_secs(seconds);
        time.charge(user, BURST, start);
        assert!(time.check(user, start).is_ok(), "all of it may be spent");
        time.charge(user, Duration::from_secs(5), start);
        let wait = |now| match time.check(user, now) {
            Err(Error::DatabaseTimeSpent { retry_after }) => retry_after,
            other => panic!("{other:?}"),
        };
        assert_eq!((wait(start), wait(after(14))), (15, 1));
        assert!(time.check(user, after(15)).is_ok());
        assert!(time.check(other, start).is_ok(), "others have their own");
        assert!(time.is_much(user, after(15)) && !time.is_much(other, start));
        assert!(!time.is_much(user, after(15 + 54)));
        time.charge(user, Duration::from_hours(1), after(15));
        assert_eq!(wait(after(15)), 60, "nobody waits longer than a minute");
        time.retain_recent(after(15 + 119));
        assert!(time.check(user, after(15)).is_err());
        time.retain_recent(after(15 + 120));
        assert!(time.check(user, after(15)).is_ok());
    }
}
