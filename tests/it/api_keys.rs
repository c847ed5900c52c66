//! Making API keys and reading them: for oneself, in a session, and never above oneself.

use axum::http::Method;
use serde_json::{Value, json};
use toposcope_types::{Id, Timestamp};

use crate::support::{
    app::Answer,
    world::{Person, World},
};

const PATH: &str = "/api/v1/auth/keys";

/// The body of a key of `person` with nothing but what is required, and `changes`.
fn body(world: &World, person: &Person, changes: &Value) -> Value {
    let mut body = json!({
        "name": "robot",
        "organization_id": world.ours.organization,
        "user_id": person.id,
        "tags": [],
    });
    for (key, value) in changes.as_object().unwrap() {
        body[key] = value.clone();
    }
    body
}

async fn create(world: &World, person: &Person, changes: &Value) -> Answer {
    let body = body(world, person, changes);
    world.test.post(PATH, &body).credential(&person.session).send().await
}

/// The same over GraphQL: its input has the same keys in another spelling.
async fn create_by_graphql(world: &World, person: &Person, changes: &Value) -> Value {
    let mut input = serde_json::Map::new();
    for (key, value) in body(world, person, changes).as_object().unwrap() {
        let mut words = key.split('_');
        let mut name = words.next().unwrap().to_owned();
        for word in words {
            name.push_str(&word[..1].to_uppercase());
            name.push_str(&word[1..]);
        }
        let value = match value.as_str() {
            Some(level) if key == "permissions" => json!(level.to_uppercase()),
            _ => value.clone(),
        };
        input.insert(name, value);
    }
    let query = "mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey {
        id name permissions isEnabled expiresAt lastUsed networks { id } tags { id } } } }";
    world.test.graphql(&person.session, query, json!({ "input": input })).await
}

