//! Whether the database takes writes: what those who write were told.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use sea_orm::DbErr;

use crate::error;

/// How long it is remembered that a write was refused, unless another one is taken meanwhile.
const REMEMBERED: Duration = Duration::from_secs(10);

/// What is known of the storage below the database.
#[derive(Debug)]
pub(super) struct Storage {
    refused: Mutex<Option<(Instant, &'static str)>>,
    /// How the last small write went that was made to see.
    pub(super) tried: tokio::sync::Mutex<Tried>,
    /// When a statement that writes was last done.
    moved: Mutex<Instant>,
    /// How many transactions of this process have begun to write.
    pub(super) open: AtomicUsize,
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
pub(super) struct Tried {
    pub(super) at: Option<Instant>,
    pub(super) refusal: Option<&'static str>,
    /// Since when it has been waiting in vain.
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

    /// When a statement that writes was last done.
    pub(super) fn moved(&self) -> Instant {
        *self.moved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, refused: Option<(Instant, &'static str)>) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = refused;
    }

    /// Why a write was refused lately, unless one was taken since.
    pub(super) fn refused(&self) -> Option<&'static str> {
        let refused = *self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.filter(|(at, _)| at.elapsed() < REMEMBERED).map(|(_, reason)| reason)
    }
}
