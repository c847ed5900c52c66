//! The events that a connection waits for, and their deadlines.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::http::Version;
use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

use crate::config::Patience;

/// The progress of a connection, as reported by its socket, its requests and its responses.
#[derive(Debug)]
pub struct Progress {
    state: Mutex<State>,
    changed: Notify,
}

/// The reason why a connection is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The client has not sent a request for a long time; the server may announce the end.
    Idle,
    /// The server does not wait for it any longer.
    Late,
    /// The client does not read the response.
    Unread,
}

/// The state of a connection.
#[derive(Debug)]
pub struct State {
    patience: Patience,
    /// The part of a request that the server is waiting for, and since when.
    pub waiting: Waiting,
    /// Whether the client has sent a request yet.
    begun: bool,
    /// Whether it speaks HTTP/2.
    pub http2: bool,
    /// The responses under way, and since when each has waited for its client to read on.
    pub answers: HashMap<u64, Option<Instant>>,
    next: u64,
    /// Since when the socket has accepted no data.
    pub blocked: Option<Instant>,
    /// Since when the connection has been meant to end.
    pub closing: Option<Instant>,
    /// Whether the connection ends now, to make room for others.
    pub gives_way: bool,
    /// The deadline that is being waited for.
    looked_at: Option<Instant>,
}

/// The part of a request that a connection waits for, and since when.
#[derive(Clone, Copy, Debug)]
pub enum Waiting {
    /// Waiting for the rest of a head.
    Head(Instant),
    /// Waiting for the first byte of the next request.
    Idle(Instant),
}

impl State {
    /// Creates the state of a connection that is accepted now.
    pub fn new(patience: Patience, now: Instant) -> Self {
        Self {
            patience,
            waiting: Waiting::Head(now),
            begun: false,
            http2: false,
            answers: HashMap::new(),
            next: 0,
            blocked: None,
            closing: None,
            gives_way: false,
            looked_at: None,
        }
    }

    fn is_busy(&self) -> bool {
        !self.answers.is_empty() || self.blocked.is_some()
    }

    /// Returns the deadline of the current state; `None` while the server itself is working.
    pub fn deadline(&self) -> Option<(Instant, Over)> {
        let late = |instant| (instant, Over::Late);
        let unread = self.blocked.map(|since| since + self.patience.unread);
        if !self.answers.is_empty() {
            // HTTP/2 has windows of its own, which may be shut while the socket is open.
            let shut = self.answers.values().flatten().min().filter(|_| self.http2);
            let shut = shut.map(|since| *since + self.patience.unread);
            return unread.into_iter().chain(shut).min().map(|at| (at, Over::Unread));
        }
        // The end of the last response has not been sent yet.
        if let Some(unread) = unread {
            return Some((unread, Over::Unread));
        }
        let (Waiting::Head(since) | Waiting::Idle(since)) = self.waiting;
        Some(match (self.waiting, self.closing) {
            _ if self.gives_way => late(since),
            (Waiting::Head(_), None) => late(since + self.patience.head),
            (Waiting::Head(_), Some(closing)) => {
                late((since + self.patience.head).min(closing + self.patience.closing))
            }
            (Waiting::Idle(_), None) => (since + self.patience.idle, Over::Idle),
            (Waiting::Idle(_), Some(closing)) => late(closing.max(since) + self.patience.closing),
        })
    }
}

impl Progress {
    /// Creates the progress of a connection that is accepted now.
    pub fn new(patience: Patience) -> Arc<Self> {
        let state = Mutex::new(State::new(patience, Instant::now()));
        Arc::new(Self { state, changed: Notify::new() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state, and wakes the task that waits for the deadline if it is now earlier.
    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state();
        let changed = change(&mut state);
        let nearer = match (state.deadline(), state.looked_at) {
            (Some((deadline, _)), Some(looked_at)) => deadline < looked_at,
            (Some(_), None) => true,
            (None, _) => false,
        };
        drop(state);
        if nearer {
            self.changed.notify_one();
        }
        changed
    }

    /// Records that bytes were received.
    pub(super) fn read(&self) {
        self.change(|state| {
            // Over HTTP/2 the bytes may be a reply to a ping.
            if let Waiting::Idle(_) = state.waiting
                && state.answers.is_empty()
                && !state.http2
            {
                state.waiting = Waiting::Head(Instant::now());
            }
        });
    }

    /// Records whether the socket accepted bytes.
    pub(super) fn written(&self, taken: bool) {
        self.change(|state| {
            let since = state.blocked.unwrap_or_else(Instant::now);
            state.blocked = (!taken).then_some(since);
        });
    }

    /// Registers a request; its response is under way until the returned value is dropped. Returns
    /// `None` if the connection has just given way to another, which has its slot.
    pub fn begin(self: &Arc<Self>, version: Version) -> Option<Answer> {
        let id = self.change(|state| {
            if state.gives_way {
                return None;
            }
            state.begun = true;
            state.http2 = version == Version::HTTP_2;
            let id = state.next;
            state.next += 1;
            state.answers.insert(id, None);
            Some(id)
        })?;
        Some(Answer { progress: Arc::clone(self), id })
    }

    /// Marks the connection to end as soon as nothing is under way.
    pub(super) fn close(&self) {
        self.change(|state| state.closing = state.closing.or_else(|| Some(Instant::now())));
    }

    /// Marks the connection to end now, unless a response is under way; returns whether it will.
    pub fn give_way(&self) -> bool {
        self.change(|state| {
            state.gives_way |= !state.is_busy();
            state.gives_way
        })
    }

    /// Returns whether the client has sent a request yet.
    pub(super) fn has_begun(&self) -> bool {
        self.state().begun
    }

    /// Returns whether the client has ever sent a request, and since when it has not; `None` while
    /// a response is under way. In sorted order, the connections that can best be spared come
    /// first.
    pub(super) fn spare(&self) -> Option<(bool, Instant)> {
        let state = self.state();
        let (Waiting::Head(since) | Waiting::Idle(since)) = state.waiting;
        (!state.is_busy()).then_some((state.begun, since))
    }

    /// Waits until the connection is over, and returns why.
    pub(super) async fn over(&self) -> Over {
        loop {
            let deadline = {
                let mut state = self.state();
                let deadline = state.deadline();
                state.looked_at = deadline.map(|(at, _)| at);
                deadline
            };
            match deadline {
                Some((at, why)) if at <= Instant::now() => return why,
                Some((at, _)) => tokio::select! {
                    () = sleep_until(at) => {}
                    () = self.changed.notified() => {}
                },
                None => self.changed.notified().await,
            }
        }
    }
}

/// A response under way.
#[derive(Debug)]
pub struct Answer {
    progress: Arc<Progress>,
    id: u64,
}

impl Answer {
    /// Records whether the response waits for its client to read on.
    pub(super) fn waits(&self, waits: bool) {
        self.progress.change(|state| {
            state.answers.insert(self.id, waits.then(Instant::now));
        });
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.progress.change(|state| {
            state.answers.remove(&self.id);
            if state.answers.is_empty() {
                state.waiting = Waiting::Idle(Instant::now());
            }
        });
    }
}
