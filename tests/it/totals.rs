//! Totals are exact after every write, however often they were asked for before.

use axum::http::Method;
use serde_json::{Value, json};
use toposcope::services;
use toposcope_types::Id;

use crate::support::{bodies::with, bulk, world::World};

async fn total(world: &World, query: &str) -> u64 {
    let get = world.test.get(&format!("/api/v1/services?limit=1&{query}"));
    let answer = get.credential(&world.ours.admin.key).send().await;
    answer.data();
    answer.body["meta"]["pagination"]["total_count"].as_u64().unwrap()
}

#[tokio::test]
async fn a_total_of_services_notices_every_change() {
    let world = World::new().await;
    let [one, two] = &world.ours.networks;
    let red = world.ours.tags[0];
    let queries = [
        String::new(),
        format!("network_id={}", one.id),
        format!("network_id={}", two.id),
        format!("host_id={}", one.hosts[0].id),
        format!("tag_ids={red}"),
        "exclude_categories=NetworkAccess".to_owned(),
        format!("network_id={}&exclude_categories=Unknown", one.id),
    ];
    let totals = async || {
        let mut totals = Vec::new();
        for query in &queries {
            let first = total(&world, query).await;
            assert_eq!(total(&world, query).await, first, "asked twice, it is the same");
            totals.push(first);
        }
        totals
    };
    assert_eq!(totals().await, [8, 4, 4, 2, 2, 4, 4]);
    let ssh = |_: usize, _: &mut services::Service| {};
    let added = bulk::services(&world.test, one, red, 3, ssh).await;
    assert_eq!(totals().await, [11, 7, 4, 5, 5, 4, 7]);
    bulk::services(&world.test, two, red, 1, |_, row| row.service_definition = "odd".to_owned())
        .await;
    assert_eq!(totals().await, [12, 7, 5, 5, 6, 5, 7]);
    let key = &world.ours.admin.key;
    let path = |nth: usize| format!("/api/v1/services/{}", added[nth].id);
    let body = json!({
        "host_id": one.hosts[0].id, "network_id": one.id, "name": "odd",
        "service_definition": "odd", "tags": [red],
    });
    world.test.put(&path(0), &body).credential(key).send().await.data();
    assert_eq!(totals().await, [12, 7, 5, 5, 6, 6, 6]);
    world.test.ask(Method::DELETE, &path(1)).credential(key).send().await.data();
    assert_eq!(totals().await, [11, 6, 5, 4, 5, 6, 5]);
    let assign = json!({ "entity_type": "Service", "entity_id": added[0].id, "tag_ids": [] });
    world.test.put("/api/v1/tags/assign", &assign).credential(key).send().await.data();
    assert_eq!(totals().await, [11, 6, 5, 4, 4, 6, 5]);
}

#[tokio::test]
async fn what_one_caller_asked_is_no_answer_to_another() {
    let world = World::new().await;
    let one = &world.ours.networks[0];
    let count = async |key: &str| {
        let get = world.test.get("/api/v1/services?exclude_categories=DNS").credential(key);
        get.send().await.body["meta"]["pagination"]["total_count"].clone()
    };
    assert_eq!(count(&world.ours.admin.key).await, 8);
    assert_eq!(count(&world.ours.member.key).await, 4);
    bulk::services(&world.test, one, world.ours.tags[0], 1, |_, _| {}).await;
    assert_eq!(count(&world.ours.member.key).await, 5);
    assert_eq!(count(&world.ours.admin.key).await, 9);
    assert_eq!(count(&world.theirs.admin.key).await, 8);
}

#[tokio::test]
async fn a_put_moves_the_totals_of_every_filter_that_it_touches() {
    let world = World::new().await;
    let [one, two] = &world.ours.networks;
    let admin = &world.ours.admin.key;
    let query = "query($one: ID!, $two: ID!) {
        down: ifEntries(filter: {operStatus: {eq: DOWN}}) { totalCount }
        inOne: ifEntries(filter: {networkId: {eq: $one}}) { totalCount }
        ofOne: ifEntries(filter: {and: [{networkId: {eq: $one}}]}) { totalCount }
        inTwo: ifEntries(filter: {networkId: {eq: $two}}) { totalCount }
        ofTwo: ifEntries(filter: {and: [{networkId: {eq: $two}}]}) { totalCount }
        red: groups(filter: {color: {eq: RED}}) { totalCount }
        groupsInOne: groups(filter: {networkId: {eq: $one}}) { totalCount }
        groupsOfTwo: groups(filter: {and: [{networkId: {eq: $two}}]}) { totalCount } }";
    let totals = async || -> Vec<u64> {
        let answer =
            world.test.graphql(admin, query, json!({ "one": one.id, "two": two.id })).await;
        assert_eq!(answer["errors"], Value::Null, "{answer}");
        ["down", "inOne", "ofOne", "inTwo", "ofTwo", "red", "groupsInOne", "groupsOfTwo"]
            .map(|name| answer["data"][name]["totalCount"].as_u64().unwrap())
            .to_vec()
    };
    let put = async |path: String, body: Value| -> u16 {
        world.test.put(&path, &body).credential(admin).send().await.status.as_u16()
    };
    let (entry, group) = (one.entry_body(0), one.group_body());
    let moved = |host: Id| json!({ "network_id": two.id, "host_id": host, "if_index": 17 });
    assert_eq!(totals().await, [0, 4, 4, 4, 4, 0, 1, 1]);
    for (path, body, status, expected) in [
        (
            one.entry_path(0),
            with(&entry, &json!({ "oper_status": "Down" })),
            200,
            [1, 4, 4, 4, 4, 0, 1, 1],
        ),
        (one.entry_path(0), with(&entry, &json!({ "if_index": 2 })), 409, [1, 4, 4, 4, 4, 0, 1, 1]),
        (one.entry_path(0), with(&entry, &moved(two.hosts[0].id)), 200, [0, 3, 3, 5, 5, 0, 1, 1]),
        (
            one.entry_path(0),
            with(&entry, &json!({ "oper_status": "Down" })),
            200,
            [1, 4, 4, 4, 4, 0, 1, 1],
        ),
        (one.group_path(), with(&group, &json!({ "color": "Red" })), 200, [1, 4, 4, 4, 4, 1, 1, 1]),
        (
            one.group_path(),
            with(&group, &json!({ "network_id": two.id, "binding_ids": two.bindings() })),
            200,
            [1, 4, 4, 4, 4, 0, 0, 2],
        ),
        (
            one.group_path(),
            with(&group, &json!({ "network_id": two.id })),
            400,
            [1, 4, 4, 4, 4, 0, 0, 2],
        ),
        (one.group_path(), group.clone(), 200, [1, 4, 4, 4, 4, 0, 1, 1]),
    ] {
        assert_eq!(put(path, body.clone()).await, status, "{body}");
        assert_eq!(totals().await, expected, "{body}");
    }
}
