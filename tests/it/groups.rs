//! PUT of a group: what it answers, its rules, and that it is all or nothing.

use sea_orm::{ActiveValue::Set, EntityTrait as _};
use serde_json::{Value, json};
use toposcope::{groups, tags};
use toposcope_types::{Color, Id, Source, Timestamp};

use crate::support::{
    app::Answer,
    bodies::{counter, revision, rows, shape, with, without},
    bulk,
    world::{World, insert},
};

async fn put(world: &World, change: &Value) -> Answer {
    let network = &world.ours.networks[0];
    let put = world.test.put(&network.group_path(), &with(&network.group_body(), change));
    put.credential(&world.ours.admin.key).send().await
}

#[tokio::test]
async fn the_answer_has_the_recorded_shape() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let tag = world.ours.tags[0];
    let two = &network.bindings()[..2];
    let change = json!({ "description": "d", "binding_ids": two, "tags": [tag] });
    let answer = put(&world, &change).await;
    let recorded = json!({
        "id": network.group, "created_at": "2026-11-27T21:42:52.801994Z",
        "updated_at": "2026-11-27T21:42:52.801994Z", "name": "web path", "network_id": network.id,
        "description": "d", "group_type": "RequestPath", "binding_ids": two,
        "source": { "type": "Manual" }, "color": "Blue", "edge_style": "Bezier", "tags": [tag],
    });
    // The same type by the name of later versions besides.
    let recorded = with(&recorded, &json!({ "dependency_type": "RequestPath" }));
    assert_eq!(shape(answer.data()), shape(&recorded));
    let times = json!({ "created_at": answer.data()["created_at"], "updated_at": answer.data()["updated_at"] });
    assert_eq!(*answer.data(), with(&recorded, &times));
    assert_eq!(
        answer.header("etag").unwrap(),
        format!("\"{}\"", times["updated_at"].as_str().unwrap())
    );
    let sample = json!({ "success": true, "data": recorded, "meta": { "api_version": 1, "server_version": "0.14.13" } });
    assert_eq!(shape(&answer.body), shape(&sample));
}

#[tokio::test]
async fn every_required_key_is_required_and_description_is_not() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let body = network.group_body();
    for key in ["binding_ids", "color", "edge_style", "group_type", "name", "network_id", "tags"] {
        let mut null = body.clone();
        null[key] = Value::Null;
        for wrong in [without(&body, key), null] {
            let put = world.test.put(&network.group_path(), &wrong);
            let answer = put.credential(&world.ours.admin.key).send().await;
            assert_eq!(answer.failure(), (400, "validation_required", &json!({ "field": key })));
        }
    }
    for nothing in [
        json!({}),
        json!({ "description": null }),
        json!({ "description": "" }),
        json!({ "description": "\0" }),
    ] {
        put(&world, &json!({ "description": "d" })).await.data();
        let answer = put(&world, &nothing).await;
        assert_eq!(answer.data().get("description"), Some(&Value::Null), "{nothing}");
    }
}

#[tokio::test]
async fn every_type_colour_and_style_of_the_contract_is_known() {
    let world = World::new().await;
    for (key, values) in [
        ("group_type", "RequestPath HubAndSpoke"),
        ("color", "Pink Rose Red Orange Green Emerald Teal Cyan Blue Indigo Purple Gray Yellow"),
        ("edge_style", "Straight SmoothStep Step Bezier SimpleBezier"),
    ] {
        for value in values.split(' ') {
            assert_eq!(put(&world, &json!({ key: value })).await.data()[key], value);
        }
        for wrong in [
            json!("Mauve"),
            json!(""),
            json!(values.to_uppercase()),
            json!(1),
            json!({}),
            json!(["Blue"]),
        ] {
            let answer = put(&world, &json!({ key: wrong })).await;
            assert_eq!(
                answer.failure(),
                (400, "validation_invalid_format", &json!({ "field": key })),
                "{wrong}"
            );
        }
    }
    for (name, description) in
        [("é".repeat(100), "é".repeat(500)), ("x".to_owned(), "\t\n".to_owned())]
    {
        let answer = put(&world, &json!({ "name": name, "description": description })).await;
        assert_eq!(answer.data()["name"], json!(name));
        assert_eq!(answer.data()["description"], json!(description));
    }
}

