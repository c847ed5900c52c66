//! Whether the database takes writes: what those who write were told, and a small write to see.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use sea_orm::{DbBackend, DbErr};

use super::{Db, signal::Signal};
use crate::error::{self, Error, Result};

/// How long it is remembered that a write was refused, unless another one is taken meanwhile.
const REMEMBERED: Duration = Duration::from_secs(10);
/// How often a small write is tried at most.
const TRIED: Duration = Duration::from_secs(1);
/// How long that write may wait for others, who show by writing that one can.
const PATIENCE: Duration = Duration::from_millis(1500);
/// How long nothing at all may be written while it waits: longer than most statements take.
const STILL: Duration = Duration::from_secs(10);
const BUSY: &str = "nothing can be written to the database: it has been busy for too long";

/// What is known of the storage below the database.
#[derive(Debug)]
pub(super) struct Storage {
    refused: Mutex<Option<(Instant, &'static str)>>,
    tried: tokio::sync::Mutex<Tried>,
    /// When a statement that writes was last done.
    moved: Mutex<Instant>,
    /// How many transactions of this process have begun to write.
    open: AtomicUsize,
}

/// A transaction that has begun to write, until this is dropped.
#[derive(Debug)]
pub(super) struct Open(Arc<Storage>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, SeqCst);
    }
}

/// How the last small write went.
#[derive(Debug, Default)]
struct Tried {
    at: Option<Instant>,
    refusal: Option<&'static str>,
    /// Since when it has been waiting in vain.
    waits_since: Option<Instant>,
}

impl Default for Storage {
    fn default() -> Self {
        let moved = Mutex::new(Instant::now());
        let (refused, tried, open) = (Mutex::default(), <_>::default(), AtomicUsize::new(0));
        Self { refused, tried, moved, open }
    }
}

impl Storage {
    /// Notes how a statement of one that writes ended, if that says anything of the storage.
    pub(super) fn heard(&self, error: Option<&DbErr>) {
        match error.map(error::refuses_writes) {
            None => *self.moved.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now(),
            Some(Some(reason)) => self.set(Some((Instant::now(), reason))),
            Some(None) => {}
        }
    }

    /// Notes that something was committed.
    pub(super) fn committed(&self) {
        self.set(None);
    }

    /// Notes that a transaction has begun.
    pub(super) fn open(self: &Arc<Self>) -> Open {
        self.open.fetch_add(1, SeqCst);
        Open(Arc::clone(self))
    }

    fn moved(&self) -> Instant {
        *self.moved.lock().unwrap_or_else(PoisonError::into_inner)
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
        if tried.at.is_none_or(|at| at.elapsed() >= TRIED) {
            tried.refusal = self.try_to_write(&mut tried.waits_since).await;
            tried.at = Some(Instant::now());
        }
        tried.refusal.map_or(Ok(()), |reason| Err(Error::unavailable(reason)))
    }

    async fn try_to_write(&self, waits_since: &mut Option<Instant>) -> Option<&'static str> {
        let began = Instant::now();
        match tokio::time::timeout(PATIENCE, Signal::Probe.raise(self.writer())).await {
            Ok(Ok(())) => *waits_since = None,
            Ok(Err(error)) => {
                error.log();
                return error.unavailable_because();
            }
            // It is this process that writes, if only slowly.
            Err(_) if self.backend() == DbBackend::Sqlite && self.storage.open.load(SeqCst) > 0 => {
                *waits_since = None;
            }
            Err(_) => {
                let since = waits_since.filter(|since| self.storage.moved() < *since);
                let since = *waits_since.insert(since.unwrap_or(began));
                return (since.elapsed() > STILL).then_some(BUSY);
            }
        }
        None
    }
}
