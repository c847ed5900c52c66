//! Limits on how many callers may hold, or wait for, the same key at once.

use std::{
    collections::HashMap,
    fmt::Debug,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Seats by key, with the same number for every key.
#[derive(Debug)]
pub struct Seats<K> {
    most: usize,
    taken: Mutex<HashMap<K, Taken>>,
}

#[derive(Debug)]
struct Taken {
    count: usize,
    /// The turn among the seats of a key, in order of arrival.
    turn: Arc<Semaphore>,
}

impl<K: Clone + Debug + Eq + Hash> Seats<K> {
    /// Creates `most` seats for each key.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::default() })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<K, Taken>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of keys of which a seat is taken.
    pub fn keys(&self) -> usize {
        self.taken().len()
    }

    /// Takes a seat, if one is free.
    pub fn take(self: &Arc<Self>, key: K) -> Option<Seat<K>> {
        let mut taken = self.taken();
        let entry = taken
            .entry(key.clone())
            .or_insert_with(|| Taken { count: 0, turn: Arc::new(Semaphore::new(1)) });
        if entry.count >= self.most {
            return None;
        }
        entry.count += 1;
        Some(Seat { turn: Arc::clone(&entry.turn), seats: Arc::clone(self), key })
    }
}

/// A seat, taken until it is dropped.
#[derive(Debug)]
pub struct Seat<K: Clone + Debug + Eq + Hash> {
    seats: Arc<Seats<K>>,
    key: K,
    turn: Arc<Semaphore>,
}

impl<K: Clone + Debug + Eq + Hash> Seat<K> {
    /// Waits for the turn behind all earlier arrivals, and keeps it until the returned permit is
    /// dropped.
    pub async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        // The semaphore is never closed.
        Arc::clone(&self.turn).acquire_owned().await.ok()
    }
}

impl<K: Clone + Debug + Eq + Hash> Drop for Seat<K> {
    fn drop(&mut self) {
        let mut taken = self.seats.taken();
        let Some(entry) = taken.get_mut(&self.key) else { return };
        entry.count -= 1;
        if entry.count == 0 {
            taken.remove(&self.key);
        }
    }
}
