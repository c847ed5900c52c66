//! Budgets of requests, and what bounds a single one.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{Method, Request},
    middleware::from_fn_with_state,
    response::IntoResponse as _,
    routing::get,
};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use toposcope::{
    auth::rate_limit::RateLimits,
    config::Settings,
    error::Error,
    graphql,
    rest::layers::{Layers, guard},
};
use tower::ServiceExt as _;

use crate::support::{
    app::{Answer, TestApp},
    world::World,
};

const KEYLESS: (u32, u32) = (40, 10);
const USER: (u32, u32) = (300, 150);

async fn limited() -> World {
    World::on(TestApp::with(Settings::default(), RateLimits::on()).await).await
}

fn number(answer: &Answer, name: &str) -> u32 {
    let value = answer.header(name).unwrap_or_else(|| panic!("no {name}: {answer:?}"));
    value.parse().unwrap()
}

/// Asserts that the headers of the budget are there and agree with each other; answers what is left.
#[track_caller]
fn left(answer: &Answer, (per_minute, burst): (u32, u32)) -> u32 {
    assert_eq!(number(answer, "x-ratelimit-limit"), per_minute);
    let remaining = number(answer, "x-ratelimit-remaining");
    assert!(remaining < burst, "{remaining}");
    let reset = number(answer, "x-ratelimit-reset");
    assert_eq!(reset, ((burst - remaining) * 60).div_ceil(per_minute), "{remaining} left");
    remaining
}

/// Asserts a refusal, over REST or GraphQL.
#[track_caller]
fn assert_over(answer: &Answer, budget: (u32, u32)) {
    assert_eq!(answer.status, 429);
    assert_eq!(left(answer, budget), 0);
    let retry_after = number(answer, "retry-after");
    assert!((1..=2).contains(&retry_after), "{retry_after}");
    let error = answer.body.pointer("/errors/0/extensions").unwrap_or(&answer.body);
    assert_eq!(error["code"], "rate_limit_exceeded");
    assert_eq!(error["params"], json!({ "retry_after": retry_after }));
}

/// Asks until the budget is used up; answers how often that went well.
async fn use_up(world: &World, credential: &str, budget: (u32, u32)) -> u32 {
    let ask = || world.test.get("/api/version");
    for asked in 0.. {
        let ask = if credential.is_empty() { ask() } else { ask().credential(credential) };
        let answer = ask.send().await;
        if answer.status == 429 {
            assert_over(&answer, budget);
            return asked;
        }
        left(&answer, budget);
        assert!(asked < 2 * budget.1, "there is no end to it");
    }
    unreachable!("the loop has no other end")
}

#[tokio::test]
async fn a_user_may_ask_150_times_at_once() {
    let world = limited().await;
    let start = Instant::now();
    let asked = use_up(&world, &world.ours.owner.key, USER).await;
    let again = u32::try_from(start.elapsed().as_millis() / 200).unwrap() + 1;
    assert!((150..=150 + again).contains(&asked), "{asked}");
}

#[tokio::test]
async fn a_session_and_the_keys_of_a_user_share_one_budget() {
    let world = limited().await;
    let (test, ours) = (&world.test, &world.ours);
    let (owner, query) = (&ours.owner, json!({ "query": "{ viewer { permissions } }" }));
    let rest = |secret: &str| test.get("/api/v1/services?limit=1").credential(secret);
    let gql = |secret: &str| test.post("/graphql", &query).credential(secret);
    let mut before = 150;
    for ask in [
        rest(&owner.key),
        rest(&owner.session),
        gql(&owner.key),
        gql(&owner.session).header("accept", "application/graphql-response+json"),
        test.get("/graphql").credential(&owner.key),
        rest(&owner.key),
    ] {
        let now = left(&ask.send().await, USER);
        // A fifth of a second gives one back.
        assert!(now <= before, "{now} after {before}");
        before = now;
    }
    use_up(&world, &owner.key, USER).await;
    for ask in [rest(&owner.session), gql(&owner.key), gql(&owner.session)] {
        // A fifth of a second gives one back, so ask until nothing is left.
        let mut answer = ask.send().await;
        while answer.status == 200 {
            answer = rest(&owner.session).send().await;
        }
        assert_over(&answer, USER);
    }
    assert!(left(&rest(&ours.admin.key).send().await, USER) >= 148, "others have their own");
}

