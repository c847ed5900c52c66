//! Slowing down those who guess passwords, without locking anyone out.

use std::{net::IpAddr, time::Duration};

use moka::sync::Cache;

use super::token;

/// How long a failed login is held against an address or an account.
const HELD: Duration = Duration::from_mins(15);
/// Failures that cost nothing: people mistype.
const FREE: u32 = 4;
/// The longest wait. It is short enough that the owner of an account under attack still gets in.
const LONGEST: Duration = Duration::from_secs(4);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Subject {
    Address(IpAddr),
    /// By the hash of its name, which may be long, and secret if it is a mistyped password.
    Account(String),
}

impl Subject {
    fn account(name: &str) -> Self {
        Self::Account(token::hash(name))
    }
}

/// Failed logins of the last minutes, counted by address and by account.
#[derive(Debug)]
pub(crate) struct FailedLogins(Cache<Subject, u32>);

impl Default for FailedLogins {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(100_000).time_to_live(HELD).build())
    }
}

impl FailedLogins {
    /// How long this attempt has to wait before the password is looked at.
    pub(crate) fn delay(&self, address: IpAddr, account: &str) -> Duration {
        let failures = |subject| self.0.get(&subject).unwrap_or(0);
        let worst = failures(Subject::Address(address)).max(failures(Subject::account(account)));
        match worst.checked_sub(FREE) {
            None | Some(0) => Duration::ZERO,
            Some(over) => Duration::from_millis(125).saturating_mul(1 << over.min(10)).min(LONGEST),
        }
    }

    /// Notes a failure, or an attempt that is one until it has succeeded.
    pub(crate) fn failed(&self, address: IpAddr, account: &str) {
        for subject in [Subject::Address(address), Subject::account(account)] {
            let failures = self.0.get(&subject).unwrap_or(0);
            self.0.insert(subject, failures.saturating_add(1));
        }
    }

    /// Forgets the failures of an account whose owner has just got in, and takes this attempt back
    /// from the address. What else the address did stays: an account of one's own is no way to go
    /// on guessing those of others.
    pub(crate) fn succeeded(&self, address: IpAddr, account: &str) {
        self.0.invalidate(&Subject::account(account));
        let address = Subject::Address(address);
        if let Some(failures) = self.0.get(&address) {
            self.0.insert(address, failures.saturating_sub(1));
        }
    }
}

#[cfg(test)]
mod tests {
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
}
