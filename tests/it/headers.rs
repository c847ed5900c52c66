//! The headers of every answer, and the forwarded addresses that are believed.

use std::io::Write as _;

use axum::http::Method;
use serde_json::json;
use toposcope::{auth::rate_limit::RateLimits, config::Settings};

use crate::support::{
    app::TestApp,
    binary::{HttpAnswer, Sandbox},
    world::World,
};

#[tokio::test]
async fn nobody_keeps_an_answer_nor_takes_it_for_something_else() {
    let world = World::new().await;
    let (test, viewer) = (&world.test, &world.ours.viewer);
    let query = json!({ "query": "{ viewer { permissions } }" });
    let services = "/api/v1/services";
    for (ask, status) in [
        (test.get("/api/version"), 200),
        (test.get("/api/health"), 200),
        (test.get("/api"), 404),
        (test.get("/api/"), 404),
        (test.get("/api/none"), 404),
        (test.ask(Method::DELETE, "/api/version"), 405),
        (test.get(services), 401),
        (test.get(services).credential(&viewer.key), 200),
        (test.get("/api/v1/services?limit=0").credential(&viewer.key), 200),
        (test.get("/api/v1/services?limit=x").credential(&viewer.key), 400),
        (test.get("/api/v1/hosts/export/csv").credential(&viewer.key), 200),
        (test.post("/api/auth/login", &json!({})), 400),
        (test.ask(Method::POST, "/api/auth/me").credential(&viewer.session), 200),
        (test.post("/graphql", &query), 401),
        (test.post("/graphql", &query).credential(&viewer.key), 200),
        (test.post("/graphql", &query).credential(&viewer.key).header("accept", "text/html"), 406),
        (test.ask(Method::DELETE, "/graphql").credential(&viewer.key), 405),
    ] {
        let path = ask.path();
        let answer = ask.send().await;
        assert_eq!(answer.status.as_u16(), status, "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'"), "{path}: {policy}");
        let vary = answer.headers.get_all("vary").iter().map(|value| value.to_str().unwrap());
        let mut vary: Vec<_> = vary.flat_map(|value| value.split(", ")).collect();
        vary.sort_unstable();
        let expected: &[&str] = match path.as_str() {
            "/graphql" => &["accept", "authorization", "cookie"],
            _ => &["authorization", "cookie"],
        };
        assert_eq!(vary, expected, "{path}");
    }
}

#[tokio::test]
async fn a_drawing_that_is_opened_as_a_page_runs_nothing() {
    let world = World::new().await;
    let path = format!("/api/v1/networks/{}/topology?format=svg", world.ours.networks[0].id);
    let answer = world.test.get(&path).credential(&world.ours.viewer.key).send().await;
    assert_eq!(answer.header("content-type"), Some("image/svg+xml; charset=utf-8"));
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'; style-src 'unsafe-inline'"), "{policy}");
    assert!(policy.ends_with("; sandbox") && !policy.contains("script"), "{policy}");
}

#[tokio::test]
async fn a_forwarded_address_may_have_a_port() {
    for (forwarded, payer) in [
        ("192.0.2.9:567", "192.0.2.9"),
        ("192.0.2.9", "192.0.2.9"),
        ("[2001:db8::1]:443", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("2001:db8::1", "2001:db8::1"),
        ("[::ffff:192.0.2.9]:443", "192.0.2.9"),
        ("192.0.2.1, 192.0.2.9:567, 10.0.0.2:80", "192.0.2.9"),
        ("192.0.2.9:port", "10.0.0.1"),
        ("[192.0.2.9", "10.0.0.1"),
    ] {
        let trusted_proxies = vec!["10.0.0.0/8".parse().unwrap()];
        let settings = Settings { trusted_proxies, ..Settings::default() };
        let test = TestApp::with(settings, RateLimits::on()).await;
        let ask = test.get("/api/version").from("10.0.0.1").header("x-forwarded-for", forwarded);
        ask.send().await.data();
        let answer = test.get("/api/version").from(payer).send().await;
        assert_eq!(answer.header("x-ratelimit-remaining"), Some("8"), "{forwarded}");
    }
}

#[test]
fn a_refusal_before_the_body_is_read_ends_the_connection() {
    let sandbox = Sandbox::migrated();
    let server = sandbox.serve();
    let smuggled = "GET /api/none HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (head, closes) in [
        (format!("PUT /api/v1/groups/x HTTP/1.1\r\nContent-Length: {}\r\n", smuggled.len()), true),
        ("PUT /api/v1/groups/x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n".to_owned(), true),
        (format!("POST /graphql HTTP/1.1\r\nContent-Length: {}\r\n", smuggled.len()), true),
        ("PUT /api/v1/groups/x HTTP/1.1\r\nContent-Length: 0\r\n".to_owned(), false),
        ("GET /api/v1/services HTTP/1.1\r\n".to_owned(), false),
    ] {
        let mut stream = server.connect();
        write!(stream, "{head}Host: localhost\r\n\r\n").unwrap();
        if closes {
            // It ends by itself; what is sent meanwhile is no request.
            let answer = HttpAnswer::read(stream);
            assert_eq!(answer.status, 401, "{head}");
            assert_eq!(answer.header("connection"), Some("close"), "{head}");
        } else {
            write!(
                stream,
                "GET /api/version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            )
            .unwrap();
            let answer = HttpAnswer::read(stream);
            assert_eq!((answer.status, answer.header("connection")), (401, None), "{head}");
        }
    }
}