#[tokio::test]
async fn every_answer_tells_the_budget() {
    let world = limited().await;
    let (test, owner) = (&world.test, &world.ours.owner);
    let group = format!("/api/v1/groups/{}", world.ours.networks[0].group);
    let big = "x".repeat(2 * 1024 * 1024 + 1);
    let graphql = |query: &str| test.post("/graphql", &json!({ "query": query }));
    for (ask, status) in [
        (test.get("/api/version"), 200),
        (test.get("/api/version?x=1"), 400),
        (test.post("/api/version", &json!({})), 405),
        (test.get("/api/none"), 404),
        (test.get("/api"), 404),
        (test.get("/api/"), 404),
        (test.get("/api/v1/none"), 404),
        (test.get("/api/v1/services"), 200),
        (test.get("/api/v1/services?limit=0"), 200),
        (test.get("/api/v1/services?limit=x"), 400),
        (test.put(&group, &json!({})), 400),
        (test.ask(Method::PUT, &group).body("{}"), 415),
        (test.ask(Method::PUT, &group).header("content-type", "application/json").body(big), 413),
        (test.ask(Method::PATCH, "/api/v1/groups/x"), 405),
        (test.get("/api/v1/groups/x"), 400),
        (test.put("/api/v1/groups/x", &json!({})), 400),
        (graphql("{ viewer { permissions } }"), 200),
        (graphql("{ none }"), 200),
        (graphql("{ none }").header("accept", "application/graphql-response+json"), 400),
        (graphql("{ viewer { permissions } }").header("accept", "text/html"), 406),
        (test.ask(Method::DELETE, "/graphql"), 405),
        (test.ask(Method::POST, "/graphql").body("{}"), 415),
    ] {
        let answer = ask.credential(&owner.key).send().await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.body);
        left(&answer, USER);
    }
    for (nth, (ask, status)) in [
        (test.get("/api/version"), 200),
        (test.get("/api/none"), 404),
        (test.get("/api/v1/services"), 401),
        (test.post("/api/auth/login", &json!({})), 400),
        (test.ask(Method::POST, "/api/auth/logout"), 200),
        (graphql("{ viewer { permissions } }"), 401),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = ask.from(&format!("192.0.2.{nth}")).send().await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.body);
        assert_eq!(left(&answer, KEYLESS), 9);
    }
}

#[tokio::test]
async fn nobody_may_ask_ten_times_at_once_from_one_address() {
    let world = limited().await;
    let asked = use_up(&world, "", KEYLESS).await;
    assert!((10..=11).contains(&asked), "{asked}");
    // A credential that is not valid changes nothing.
    let unknown = format!("scp_u_{}", "a".repeat(32));
    let answer = world.test.get("/api/v1/services").credential(&unknown).send().await;
    assert_over(&answer, KEYLESS);
    let query = json!({ "query": "{ viewer { permissions } }" });
    assert_over(&world.test.post("/graphql", &query).send().await, KEYLESS);
    assert_over(&world.test.post("/api/auth/login", &json!({})).send().await, KEYLESS);
    // Nobody else is affected: another address, a user at the same one.
    assert_eq!(world.test.get("/api/version").from("192.0.2.1").send().await.status, 200);
    let user = world.test.get("/api/version").credential(&world.ours.owner.key).send().await;
    left(&user, USER);
}

#[tokio::test]
async fn the_health_has_no_limit() {
    let world = limited().await;
    use_up(&world, "", KEYLESS).await;
    for _ in 0..50 {
        let answer = world.test.get("/api/health").send().await;
        assert_eq!(answer.data(), "ok");
        assert_eq!(answer.header("x-ratelimit-limit"), None);
    }
}

#[tokio::test]
async fn a_key_that_may_not_be_used_does_not_use_up_its_owner() {
    let world = limited().await;
    let owner = &world.ours.owner;
    let sql = "UPDATE api_key SET is_enabled = $1 WHERE id = $2";
    world.test.sql(sql, [false.into(), owner.key_id.into()]).await;
    let answer = world.test.get("/api/v1/services").credential(&owner.key).send().await;
    assert_eq!(answer.failure().1, "entity_disabled");
    assert_eq!(left(&answer, KEYLESS), 9);
    let answer = world.test.get("/api/v1/services").credential(&owner.session).send().await;
    assert_eq!(left(&answer, USER), 149);
}

