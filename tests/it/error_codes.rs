//! Every code that an endpoint can answer today, with its status and its parameters.

use axum::http::{Method, StatusCode};
use sea_orm::{ActiveValue::Set, ConnectionTrait as _, EntityTrait as _};
use serde_json::{Value, json};
use toposcope::{auth::rate_limit::RateLimits, config::Settings, organizations};
use toposcope_types::{Id, Timestamp};

use crate::support::{
    app::TestApp,
    bodies::{with, without},
    world::{World, change_key},
};

/// Each body is refused as one for a group, with this code and these parameters.
async fn assert_refused(world: &World, cases: Vec<(Value, &str, Value)>) {
    let path = world.ours.networks[0].group_path();
    for (body, code, params) in cases {
        let put = world.test.put(&path, &body).credential(&world.ours.admin.key);
        let answer = put.send().await;
        assert_eq!(answer.failure(), (400, code, &params), "{body}");
        let said = answer.body["error"].as_str().unwrap();
        assert!(!said.is_empty() && !said.contains("not JSON"), "{said}");
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_body_has_its_code_and_params() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let (one, two) = (network.hosts[0].bindings[0], network.hosts[0].bindings[1]);
    let body = network.group_body();
    let field = |name: &str| json!({ "field": name });
    let cases: Vec<(Value, &str, Value)> = vec![
        (without(&body, "name"), "validation_required", field("name")),
        (without(&body, "tags"), "validation_required", field("tags")),
        (with(&body, &json!({ "name": null })), "validation_required", field("name")),
        (with(&body, &json!({ "color": null })), "validation_required", field("color")),
        (
            with(&body, &json!({ "binding_ids": [one, null] })),
            "validation_required",
            field("binding_ids[1]"),
        ),
        (with(&body, &json!({ "name": 17 })), "validation_invalid_format", field("name")),
        (with(&body, &json!({ "color": "Mauve" })), "validation_invalid_format", field("color")),
        (with(&body, &json!({ "color": "blue" })), "validation_invalid_format", field("color")),
        (with(&body, &json!({ "color": 3 })), "validation_invalid_format", field("color")),
        (
            with(&body, &json!({ "edge_style": "Wavy" })),
            "validation_invalid_format",
            field("edge_style"),
        ),
        (
            with(&body, &json!({ "group_type": "Ring" })),
            "validation_invalid_format",
            field("group_type"),
        ),
        (
            with(&body, &json!({ "network_id": "x" })),
            "validation_invalid_format",
            field("network_id"),
        ),
        (
            with(&body, &json!({ "binding_ids": "x" })),
            "validation_invalid_format",
            field("binding_ids"),
        ),
        (
            with(&body, &json!({ "binding_ids": [one, two, "x"] })),
            "validation_invalid_format",
            field("binding_ids[2]"),
        ),
        (
            with(&body, &json!({ "expected_updated_at": "today" })),
            "validation_invalid_format",
            field("expected_updated_at"),
        ),
        (json!(null), "validation_invalid_format", field("body")),
        (json!("x"), "validation_invalid_format", field("body")),
        (json!([]), "validation_invalid_format", field("body")),
    ];
    assert_refused(&world, cases).await;
}

#[tokio::test]
async fn a_rule_that_a_body_breaks_has_its_code_and_params() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let (one, two) = (network.hosts[0].bindings[0], network.hosts[0].bindings[1]);
    let (theirs, no_id) = (world.theirs.networks[0].hosts[0].bindings[0], Id::new());
    let other = world.ours.networks[1].hosts[0].bindings[0];
    let body = network.group_body();
    let long = |length: usize| "é".repeat(length);
    let field = |name: &str| json!({ "field": name });
    let cases: Vec<(Value, &str, Value)> = vec![
        (
            with(&body, &json!({ "name": "" })),
            "validation_min_length",
            json!({ "field": "name", "min": 1 }),
        ),
        (
            with(&body, &json!({ "name": "\0" })),
            "validation_min_length",
            json!({ "field": "name", "min": 1 }),
        ),
        (
            with(&body, &json!({ "name": long(101) })),
            "validation_max_length",
            json!({ "field": "name", "max": 100 }),
        ),
        (
            with(&body, &json!({ "description": long(501) })),
            "validation_max_length",
            json!({ "field": "description", "max": 500 }),
        ),
        (
            with(&body, &json!({ "binding_ids": [one, two, one] })),
            "validation_duplicate",
            field("binding_ids[2]"),
        ),
        (with(&body, &json!({ "tags": [no_id, no_id] })), "validation_duplicate", field("tags[1]")),
        (
            with(&body, &json!({ "binding_ids": [one, no_id] })),
            "entity_reference_invalid",
            json!({ "entity": "Binding", "field": "binding_ids[1]", "id": no_id }),
        ),
        (
            with(&body, &json!({ "binding_ids": [theirs] })),
            "entity_reference_invalid",
            json!({ "entity": "Binding", "field": "binding_ids[0]", "id": theirs }),
        ),
        (
            with(&body, &json!({ "binding_ids": [other] })),
            "entity_network_mismatch",
            json!({ "entity": "Binding" }),
        ),
    ];
    assert_refused(&world, cases).await;
}

