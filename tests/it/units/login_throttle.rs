//! Throttling of password guesses.

use std::{net::IpAddr, time::Duration};

use futures_util::FutureExt as _;
use toposcope::{
    auth::login_throttle::{Attempt, FailedLogins, LONGEST},
    error::{Error, Result},
};

#[test]
fn guessing_gets_slower_but_never_locks() {
    let logins = FailedLogins::default();
    let address = IpAddr::from([127, 0, 0, 1]);
    let mut last = Duration::ZERO;
    for attempt in 0..100 {
        let delay = logins.delay(address, "a@example.com");
        assert!(delay >= last && delay <= LONGEST, "attempt {attempt}: {delay:?}");
        last = delay;
        logins.failed(address, "a@example.com");
    }
    assert_eq!(last, LONGEST);
    let elsewhere = IpAddr::from([127, 0, 0, 2]);
    assert_eq!(logins.delay(elsewhere, "b@example.com"), Duration::ZERO);
    assert_eq!(logins.delay(elsewhere, "a@example.com"), LONGEST);
    logins.succeeded(address, "a@example.com");
    assert_eq!(logins.delay(elsewhere, "a@example.com"), Duration::ZERO);
    assert_eq!(logins.delay(address, "b@example.com"), LONGEST);
}

/// Returns the result of an attempt, or `None` if it has to wait.
fn at_once<'a>(
    logins: &'a FailedLogins,
    address: &str,
    account: &'a str,
) -> Option<Result<Attempt<'a>>> {
    let address = address.parse().unwrap();
    logins.attempt(Some(address), account).now_or_never()
}

#[tokio::test]
async fn attempts_at_one_account_stand_in_line_wherever_they_come_from() {
    let logins = FailedLogins::default();
    let address = |nth: usize| IpAddr::from([192, 0, 2, u8::try_from(nth).unwrap()]);
    let first = logins.attempt(Some(address(0)), "a@example.com").await.unwrap();
    let attempt = |nth| Box::pin(logins.attempt(Some(address(nth)), "a@example.com"));
    let mut waiting: Vec<_> = (1..=10).map(attempt).collect();
    for one in &mut waiting {
        assert!(one.now_or_never().is_none());
    }
    let eleventh = at_once(&logins, "192.0.2.99", "a@example.com").unwrap();
    assert!(matches!(eleventh, Err(Error::RateLimited { .. })));
    // An attempt that gives up makes room and leaves nothing behind.
    drop(waiting.pop());
    let mut last = attempt(10);
    assert!((&mut last).now_or_never().is_none());
    drop(first);
    drop(waiting);
    last.await.unwrap().succeeded();
    assert!(at_once(&logins, "192.0.2.99", "a@example.com").unwrap().is_ok());
}

#[tokio::test]
async fn attempts_from_one_address_stand_in_line_whatever_they_are_at() {
    let logins = FailedLogins::default();
    for addresses in [["192.0.2.1", "192.0.2.1"], ["2001:db8::1", "2001:db8::2"]] {
        let first = at_once(&logins, addresses[0], "a@example.com").unwrap().unwrap();
        assert!(at_once(&logins, addresses[1], "b@example.com").is_none());
        assert!(at_once(&logins, "192.0.2.3", "b@example.com").unwrap().is_ok());
        drop(first);
        assert!(at_once(&logins, addresses[1], "b@example.com").unwrap().is_ok());
    }
}

#[tokio::test]
async fn strangers_do_not_stand_in_the_way_of_who_has_been_there_before() {
    let logins = FailedLogins::default();
    at_once(&logins, "192.0.2.1", "a@example.com").unwrap().unwrap().succeeded();
    let stranger = at_once(&logins, "192.0.2.2", "a@example.com").unwrap().unwrap();
    assert!(at_once(&logins, "192.0.2.3", "a@example.com").is_none());
    let owner = at_once(&logins, "192.0.2.1", "a@example.com").unwrap();
    assert!(owner.is_ok());
    drop(stranger);
}