#[tokio::test]
async fn a_forwarded_address_is_believed_from_a_configured_proxy_only() {
    let proxies = ["10.0.0.0/8", "2001:db8::/32"].map(|proxy| proxy.parse().unwrap());
    for (proxies, peer, forwarded, payer) in [
        (&proxies[..0], "10.0.0.1", &["192.0.2.9"][..], "10.0.0.1"),
        (&proxies[..], "192.0.2.1", &["192.0.2.9"], "192.0.2.1"),
        (&proxies[..], "10.0.0.1", &["192.0.2.9"], "192.0.2.9"),
        (&proxies[..], "::ffff:10.0.0.1", &["192.0.2.9"], "192.0.2.9"),
        (&proxies[..], "10.0.0.1", &["::ffff:192.0.2.9"], "192.0.2.9"),
        (&proxies[..], "2001:db8::1", &["2001:db9::1"], "2001:db9::1"),
        // What the client says itself stands before what the proxy has seen.
        (&proxies[..], "10.0.0.1", &["127.0.0.1, 192.0.2.9"], "192.0.2.9"),
        (&proxies[..], "10.0.0.1", &["127.0.0.1", "192.0.2.9"], "192.0.2.9"),
        (&proxies[..], "10.0.0.1", &["127.0.0.1, 192.0.2.9, 10.0.0.2"], "192.0.2.9"),
        (&proxies[..], "10.0.0.1", &["127.0.0.1,192.0.2.9 , 10.0.0.2", "10.3.3.3"], "192.0.2.9"),
        (&proxies[..], "10.0.0.1", &["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        // What is no address ends the chain at the last one that is.
        (&proxies[..], "10.0.0.1", &["192.0.2.9, unknown"], "10.0.0.1"),
        (&proxies[..], "10.0.0.1", &["192.0.2.9, unknown, 10.0.0.2"], "10.0.0.2"),
        (&proxies[..], "10.0.0.1", &[""], "10.0.0.1"),
        (&proxies[..], "10.0.0.1", &[], "10.0.0.1"),
    ] {
        let settings = Settings { trusted_proxies: proxies.to_vec(), ..Settings::default() };
        let test = TestApp::with(settings, RateLimits::on()).await;
        let mut ask = test.get("/api/version").from(peer);
        for value in forwarded {
            ask = ask.header("x-forwarded-for", value);
        }
        assert_eq!(left(&ask.send().await, KEYLESS), 9);
        // Whoever comes from the payer's address itself finds one request gone.
        let settings = test.get("/api/version").from(payer).send().await;
        assert_eq!(left(&settings, KEYLESS), 8, "{peer} {forwarded:?} is not {payer}");
    }
}

#[tokio::test]
async fn without_limits_there_are_no_headers() {
    let world = World::new().await;
    for _ in 0..20 {
        let answer = world.test.get("/api/version").send().await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("x-ratelimit-limit"), None);
    }
}

#[tokio::test]
async fn a_request_has_a_time_limit() {
    let settings = Settings { time_limit: Duration::from_millis(200), ..Settings::default() };
    let world = World::on(TestApp::with(settings, RateLimits::on()).await).await;
    for path in ["/api/v1/auth/keys", "/graphql"] {
        let never = Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, Error>>());
        let ask = world.test.ask(Method::POST, path).header("content-type", "application/json");
        let answer = ask.credential(&world.ours.owner.session).body(never).send().await;
        assert_eq!(answer.status, 503, "{path}");
        let error = answer.body.pointer("/errors/0/extensions").unwrap_or(&answer.body);
        assert_eq!(error["code"], "service_unavailable", "{path}");
        assert_eq!(answer.header("retry-after"), Some("2"), "{path}");
        left(&answer, USER);
    }
}

/// Behind the layers of this product, a handler that panics.
fn panicking(test: &TestApp, render: fn(Error) -> axum::response::Response) -> Router {
    async fn panics() -> &'static str {
        panic!("secret detail")
    }
    let layers = Layers { app: test.app.clone(), limits: RateLimits::on(), render };
    Router::new().route("/", get(panics)).layer(from_fn_with_state(layers, guard))
}

#[tokio::test]
async fn a_panic_is_an_answer_like_any_other() {
    let test = TestApp::new().await;
    for render in [|error: Error| error.into_response(), graphql::http::error_response] {
        let mut request = Request::new(Body::empty());
        let peer: std::net::SocketAddr = "192.0.2.1:1".parse().unwrap();
        request.extensions_mut().insert(ConnectInfo(peer));
        let response = panicking(&test, render).oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let body: Value = serde_json::from_slice(&bytes).unwrap();
        assert!(!body.to_string().contains("secret"), "{body}");
        assert_eq!(parts.status, 500);
        let error = body.pointer("/errors/0/extensions").unwrap_or(&body);
        assert_eq!(error["code"], "internal_error");
        assert_eq!(parts.headers["x-ratelimit-remaining"], "9");
    }
}

#[tokio::test]
async fn a_lost_database_is_503_everywhere() {
    let world = limited().await;
    let (test, owner) = (&world.test, &world.ours.owner);
    test.app.db.clone().close().await;
    let query = json!({ "query": "{ viewer { permissions } }" });
    let body = json!({ "email": "a@example.com", "password": "x" });
    for (nth, ask) in [
        test.get("/api/v1/services").credential(&owner.key),
        test.get("/api/v1/services").credential(&owner.session),
        test.post("/graphql", &query).credential(&owner.key),
        test.post("/api/auth/login", &body),
        test.get("/api/health"),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = ask.from(&format!("192.0.2.{nth}")).send().await;
        assert_eq!(answer.status, 503, "{}", answer.body);
        assert_eq!(answer.header("retry-after"), Some("2"));
        let error = answer.body.pointer("/errors/0/extensions").unwrap_or(&answer.body);
        assert_eq!(error["code"], "service_unavailable");
        assert_eq!(error["params"], json!({ "retry_after": 2 }));
        if nth < 4 {
            left(&answer, KEYLESS);
        }
    }
    // What needs no database goes on.
    test.get("/api/version").send().await.data();
}

#[tokio::test]
async fn requests_at_once_are_counted_each() {
    let world = Arc::new(limited().await);
    let mut asked = tokio::task::JoinSet::new();
    for _ in 0..30 {
        let world = Arc::clone(&world);
        asked.spawn(async move { world.test.get("/api/version").send().await.status.as_u16() });
    }
    let statuses = asked.join_all().await;
    let fine = statuses.iter().filter(|status| **status == 200).count();
    assert!((10..=11).contains(&fine), "{statuses:?}");
}