#[tokio::test]
async fn a_new_key_is_answered_with_its_secret_and_works() {
    let world = World::new().await;
    let owner = &world.ours.owner;
    let networks = world.ours.networks.each_ref().map(|network| network.id);
    let answer = create(&world, owner, &json!({})).await;
    let data = answer.data();
    let secret = data["key"].as_str().unwrap();
    let random = secret.strip_prefix("scp_u_").unwrap();
    assert_eq!(random.len(), 32);
    assert!(random.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{secret}");

    let key = &data["api_key"];
    let mut sorted = networks;
    sorted.sort_unstable();
    let expected = json!({
        "id": key["id"], "created_at": key["created_at"], "updated_at": key["created_at"],
        "name": "robot", "organization_id": world.ours.organization, "user_id": owner.id,
        "permissions": "Viewer", "last_used": null, "expires_at": null, "is_enabled": true,
        "all_networks": false, "key": "**********", "tags": [], "network_ids": sorted,
    });
    assert_eq!(key, &expected);
    let path = format!("{PATH}/{}", key["id"].as_str().unwrap());
    let read = world.test.get(&path).credential(&owner.session).send().await;
    assert_eq!(read.data(), &expected);

    let services = world.test.get("/api/v1/services").credential(secret).send().await;
    assert_eq!(services.body["meta"]["pagination"]["total_count"], 8);
    let another = create(&world, owner, &json!({})).await;
    assert_ne!(another.data()["key"], data["key"]);
}

#[tokio::test]
async fn only_the_hash_of_a_secret_is_stored() {
    let world = World::new().await;
    let answer = create(&world, &world.ours.owner, &json!({})).await;
    let secret = answer.data()["key"].as_str().unwrap();
    let id: Id = serde_json::from_value(answer.data()["api_key"]["id"].clone()).unwrap();
    let sql = "SELECT secret_hash FROM api_key_secret WHERE api_key_id = $1";
    let rows = world.test.rows(sql, [id.into()]).await;
    let stored: String = rows[0].try_get("", "secret_hash").unwrap();
    assert_eq!(stored.len(), 64, "a SHA-256: {stored}");
    assert!(!stored.contains(&secret[6..]));
    let as_key =
        world.test.get("/api/v1/services").header("authorization", &format!("Bearer {stored}"));
    assert_eq!(as_key.send().await.status, 401);
}

#[tokio::test]
async fn a_key_is_as_its_maker_says() {
    let world = World::new().await;
    let ours = &world.ours;
    let [one, two] = ours.networks.each_ref().map(|network| network.id);
    let mut both = [one, two];
    both.sort_unstable();
    let [first, second] = ours.tags;
    let later = "2099-01-02T03:04:05.678901Z";
    for (person, changes, field, expected) in [
        (&ours.owner, json!({ "permissions": "Owner" }), "permissions", json!("Owner")),
        (&ours.owner, json!({ "permissions": null }), "permissions", json!("Viewer")),
        (&ours.member, json!({ "permissions": "Member" }), "permissions", json!("Member")),
        (&ours.viewer, json!({ "permissions": "Viewer" }), "permissions", json!("Viewer")),
        (&ours.owner, json!({ "network_ids": null }), "network_ids", json!(both)),
        (&ours.owner, json!({ "network_ids": [] }), "network_ids", json!([])),
        (&ours.owner, json!({ "network_ids": [two] }), "network_ids", json!([two])),
        (&ours.owner, json!({ "network_ids": [two, one] }), "network_ids", json!([two, one])),
        (&ours.member, json!({}), "network_ids", json!([one])),
        (&ours.member, json!({ "network_ids": [one] }), "network_ids", json!([one])),
        (&ours.owner, json!({ "is_enabled": false }), "is_enabled", json!(false)),
        (&ours.owner, json!({ "is_enabled": null }), "is_enabled", json!(true)),
        (&ours.owner, json!({ "expires_at": later }), "expires_at", json!(later)),
        (&ours.owner, json!({ "expires_at": null }), "expires_at", Value::Null),
        (&ours.owner, json!({ "tags": [second, first] }), "tags", json!([second, first])),
        (&ours.owner, json!({ "user_id": Id::nil() }), "user_id", json!(ours.owner.id)),
        (
            &ours.owner,
            json!({ "organization_id": Id::nil() }),
            "organization_id",
            json!(ours.organization),
        ),
        (&ours.owner, json!({ "name": "ä".repeat(100) }), "name", json!("ä".repeat(100))),
        // What the server decides, and what nobody knows, is ignored.
        (&ours.owner, json!({ "id": Id::nil(), "unknown": 1 }), "name", json!("robot")),
        (&ours.owner, json!({ "last_used": later, "created_at": later }), "last_used", Value::Null),
        (&ours.owner, json!({ "key": "scp_u_chosen" }), "key", json!("**********")),
    ] {
        let answer = create(&world, person, &changes).await;
        assert_eq!(answer.data()["api_key"][field], expected, "{changes}");
        let id = answer.data()["api_key"]["id"].as_str().unwrap();
        assert_ne!(id, Id::nil().to_string());
        let read = world.test.get(&format!("{PATH}/{id}")).credential(&person.session).send().await;
        assert_eq!(read.data(), &answer.data()["api_key"], "{changes}");
    }
}

#[tokio::test]
async fn nobody_makes_a_key_for_others_or_above_themselves() {
    let world = World::new().await;
    let (ours, theirs) = (&world.ours, &world.theirs);
    let [one, two] = ours.networks.each_ref().map(|network| network.id);
    let tag = theirs.tags[0];
    let denied = (403, "auth_permission_denied", Value::Null);
    let field = |field: &str| json!({ "field": field });
    let format = |name: &str| (400, "validation_invalid_format", field(name));
    let now = Timestamp::now();
    for (person, changes, expected) in [
        (&ours.owner, json!({ "user_id": ours.admin.id }), denied.clone()),
        (&ours.owner, json!({ "user_id": theirs.owner.id }), denied.clone()),
        (&ours.owner, json!({ "user_id": Id::new() }), denied.clone()),
        (&ours.owner, json!({ "organization_id": theirs.organization }), denied.clone()),
        (&ours.admin, json!({ "permissions": "Owner" }), denied.clone()),
        (&ours.member, json!({ "permissions": "Admin" }), denied.clone()),
        (&ours.viewer, json!({ "permissions": "Member" }), denied.clone()),
        (&ours.member, json!({ "network_ids": [two] }), denied.clone()),
        (&ours.member, json!({ "network_ids": [one, two] }), denied.clone()),
        (&ours.owner, json!({ "network_ids": [theirs.networks[0].id] }), denied.clone()),
        (&ours.owner, json!({ "network_ids": [Id::new()] }), denied.clone()),
        (
            &ours.owner,
            json!({ "network_ids": [one, one] }),
            (400, "validation_duplicate", field("network_ids[1]")),
        ),
        (
            &ours.owner,
            json!({ "expires_at": now - chrono::TimeDelta::seconds(1) }),
            format("expires_at"),
        ),
        (
            &ours.owner,
            json!({ "name": "" }),
            (400, "validation_min_length", json!({ "field": "name", "min": 1 })),
        ),
        (
            &ours.owner,
            json!({ "name": "ä".repeat(101) }),
            (400, "validation_max_length", json!({ "field": "name", "max": 100 })),
        ),
        (&ours.owner, json!({ "name": "a\u{1}b" }), format("name")),
        (
            &ours.owner,
            json!({ "tags": [ours.tags[0], tag] }),
            (
                400,
                "entity_reference_invalid",
                json!({ "entity": "Tag", "field": "tags[1]", "id": tag }),
            ),
        ),
        (
            &ours.owner,
            json!({ "tags": [ours.tags[0], ours.tags[0]] }),
            (400, "validation_duplicate", field("tags[1]")),
        ),
    ] {
        let before = world.test.rows("SELECT id FROM api_key", []).await.len();
        let (status, code, params) = expected;
        let answer = create(&world, person, &changes).await;
        assert_eq!(answer.failure(), (status, code, &params), "{changes}");
        let answer = create_by_graphql(&world, person, &changes).await;
        let error = &answer["errors"][0];
        assert_eq!(error["extensions"]["code"], code, "{changes}: {answer}");
        assert_eq!(error["extensions"]["params"], params, "{changes}");
        assert_eq!(answer["data"], Value::Null);
        assert_eq!(world.test.rows("SELECT id FROM api_key", []).await.len(), before);
    }
}

#[tokio::test]
async fn what_is_wrong_with_the_body_is_said() {
    let world = World::new().await;
    let owner = &world.ours.owner;
    let (required, format) = ("validation_required", "validation_invalid_format");
    for (key, value, code, field) in [
        ("name", Value::Null, required, "name"),
        ("organization_id", Value::Null, required, "organization_id"),
        ("user_id", Value::Null, required, "user_id"),
        ("tags", Value::Null, required, "tags"),
        ("name", json!(1), format, "name"),
        ("user_id", json!("me"), format, "user_id"),
        ("organization_id", json!(7), format, "organization_id"),
        ("tags", json!("red"), format, "tags"),
        ("tags", json!(["red"]), format, "tags[0]"),
        ("network_ids", json!([Id::nil(), "x"]), format, "network_ids[1]"),
        ("permissions", json!("Root"), format, "permissions"),
        ("permissions", json!("viewer"), format, "permissions"),
        ("expires_at", json!("tomorrow"), format, "expires_at"),
        ("is_enabled", json!("yes"), format, "is_enabled"),
    ] {
        let answer = create(&world, owner, &json!({ key: value })).await;
        let params = json!({ "field": field });
        assert_eq!(answer.failure(), (400, code, &params), "{key} {value}");
        if value.is_null() {
            let mut body = body(&world, owner, &json!({}));
            body.as_object_mut().unwrap().remove(key);
            let answer = world.test.post(PATH, &body).credential(&owner.session).send().await;
            assert_eq!(answer.failure(), (400, code, &params), "without {key}");
        }
    }
}

#[tokio::test]
async fn keys_are_managed_in_a_session_only() {
    let world = World::new().await;
    let owner = &world.ours.owner;
    let one = format!("{PATH}/{}", owner.key_id);
    // Neither learns anything about a body, a query or an id.
    for (credential, status, code) in [
        (None, 401, "auth_not_authenticated"),
        (Some(&owner.key), 403, "auth_user_context_required"),
    ] {
        for (method, path) in [
            (Method::POST, PATH),
            (Method::POST, "/api/v1/auth/keys?x=1"),
            (Method::GET, &one),
            (Method::GET, "/api/v1/auth/keys/none?x=1"),
        ] {
            let mut ask = world.test.ask(method.clone(), path).body("{");
            if let Some(secret) = credential {
                ask = ask.credential(secret);
            }
            assert_eq!(ask.send().await.failure(), (status, code, &Value::Null), "{method} {path}");
        }
    }
    let query = "mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }";
    let answer = world.test.graphql(&owner.key, query, json!({ "input": { "name": "x" } })).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "auth_user_context_required");
    // A key is refused, a session sees its own.
    let query = "query ($id: ID!) { apiKeys { totalCount } apiKey(id: $id) { id } }";
    let variables = json!({ "id": owner.key_id });
    let answer = world.test.graphql(&owner.key, query, variables.clone()).await;
    for error in answer["errors"].as_array().unwrap() {
        assert_eq!(error["extensions"]["code"], "auth_user_context_required", "{answer}");
    }
    assert_eq!(answer["data"], Value::Null);
    let answer = world.test.graphql(&owner.session, query, variables.clone()).await;
    assert_eq!(answer["data"]["apiKeys"]["totalCount"], 1);
    assert_eq!(answer["data"]["apiKey"]["id"], json!(owner.key_id));
    let answer = world.test.graphql(&world.ours.admin.session, query, variables).await;
    assert_eq!(answer["data"]["apiKey"], Value::Null);
}