#[tokio::test]
async fn bindings_keep_exactly_their_order() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let mut ids = network.bindings();
    let query = "query($id: ID!) { group(id: $id) { bindings { id } tags { id } } }";
    for turn in 0..6 {
        ids.rotate_left(1);
        ids.swap(0, turn % 3 + 1);
        let some = &ids[..6 - turn];
        assert_eq!(
            put(&world, &json!({ "binding_ids": some })).await.data()["binding_ids"],
            json!(some)
        );
        let found =
            world.test.graphql(&world.ours.admin.key, query, json!({ "id": network.group })).await;
        let stored: Vec<&Value> = found["data"]["group"]["bindings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|node| &node["id"])
            .collect();
        assert_eq!(json!(stored), json!(some));
    }
    assert_eq!(put(&world, &json!({ "binding_ids": [] })).await.data()["binding_ids"], json!([]));
}

#[tokio::test]
async fn tags_are_replaced_in_their_order_and_cleared_by_an_empty_list() {
    let world = World::new().await;
    let [red, blue] = world.ours.tags;
    let query = "query($id: ID!) { group(id: $id) { tags { id } } }";
    for tags in [vec![blue, red], vec![red, blue], vec![blue], vec![], vec![red]] {
        assert_eq!(put(&world, &json!({ "tags": tags })).await.data()["tags"], json!(tags));
        let id = json!({ "id": world.ours.networks[0].group });
        let found = world.test.graphql(&world.ours.admin.key, query, id).await;
        let stored: Vec<&Value> = found["data"]["group"]["tags"]
            .as_array()
            .unwrap()
            .iter()
            .map(|node| &node["id"])
            .collect();
        assert_eq!(json!(stored), json!(tags));
    }
    for (tags, nth) in [(json!([red, world.theirs.tags[0]]), 1), (json!([Id::nil(), red]), 0)] {
        let answer = put(&world, &json!({ "tags": tags })).await;
        let params = json!({ "entity": "Tag", "field": format!("tags[{nth}]"), "id": tags[nth] });
        assert_eq!(answer.failure(), (400, "entity_reference_invalid", &params));
    }
    let answer = put(&world, &json!({ "tags": [red, blue, red] })).await;
    assert_eq!(answer.failure(), (400, "validation_duplicate", &json!({ "field": "tags[2]" })));
}

#[tokio::test]
async fn a_refused_put_changes_nothing_and_any_other_raises_the_revision() {
    let world = World::new().await;
    let [network, other] = &world.ours.networks;
    let before = revision(&world.test, network.id).await;
    put(&world, &json!({})).await.data();
    assert!(revision(&world.test, network.id).await > before);
    let everything = rows(&world.test).await;
    let [one, two, ..] = network.hosts[0].bindings;
    for change in [
        json!({ "name": "" }),
        json!({ "binding_ids": [one, two, one] }),
        json!({ "binding_ids": [one, Id::new()] }),
        json!({ "binding_ids": [one, other.hosts[0].bindings[0]] }),
        json!({ "binding_ids": [world.theirs.networks[0].hosts[0].bindings[0]] }),
        json!({ "binding_ids": [one], "tags": [Id::new()] }),
        json!({ "tags": [world.theirs.tags[0]] }),
        json!({ "network_id": other.id }),
        json!({ "network_id": other.id, "binding_ids": [], "tags": [Id::new()] }),
        json!({ "network_id": world.theirs.networks[0].id, "binding_ids": [] }),
        json!({ "expected_updated_at": "2020-01-01T00:00:00Z", "binding_ids": [] }),
    ] {
        let answer = put(&world, &change).await;
        assert!((400..410).contains(&answer.failure().0), "{change}");
        assert_eq!(rows(&world.test).await, everything, "{change}");
    }
}

