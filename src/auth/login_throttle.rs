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
pub const LONGEST: Duration = Duration::from_secs(4);
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
pub struct FailedLogins {
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
pub struct Attempt<'a> {
    logins: &'a FailedLogins,
    address: Option<IpAddr>,
    account: &'a str,
    _turns: Vec<(OwnedSemaphorePermit, Seat<Subject>)>,
}

impl Attempt<'_> {
    /// Records that the password was right.
    pub fn succeeded(self) {
        self.logins.succeeded(self.address, self.account);
    }
}

impl FailedLogins {
    /// Waits in line for the address, if it is known, then for the account, and then for as long as
    /// earlier failures require. The attempt counts as a failure until it succeeds.
    pub async fn attempt<'a>(
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
    pub fn delay(&self, address: impl Into<Option<IpAddr>>, account: &str) -> Duration {
        let subjects = [Some(Subject::account(account)), address.into().map(Subject::address)];
        let failures = subjects.into_iter().flatten();
        let worst = failures.map(|subject| self.failures.get(&subject).unwrap_or(0)).max();
        match worst.unwrap_or(0).checked_sub(FREE) {
            None | Some(0) => Duration::ZERO,
            Some(over) => Duration::from_millis(125).saturating_mul(1 << over.min(10)).min(LONGEST),
        }
    }

    /// Records a failure, or an attempt that counts as one until it succeeds.
    pub fn failed(&self, address: impl Into<Option<IpAddr>>, account: &str) {
        let subjects = [Some(Subject::account(account)), address.into().map(Subject::address)];
        for subject in subjects.into_iter().flatten() {
            let failures = self.failures.get(&subject).unwrap_or(0);
            self.failures.insert(subject, failures.saturating_add(1));
        }
    }

    /// Forgets the failures of an account whose owner has just logged in, and removes this attempt
    /// from the count of the address. Other failures of the address stay: logging in to an account
    /// of one's own must not allow further guesses at those of others.
    pub fn succeeded(&self, address: impl Into<Option<IpAddr>>, account: &str) {
        self.failures.invalidate(&Subject::account(account));
        let Some(address) = address.into() else { return };
        self.visited.insert(Subject::Visited(Payer::at(address), token::hash(account)), ());
        let address = Subject::address(address);
        if let Some(failures) = self.failures.get(&address) {
            self.failures.insert(address, failures.saturating_sub(1));
        }
    }
}
