//! Turns at a scarce resource.

use futures_util::{FutureExt, future::BoxFuture};
use toposcope::db::turns::{Claim, Turn, Turns};
use toposcope_types::Id;

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
    let held: Vec<Turn> = (0..2).map(|_| take(&turns, greedy).now_or_never().unwrap()).collect();
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
