//! Whether the database takes writes: what writers were told, and a small write to see.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::{Db, signal::Signal};
use crate::error::{Error, Result};

/// How long it is remembered that a write was refused, unless another one is taken meanwhile.
const REMEMBERED: Duration = Duration::from_secs(10);
/// How often a small write is tried at most.
const TRIED: Duration = Duration::from_secs(1);
/// How long that write may wait for others, who show by writing that one can.
const PATIENCE: Duration = Duration::from_millis(1500);

/// What is known of the storage below the database.
#[derive(Debug, Default)]
pub(super) struct Storage {
    refused: Mutex<Option<(Instant, &'static str)>>,
    tried: tokio::sync::Mutex<Option<(Instant, Option<&'static str>)>>,
}

impl Storage {
    /// Notes why a write failed, if that says anything of the storage.
    pub(super) fn failed(&self, error: &Error) {
        if let Some(reason) = error.refuses_writes() {
            self.set(Some((Instant::now(), reason)));
        }
    }

    fn set(&self, refused: Option<(Instant, &'static str)>) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = refused;
    }

    fn refused(&self) -> Option<&'static str> {
        let refused = *self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.filter(|(at, _)| at.elapsed() < REMEMBERED).map(|(_, reason)| reason)
    }
}

impl Db {
    /// Notes that something was committed.
    pub fn committed(&self) {
        self.storage.set(None);
    }

    /// Whether the database answers and takes writes. At most once a second a row of no meaning is
    /// written to see. Since a small write may still fit where a larger one did not, one that was
    /// refused a moment ago counts until another one is taken.
    ///
    /// # Errors
    ///
    /// Unavailable, with the reason why nothing can be written.
    pub async fn check(&self) -> Result<()> {
        self.ping().await?;
        if let Some(reason) = self.storage.refused() {
            return Err(Error::unavailable(reason));
        }
        let mut tried = self.storage.tried.lock().await;
        let refusal = match *tried {
            Some((at, refusal)) if at.elapsed() < TRIED => refusal,
            _ => {
                let refusal = self.try_to_write().await;
                *tried = Some((Instant::now(), refusal));
                refusal
            }
        };
        refusal.map_or(Ok(()), |reason| Err(Error::unavailable(reason)))
    }

    async fn try_to_write(&self) -> Option<&'static str> {
        match tokio::time::timeout(PATIENCE, Signal::Probe.raise(self.writer())).await {
            Ok(Err(error)) => {
                let reason = error.refuses_writes();
                if reason.is_some() {
                    error.log();
                }
                reason
            }
            Ok(Ok(())) | Err(_) => None,
        }
    }
}