#[tokio::test]
async fn the_keys_of_others_do_not_exist() {
    let world = World::new().await;
    let ours = &world.ours;
    let read = |session, id: String| {
        let path = format!("{PATH}/{id}");
        let test = &world.test;
        async move { test.get(&path).credential(session).send().await }
    };
    for (session, id) in [
        (&ours.owner.session, ours.member.key_id),
        (&ours.member.session, ours.owner.key_id),
        (&ours.owner.session, world.theirs.owner.key_id),
        (&ours.owner.session, Id::new()),
        (&ours.owner.session, Id::nil()),
    ] {
        let answer = read(session, id.to_string()).await;
        let params = json!({ "entity": "UserApiKey", "id": id });
        assert_eq!(answer.failure(), (404, "entity_not_found", &params));
    }
    for malformed in ["none", "1", "%00", "00000000-0000-0000-0000-00000000000g"] {
        let answer = read(&ours.owner.session, malformed.to_owned()).await;
        assert_eq!(
            answer.failure(),
            (400, "validation_invalid_format", &json!({ "field": "id" })),
            "{malformed}"
        );
    }
    let id = ours.owner.key_id.to_string();
    for spelling in [id.to_uppercase(), id.replace('-', "")] {
        assert_eq!(read(&ours.owner.session, spelling).await.data()["id"], json!(id));
    }
    let query = world.test.get(&format!("{PATH}/{id}?a=1")).credential(&ours.owner.session);
    let params = json!({ "parameter": "a" });
    let answer = query.send().await;
    assert_eq!(answer.failure(), (400, "validation_unknown_parameter", &params));
}

