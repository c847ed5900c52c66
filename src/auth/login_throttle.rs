//! Throttling of password guesses, without locking anyone out.

use std::{net::IpAddr, sync::Arc, time::Duration};

use moka::sync::Cache;
use tokio::{
    sync::OwnedSemaphorePermit,
    time::{sleep, timeout},
};

use super::{
    rate_limit::Payer,
    seats::{Seat, Seats},
    token,
};
use crate::error::{Error, Result};

/// The time for which a failed login counts against an address or an account.
const HELD: Duration = Duration::from_mins(15);
/// Failures that cost nothing: people mistype.
const FREE: u32 = 4;
/// The longest wait. It is short enough that the owner of an account under attack still gets in.
const LONGEST: Duration = Duration::from_secs(4);
/// The maximum number of attempts in line: the one whose turn it is, and those that wait.
const IN_LINE: usize = 1 + 10;
/// The longest wait in line, well within the time limit of a request.
const STANDING: Duration = Duration::from_secs(20);
/// The time for which a login to an account from an address is remembered.
const REMEMBERED: Duration = Duration::from_hours(24 * 30);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Subject {
    Address(Payer),
    /// An account, by the hash of its name, which may be long, or secret if it is a mistyped
    /// password.
    Account(String),
    /// An account, at an address where its owner has logged in before: guesses by strangers do not
    /// block the owner there.
    Visited(Payer, String),
}

impl Subject {
    fn account(name: &str) -> Self {
        Self::Account(token::hash(name))
    }

    fn address(address: IpAddr) -> Self {
        Self::Address(Payer::at(address))
    }
}

/// The failed logins of the last minutes, counted by address and by account, and the current
/// attempts.
#[derive(Debug)]
pub(crate) struct FailedLogins {
    failures: Cache<Subject, u32>,
    visited: Cache<Subject, ()>,
    line: Arc<Seats<Subject>>,
}

impl Default for FailedLogins {
    fn default() -> Self {
        let failures = Cache::builder().max_capacity(100_000).time_to_live(HELD).build();
        let visited = Cache::builder().max_capacity(100_000).time_to_live(REMEMBERED).build();
        Self { failures, visited, line: Seats::new(IN_LINE) }
    }
}

/// A password attempt whose turn it is. Until it is dropped, all other attempts at the account or
/// from the address wait.
#[derive(Debug)]
pub(crate) struct Attempt<'a> {
    logins: &'a FailedLogins,
    address: Option<IpAddr>,
    account: &'a str,
    _turns: Vec<(OwnedSemaphorePermit, Seat<Subject>)>,
}

impl Attempt<'_> {
    /// Records that the password was right.
    pub(crate) fn succeeded(self) {
        self.logins.succeeded(self.address, self.account);
    }
}

impl FailedLogins {
    /// Waits in line for the address, if it is known, then for the account, and then for as long as
    /// earlier failures require. The attempt counts as a failure until it succeeds.
    pub(crate) async fn attempt<'a>(
        &'a self,
        address: Option<IpAddr>,
        account: &'a str,
    ) -> Result<Attempt<'a>> {
        let full = || Error::RateLimited { retry_after: LONGEST.as_secs() };
        let line = [address.map(Subject::address), Some(self.line_at(address, account))];
        let standing = async {
            let mut turns = Vec::new();
            // Always in this order, so that no two attempts wait for each other.
            for subject in line.into_iter().flatten() {
                let seat = self.line.take(subject).ok_or_else(full)?;
                turns.push((seat.turn().await.ok_or_else(full)?, seat));
            }
            Ok(turns)
        };
        let turns = timeout(STANDING, standing).await.unwrap_or_else(|_| Err(full()))?;
        let delay = self.delay(address, account);
        self.failed(address, account);
        if !delay.is_zero() {
            sleep(delay).await;
        }
        Ok(Attempt { logins: self, address, account, _turns: turns })
    }

    /// Returns the line in which attempts at an account wait.
    fn line_at(&self, address: Option<IpAddr>, account: &str) -> Subject {
        let visited =
            address.map(|address| Subject::Visited(Payer::at(address), token::hash(account)));
        let visited = visited.filter(|visited| self.visited.contains_key(visited));
        visited.unwrap_or_else(|| Subject::account(account))
    }

    /// Returns how long this attempt has to wait before its password is checked.
    fn delay(&self, address: impl Into<Option<IpAddr>>, account: &str) -> Duration {
        let subjects = [Some(Subject::account(account)), address.into().map(Subject::address)];
        let failures = subjects.into_iter().flatten();
        let worst = failures.map(|subject| self.failures.get(&subject).unwrap_or(0)).max();
        match worst.unwrap_or(0).checked_sub(FREE) {
            None | Some(0) => Duration::ZERO,
            Some(over) => Duration::from_millis(125).saturating_mul(1 << over.min(10)).min(LONGEST),
        }
    }

    /// Records a failure, or an attempt that counts as one until it succeeds.
    fn failed(&self, address: impl Into<Option<IpAddr>>, account: &str) {
        let subjects = [Some(Subject::account(account)), address.into().map(Subject::address)];
        for subject in subjects.into_iter().flatten() {
            let failures = self.failures.get(&subject).unwrap_or(0);
            self.failures.insert(subject, failures.saturating_add(1));
        }
    }

    /// Forgets the failures of an account whose owner has just logged in, and removes this attempt
    /// from the count of the address. Other failures of the address stay: logging in to an account
    /// of one's own must not allow further guesses at those of others.
    fn succeeded(&self, address: impl Into<Option<IpAddr>>, account: &str) {
        self.failures.invalidate(&Subject::account(account));
        let Some(address) = address.into() else { return };
        self.visited.insert(Subject::Visited(Payer::at(address), token::hash(account)), ());
        let address = Subject::address(address);
        if let Some(failures) = self.failures.get(&address) {
            self.failures.insert(address, failures.saturating_sub(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

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
}
