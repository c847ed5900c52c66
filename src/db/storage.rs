//! Whether the database accepts writes: what its writers have observed.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use sea_orm::DbErr;

use crate::error::{self, Outage};

/// The time for which a refused write is remembered, unless another one is accepted meanwhile.
const REMEMBERED: Duration = Duration::from_secs(10);

/// The known state of the storage below the database.
#[derive(Debug)]
pub(super) struct Storage {
    refused: Mutex<Option<(Instant, Outage)>>,
    /// The outcome of the last test write.
    pub(super) tried: tokio::sync::Mutex<Tried>,
    /// The time when a write statement last completed.
    moved: Mutex<Instant>,
    /// The number of transactions of this process that have begun to write.
    pub(super) open: AtomicUsize,
}

/// A transaction that has begun to write, counted as open until this is dropped.
#[derive(Debug)]
pub(super) struct Open(Arc<Storage>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, SeqCst);
    }
}

/// The outcome of the last test write.
#[derive(Debug, Default)]
pub(super) struct Tried {
    pub(super) at: Option<Instant>,
    pub(super) refusal: Option<Outage>,
    /// The time since which it has been waiting in vain.
    pub(super) waits_since: Option<Instant>,
}

impl Default for Storage {
    fn default() -> Self {
        let moved = Mutex::new(Instant::now());
        let (refused, tried, open) = (Mutex::default(), <_>::default(), AtomicUsize::new(0));
        Self { refused, tried, moved, open }
    }
}

impl Storage {
    /// Records how a write statement ended, if that says anything about the storage.
    pub(super) fn heard(&self, error: Option<&DbErr>) {
        match error.map(error::refuses_writes) {
            None => *self.moved.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now(),
            Some(Some(reason)) => self.set(Some((Instant::now(), reason))),
            Some(None) => {}
        }
    }

    /// Records that a transaction was committed.
    pub(super) fn committed(&self) {
        self.set(None);
    }

    /// Records that a transaction has begun.
    pub(super) fn open(self: &Arc<Self>) -> Open {
        self.open.fetch_add(1, SeqCst);
        Open(Arc::clone(self))
    }

    /// Returns when a write statement last completed.
    pub(super) fn moved(&self) -> Instant {
        *self.moved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, refused: Option<(Instant, Outage)>) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = refused;
    }

    /// Returns why a write was refused lately, unless one was accepted since.
    pub(super) fn refused(&self) -> Option<Outage> {
        let refused = *self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.filter(|(at, _)| at.elapsed() < REMEMBERED).map(|(_, reason)| reason)
    }
}
