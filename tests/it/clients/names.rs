//! Keys by the names that later versions of the contract give them, and keys that mean nothing.

use serde_json::{Value, json};

use super::{get, post, put};
use crate::support::{bodies::with, introspection::text, world::World};

fn without(value: &Value, keys: &[&str]) -> Value {
    let mut value = value.clone();
    for key in keys {
        value.as_object_mut().unwrap().remove(*key);
    }
    value
}

#[tokio::test]
async fn the_addresses_of_a_host_go_by_both_names() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let address = |last: u8, name: &str| json!({ "subnet_id": network.subnet, "name": name, "ip_address": format!("10.0.0.{last}") });
    let new = json!({ "name": "gamma", "network_id": network.id, "tags": [],
        "ip_addresses": [address(77, "eth0")] });
    let made = post(&world, "/api/v1/hosts", &new).await;
    assert_eq!(made.body["meta"].get("ignored"), None);
    let made = made.data().clone();
    assert_eq!(made["interfaces"][0]["ip_address"], "10.0.0.77");
    assert_eq!(made["ip_addresses"], made["interfaces"]);
    let path = format!("/api/v1/hosts/{}", text(&made["id"]));
    assert_eq!(get(&world, &path).await.data(), &made);

    // Whole as it was answered but for one name: what the client did not know goes back as it came.
    for (key, name) in [("ip_addresses", "eth1"), ("interfaces", "eth2")] {
        let before = get(&world, &path).await.data().clone();
        let renamed = with(&before[key][0], &json!({ "name": name }));
        let body = with(&before, &json!({ key: [renamed] }));
        let after = put(&world, &path, &body).await.data().clone();
        assert_eq!(after["interfaces"][0]["name"], name, "by {key}");
        assert_eq!(after["ip_addresses"], after["interfaces"]);
        assert_eq!(after["interfaces"][0]["id"], made["interfaces"][0]["id"]);
    }
    // By the new name alone, an empty list is one, too.
    let after = put(&world, &path, &json!({ "ip_addresses": [] })).await.data().clone();
    assert_eq!((&after["interfaces"], &after["ip_addresses"]), (&json!([]), &json!([])));
    // Two that both say something new are nobody's to choose from.
    let both = json!({ "interfaces": [address(78, "a")], "ip_addresses": [address(79, "b")] });
    let answer = put(&world, &path, &both).await;
    let (status, code, params) = answer.failure();
    assert_eq!((status, code), (400, "validation_invalid_format"));
    assert_eq!(params["field"], "ip_addresses");
    assert_eq!(get(&world, &path).await.data()["interfaces"], json!([]));
}

#[tokio::test]
async fn a_group_has_its_type_by_both_names_and_both_paths() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let body = with(
        &without(&network.group_body(), &["group_type"]),
        &json!({ "dependency_type": "HubAndSpoke", "name": "hub" }),
    );
    let made = post(&world, "/api/v1/dependencies", &body).await.data().clone();
    assert_eq!(
        (&made["group_type"], &made["dependency_type"]),
        (&json!("HubAndSpoke"), &json!("HubAndSpoke"))
    );
    for (root, key, kind) in [
        ("dependencies", "dependency_type", "RequestPath"),
        ("groups", "group_type", "HubAndSpoke"),
        ("dependencies", "group_type", "RequestPath"),
    ] {
        let path = format!("/api/v1/{root}/{}", text(&made["id"]));
        let whole = with(get(&world, &path).await.data(), &json!({ key: kind }));
        let after = put(&world, &path, &whole).await.data().clone();
        assert_eq!((&after["group_type"], &after["dependency_type"]), (&json!(kind), &json!(kind)));
    }
    let path = format!("/api/v1/groups/{}", text(&made["id"]));
    let neither = without(&network.group_body(), &["group_type"]);
    let answer = put(&world, &path, &neither).await;
    assert_eq!(
        (answer.failure().1, &answer.failure().2["field"]),
        ("validation_required", &json!("group_type"))
    );
    let unlike = with(&network.group_body(), &json!({ "dependency_type": "HubAndSpoke" }));
    let answer = post(&world, "/api/v1/groups", &unlike).await;
    assert_eq!(
        (answer.failure().0, &answer.failure().2["field"]),
        (400, &json!("dependency_type"))
    );
}

#[tokio::test]
async fn keys_that_mean_nothing_are_told_and_those_of_answers_are_not() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let new = json!({ "name": "gamma", "network_id": network.id, "tags": [], "colour": "blue",
        "if_entries": [{ "if_index": 1, "if_descr": "eth0", "duplexity": { "of": 1 } }],
        "services": [{ "name": "Web", "service_definition": "Nginx", "health": "good" }] });
    let made = post(&world, "/api/v1/hosts", &new).await;
    assert_eq!(
        made.body["meta"]["ignored"],
        json!(["colour", "if_entries[0].duplexity", "services[0].health"])
    );
    let made = made.data().clone();
    let entry = &made["if_entries"][0];
    assert_eq!((&entry["admin_status"], &entry["if_type"]), (&json!("Up"), &json!(1)));
    assert_eq!(entry["oper_status"], "Unknown");
    // What was answered goes back whole, and nothing of it is called unknown.
    let path = format!("/api/v1/hosts/{}", text(&made["id"]));
    let answer = put(&world, &path, &made).await;
    answer.data();
    assert_eq!(answer.body["meta"].get("ignored"), None, "{}", answer.body["meta"]);
    let subnet = format!("/api/v1/subnets/{}", network.subnet);
    let answer = put(&world, &subnet, &json!({ "vlan": 7, "name": "lan" })).await;
    assert_eq!(answer.body["meta"]["ignored"], json!(["vlan"]));
    // A key is known where answers show it, and lost elsewhere.
    let flat = json!({ "name": "flat", "network_id": network.id, "tags": [], "if_descr": "eth0",
        "ip_address": "10.0.0.5", "mac_address": "02:00:00:00:00:05", "updated_at": null,
        "ip_addresses": [{ "subnet_id": network.subnet, "ip_address": "10.0.0.5", "created_at": null,
            "if_descr": "x" }] });
    let answer = post(&world, "/api/v1/hosts", &flat).await;
    let lost = ["if_descr", "ip_address", "mac_address", "ip_addresses[0].if_descr"];
    let mut told: Vec<&str> =
        answer.body["meta"]["ignored"].as_array().unwrap().iter().map(text).collect();
    told.sort_unstable();
    let mut lost = lost.to_vec();
    lost.sort_unstable();
    assert_eq!(told, lost);
    // So of what is no resource.
    let owner = &world.ours.owner.session;
    let key = json!({ "name": "key", "organization_id": world.ours.organization, "colour": "red",
        "user_id": world.ours.owner.id, "tags": [], "permissions": "Viewer" });
    let answer = world.test.post("/api/v1/auth/keys", &key).credential(owner).send().await;
    assert_eq!(answer.body["meta"]["ignored"], json!(["colour"]));
    let assign = json!({ "entity_type": "Host", "entity_id": network.hosts[0].id, "tag_ids": [],
        "at_once": true });
    let answer = put(&world, "/api/v1/tags/assign", &assign).await;
    assert_eq!(answer.body["meta"]["ignored"], json!(["at_once"]));
    // Only so many of them.
    let many: Value = (0..200)
        .map(|nth| (format!("key{nth}"), json!(1)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let answer = put(&world, &subnet, &many).await;
    assert_eq!(answer.body["meta"]["ignored"].as_array().unwrap().len(), 100);
}
