//! The budget of database time of each user.

use std::time::{Duration, Instant};

use toposcope::{
    auth::database_time::{BURST, DatabaseTime},
    error::Error,
};
use toposcope_types::Id;

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
