//! The log of changes: complete, numbered without gaps, and visible to those whom it concerns.

use axum::http::Method;
use serde_json::{Value, json};
use toposcope::users;

use crate::support::{
    app::Answer,
    bodies::{with, without},
    introspection::text,
    world::{SampleNetwork, World},
};

async fn log(world: &World, by: &str, query: &str) -> Vec<Value> {
    let get = world.test.get(&format!("/api/v1/changes?{query}"));
    let answer = get.credential(by).send().await;
    answer.data().as_array().unwrap().clone()
}

async fn log_of(world: &World, network: &SampleNetwork) -> Vec<Value> {
    log(world, &world.ours.owner.session, &format!("network_id={}&limit=0", network.id)).await
}

async fn send(world: &World, method: Method, path: &str, body: &Value, by: &str) -> Answer {
    let ask = world.test.ask(method, path).json(body);
    ask.credential(by).header("x-request-id", "my-request").send().await
}

/// Returns the action and the kind of each change.
fn told(changes: &[Value]) -> Vec<(String, String)> {
    let told =
        |change: &Value| (text(&change["action"]).to_owned(), text(&change["entity"]).to_owned());
    changes.iter().map(told).collect()
}

#[tokio::test]
async fn every_change_tells_who_did_it_by_what_when_and_in_which_request() {
    let world = World::new().await;
    let (ours, network) = (&world.ours, &world.ours.networks[0]);
    for by in [&ours.member.key, &ours.member.session] {
        let path = network.group_path();
        let before = world.test.get(&path).credential(by).send().await.data().clone();
        let body = with(&network.group_body(), &json!({ "description": by.len() }));
        let body = with(&body, &json!({ "description": format!("{}", by.len()) }));
        let after = send(&world, Method::PUT, &path, &body, by).await.data().clone();
        let changes = log_of(&world, network).await;
        let change = changes.last().unwrap();
        assert_eq!(change["entity"], "Group");
        assert_eq!(change["action"], "Updated");
        assert_eq!(change["entity_id"], after["id"]);
        assert_eq!(change["network_id"], json!(network.id));
        assert_eq!(change["organization_id"], json!(ours.organization));
        assert_eq!(change["user_id"], json!(ours.member.id));
        assert_eq!(change["request_id"], "my-request");
        let by_key = by.starts_with("scp_u_");
        assert_eq!(
            change["api_key_id"],
            if by_key { json!(ours.member.key_id) } else { json!(null) }
        );
        assert_eq!(change["session_id"].is_string(), !by_key);
        assert!(text(&change["created_at"]) >= text(&after["updated_at"]));
        for (side, shown) in [("before", &before), ("after", &after)] {
            // The log has each thing by one name.
            let shown = without(shown, "dependency_type");
            assert_eq!(change[side], shown, "the log shows what REST shows");
        }
    }
}

#[tokio::test]
async fn a_host_with_all_that_belongs_to_it_is_logged_piece_by_piece() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let key = &world.ours.member.key;
    let known = log_of(&world, network).await.len();
    let host = network.hosts[0].id;
    let path = format!("/api/v1/hosts/{host}");
    send(&world, Method::DELETE, &path, &json!(null), key).await.data();
    let changes = log_of(&world, network).await.split_off(known);
    let count = |action: &str, kind: &str| {
        let wanted = (action.to_owned(), kind.to_owned());
        told(&changes).iter().filter(|told| **told == wanted).count()
    };
    for (kind, expected) in
        [("Host", 1), ("Interface", 1), ("Port", 3), ("IfEntry", 2), ("Service", 2), ("Binding", 3)]
    {
        assert_eq!(count("Deleted", kind), expected, "{kind}");
    }
    assert_eq!(count("Updated", "Group"), 1, "the group lost bindings");
    assert_eq!(changes.len(), 13);
    for change in &changes {
        if change["action"] == "Deleted" {
            assert_eq!(change["before"]["id"], change["entity_id"]);
            assert_eq!(change["after"], json!(null));
        }
    }
}