#[tokio::test]
async fn a_group_that_changes_its_network_keeps_the_counters_right() {
    let world = World::new().await;
    let [network, other] = &world.ours.networks;
    let before = (revision(&world.test, network.id).await, revision(&world.test, other.id).await);
    let mismatch = put(&world, &json!({ "network_id": other.id })).await;
    assert_eq!(mismatch.failure().1, "entity_network_mismatch", "its bindings would stay behind");
    let moved =
        put(&world, &json!({ "network_id": other.id, "binding_ids": other.bindings() })).await;
    assert_eq!(moved.data()["network_id"], json!(other.id));
    assert_eq!(counter(&world.test, network.id, "group_count").await, 0);
    assert_eq!(counter(&world.test, other.id, "group_count").await, 2);
    assert!(revision(&world.test, network.id).await > before.0);
    assert!(revision(&world.test, other.id).await > before.1);
    let there = with(&network.group_body(), &json!({ "network_id": other.id, "binding_ids": [] }));
    let member = world.test.put(&network.group_path(), &there).credential(&world.ours.member.key);
    assert_eq!(member.send().await.failure().0, 404, "out of reach from there");
}

#[tokio::test]
async fn what_was_changed_meanwhile_is_not_overwritten() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let (group, entry) = (network.group_body(), network.entry_body(0));
    for (path, body, kind, id) in [
        (network.group_path(), group, "Group", network.group),
        (network.entry_path(0), entry, "IfEntry", network.hosts[0].if_entries[0]),
    ] {
        let put = |body: &Value| world.test.put(&path, body).credential(&world.ours.member.key);
        let first = put(&body).send().await;
        let (tag, seen) = (first.header("etag").unwrap(), first.data()["updated_at"].clone());
        let second = put(&body).header("if-match", tag).send().await;
        let third =
            put(&with(&body, &json!({ "expected_updated_at": second.data()["updated_at"] })))
                .send()
                .await;
        put(&body).header("if-match", "*").send().await.data();
        third.data();

        let changed = (409, "entity_changed", &json!({ "entity": kind, "id": id }));
        assert_eq!(put(&body).header("if-match", tag).send().await.failure(), changed);
        let expected = with(&body, &json!({ "expected_updated_at": seen }));
        assert_eq!(put(&expected).send().await.failure(), changed);
        let bad = put(&body).header("if-match", "yesterday").send().await;
        assert_eq!(
            bad.failure(),
            (400, "validation_invalid_format", &json!({ "field": "If-Match" }))
        );

        let (past, future) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Fri, 31 Dec 2100 23:59:59 GMT");
        put(&body).header("if-unmodified-since", future).send().await.data();
        assert_eq!(put(&body).header("if-unmodified-since", past).send().await.failure(), changed);
        let bad = put(&body).header("if-unmodified-since", "yesterday").send().await;
        assert_eq!(
            bad.failure(),
            (400, "validation_invalid_format", &json!({ "field": "If-Unmodified-Since" }))
        );
    }
}

#[tokio::test]
async fn a_group_as_large_as_a_network_is_written_whole() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let many = bulk::bindings(&world.test, network, 11_000).await;
    let answer = put(&world, &json!({ "binding_ids": many })).await;
    assert_eq!(answer.data()["binding_ids"], json!(many));
    let viewer = bulk::viewer(&world.test, &world.ours.admin).await;
    let (db, group) = (world.test.app.db.reader(), world.test.app.db.ids(vec![network.group]));
    let read = groups::bindings_of(db, &viewer, &group).await.unwrap();
    let stored: Vec<Id> = read[&network.group].iter().map(|binding| binding.id).collect();
    assert!(stored == many, "all of them, in order");
}

#[tokio::test]
async fn the_source_of_a_group_is_not_for_clients_to_change() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let row = groups::ActiveModel {
        id: Set(network.group),
        source: Set(Source::System),
        ..Default::default()
    };
    groups::Entity::update(row).exec(world.test.app.db.writer()).await.unwrap();
    let answer = put(&world, &json!({ "source": { "type": "Manual" } })).await;
    assert_eq!(answer.data()["source"], json!({ "type": "System" }));
}

#[tokio::test]
async fn hundreds_of_tags_are_written_whole() {
    let world = World::new().await;
    let now = Timestamp::now();
    let mut tags = Vec::new();
    for nth in 0..300 {
        let id = Id::new();
        let tag = tags::Tag {
            id,
            created_at: now,
            updated_at: now,
            name: format!("tag {nth}"),
            description: None,
            color: Color::Red,
            organization_id: world.ours.organization,
        };
        insert::<tags::Entity, _>(&world.test, tag).await;
        tags.insert(nth / 2, id);
    }
    assert_eq!(put(&world, &json!({ "tags": tags })).await.data()["tags"], json!(tags));
}