#[tokio::test]
async fn a_list_is_no_object() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let field = |name: &str| json!({ "field": name });
    let list = (1..9).map(Value::from).collect::<Vec<_>>();
    let positional = [
        json!("n"),
        json!(network.id),
        json!(null),
        json!("RequestPath"),
        json!("Blue"),
        json!("Step"),
        json!([]),
        json!([]),
        json!(null),
    ];
    for body in [json!(list), json!(positional)] {
        let put = world.test.put(&network.group_path(), &body).credential(&world.ours.admin.key);
        let answer = put.send().await;
        assert_eq!(answer.failure(), (400, "validation_invalid_format", &field("body")), "{body}");
    }
}

#[tokio::test]
async fn text_that_is_not_json_is_told_apart_from_json_that_is_wrong() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let good = network.group_body().to_string();
    for (body, field) in [
        (String::new(), "body"),
        ("{".to_owned(), "body"),
        ("nonsense".to_owned(), "body"),
        ("{\"name\": }".to_owned(), "name"),
        (good.replacen('{', "{,", 1), "body"),
        (good.clone() + "{}", "body"),
        (good.clone() + "x", "body"),
        (good.replacen('{', "{\"name\":\"twice\",", 1), "name"),
        (good.replacen("web path", "\\ud800", 1), "name"),
        (good.replacen("web path", "a\nb", 1), "name"),
    ] {
        let ask = world.test.ask(Method::PUT, &network.group_path()).body(body.clone());
        let ask = ask.header("content-type", "application/json");
        let answer = ask.credential(&world.ours.member.key).send().await;
        let (status, code, params) = answer.failure();
        assert_eq!((status, code), (400, "validation_invalid_format"), "{body}");
        assert_eq!(params["field"], field, "{body}");
    }
    let mut bytes = good.into_bytes();
    let place_of_name = bytes.windows(8).position(|window| window == b"web path").unwrap();
    bytes[place_of_name] = 0xff;
    let ask = world.test.ask(Method::PUT, &network.group_path()).body(bytes);
    let ask = ask.header("content-type", "application/json");
    let answer = ask.credential(&world.ours.member.key).send().await;
    assert_eq!(answer.failure().0, 400, "not UTF-8");
}