#[tokio::test]
async fn the_numbers_of_a_log_have_no_gaps_whatever_fails_or_comes_at_once() {
    let world = World::new().await;
    let key = &world.ours.admin.key;
    let network = &world.ours.networks[0];
    let path = network.group_path();
    let good = network.group_body();
    let bad = with(&good, &json!({ "binding_ids": [world.ours.organization] }));
    let tag = json!({ "name": "new", "color": "Red", "organization_id": world.ours.organization });
    let mut asked = Vec::new();
    for nth in 0..12 {
        let body = if nth % 3 == 0 { &bad } else { &good };
        asked.push(world.test.put(&path, body).credential(key).owned());
        let entry = network.entry_body(nth % 2);
        asked.push(world.test.put(&network.entry_path(nth % 2), &entry).credential(key).owned());
        asked.push(world.test.post("/api/v1/tags", &tag).credential(key).owned());
    }
    let answers = futures_util::future::join_all(asked).await;
    let done = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(done, 8 + 12 + 1);
    let owner = &world.ours.owner.session;
    for query in [format!("network_id={}", network.id), "entity=Tag".to_owned()] {
        let log = log(&world, owner, &format!("{query}&order_by=sequence&limit=0")).await;
        assert!(!log.is_empty());
        let numbers: Vec<i64> =
            log.iter().map(|change| change["sequence"].as_i64().unwrap()).collect();
        let first = numbers[0];
        let expected: Vec<i64> = (first..).take(numbers.len()).collect();
        assert_eq!(numbers, expected, "{query}");
    }
}

#[tokio::test]
async fn what_is_after_a_number_or_a_moment_can_be_asked_for() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let key = &world.ours.member.key;
    for nth in [0, 1, 0] {
        let path = network.entry_path(nth);
        send(&world, Method::PUT, &path, &network.entry_body(nth), key).await.data();
    }
    let all = log_of(&world, network).await;
    let seen = &all[all.len() - 3];
    let query = format!("network_id={}&after_sequence={}", network.id, seen["sequence"]);
    let newer = log(&world, key, &query).await;
    assert_eq!(newer, all[all.len() - 2..]);
    let since = text(&newer[1]["created_at"]);
    let query = format!("network_id={}&since={since}&entity=IfEntry", network.id);
    assert_eq!(log(&world, key, &query).await, newer[1..]);
    let query = "query ($network: ID!, $since: DateTime!) {
        changes(networkId: $network, entity: IF_ENTRY, since: $since) {
            totalCount nodes { sequence entityId action before after requestId user { id } network { id } } } }";
    let variables = json!({ "network": network.id, "since": since });
    let answer = world.test.graphql(key, query, variables.clone()).await;
    let found = &answer["data"]["changes"];
    assert_eq!(found["totalCount"], 1, "{answer}");
    for (graphql, rest) in [
        ("sequence", "sequence"),
        ("entityId", "entity_id"),
        ("before", "before"),
        ("after", "after"),
        ("requestId", "request_id"),
    ] {
        assert_eq!(found["nodes"][0][graphql], newer[1][rest]);
    }
    let member = json!({ "id": world.ours.member.id });
    assert_eq!(found["nodes"][0]["user"], member);
    // Others are seen by an admin, whose key is one, too.
    let ours = &world.ours;
    for (by, seen) in [
        (&ours.admin.key, &member),
        (&ours.admin.session, &member),
        (&ours.viewer.key, &json!(null)),
        (&ours.viewer.session, &json!(null)),
    ] {
        let answer = world.test.graphql(by, query, variables.clone()).await;
        assert_eq!(answer["data"]["changes"]["nodes"][0]["user"], *seen, "{answer}");
    }
}

#[tokio::test]
async fn the_log_of_the_organization_is_for_those_who_administer_it() {
    let world = World::new().await;
    let ours = &world.ours;
    let tag = json!({ "name": "new", "color": "Red", "organization_id": ours.organization });
    world.test.post("/api/v1/tags", &tag).credential(&ours.admin.key).send().await.data();
    for (who, sees) in [
        (&ours.owner.session, 1),
        (&ours.admin.session, 1),
        (&ours.admin.key, 0),
        (&ours.member.session, 0),
        (&ours.viewer.key, 0),
        (&world.theirs.owner.session, 0),
    ] {
        assert_eq!(log(&world, who, "entity=Tag").await.len(), sees);
    }
    // The log of a network that is gone stays for them.
    let network = &ours.networks[0];
    let path = format!("/api/v1/networks/{}", network.id);
    let gone = send(&world, Method::DELETE, &path, &json!(null), &ours.admin.session).await;
    assert_eq!(gone.data()["deleted"]["Host"], 2);
    for (who, sees) in [(&ours.owner.session, true), (&ours.member.session, false)] {
        let log = log(&world, who, &format!("network_id={}", network.id)).await;
        assert_eq!(!log.is_empty(), sees);
        if sees {
            assert_eq!(log.last().unwrap()["before"]["held"]["Host"], 2);
        }
    }
}

