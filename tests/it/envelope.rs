//! The one shape of every answer under `/api/`, and how times, ids, addresses and texts go in and out.

use axum::{
    Router,
    body::Body,
    http::{Method, Request},
    response::IntoResponse as _,
    routing::get,
};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use toposcope::rest::layers::panicked;
use toposcope_types::{Id, Timestamp};
use tower::ServiceExt as _;
use tower_http::catch_panic::CatchPanicLayer;

use crate::support::{
    app::{Answer, TestApp},
    bodies::{shape, with},
    world::World,
};

#[track_caller]
fn assert_failure_envelope(answer: &Answer, what: &str) {
    assert_eq!(answer.header("content-type"), Some("application/json"), "{what}");
    let body = answer.body.as_object().unwrap();
    let mut keys: Vec<&str> = body.keys().map(String::as_str).collect();
    keys.sort_unstable();
    let expected = ["code", "error", "meta", "params", "success"];
    let expected: Vec<&str> = expected
        .into_iter()
        .filter(|key| *key != "params" || body.contains_key("params"))
        .collect();
    assert_eq!(keys, expected, "{what}");
    assert_eq!(body["success"], false, "{what}");
    assert!(body.get("params").is_none_or(Value::is_object), "{what}");
}

#[tokio::test]
async fn every_refusal_is_the_envelope() {
    let world = World::new().await;
    let member = &world.ours.member.key;
    let group = world.ours.networks[0].group_path();
    let wrong_method = |method: &str| json!({ "method": method });
    let cases = [
        ("GET", "/api", "", 404, "route_not_found", json!(null), None),
        ("GET", "/api/", "", 404, "route_not_found", json!(null), None),
        ("GET", "/api/nothing", "", 404, "route_not_found", json!(null), None),
        ("PUT", "/api/v1", "{}", 404, "route_not_found", json!(null), None),
        ("GET", "/api/v1/", "", 404, "route_not_found", json!(null), None),
        ("GET", "/api/v1/nothing/at/all", "", 404, "route_not_found", json!(null), None),
        ("GET", "/api/v1/services/", "", 404, "route_not_found", json!(null), None),
        ("GET", "/api/v2/services", "", 404, "route_not_found", json!(null), None),
        (
            "PATCH",
            "/api/v1/services",
            "{}",
            405,
            "method_not_allowed",
            wrong_method("PATCH"),
            Some("GET,HEAD,POST"),
        ),
        (
            "POST",
            group.as_str(),
            "{}",
            405,
            "method_not_allowed",
            wrong_method("POST"),
            Some("GET,HEAD,PUT,DELETE"),
        ),
        (
            "DELETE",
            "/api/v1/auth/keys",
            "",
            405,
            "method_not_allowed",
            wrong_method("DELETE"),
            Some("GET,HEAD,POST"),
        ),
        (
            "GET",
            "/api/v1/services/bulk-delete",
            "",
            405,
            "method_not_allowed",
            wrong_method("GET"),
            Some("POST"),
        ),
        (
            "POST",
            "/api/version",
            "{}",
            405,
            "method_not_allowed",
            wrong_method("POST"),
            Some("GET,HEAD"),
        ),
        (
            "POST",
            "/api/health",
            "{}",
            405,
            "method_not_allowed",
            wrong_method("POST"),
            Some("GET,HEAD"),
        ),
        (
            "GET",
            "/api/auth/login",
            "",
            405,
            "method_not_allowed",
            wrong_method("GET"),
            Some("POST"),
        ),
        (
            "PUT",
            group.as_str(),
            "{",
            400,
            "validation_invalid_format",
            json!({ "field": "body" }),
            None,
        ),
    ];
    for (method, path, body, status, code, params, allow) in cases {
        let what = format!("{method} {path}");
        let ask = world.test.ask(method.parse().unwrap(), path).body(body);
        let ask = ask.header("content-type", "application/json").credential(member);
        let answer = ask.send().await;
        assert_eq!(answer.failure(), (status, code, &params), "{what}");
        assert_eq!(answer.header("allow"), allow, "{what}");
        assert_failure_envelope(&answer, &what);
        assert!(answer.header("x-request-id").is_some(), "{what}");
    }
}

