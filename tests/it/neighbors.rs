//! The neighbor of an interface-table entry: resolved by the server, or pinned by hand.

use sea_orm::EntityTrait as _;
use serde_json::{Value, json};
use toposcope::if_entries;
use toposcope_types::Id;

use crate::support::{app::Answer, bodies::with, world::World};

async fn put(world: &World, change: &Value) -> Answer {
    let network = &world.ours.networks[0];
    let put = world.test.put(&network.entry_path(0), &with(&network.entry_body(0), change));
    put.credential(&world.ours.admin.key).send().await
}

async fn pinned(world: &World) -> bool {
    stored(world).await.neighbor_pinned
}

async fn stored(world: &World) -> if_entries::IfEntry {
    let id = world.ours.networks[0].hosts[0].if_entries[0];
    let found = if_entries::Entity::find_by_id(id).one(world.test.app.db.reader()).await;
    found.unwrap().unwrap()
}

/// Returns what the entry hears of the second host, so that the server finds that.
fn hears_beta() -> Value {
    json!({ "cdp_device_id": "somebody", "cdp_address": "10.0.0.2" })
}

#[tokio::test]
async fn what_a_person_says_is_pinned_until_they_say_nothing() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let port = json!({ "type": "IfEntry", "id": network.hosts[1].if_entries[1] });
    let device = json!({ "type": "Host", "id": network.hosts[1].id });
    for neighbor in [&port, &device, &port] {
        let answer = put(&world, &json!({ "neighbor": neighbor })).await;
        assert_eq!(answer.data()["neighbor"], *neighbor);
        assert!(pinned(&world).await);
        let again = put(&world, &json!({ "neighbor": neighbor })).await;
        assert_eq!(again.data()["neighbor"], *neighbor);
        assert!(pinned(&world).await, "said again, it stays pinned");
    }
    let row = stored(&world).await;
    assert_eq!(
        (row.neighbor_if_entry_id, row.neighbor_host_id),
        (Some(network.hosts[1].if_entries[1]), None)
    );
    for nothing in [json!({}), json!({ "neighbor": null })] {
        put(&world, &json!({ "neighbor": port })).await.data();
        let answer = put(&world, &nothing).await;
        assert_eq!(answer.data()["neighbor"], Value::Null);
        assert!(!pinned(&world).await);
    }
}

#[tokio::test]
async fn what_the_server_resolved_stays_when_nothing_else_is_said() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let device = json!({ "type": "Host", "id": network.hosts[1].id });
    let heard = put(&world, &hears_beta()).await;
    assert_eq!(heard.data()["neighbor"], device);
    for change in [json!({}), json!({ "neighbor": null }), json!({ "neighbor": device })] {
        let answer = put(&world, &with(&hears_beta(), &change)).await;
        assert_eq!(answer.data()["neighbor"], device, "{change}");
        assert!(!pinned(&world).await, "equal to the resolved one is no change");
    }
    let port = json!({ "type": "IfEntry", "id": network.hosts[1].if_entries[0] });
    let answer = put(&world, &with(&hears_beta(), &json!({ "neighbor": port }))).await;
    assert_eq!(answer.data()["neighbor"], port);
    assert!(pinned(&world).await);
    // Nothing said any more, what was heard counts again; nothing heard either, there is nobody.
    assert_eq!(put(&world, &hears_beta()).await.data()["neighbor"], device);
    assert_eq!(put(&world, &json!({})).await.data()["neighbor"], Value::Null);
}

#[tokio::test]
async fn an_entry_that_comes_to_the_host_it_pointed_at_points_there_no_longer() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    put(&world, &hears_beta()).await.data();
    let moved = json!({ "host_id": network.hosts[1].id, "if_index": 9 });
    let answer = put(&world, &with(&hears_beta(), &moved)).await;
    assert_eq!(answer.data()["neighbor"], Value::Null);
}

#[tokio::test]
async fn a_neighbor_is_another_in_the_same_network() {
    let world = World::new().await;
    let [network, other] = &world.ours.networks;
    let theirs = &world.theirs.networks[0].hosts[0];
    let of = |kind: &str, id: Id| json!({ "type": kind, "id": id });
    let reference =
        |kind: &str, id: Id| json!({ "entity": kind, "field": "neighbor.id", "id": id });
    let (own, nowhere) = (&network.hosts[0], Id::new());
    let field = json!({ "field": "neighbor" });
    for (neighbor, code, params) in [
        (of("IfEntry", own.if_entries[0]), "validation_invalid_format", field.clone()),
        (of("Host", own.id), "validation_invalid_format", field),
        (of("IfEntry", nowhere), "entity_reference_invalid", reference("IfEntry", nowhere)),
        (of("Host", nowhere), "entity_reference_invalid", reference("Host", nowhere)),
        (
            of("IfEntry", theirs.if_entries[0]),
            "entity_reference_invalid",
            reference("IfEntry", theirs.if_entries[0]),
        ),
        (of("Host", theirs.id), "entity_reference_invalid", reference("Host", theirs.id)),
        (
            of("Host", own.if_entries[1]),
            "entity_reference_invalid",
            reference("Host", own.if_entries[1]),
        ),
        (
            of("IfEntry", other.hosts[0].if_entries[0]),
            "entity_network_mismatch",
            json!({ "entity": "IfEntry" }),
        ),
        (of("Host", other.hosts[0].id), "entity_network_mismatch", json!({ "entity": "Host" })),
    ] {
        let answer = put(&world, &json!({ "neighbor": neighbor })).await;
        assert_eq!(answer.failure(), (400, code, &params), "{neighbor}");
    }
}