#[tokio::test]
async fn no_secret_is_in_the_log() {
    let world = World::new().await;
    let ours = &world.ours;
    let session = &ours.admin.session;
    let body = json!({
        "name": "logged", "organization_id": ours.organization, "user_id": ours.admin.id, "tags": [],
    });
    let made = send(&world, Method::POST, "/api/v1/auth/keys", &body, session).await;
    let (id, secret) = (made.data()["api_key"]["id"].clone(), made.data()["key"].clone());
    let path = format!("/api/v1/auth/keys/{}/rotate", text(&id));
    let renewed = send(&world, Method::POST, &path, &json!(null), session).await;
    let renewed = renewed.data().clone();
    assert_ne!(renewed, secret);
    let sql = "SELECT email FROM \"user\" WHERE id = $1";
    let viewer = &world.test.rows(sql, [ours.viewer.id.into()]).await[0];
    let address: String = viewer.try_get("", "email").unwrap();
    users::set_password(&world.test.app, &address, "Correct-Horse-9".to_owned()).await.unwrap();
    let owner = &ours.owner.session;
    let answer = world.test.get("/api/v1/changes?limit=0").credential(owner).send().await;
    assert_eq!(log(&world, owner, &format!("entity_id={}", text(&id))).await.len(), 2);
    let all = String::from_utf8(answer.bytes).unwrap();
    for rows in ["api_key_secret", "credential", "session"] {
        let column = match rows {
            "api_key_secret" => "secret_hash",
            "credential" => "password_hash",
            _ => "token_hash",
        };
        let hashes = world.test.rows(&format!("SELECT {column} AS hash FROM {rows}"), []).await;
        let hashes = hashes.iter().map(|row| row.try_get::<String>("", "hash").unwrap());
        // Those of the fixture that are no hashes at all are not looked for.
        let hashes: Vec<String> = hashes.filter(|hash| hash.len() > 40).collect();
        assert!(!hashes.is_empty(), "{rows}");
        for hash in hashes {
            assert!(!all.contains(&hash), "{rows}");
        }
    }
    for secret in [&secret, &renewed] {
        assert!(!all.contains(text(secret)));
    }
    assert!(!all.contains(session.as_str()) && !all.contains(ours.member.key.as_str()));
}

#[tokio::test]
async fn what_an_entry_is_connected_to_and_heard_is_logged() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let key = &world.ours.member.key;
    let far = json!({ "type": "Host", "id": network.hosts[1].id });
    let body = with(&network.entry_body(0), &json!({ "neighbor": far, "lldp_sys_name": "core" }));
    for (body, pinned, heard) in [(&body, true, 1), (&network.entry_body(0), false, 0)] {
        send(&world, Method::PUT, &network.entry_path(0), body, key).await.data();
        let log = log_of(&world, network).await;
        let after = &log.last().unwrap()["after"];
        assert_eq!(after["neighbor_pinned"], pinned);
        assert_eq!(after["neighbor"], if pinned { far.clone() } else { json!(null) });
        assert_eq!(after["neighbors_heard"].as_array().unwrap().len(), heard);
    }
}

#[tokio::test]
async fn what_only_was_tried_leaves_no_trace() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let key = &world.ours.member.key;
    let known = log_of(&world, network).await;
    let path = format!("/api/v1/hosts/{}", network.hosts[0].id);
    let tried = world.test.ask(Method::DELETE, &format!("{path}?dry_run=true"));
    let tried = tried.credential(key).send().await;
    assert_eq!(
        *tried.data(),
        json!({
            "id": network.hosts[0].id, "dry_run": true,
            "deleted": { "Host": 1, "Interface": 1, "Port": 3, "IfEntry": 2, "Service": 2, "Binding": 3 },
        })
    );
    assert_eq!(log_of(&world, network).await, known);
    let deleted = world.test.ask(Method::DELETE, &path).credential(key).send().await;
    assert_eq!(deleted.data()["deleted"], tried.data()["deleted"]);
    world.test.get(&path).credential(key).send().await.failure();
}
