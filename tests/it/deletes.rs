//! Deleting many at once: one transaction, and a number of statements that does not grow with them.

use axum::http::Method;
use serde_json::{Value, json};
use toposcope_types::Id;

use crate::support::{
    app::Answer,
    bodies::{counter, with},
    bulk,
    world::World,
};

async fn bulk_delete(world: &World, list: &str, ids: &[Id]) -> Answer {
    let path = format!("/api/v1/{list}/bulk-delete");
    world.test.post(&path, &json!(ids)).credential(&world.ours.admin.key).send().await
}

#[tokio::test]
async fn a_thousand_cost_the_same_statements_as_ten() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let before = [
        counter(&world.test, network.id, "service_count").await,
        counter(&world.test, network.id, "binding_count").await,
    ];
    let mut costs = Vec::new();
    for size in [10, 1000] {
        let rows = bulk::services(&world.test, network, world.ours.tags[0], size, |_, _| {}).await;
        let ids: Vec<Id> = rows.iter().map(|row| row.id).collect();
        let work = bulk_delete(&world, "services", &ids);
        let (answer, cost) = world.test.statements(work).await;
        assert_eq!(*answer.data(), json!({ "deleted_count": size, "requested_count": size }));
        costs.push(cost);
        let after = [
            counter(&world.test, network.id, "service_count").await,
            counter(&world.test, network.id, "binding_count").await,
        ];
        assert_eq!(after, before);
    }
    // The credential is looked up once; a statement of the log holds two thousand changes at most.
    assert!(costs[1] <= costs[0] + 1, "{costs:?}");
}

#[tokio::test]
async fn either_all_go_or_none() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let key = &world.ours.admin.key;
    let body = json!({
        "cidr": "192.0.2.0/24", "network_id": network.id, "name": "free", "subnet_type": "Lan", "tags": [],
    });
    let free = world.test.post("/api/v1/subnets", &body).credential(key).send().await;
    let free: Id = serde_json::from_value(free.data()["id"].clone()).unwrap();
    let answer = bulk_delete(&world, "subnets", &[free, network.subnet]).await;
    assert_eq!(answer.failure().1, "entity_in_use");
    let path = format!("/api/v1/subnets/{free}");
    world.test.get(&path).credential(key).send().await.data();
    let answer = bulk_delete(&world, "subnets", &[free, free, Id::new()]).await;
    assert_eq!(*answer.data(), json!({ "deleted_count": 1, "requested_count": 2 }));
    let answer = bulk_delete(&world, "subnets", &[]).await;
    assert_eq!(*answer.data(), json!({ "deleted_count": 0, "requested_count": 0 }));
    let path = "/api/v1/subnets/bulk-delete";
    for (body, field) in [
        (json!({ "ids": [free] }), "body"),
        (json!([free, "x"]), "[1]"),
        (json!([free, null]), "[1]"),
    ] {
        let answer = world.test.post(path, &body).credential(key).send().await;
        let (status, _, params) = answer.failure();
        assert_eq!((status, &params["field"]), (400, &json!(field)), "{body}");
    }
}

#[tokio::test]
async fn a_version_that_has_moved_on_is_neither_deleted_nor_overwritten() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let key = &world.ours.member.key;
    let path = network.group_path();
    let seen = world.test.get(&path).credential(key).send().await;
    let tag = seen.header("etag").unwrap().to_owned();
    let changed = world.test.put(&path, &network.group_body()).credential(key);
    let changed = changed.header("if-match", &tag).send().await;
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
    let body = with(&network.group_body(), &json!({ "name": "other" }));
    let late = |method: Method, body: &Value| {
        let ask = world.test.ask(method, &path).json(body).credential(key);
        ask.header("if-match", &tag).send()
    };
    for answer in [
        late(Method::PUT, &body).await,
        late(Method::DELETE, &json!(null)).await,
        world
            .test
            .put(&path, &with(&body, &json!({ "expected_updated_at": seen.data()["updated_at"] })))
            .credential(key)
            .send()
            .await,
    ] {
        let expected = json!({ "entity": "Group", "id": network.group });
        assert_eq!(answer.failure(), (409, "entity_changed", &expected));
    }
    let query = "mutation ($id: ID!, $seen: DateTime!) {
        deleteGroup(id: $id, expectedUpdatedAt: $seen) { deleted { entity count } } }";
    let variables = |seen: &Value| json!({ "id": network.group, "seen": seen["updated_at"] });
    let answer = world.test.graphql(key, query, variables(seen.data())).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "entity_changed");
    let answer = world.test.graphql(key, query, variables(changed.data())).await;
    let expected = json!([{ "entity": "GROUP", "count": 1 }]);
    assert_eq!(answer["data"]["deleteGroup"]["deleted"], expected);
}
