//! The events that a connection waits for, and their deadlines.

use std::time::Duration;

use axum::http::Version;
use tokio::time::Instant;
use toposcope::{
    config::Patience,
    http::progress::{Over, Progress, State, Waiting},
};

const PATIENCE: Patience = Patience {
    head: Duration::from_secs(10),
    idle: Duration::from_secs(75),
    unread: Duration::from_secs(30),
    closing: Duration::from_secs(5),
    ping: Duration::from_secs(20),
};

#[test]
fn who_has_given_way_begins_nothing_and_who_has_begun_gives_none() {
    let idle = Progress::new(PATIENCE);
    assert!(idle.give_way() && idle.begin(Version::HTTP_11).is_none());
    let busy = Progress::new(PATIENCE);
    let answer = busy.begin(Version::HTTP_11);
    assert!(answer.is_some() && !busy.give_way());
    drop(answer);
    assert!(busy.begin(Version::HTTP_11).is_some() && busy.give_way());
}

fn after(state: &State, start: Instant) -> Option<(u64, Over)> {
    state.deadline().map(|(at, why)| ((at - start).as_secs(), why))
}

#[test]
fn it_is_waited_for_what_is_due_and_no_longer() {
    let start = Instant::now();
    let at = |seconds| start + Duration::from_secs(seconds);
    let mut state = State::new(PATIENCE, start);
    assert_eq!(after(&state, start), Some((10, Over::Late)), "for a whole head");
    state.waiting = Waiting::Idle(start);
    assert_eq!(after(&state, start), Some((75, Over::Idle)), "for the next request");
    state.closing = Some(at(1));
    assert_eq!(after(&state, start), Some((6, Over::Late)), "when the server stops");
    state.waiting = Waiting::Idle(at(9));
    assert_eq!(after(&state, start), Some((14, Over::Late)), "for the last answer to go out");
    state.answers.insert(0, None);
    assert_eq!(after(&state, start), None, "while this side works");
    state.blocked = Some(at(2));
    assert_eq!(after(&state, start), Some((32, Over::Unread)), "for a socket that takes nothing");
    state.blocked = None;
    state.answers.insert(0, Some(at(3)));
    assert_eq!(after(&state, start), None, "over HTTP/1 the socket tells");
    state.http2 = true;
    assert_eq!(after(&state, start), Some((33, Over::Unread)), "for a window that is shut");
    state.answers.insert(1, Some(at(1)));
    assert_eq!(after(&state, start), Some((31, Over::Unread)), "for the one that waits longest");
    state.gives_way = true;
    assert_eq!(after(&state, start), Some((31, Over::Unread)), "who is answered gives no way");
    state.answers.clear();
    state.blocked = Some(at(2));
    assert_eq!(after(&state, start), Some((32, Over::Unread)), "nor does an end that is unread");
    state.blocked = None;
    assert_eq!(after(&state, start), Some((9, Over::Late)), "who is idle does at once");
}
