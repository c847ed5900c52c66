//! Turns at a scarce resource, shared fairly between users.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;
use toposcope_types::Id;

/// A limited number of turns at once. Each user may hold only some of them, and the last free one
/// is for a user who holds none. Work that is known to take long holds at most half of them,
/// whoever asks for it.
///
/// Waiting users are served in rotation and passed over while they hold their share, so that many
/// claims of one user hold up nobody else. This is start-time fair queuing (Goyal, Vin and Cheng,
/// 1996), where each turn costs the same.
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
    /// The number of taken turns for long work.
    long: usize,
    held: HashMap<Id, Share>,
    /// The waiting claims, in order of arrival.
    waiting: VecDeque<Waiting>,
    /// The round of the turn taken last.
    round: u64,
    /// For each user, the round after the last one assigned to them, if it is still to come.
    next: HashMap<Id, u64>,
}

/// The turns that one user holds.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    all: usize,
    long: usize,
}

/// A claim to a turn: the user, and the kind of work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claim {
    /// The user; `None` for the server itself.
    pub user: Option<Id>,
    /// Whether the work is known to take long.
    pub long: bool,
}

#[derive(Debug)]
struct Waiting {
    claim: Claim,
    round: u64,
    ready: oneshot::Sender<Turn>,
}

/// A turn, held until it is dropped.
#[derive(Debug)]
pub struct Turn {
    shared: Arc<Shared>,
    claim: Claim,
}

impl Turns {
    /// Creates `most` turns in total, of which one user holds up to `each`.
    pub fn new(most: usize, each: usize) -> Self {
        Self(Arc::new(Shared { most, each, state: Mutex::default() }))
    }

    /// Returns the number of claims that wait for a turn now.
    pub fn waiting(&self) -> usize {
        self.0.state().waiting.iter().filter(|one| !one.ready.is_closed()).count()
    }

    /// Waits for a turn. The server itself, which is no user, may hold all of them.
    pub async fn take(&self, claim: Claim) -> Turn {
        loop {
            let ready = {
                let mut state = self.0.state();
                let round = state.enter(claim.user);
                if self.0.may(&state, claim) {
                    state.take(claim, round);
                    return Turn { shared: Arc::clone(&self.0), claim };
                }
                let (ready, wait) = oneshot::channel();
                state.waiting.push_back(Waiting { claim, round, ready });
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

    fn may(&self, state: &State, claim: Claim) -> bool {
        let held = claim.user.and_then(|user| state.held.get(&user)).copied().unwrap_or_default();
        let fits = |taken: usize, most: usize, held: usize, each: usize| {
            let free = most.saturating_sub(taken);
            free > 0 && (held == 0 || (held < each && free > 1))
        };
        let long = (self.most / 2).max(1);
        fits(state.taken, self.most, held.all, self.each)
            && (!claim.long || fits(state.long, long, held.long, (self.each / 2).max(1)))
    }

    /// Removes and returns the next waiting claim that may take a turn.
    fn next(&self, state: &mut State) -> Option<Waiting> {
        let may = state.waiting.iter().enumerate();
        let may = may.filter(|(_, waiting)| self.may(state, waiting.claim));
        let (place, _) = may.min_by_key(|(_, waiting)| waiting.round)?;
        state.waiting.remove(place)
    }
}

impl State {
    /// Returns the round for a user's next claim: claims of one user follow each other. Work that
    /// no user asked for is short, and counts for no user.
    fn enter(&mut self, user: Option<Id>) -> u64 {
        let Some(user) = user else { return self.round };
        let round = self.next.get(&user).copied().unwrap_or_default().max(self.round);
        self.next.insert(user, round + 1);
        round
    }

    fn take(&mut self, claim: Claim, round: u64) {
        self.taken += 1;
        self.long += usize::from(claim.long);
        self.round = self.round.max(round);
        let over = self.round;
        self.next.retain(|_, next| *next > over);
        if let Some(user) = claim.user {
            let held = self.held.entry(user).or_default();
            held.all += 1;
            held.long += usize::from(claim.long);
        }
    }

    /// Forgets claims that no longer wait, so that they do not delay other claims of their users.
    fn forget_gone(&mut self) {
        let mut gone = Vec::new();
        self.waiting.retain(|waiting| {
            let waits = !waiting.ready.is_closed();
            gone.extend(waiting.claim.user.filter(|_| !waits));
            waits
        });
        for user in gone {
            let left = self.waiting.iter().filter(|one| one.claim.user == Some(user));
            match left.map(|one| one.round + 1).max() {
                Some(next) => self.next.insert(user, next),
                None => self.next.remove(&user),
            };
        }
    }

    fn give_back(&mut self, claim: Claim) {
        self.taken -= 1;
        self.long -= usize::from(claim.long);
        let Some(user) = claim.user else { return };
        if let Some(held) = self.held.get_mut(&user) {
            held.all -= 1;
            held.long -= usize::from(claim.long);
            if held.all == 0 {
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
            state.give_back(self.claim);
            state.forget_gone();
            while let Some(waiting) = self.shared.next(&mut state) {
                state.take(waiting.claim, waiting.round);
                ready.push(waiting);
            }
        }
        // A receiver that has gone meanwhile gives its turn back, for which the state must be
        // unlocked.
        for Waiting { claim, ready, .. } in ready {
            drop(ready.send(Self { shared: Arc::clone(&self.shared), claim }));
        }
    }
}