#[tokio::test]
async fn what_is_wrong_with_a_caller_has_its_code_and_params() {
    let world = World::new().await;
    let key = &world.ours.viewer;
    let get = || world.test.get("/api/v1/services").credential(&key.key).send();
    for bad in ["scp_u_", "scp_u_00000000000000000000000000000000", "Basic YTpi"] {
        let ask =
            world.test.get("/api/v1/services").header("authorization", &format!("Bearer {bad}"));
        let answer = ask.send().await;
        assert_eq!(answer.failure(), (401, "auth_not_authenticated", &json!(null)), "{bad}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    }
    let entity = json!({ "entity": "UserApiKey" });
    change_key(&world.test, key.key_id, |row| row.is_enabled = Set(false)).await;
    assert_eq!(get().await.failure(), (403, "entity_disabled", &entity));
    change_key(&world.test, key.key_id, |row| {
        row.is_enabled = Set(true);
        row.expires_at = Set(Some(Timestamp::now()));
    })
    .await;
    assert_eq!(get().await.failure(), (403, "entity_expired", &entity));
    change_key(&world.test, key.key_id, |row| row.expires_at = Set(None)).await;
    get().await.data();
    let organization = organizations::ActiveModel {
        id: Set(world.ours.organization),
        api_access_enabled: Set(false),
        ..Default::default()
    };
    organizations::Entity::update(organization).exec(world.test.app.db.writer()).await.unwrap();
    world.test.app.credentials.forget();
    assert_eq!(get().await.failure(), (403, "organization_api_access_disabled", &json!(null)));

    let login = json!({ "email": "nobody@example.com", "password": "Wrong-Horse-1" });
    let answer = world.test.post("/api/auth/login", &login).send().await;
    assert_eq!(answer.failure(), (401, "auth_invalid_credentials", &json!(null)));
    let me = world.test.post("/api/auth/me", &json!({})).credential(&world.theirs.viewer.key);
    assert_eq!(me.send().await.failure(), (403, "auth_user_context_required", &json!(null)));
}

#[tokio::test]
async fn what_is_not_there_or_conflicts_has_its_code_and_params() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let body = network.entry_body(0);
    let put = |path: String, body: Value| {
        let put = world.test.put(&path, &body);
        put.credential(&world.ours.member.key).send()
    };
    let id = network.hosts[0].if_entries[0];
    put(network.entry_path(0), with(&body, &json!({ "mac_address": "02:00:00:00:00:01" })))
        .await
        .data();
    for absent in [Id::new(), Id::nil(), world.theirs.networks[0].hosts[0].if_entries[0]] {
        let answer = put(format!("/api/v1/if-entries/{absent}"), body.clone()).await;
        let params = json!({ "entity": "IfEntry", "id": absent });
        assert_eq!(answer.failure(), (404, "entity_not_found", &params));
    }
    let absent = Id::new();
    let answer = put(format!("/api/v1/groups/{absent}"), network.group_body()).await;
    let params = json!({ "entity": "Group", "id": absent });
    assert_eq!(answer.failure(), (404, "entity_not_found", &params));

    for (change, code, params) in [
        (
            json!({ "if_index": 2 }),
            "entity_already_exists",
            json!({ "entity": "IfEntry", "field": "if_index" }),
        ),
        (
            json!({ "mac_address": "02:00:00:00:00:02" }),
            "field_immutable",
            json!({ "field": "mac_address" }),
        ),
        (
            json!({ "expected_updated_at": "2020-01-01T00:00:00Z" }),
            "entity_changed",
            json!({ "entity": "IfEntry", "id": id }),
        ),
    ] {
        let answer = put(network.entry_path(0), with(&body, &change)).await;
        assert_eq!(answer.failure(), (409, code, &params), "{change}");
    }
    for (change, params) in [
        (json!({ "if_index": 0 }), json!({ "field": "if_index", "min": 1, "max": i32::MAX })),
        (json!({ "if_type": -1 }), json!({ "field": "if_type", "min": 0, "max": i32::MAX })),
        (json!({ "speed_bps": -1 }), json!({ "field": "speed_bps", "min": 0, "max": i64::MAX })),
    ] {
        let answer = put(network.entry_path(0), with(&body, &change)).await;
        assert_eq!(answer.failure(), (400, "validation_out_of_range", &params), "{change}");
    }
}

#[tokio::test]
async fn a_spent_budget_says_when_to_come_back() {
    let test = TestApp::with(Settings::default(), RateLimits::on()).await;
    let mut answer = test.get("/api/v1/services").send().await;
    while answer.status == StatusCode::UNAUTHORIZED {
        answer = test.get("/api/v1/services").send().await;
    }
    let (status, code, params) = answer.failure();
    assert_eq!((status, code), (429, "rate_limit_exceeded"));
    let seconds = params["retry_after"].as_u64().unwrap();
    assert!((1..=2).contains(&seconds), "{seconds}");
    assert_eq!(answer.header("retry-after"), Some(seconds.to_string().as_str()));
}

#[tokio::test]
async fn a_lost_database_is_503_everywhere_but_where_none_is_needed() {
    let world = World::new().await;
    let (key, group) = (&world.ours.member.key, world.ours.networks[0].group_path());
    world.test.settle().await;
    world.test.app.db.clone().close().await;
    world.test.app.credentials.forget();
    for answer in [
        world.test.get("/api/health").send().await,
        world.test.get("/api/v1/services").credential(key).send().await,
        world.test.put(&group, &json!({})).credential(key).send().await,
    ] {
        assert_eq!(answer.failure(), (503, "service_unavailable", &json!({ "retry_after": 2 })));
        assert_eq!(answer.header("retry-after"), Some("2"));
    }
    world.test.get("/api/version").send().await.data();
}

#[tokio::test]
async fn an_internal_error_tells_nothing_but_that_it_happened() {
    let world = World::new().await;
    let drop_table = "ALTER TABLE service RENAME TO gone";
    world.test.app.db.writer().execute_unprepared(drop_table).await.unwrap();
    let answer = world.test.get("/api/v1/services").credential(&world.ours.viewer.key).send().await;
    assert_eq!(answer.failure(), (500, "internal_error", &json!(null)));
    let said = answer.body["error"].as_str().unwrap().to_lowercase();
    for word in ["select", "table", "column", "relation", "sql", "service", "/"] {
        assert!(!said.contains(word), "{said}");
    }
}