#[tokio::test]
async fn only_json_is_read_and_not_more_than_two_mebibytes() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let put = |content_type: Option<&str>, body: String| {
        let ask = world.test.ask(Method::PUT, &network.group_path()).body(body);
        let ask = ask.credential(&world.ours.member.key);
        match content_type {
            Some(content_type) => ask.header("content-type", content_type),
            None => ask,
        }
    };
    let good = network.group_body().to_string();
    for content_type in [
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/merge-patch+json",
        "application/vnd.example.v1+json;q=1",
    ] {
        put(Some(content_type), good.clone()).send().await.data();
    }
    for content_type in [
        None,
        Some(""),
        Some("json"),
        Some("text/json"),
        Some("text/plain"),
        Some("application/jsonp"),
        Some("application/+json"),
        Some("application/x-www-form-urlencoded"),
        Some("multipart/form-data; boundary=a"),
    ] {
        let answer = put(content_type, good.clone()).send().await;
        assert_eq!(
            answer.failure(),
            (415, "unsupported_media_type", &json!(null)),
            "{content_type:?}"
        );
        assert_failure_envelope(&answer, "415");
    }
    let limit = 2 * 1024 * 1024;
    let full = format!("{good}{}", " ".repeat(limit - good.len()));
    put(Some("application/json"), full.clone()).send().await.data();
    let answer = put(Some("application/json"), full + " ").send().await;
    assert_eq!(answer.failure(), (413, "payload_too_large", &json!(null)));
    assert_failure_envelope(&answer, "413");
}

#[tokio::test]
async fn a_success_has_data_and_meta_and_nothing_of_an_error() {
    let test = TestApp::new().await;
    let meta = json!({ "api_version": 1, "server_version": env!("CARGO_PKG_VERSION") });
    let version = test.get("/api/version").send().await;
    assert_eq!(version.body, json!({ "success": true, "data": meta, "meta": meta }));
    // As recorded, but for the version.
    let sample = json!({ "success": true, "data": { "api_version": 1, "server_version": "0.14.13" },
        "meta": { "api_version": 1, "server_version": "0.14.13" } });
    assert_eq!(shape(&version.body), shape(&sample));
    let health = test.get("/api/health").send().await;
    assert_eq!(health.status, 200);
    assert_eq!(health.body["success"], true);
    assert_eq!(health.body["data"], "ok");
    assert_eq!(health.body["meta"], with(&meta, &json!({ "status": "ok" })));
    let logout = test.post("/api/auth/logout", &json!({})).send().await;
    assert_eq!(logout.body, json!({ "success": true, "data": null, "meta": meta }));
}

#[tokio::test]
async fn a_panic_is_an_internal_error_that_keeps_its_message_to_itself() {
    async fn breaks() -> &'static str {
        panic!("the secret is 42")
    }
    let router: Router = Router::new()
        .route("/", get(breaks))
        .layer(CatchPanicLayer::custom(|panic| panicked(panic).into_response()));
    let response = router.oneshot(Request::new(Body::empty())).await.unwrap();
    assert_eq!(response.status(), 500);
    let body: Value =
        serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap();
    assert_eq!(body["code"], "internal_error");
    assert!(!body.to_string().contains("42"), "{body}");
}

