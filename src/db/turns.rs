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

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt, future::BoxFuture};

    use super::*;

    fn take(turns: &Turns, user: Id) -> BoxFuture<'static, Turn> {
        let turns = turns.clone();
        async move { turns.take(Claim { user: Some(user), long: false }).await }.boxed()
    }

    #[test]
    fn what_takes_long_leaves_half_to_what_does_not() {
        let turns = Turns::new(4, 2);
        let long = || {
            let turns = turns.clone();
            async move { turns.take(Claim { user: Some(Id::new()), long: true }).await }.boxed()
        };
        let held: Vec<Turn> = (0..2).map(|_| long().now_or_never().unwrap()).collect();
        let mut third = long();
        assert!((&mut third).now_or_never().is_none());
        for _ in 0..4 {
            drop(take(&turns, Id::new()).now_or_never().unwrap());
            assert!((&mut third).now_or_never().is_none(), "what is short makes no place for it");
        }
        drop(held);
        drop((&mut third).now_or_never().unwrap());
        let greedy = Id::new();
        let much = || {
            let turns = turns.clone();
            async move { turns.take(Claim { user: Some(greedy), long: true }).await }.boxed()
        };
        let held = much().now_or_never().unwrap();
        let mut more = much();
        assert!((&mut more).now_or_never().is_none(), "half of those for one user");
        assert!(long().now_or_never().is_some());
        drop(held);
        assert!((&mut more).now_or_never().is_some());
    }

    #[test]
    fn whoever_gives_up_comes_no_later_the_next_time() {
        let turns = Turns::new(1, 1);
        let (impatient, other) = (Id::new(), Id::new());
        let mut held = take(&turns, Id::new()).now_or_never();
        for _ in 0..20 {
            let mut gone = take(&turns, impatient);
            assert!((&mut gone).now_or_never().is_none());
        }
        let mut others: Vec<_> = (0..3).map(|_| take(&turns, other)).collect();
        assert!(others.iter_mut().all(|one| one.now_or_never().is_none()));
        drop(held.take());
        let first = others.iter_mut().find_map(FutureExt::now_or_never).unwrap();
        let mut again = take(&turns, impatient);
        assert!((&mut again).now_or_never().is_none());
        drop(first);
        assert!((&mut again).now_or_never().is_some(), "before the second of the other");
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
        // A freed turn goes to a user who holds none, however long others have waited.
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
    fn where_there_is_only_one_it_goes_round() {
        let turns = Turns::new(1, 1);
        let (greedy, second, third) = (Id::new(), Id::new(), Id::new());
        let mut held = take(&turns, greedy).now_or_never();
        let mut waiting = Vec::new();
        for (user, name) in [(greedy, 'g'); 6].into_iter().chain([(second, 's'); 2]) {
            waiting.push((name, take(&turns, user)));
        }
        let mut order = String::new();
        for nth in 0..9 {
            assert!(waiting.iter_mut().all(|(_, one)| one.now_or_never().is_none()));
            if nth == 3 {
                let mut late = take(&turns, third);
                assert!((&mut late).now_or_never().is_none());
                waiting.push(('t', late));
            }
            drop(held.take());
            let next = waiting
                .iter_mut()
                .enumerate()
                .find_map(|(place, (name, one))| Some((place, *name, one.now_or_never()?)));
            let (place, name, turn) = next.unwrap();
            drop(waiting.remove(place));
            order.push(name);
            held = Some(turn);
        }
        assert_eq!(order, "sgstggggg", "whoever comes late does not wait for all of another");
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
