//! Seats by key, and the turn among them.

use futures_util::FutureExt as _;
use toposcope::auth::seats::Seats;

#[test]
fn each_key_has_so_many_places_and_gets_them_back() {
    let seats = Seats::new(2);
    let held = [seats.take("a"), seats.take("a")];
    assert!(held.iter().all(Option::is_some));
    assert!(seats.take("a").is_none());
    assert!(seats.take("b").is_some());
    drop(held);
    assert_eq!(seats.keys(), 0, "who has none is forgotten");
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
