//! The version of a thing moves whenever what it shows does, and the log tells why.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::{
    app::Answer,
    introspection::text,
    world::{SampleNetwork, World},
};

async fn send(world: &World, method: Method, path: &str, body: &Value) -> Answer {
    world.test.ask(method, path).json(body).credential(&world.ours.admin.session).send().await
}

async fn etag(world: &World, path: &str) -> String {
    send(world, Method::GET, path, &json!(null)).await.header("etag").unwrap().to_owned()
}

fn paths(network: &SampleNetwork) -> [String; 2] {
    let host = &network.hosts[0];
    [format!("/api/v1/hosts/{}", host.id), format!("/api/v1/services/{}", host.services[1])]
}

#[tokio::test]
async fn a_host_is_another_version_when_a_part_of_it_is_made_changed_or_deleted() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let (host, network_id) = (&network.hosts[0], network.id);
    let [path, _] = paths(network);
    let port = |number: u16| json!({ "host_id": host.id, "network_id": network_id, "number": number, "protocol": "Udp" });
    let made = send(&world, Method::POST, "/api/v1/ports", &port(5)).await.data().clone();
    let one = format!("/api/v1/ports/{}", text(&made["id"]));
    let interface = format!("/api/v1/interfaces/{}", host.interface);
    let moved = json!({
        "network_id": network_id, "host_id": host.id, "subnet_id": network.subnet, "ip_address": "10.0.0.88",
    });
    let binding = format!("/api/v1/bindings/{}", host.bindings[0]);
    for (method, part, body) in [
        (Method::POST, "/api/v1/ports", port(6)),
        (Method::PUT, &one, port(7)),
        (Method::DELETE, &one, json!(null)),
        (Method::PUT, &interface, moved),
        (Method::PUT, &network.entry_path(0), network.entry_body(0)),
        (Method::DELETE, &binding, json!(null)),
    ] {
        let before = etag(&world, &path).await;
        send(&world, method, part, &body).await.data();
        assert_ne!(etag(&world, &path).await, before, "{part}");
        let body = json!({ "name": "late", "network_id": network_id, "tags": [], "ports": [] });
        let late = world.test.put(&path, &body).header("if-match", &before);
        let late = late.credential(&world.ours.admin.session).send().await;
        assert_eq!(late.failure().1, "entity_changed", "{part}");
    }
}

#[tokio::test]
async fn a_service_and_its_host_are_other_versions_when_a_binding_is() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let (host, service) = (&network.hosts[0], network.hosts[0].services[1]);
    let port =
        json!({ "host_id": host.id, "network_id": network.id, "number": 8080, "protocol": "Tcp" });
    let port = send(&world, Method::POST, "/api/v1/ports", &port).await.data()["id"].clone();
    let body = json!({
        "service_id": service, "network_id": network.id, "type": "Port", "port_id": port,
    });
    let before = [etag(&world, &paths(network)[0]).await, etag(&world, &paths(network)[1]).await];
    send(&world, Method::POST, "/api/v1/bindings", &body).await.data();
    let after = [etag(&world, &paths(network)[0]).await, etag(&world, &paths(network)[1]).await];
    assert!(before[0] != after[0] && before[1] != after[1]);
}

#[tokio::test]
async fn what_carries_a_tag_that_goes_is_another_version_and_logged() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let red = world.ours.tags[0];
    let [host, service] = paths(network);
    let paths =
        [host, service, network.group_path(), format!("/api/v1/subnets/{}", network.subnet)];
    for (path, kind) in paths.iter().zip(["Host", "Service", "Group", "Subnet"]) {
        let id = path.rsplit('/').next().unwrap();
        let body = json!({ "entity_type": kind, "entity_id": id, "tag_ids": [red] });
        send(&world, Method::PUT, "/api/v1/tags/assign", &body).await.data();
    }
    let mut before = Vec::new();
    for path in &paths {
        before.push(etag(&world, path).await);
    }
    // By a key that reaches no network: the tag belongs to the organization all the same.
    world
        .test
        .sql("DELETE FROM api_key_network WHERE api_key_id = $1", [world.ours.admin.key_id.into()])
        .await;
    let tag = format!("/api/v1/tags/{red}");
    let gone = world.test.ask(Method::DELETE, &tag).credential(&world.ours.admin.key).send().await;
    assert_eq!(gone.data()["deleted"], json!({ "Tag": 1 }));
    for (path, before) in paths.iter().zip(&before) {
        let after = send(&world, Method::GET, path, &json!(null)).await;
        assert_ne!(after.header("etag"), Some(before.as_str()), "{path}");
        assert_eq!(after.data()["tags"], json!([]), "{path}");
        let id = path.rsplit('/').next().unwrap();
        let log = format!(
            "/api/v1/changes?entity_id={id}&order_by=sequence&order_direction=desc&limit=1"
        );
        let log = send(&world, Method::GET, &log, &json!(null)).await;
        let change = &log.data()[0];
        assert_eq!(change["before"]["tags"], json!([red]), "{path}");
        assert_eq!(change["after"]["tags"], json!([]), "{path}");
    }
}

