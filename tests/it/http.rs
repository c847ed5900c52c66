//! GraphQL over HTTP: media types, methods, status codes and what a request may look like.

use axum::http::Method;
use serde_json::{Value, json};
use toposcope::{auth::rate_limit::RateLimits, config::Settings};

use crate::support::{
    app::{Answer, Ask, TestApp},
    world::World,
};

const GRAPHQL: &str = "application/graphql-response+json; charset=utf-8";
const JSON: &str = "application/json; charset=utf-8";

fn post<'a>(world: &'a World, body: &str) -> Ask<'a> {
    let request = world.test.ask(Method::POST, "/graphql").credential(&world.ours.owner.key);
    request.header("content-type", "application/json").body(body.to_owned())
}

fn get<'a>(world: &'a World, parameters: &[(&str, &str)]) -> Ask<'a> {
    let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    world.test.get(&format!("/graphql?{form}")).credential(&world.ours.owner.key)
}

fn code(answer: &Answer) -> &Value {
    &answer.body["errors"][0]["extensions"]["code"]
}

#[tokio::test]
async fn the_media_type_is_the_one_that_the_client_prefers() {
    let world = World::new().await;
    for (accept, media_type) in [
        (None, Some(JSON)),
        (Some(""), Some(JSON)),
        (Some("*/*"), Some(JSON)),
        (Some("application/*"), Some(JSON)),
        (Some("application/json"), Some(JSON)),
        (Some("APPLICATION/JSON"), Some(JSON)),
        (Some("application/json; charset=utf-8"), Some(JSON)),
        (Some("application/graphql-response+json"), Some(GRAPHQL)),
        (Some("application/graphql-response+json; charset=utf-8"), Some(GRAPHQL)),
        (Some("application/graphql-response+json, application/json"), Some(GRAPHQL)),
        (Some("application/json, application/graphql-response+json"), Some(JSON)),
        (Some("application/graphql-response+json, application/json;q=0.9"), Some(GRAPHQL)),
        (Some("application/json;q=0.5, application/graphql-response+json;q=0.7"), Some(GRAPHQL)),
        (Some("application/json;Q=0.5,application/graphql-response+json;Q=0.4"), Some(JSON)),
        (Some("text/html, */*;q=0.1"), Some(JSON)),
        (Some("text/html, application/graphql-response+json;q=0.001"), Some(GRAPHQL)),
        (Some("application/graphql-response+json, */*"), Some(GRAPHQL)),
        (Some("*/*, application/graphql-response+json"), Some(GRAPHQL)),
        (Some("application/graphql-response+json;q=0, */*"), Some(JSON)),
        (Some("application/json;q=0, */*"), Some(GRAPHQL)),
        (Some("text/html"), None),
        (Some("application/xml, image/*"), None),
        (Some("application/json;q=0"), None),
        (Some("*/*;q=0"), None),
    ] {
        for request in [
            post(&world, r#"{"query":"{ __typename }"}"#),
            get(&world, &[("query", "{ __typename }")]),
        ] {
            let request = match accept {
                Some(accept) => request.header("accept", accept),
                None => request,
            };
            let answer = request.send().await;
            match media_type {
                Some(media_type) => {
                    assert_eq!(answer.status, 200, "{accept:?}");
                    assert_eq!(answer.header("content-type"), Some(media_type), "{accept:?}");
                    assert_eq!(answer.body, json!({ "data": { "__typename": "Query" } }));
                }
                None => assert_eq!(answer.status, 406, "{accept:?}"),
            }
        }
    }
}

#[tokio::test]
async fn accept_may_be_sent_in_several_headers() {
    let world = World::new().await;
    let request = post(&world, r#"{"query":"{ __typename }"}"#);
    let request =
        request.header("accept", "text/html").header("accept", "application/graphql-response+json");
    assert_eq!(request.send().await.header("content-type"), Some(GRAPHQL));
}

/// A query, and its status as the GraphQL media type and as plain JSON; whether data comes along.
const STATUSES: &[(&str, u16, u16, bool)] = &[
    ("{ __typename }", 200, 200, true),
    ("{ __typename", 400, 200, false),
    ("", 400, 200, false),
    ("}", 400, 200, false),
    ("{ nothing }", 400, 200, false),
    ("{ hosts(first: 1, nothing: 1) { totalCount } }", 400, 200, false),
    ("{ hosts }", 400, 200, false),
    ("query Q($a: Int!) { hosts(first: $a) { totalCount } }", 400, 200, false),
    ("query Q($a: Nothing) { __typename }", 400, 200, false),
    ("query A { __typename } query B { __typename }", 400, 200, false),
    ("query A { __typename } query A { __typename }", 400, 200, false),
    ("fragment F on Query { __typename }", 400, 200, false),
    ("subscription { hosts { totalCount } }", 400, 200, false),
    ("{ ...F } fragment F on Query { ...F }", 400, 200, false),
    // It ran: the answer is partial, or null where nothing could stay.
    ("{ hosts(first: -1) { totalCount } }", 200, 200, true),
    (
        "mutation { updateGroup(id: \"00000000-0000-0000-0000-000000000001\", input: {name: \"x\", networkId: \"00000000-0000-0000-0000-000000000001\", groupType: REQUEST_PATH, color: RED, edgeStyle: STEP, bindingIds: [], tags: []}) { id } }",
        200,
        200,
        true,
    ),
];

#[tokio::test]
async fn statuses_tell_whether_anything_ran() {
    let world = World::new().await;
    for (query, graphql, json, ran) in STATUSES {
        for (accept, status) in
            [("application/graphql-response+json", graphql), ("application/json", json)]
        {
            let body = json!({ "query": query }).to_string();
            let answer = post(&world, &body).header("accept", accept).send().await;
            assert_eq!(answer.status, *status, "{query} {accept}: {}", answer.body);
            assert_eq!(answer.body.get("data").is_some(), *ran, "{query}: {}", answer.body);
            assert_eq!(answer.body.get("errors").is_some(), *query != "{ __typename }", "{query}");
            for error in answer.body["errors"].as_array().into_iter().flatten() {
                assert!(
                    error["message"].is_string() && error["extensions"]["code"].is_string(),
                    "{error}"
                );
            }
        }
    }
}

#[tokio::test]
async fn what_is_no_request_is_refused_whatever_the_media_type() {
    let world = World::new().await;
    let deep = format!(
        "{{\"query\":\"{{__typename}}\",\"variables\":{}1{}}}",
        "[".repeat(500),
        "]".repeat(500)
    );
    for (body, code_wanted, field) in [
        ("", "validation_invalid_format", "body"),
        ("{", "validation_invalid_format", "body"),
        ("null", "validation_invalid_format", "body"),
        ("7", "validation_invalid_format", "body"),
        ("\"{ __typename }\"", "validation_invalid_format", "body"),
        ("{ __typename }", "validation_invalid_format", "body"),
        ("{\"query\":\"{ __typename }\"} x", "validation_invalid_format", "body"),
        (&deep, "validation_invalid_format", "body"),
        ("[]", "validation_invalid_format", "body"),
        ("[{\"query\":\"{ __typename }\"}]", "validation_invalid_format", "body"),
        (
            "[{\"query\":\"{ a: __typename }\"},{\"query\":\"{ __typename }\"}]",
            "validation_invalid_format",
            "body",
        ),
        ("{}", "validation_required", "query"),
        ("{\"query\":null}", "validation_required", "query"),
        ("{\"Query\":\"{ __typename }\"}", "validation_required", "query"),
        ("{\"query\":7}", "validation_invalid_format", "query"),
        ("{\"query\":[\"{ __typename }\"]}", "validation_invalid_format", "query"),
        (
            "{\"query\":\"{ __typename }\",\"variables\":\"{}\"}",
            "validation_invalid_format",
            "variables",
        ),
        (
            "{\"query\":\"{ __typename }\",\"variables\":[]}",
            "validation_invalid_format",
            "variables",
        ),
        (
            "{\"query\":\"{ __typename }\",\"operationName\":7}",
            "validation_invalid_format",
            "operationName",
        ),
        (
            "{\"query\":\"{ __typename }\",\"extensions\":7}",
            "validation_invalid_format",
            "extensions",
        ),
    ] {
        for accept in ["application/graphql-response+json", "application/json"] {
            let answer = post(&world, body).header("accept", accept).send().await;
            assert_eq!(answer.status, 400, "{body}: {}", answer.body);
            assert_eq!(code(&answer), code_wanted, "{body}: {}", answer.body);
            assert_eq!(answer.body["errors"][0]["extensions"]["params"]["field"], field, "{body}");
            assert_eq!(answer.body.get("data"), None);
        }
    }
    let answer = post(&world, "").body(b"{\"query\":\"\xff\"}".to_vec()).send().await;
    assert_eq!((answer.status.as_u16(), code(&answer)), (400, &json!("validation_invalid_format")));
}

#[tokio::test]
async fn what_may_be_left_out_or_null_or_unknown_is_no_error() {
    let world = World::new().await;
    for body in [
        r#"{"query":"{ __typename }","variables":null,"operationName":null,"extensions":null}"#,
        r#"{"query":"{ __typename }","variables":{},"operationName":"","extensions":{}}"#,
        r#"{"query":"{ __typename }","variables":{"unknown":1},"id":7,"doc_id":null}"#,
        r#"{"query":"query A { __typename } mutation B { __typename }","operationName":"A"}"#,
        "\n {\"query\":\"\\ufeff{ __typename # é \\n }\"} \n",
    ] {
        let answer = post(&world, body).send().await;
        assert_eq!(answer.body, json!({ "data": { "__typename": "Query" } }), "{body}");
    }
}

#[tokio::test]
async fn a_body_must_say_that_it_is_json() {
    let world = World::new().await;
    for (content_type, status) in [
        (Some("application/json"), 200),
        (Some("application/json; charset=utf-8"), 200),
        (Some("Application/JSON;charset=UTF-8"), 200),
        (Some("application/vnd.api+json"), 200),
        (None, 415),
        (Some(""), 415),
        (Some("text/plain"), 415),
        (Some("application/graphql"), 415),
        (Some("application/x-www-form-urlencoded"), 415),
        (Some("multipart/form-data; boundary=x"), 415),
    ] {
        let request = world.test.ask(Method::POST, "/graphql").credential(&world.ours.owner.key);
        let request = request.body(r#"{"query":"{ __typename }"}"#);
        let request = match content_type {
            Some(content_type) => request.header("content-type", content_type),
            None => request,
        };
        let answer = request.send().await;
        assert_eq!(answer.status, status, "{content_type:?}");
        if status == 415 {
            assert_eq!(code(&answer), "unsupported_media_type");
        }
    }
}

#[tokio::test]
async fn a_query_may_come_by_get_with_variables_and_an_operation_name() {
    let world = World::new().await;
    let id = world.ours.networks[0].hosts[0].id.to_string();
    let query = "query A($id: ID!) { host(id: $id) { name } } query B { __typename }";
    let variables = json!({ "id": id }).to_string();
    let answer =
        get(&world, &[("query", query), ("operationName", "A"), ("variables", &variables)])
            .send()
            .await;
    assert_eq!(answer.body, json!({ "data": { "host": { "name": "alpha" } } }));
    let answer = get(
        &world,
        &[
            ("query", query),
            ("operationName", "B"),
            ("variables", ""),
            ("extensions", "{}"),
            ("other", "1"),
        ],
    )
    .send()
    .await;
    assert_eq!(answer.body, json!({ "data": { "__typename": "Query" } }));

    for (parameters, code_wanted, field) in [
        (&[][..], "validation_required", "query"),
        (&[("operationName", "A")], "validation_required", "query"),
        (
            &[("query", "{ __typename }"), ("variables", "{")],
            "validation_invalid_format",
            "variables",
        ),
        (
            &[("query", "{ __typename }"), ("variables", "[]")],
            "validation_invalid_format",
            "variables",
        ),
        (
            &[("query", "{ __typename }"), ("extensions", "1")],
            "validation_invalid_format",
            "extensions",
        ),
        (
            &[("query", "{ __typename }"), ("query", "{ viewer { permissions } }")],
            "validation_invalid_format",
            "query",
        ),
    ] {
        let answer = get(&world, parameters).send().await;
        assert_eq!(
            (answer.status.as_u16(), code(&answer)),
            (400, &json!(code_wanted)),
            "{parameters:?}"
        );
        assert_eq!(answer.body["errors"][0]["extensions"]["params"]["field"], field);
    }
}

#[tokio::test]
async fn nothing_is_changed_by_get() {
    let world = World::new().await;
    let session = &world.ours.owner.session;
    let mutation = "mutation M { createApiKey(input: {name: \"by get\"}) { key } }";
    let both = format!("query Q {{ __typename }} {mutation}");
    let subscription = "subscription S { hosts { totalCount } }";
    let cases: [&[(&str, &str)]; 4] = [
        &[("query", mutation)],
        &[("query", mutation), ("operationName", "M")],
        &[("query", &both), ("operationName", "M")],
        &[("query", subscription)],
    ];
    for parameters in cases {
        let form =
            form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
        for accept in ["application/graphql-response+json", "application/json"] {
            let request = world.test.get(&format!("/graphql?{form}")).credential(session);
            let answer = request.header("accept", accept).send().await;
            assert_eq!(answer.status, 405, "{parameters:?}");
            assert_eq!(answer.header("allow"), Some("POST"));
            assert_eq!(code(&answer), "method_not_allowed");
        }
    }
    let keys = world.test.graphql(session, "{ apiKeys { totalCount } }", json!({})).await;
    assert_eq!(keys["data"]["apiKeys"]["totalCount"], 1);
    let answer = get(&world, &[("query", &both), ("operationName", "Q")]).send().await;
    assert_eq!(answer.body, json!({ "data": { "__typename": "Query" } }));
}

#[tokio::test]
async fn other_methods_are_405_and_say_which_are_allowed() {
    let world = World::new().await;
    for method in [Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS, Method::TRACE] {
        let request = world.test.ask(method.clone(), "/graphql").credential(&world.ours.owner.key);
        let answer = request.send().await;
        assert_eq!(answer.status, 405, "{method}");
        assert_eq!(answer.header("allow"), Some("GET, POST"));
        assert_eq!(
            answer.body["errors"][0]["extensions"],
            json!({ "code": "method_not_allowed", "params": { "method": method.as_str() } })
        );
    }
}

#[tokio::test]
async fn the_budget_of_a_user_is_one_for_rest_and_graphql() {
    let test = TestApp::with(Settings::default(), RateLimits::on()).await;
    let world = World::on(test).await;
    let (key, session) = (&world.ours.viewer.key, &world.ours.viewer.session);
    let query = json!({ "query": "{ __typename }" });
    let left =
        |answer: &Answer| answer.header("x-ratelimit-remaining").unwrap().parse::<u32>().unwrap();
    let first = world.test.post("/graphql", &query).credential(key).send().await;
    assert_eq!(first.header("x-ratelimit-limit"), Some("300"));
    assert!(first.header("x-ratelimit-reset").is_some());
    assert_eq!(left(&first), 149);
    let second = world.test.get("/api/v1/services").credential(session).send().await;
    assert!(left(&second) <= 149 && left(&second) >= 148, "{second:?}");
    let mut last = second;
    for _ in 0..400 {
        last = world.test.post("/graphql", &query).credential(key).send().await;
        if last.status == 429 {
            break;
        }
    }
    assert_eq!(last.status, 429);
    assert_eq!(code(&last), "rate_limit_exceeded");
    let retry_after: u64 = last.header("retry-after").unwrap().parse().unwrap();
    assert!(retry_after >= 1);
    assert_eq!(last.body["errors"][0]["extensions"]["params"]["retry_after"], retry_after);
    assert_eq!(last.header("x-ratelimit-remaining"), Some("0"));

    let nobody = world.test.post("/graphql", &query).send().await;
    assert_eq!((nobody.status.as_u16(), nobody.header("x-ratelimit-limit")), (401, Some("40")));
}