#[tokio::test]
async fn a_key_made_over_graphql_is_the_same() {
    let world = World::new().await;
    let ours = &world.ours;
    let two = ours.networks[1].id;
    let changes = json!({ "permissions": "Admin", "network_ids": [two], "tags": [ours.tags[1]] });
    let answer = create_by_graphql(&world, &ours.owner, &changes).await;
    let created = &answer["data"]["createApiKey"];
    let key = &created["apiKey"];
    let expected = json!({
        "id": key["id"], "name": "robot", "permissions": "ADMIN", "isEnabled": true,
        "expiresAt": null, "lastUsed": null, "networks": [{ "id": two }],
        "tags": [{ "id": ours.tags[1] }],
    });
    assert_eq!(key, &expected, "{answer}");
    let path = format!("{PATH}/{}", key["id"].as_str().unwrap());
    let read = world.test.get(&path).credential(&ours.owner.session).send().await;
    assert_eq!(read.data()["network_ids"], json!([two]));
    assert_eq!(read.data()["key"], "**********");
    let secret = created["key"].as_str().unwrap();
    let answer = world.test.graphql(secret, "{ viewer { permissions apiKey { id } } }", json!({}));
    let expected = json!({ "viewer": { "permissions": "ADMIN", "apiKey": { "id": key["id"] } } });
    assert_eq!(answer.await["data"], expected);
}
