//! Any window into a list against a plain sort of all its rows and a slice of that.

use std::collections::BTreeMap;

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::{Value, json};

use crate::{
    connections::{ask, ids, sorted, world},
    support::introspection::text,
};

/// A window into the services of hosts: which keys, from which end, and between which rows.
#[derive(Clone, Debug)]
struct Asked {
    keys: Vec<(&'static str, &'static str)>,
    rows: usize,
    last: bool,
    after: Option<usize>,
    before: Option<usize>,
}

fn asked() -> impl Strategy<Value = Asked> {
    let key = (
        prop::sample::select(vec![
            "CREATED_AT",
            "NAME",
            "UPDATED_AT",
            "POSITION",
            "NETWORK_ID",
            "HOST",
        ]),
        prop::sample::select(vec!["ASC", "DESC"]),
    );
    let place = || prop::option::of(0..30_usize);
    (prop::collection::vec(key, 0..3), 0..12_usize, any::<bool>(), place(), place())
        .prop_map(|(keys, rows, last, after, before)| Asked { keys, rows, last, after, before })
}

#[test]
fn any_window_is_what_a_plain_sort_and_a_slice_of_it_are() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let world = runtime.block_on(world());
    let whole = "query Q($order: [ServiceOrder!]) { services(first: 1000, orderBy: $order) { edges { cursor node {
        id createdAt updatedAt name position networkId hostId host { name } } } } }";
    let page = "query Q($order: [ServiceOrder!], $first: Int, $last: Int, $after: String, $before: String) {
        services(orderBy: $order, first: $first, last: $last, after: $after, before: $before) { nodes { id } }
        hosts(first: 1000) { nodes { id services(orderBy: $order, first: $first, last: $last, after: $after, before: $before) { nodes { id } } } } }";
    let mut runner =
        TestRunner::new(Config { cases: 48, failure_persistence: None, ..Config::default() });
    let checked = runner.run(&asked(), |asked| {
        let order: Vec<_> = asked
            .keys
            .iter()
            .map(|(field, direction)| json!({ "field": field, "direction": direction }))
            .collect();
        let data = runtime.block_on(ask(&world, whole, json!({ "order": order })));
        let edges = data["services"]["edges"].as_array().unwrap();
        let cursors: BTreeMap<String, Value> = edges
            .iter()
            .map(|edge| (text(&edge["node"]["id"]).to_owned(), edge["cursor"].clone()))
            .collect();
        let model = sorted(edges.iter().map(|edge| edge["node"].clone()).collect(), &asked.keys);
        let at = |place: Option<usize>| place.and_then(|place| model.get(place));
        let cursor = |node: Option<&Value>| {
            node.map_or(Value::Null, |node| cursors[text(&node["id"])].clone())
        };
        let variables = json!({
            "order": order,
            "after": cursor(at(asked.after)),
            "before": cursor(at(asked.before)),
            "first": (!asked.last).then_some(asked.rows),
            "last": asked.last.then_some(asked.rows),
        });
        let data = runtime.block_on(ask(&world, page, variables));
        let between: Vec<Value> = model
            .iter()
            .enumerate()
            .filter(|(place, _)| {
                at(asked.after).is_none() || asked.after.is_none_or(|after| *place > after)
            })
            .filter(|(place, _)| {
                at(asked.before).is_none() || asked.before.is_none_or(|before| *place < before)
            })
            .map(|(_, node)| node.clone())
            .collect();
        let cut = |nodes: Vec<Value>| {
            let skip = if asked.last { nodes.len().saturating_sub(asked.rows) } else { 0 };
            ids(&nodes.into_iter().skip(skip).take(asked.rows).collect::<Vec<_>>())
        };
        prop_assert_eq!(ids(data["services"]["nodes"].as_array().unwrap()), cut(between.clone()));
        for host in data["hosts"]["nodes"].as_array().unwrap() {
            let own = between.iter().filter(|node| node["hostId"] == host["id"]).cloned().collect();
            prop_assert_eq!(ids(host["services"]["nodes"].as_array().unwrap()), cut(own));
        }
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{error}"));
}
