//! Turns at what there are only a few of, shared fairly between users.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;

use crate::types::Id;

/// So many turns at once, of which one user has only some, and the last one only who has none.
///
/// Whoever waits does so in order, but is passed over while they have their share: many that one
/// user asks for hold up nobody else.
#[derive(Clone, Debug)]
pub struct Turns(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    most: usize,
    each: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    taken: usize,
    held: HashMap<Id, usize>,
    waiting: VecDeque<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    user: Option<Id>,
    ready: oneshot::Sender<Turn>,
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    shared: Arc<Shared>,
    user: Option<Id>,
}

impl Turns {
    /// `most` turns in all and `each` for one user.
    pub fn new(most: usize, each: usize) -> Self {
        Self(Arc::new(Shared { most, each, state: Mutex::default() }))
    }

    /// Waits for a turn; the server itself, which is no user, has as many as there are.
    pub async fn take(&self, user: Option<Id>) -> Turn {
        loop {
            let ready = {
                let mut state = self.0.state();
                if self.0.may(&state, user) {
                    state.take(user);
                    return Turn { shared: Arc::clone(&self.0), user };
                }
                let (ready, wait) = oneshot::channel();
                state.waiting.push_back(Waiting { user, ready });
                wait
            };
            if let Ok(turn) = ready.await {
                return turn;
            }
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn may(&self, state: &State, user: Option<Id>) -> bool {
        let free = self.most - state.taken;
        let held = user.and_then(|user| state.held.get(&user)).copied().unwrap_or_default();
        free > 0 && (held == 0 || (held < self.each && free > 1))
    }
}

impl State {
    fn take(&mut self, user: Option<Id>) {
        self.taken += 1;
        if let Some(user) = user {
            *self.held.entry(user).or_default() += 1;
        }
    }

    fn give_back(&mut self, user: Option<Id>) {
        self.taken -= 1;
        let Some(user) = user else { return };
        if let Some(held) = self.held.get_mut(&user) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(&user);
            }
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut ready = Vec::new();
        {
            let mut state = self.shared.state();
            state.give_back(self.user);
            state.waiting.retain(|waiting| !waiting.ready.is_closed());
            while let Some(place) =
                state.waiting.iter().position(|waiting| self.shared.may(&state, waiting.user))
            {
                let Some(waiting) = state.waiting.remove(place) else { break };
                state.take(waiting.user);
                ready.push(waiting);
            }
        }
        // Who has gone meanwhile gives it back, for which the state must be free.
        for Waiting { user, ready } in ready {
            drop(ready.send(Self { shared: Arc::clone(&self.shared), user }));
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt as _, future::BoxFuture};

    use super::*;

    fn take(turns: &Turns, user: Id) -> BoxFuture<'static, Turn> {
        let turns = turns.clone();
        async move { turns.take(Some(user)).await }.boxed()
    }

    #[test]
    fn many_that_one_asks_for_hold_up_nobody_else() {
        let turns = Turns::new(4, 2);
        let (greedy, other, third) = (Id::new(), Id::new(), Id::new());
        let held: Vec<Turn> =
            (0..2).map(|_| take(&turns, greedy).now_or_never().unwrap()).collect();
        let mut waiting: Vec<_> = (0..50).map(|_| take(&turns, greedy)).collect();
        assert!(waiting.iter_mut().all(|one| one.now_or_never().is_none()));
        let first = take(&turns, other).now_or_never().unwrap();
        assert!(take(&turns, other).now_or_never().is_none(), "the last is for who has none");
        let last = take(&turns, third).now_or_never().unwrap();
        let mut late = take(&turns, Id::new());
        assert!((&mut late).now_or_never().is_none());
        // One that comes free goes to who has none, however long others wait.
        drop(first);
        let late = (&mut late).now_or_never().unwrap();
        assert!(waiting.iter_mut().all(|one| one.now_or_never().is_none()));
        drop((late, last));
        assert!(waiting.iter_mut().all(|one| one.now_or_never().is_none()), "two are their share");
        drop(held);
        let mut went = 0;
        for mut one in waiting {
            if let Some(turn) = (&mut one).now_or_never() {
                went += 1;
                drop(turn);
            }
        }
        assert_eq!(went, 50, "each that is given back is the next one's");
    }

    #[test]
    fn who_stops_waiting_takes_nothing_along() {
        let turns = Turns::new(1, 1);
        let (one, other) = (Id::new(), Id::new());
        let held = take(&turns, one).now_or_never().unwrap();
        let mut gone = take(&turns, other);
        assert!((&mut gone).now_or_never().is_none());
        let mut next = take(&turns, other);
        assert!((&mut next).now_or_never().is_none());
        drop(gone);
        drop(held);
        assert!((&mut next).now_or_never().is_some());
        assert!(take(&turns, one).now_or_never().is_some(), "all are back");
    }
}
