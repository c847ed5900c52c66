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
pub(crate) struct Seats<K> {
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
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::default() })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<K, Taken>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a seat, if one is free.
    pub(crate) fn take(self: &Arc<Self>, key: K) -> Option<Seat<K>> {
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
pub(crate) struct Seat<K: Clone + Debug + Eq + Hash> {
    seats: Arc<Seats<K>>,
    key: K,
    turn: Arc<Semaphore>,
}

impl<K: Clone + Debug + Eq + Hash> Seat<K> {
    /// Waits for the turn behind all earlier arrivals, and keeps it until the returned permit is
    /// dropped.
    pub(crate) async fn turn(&self) -> Option<OwnedSemaphorePermit> {
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

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn each_key_has_so_many_places_and_gets_them_back() {
        let seats = Seats::new(2);
        let held = [seats.take("a"), seats.take("a")];
        assert!(held.iter().all(Option::is_some));
        assert!(seats.take("a").is_none());
        assert!(seats.take("b").is_some());
        drop(held);
        assert!(seats.taken().is_empty(), "who has none is forgotten");
        assert!(seats.take("a").is_some());
    }

    #[test]
    fn one_has_the_turn_and_those_who_leave_give_it_on() {
        let seats = Seats::new(3);
        let places = [seats.take(1), seats.take(1), seats.take(1)].map(Option::unwrap);
        let turn = places[0].turn().now_or_never().unwrap();
        let mut second = Box::pin(places[1].turn());
        let mut third = Box::pin(places[2].turn());
        assert!((&mut second).now_or_never().is_none());
        assert!((&mut third).now_or_never().is_none());
        drop(second); // it gave up
        assert!((&mut third).now_or_never().is_none());
        drop(turn);
        assert!(third.now_or_never().flatten().is_some());
    }
}