#[tokio::test]
async fn times_and_ids_come_out_in_one_spelling() {
    let world = World::new().await;
    let answer = world.test.get("/api/v1/services").credential(&world.ours.viewer.key).send().await;
    let mut seen = 0;
    for service in answer.data().as_array().unwrap() {
        for thing in [service, &service["bindings"][0]] {
            for key in ["created_at", "updated_at"] {
                let text = thing[key].as_str().unwrap();
                assert_eq!(text.parse::<Timestamp>().unwrap().to_string(), text);
                assert!(text.len() == 27 && text.ends_with('Z'), "{text}");
            }
            for key in ["id", "network_id"] {
                let text = thing[key].as_str().unwrap();
                assert_eq!(text.parse::<Id>().unwrap().to_string(), text);
                assert!(text.len() == 36 && *text == text.to_lowercase(), "{text}");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 16);
}

#[tokio::test]
async fn ids_go_in_in_any_case_with_or_without_hyphens() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let spellings = |id: Id| {
        let (long, short) = (id.to_string(), id.uuid().simple().to_string());
        [long.to_uppercase(), short.to_uppercase(), long, short]
    };
    for (path_id, (network_id, binding)) in spellings(network.group)
        .into_iter()
        .zip(spellings(network.id).into_iter().zip(spellings(network.hosts[0].bindings[0])))
    {
        let change = json!({ "network_id": network_id, "binding_ids": [binding] });
        let body = with(&network.group_body(), &change);
        let put = world.test.put(&format!("/api/v1/groups/{path_id}"), &body);
        let answer = put.credential(&world.ours.member.key).send().await;
        assert_eq!(answer.data()["id"], json!(network.group));
        assert_eq!(answer.data()["network_id"], json!(network.id));
        assert_eq!(answer.data()["binding_ids"], json!([network.hosts[0].bindings[0]]));
    }
    let id = network.group;
    for wrong in [
        format!("{{{id}}}"),
        format!("urn:uuid:{id}"),
        id.to_string()[1..].to_owned(),
        format!("{id}0"),
        "0".repeat(31) + "g",
        "17".to_owned(),
    ] {
        let path = format!("/api/v1/groups/{}", wrong.replace('{', "%7B").replace('}', "%7D"));
        let put = world.test.put(&path, &network.group_body());
        let answer = put.credential(&world.ours.member.key).send().await;
        assert_eq!(
            answer.failure(),
            (400, "validation_invalid_format", &json!({ "field": "id" })),
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn a_mac_address_goes_in_in_every_spelling_and_comes_out_in_one() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let member = &world.ours.member.key;
    for spelling in [
        "00:1a:2b:00:10:00",
        "0:1a:2b:0:10:0",
        "00-1A-2B-00-10-00",
        "001a.2b00.1000",
        "001A2B001000",
        "001a2b-001000",
    ] {
        let change = json!({ "mac_address": spelling, "fdb_macs": [spelling],
            "lldp_chassis_id": { "subtype": "MacAddress", "value": spelling },
            "lldp_port_id": { "subtype": "MacAddress", "value": spelling } });
        let put = world.test.put(&network.entry_path(0), &with(&network.entry_body(0), &change));
        let answer = put.credential(member).send().await;
        let one = "00:1A:2B:00:10:00";
        assert_eq!(answer.data()["mac_address"], one, "{spelling}");
        assert_eq!(answer.data()["fdb_macs"], json!([one]), "{spelling}");
        assert_eq!(
            answer.data()["lldp_chassis_id"],
            json!({ "subtype": "MacAddress", "value": one })
        );
        assert_eq!(answer.data()["lldp_port_id"], json!({ "subtype": "MacAddress", "value": one }));
    }
    for spelling in
        ["", "0:1:2:3:4", "0:1:2:3:4:5:6", "00:1g:2b:00:10:00", "001a2b00100", "1:2-3:4:5:6"]
    {
        for (change, field) in [
            (json!({ "mac_address": spelling }), "mac_address"),
            (json!({ "fdb_macs": ["00:1a:2b:00:10:00", spelling] }), "fdb_macs[1]"),
        ] {
            let put =
                world.test.put(&network.entry_path(0), &with(&network.entry_body(0), &change));
            let answer = put.credential(member).send().await;
            let expected = json!({ "field": field });
            assert_eq!(
                answer.failure(),
                (400, "validation_invalid_format", &expected),
                "{spelling}"
            );
        }
        // What others send of themselves is kept as they sent it.
        for field in ["lldp_chassis_id", "lldp_port_id"] {
            let change = json!({ field: { "subtype": "MacAddress", "value": spelling } });
            let put =
                world.test.put(&network.entry_path(0), &with(&network.entry_body(0), &change));
            let answer = put.credential(member).send().await;
            assert_eq!(answer.data()[field]["value"], spelling);
        }
    }
}

#[tokio::test]
async fn texts_lose_their_padding_and_nothing_else() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let put = |text: &str| {
        let change = json!({ "name": text, "description": text });
        let put = world.test.put(&network.group_path(), &with(&network.group_body(), &change));
        put.credential(&world.ours.member.key).send()
    };
    for (text, kept) in [
        ("a\0\0\0", "a"),
        (" a\tb\nc ", " a\tb\nc "),
        ("Büro 東京 🖧", "Büro 東京 🖧"),
        ("a\u{7f}\u{85}", "a\u{7f}\u{85}"),
        ("a\r\nb\rc", "a\nb\nc"),
    ] {
        let answer = put(text).await;
        assert_eq!(answer.data()["name"], kept, "{text:?}");
        assert_eq!(answer.data()["description"], kept, "{text:?}");
    }
    for text in ["a\0b", "\0a", "a\u{1b}[2J", "\u{1}", "a\u{1f}", "a\u{b}"] {
        let answer = put(text).await;
        let expected = json!({ "field": "name" });
        assert_eq!(answer.failure(), (400, "validation_invalid_format", &expected), "{text:?}");
    }
}

#[tokio::test]
async fn keys_that_nobody_knows_and_keys_of_the_server_are_ignored() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    for (path, body) in [
        (network.group_path(), network.group_body()),
        (network.entry_path(0), network.entry_body(0)),
    ] {
        let put =
            |body: &Value| world.test.put(&path, body).credential(&world.ours.member.key).send();
        let before = put(&body).await;
        for change in [
            json!({ "id": Id::new(), "created_at": "1970-01-01T00:00:00Z",
                "updated_at": "2100-01-01T00:00:00Z", "source": { "type": "System" } }),
            json!({ "id": 17, "created_at": "x", "updated_at": [], "source": null }),
            json!({ "odd": { "name": 1 }, "": 1, "neighbors": [1] }),
        ] {
            let after = put(&with(&body, &change)).await;
            for key in ["id", "created_at", "source"] {
                assert_eq!(after.data()[key], before.data()[key], "{change} {path}");
            }
            let time = |answer: &Answer| answer.data()["updated_at"].as_str().unwrap().to_owned();
            assert!(time(&after) > time(&before), "set at every change");
            assert!(time(&after).as_str() < "2100", "by the server's clock");
            let keys = |answer: &Answer| {
                answer.data().as_object().unwrap().keys().cloned().collect::<Vec<_>>()
            };
            assert_eq!(keys(&after), keys(&before));
        }
    }
}