#[tokio::test]
async fn the_header_and_the_body_must_both_name_the_stored_version() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let path = network.group_path();
    let shown = send(&world, Method::GET, &path, &json!(null)).await;
    let (now, tag) = (shown.data()["updated_at"].clone(), shown.header("etag").unwrap().to_owned());
    let then = json!("2020-01-01T00:00:00Z");
    let other = "\"2020-01-01T00:00:00Z\"";
    for (headers, expected, holds) in [
        (vec![tag.as_str()], &then, false),
        (vec![other], &now, false),
        (vec![other, "\"2021-01-01T00:00:00Z\""], &now, false),
        (vec![&format!("{other}, W/{tag}")], &now, true),
    ] {
        let mut body = network.group_body();
        body["expected_updated_at"] = expected.clone();
        let mut put = world.test.put(&path, &body).credential(&world.ours.admin.session);
        for header in &headers {
            put = put.header("if-match", header);
        }
        let answer = put.send().await;
        assert_eq!(answer.status == 200, holds, "{headers:?} {expected}: {}", answer.body);
    }
}

#[tokio::test]
async fn a_move_tells_each_network_only_its_own_side() {
    let world = World::new().await;
    let [one, two] = &world.ours.networks;
    let owner = &world.ours.owner.session;
    let mut body = two.entry_body(1);
    body["if_index"] = json!(17);
    body["if_descr"] = json!("secret of two");
    world.test.put(&one.entry_path(0), &body).credential(owner).send().await.data();
    for (network, action, gone) in [(one, "Deleted", "after"), (two, "Created", "before")] {
        let log = format!("/api/v1/changes?network_id={}&entity=IfEntry", network.id);
        let log = world.test.get(&log).credential(owner).send().await;
        let change = log.data().as_array().unwrap().last().unwrap().clone();
        assert_eq!(change["action"], action);
        assert_eq!(change[gone], json!(null));
        assert_eq!(change.to_string().contains("secret of two"), network.id == two.id);
    }
}

#[tokio::test]
async fn who_registers_and_who_renews_a_secret_is_in_the_log() {
    let world = World::new().await;
    let session = &world.ours.admin.session;
    let path = format!("/api/v1/auth/keys/{}/rotate", world.ours.admin.key_id);
    send(&world, Method::POST, &path, &json!(null)).await.data();
    let old = world.test.get("/api/v1/hosts").credential(&world.ours.admin.key).send().await;
    assert_eq!(old.status, 401, "the old secret is worth nothing");
    let log = format!("/api/v1/changes?entity_id={}", world.ours.admin.key_id);
    let log = world.test.get(&log).credential(session).send().await;
    let change = log.data().as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&change["before"]["secret_rotated"], &change["after"]["secret_rotated"]),
        (&json!(false), &json!(true))
    );
    // A user who is deleted takes their keys along, and that is told.
    let user = format!("/api/v1/users/{}", world.ours.viewer.id);
    let gone = send(&world, Method::DELETE, &user, &json!(null)).await;
    assert_eq!(gone.data()["deleted"], json!({ "User": 1, "UserApiKey": 1 }));
}

#[tokio::test]
async fn a_name_that_two_kinds_share_hides_no_change() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let host = network.hosts[0].id;
    let body = json!({
        "name": "renamed", "network_id": network.id, "tags": [],
        "ports": [{ "id": host, "number": 4000, "protocol": "Tcp" }],
    });
    send(&world, Method::PUT, &paths(network)[0], &body).await.data();
    let log = format!("/api/v1/changes?entity_id={host}");
    let log = send(&world, Method::GET, &log, &json!(null)).await;
    let told: Vec<_> =
        log.data().as_array().unwrap().iter().map(|one| one["entity"].clone()).collect();
    assert!(told.contains(&json!("Host")) && told.contains(&json!("Port")), "{told:?}");
}
