//! Pages of other sites change nothing for their visitors, and cookies go over HTTPS where it is.

use axum::http::Method;
use serde_json::{Value, json};
use toposcope::config::{CookieSecure, Settings};

use crate::support::{
    app::{Ask, TestApp},
    world::World,
};

/// Headers by which a browser tells the origin of a request, and whether that is another site.
const ORIGINS: &[(&[(&str, &str)], bool)] = &[
    (&[], false),
    (&[("sec-fetch-site", "same-origin")], false),
    (&[("sec-fetch-site", "none")], false),
    (&[("sec-fetch-site", "same-site")], true),
    (&[("sec-fetch-site", "cross-site")], true),
    (&[("sec-fetch-site", "cross-site"), ("origin", "https://here.example.com")], true),
    (&[("sec-fetch-site", "same-origin"), ("origin", "https://proxied.example.com")], false),
    (&[("origin", "https://here.example.com")], false),
    (&[("origin", "http://HERE.example.com")], false),
    (&[("origin", "https://here.example.com:8443")], true),
    (&[("origin", "https://elsewhere.example.com")], true),
    (&[("origin", "https://here.example.com.elsewhere.example.com")], true),
    (&[("origin", "null")], true),
    (&[("origin", "")], true),
];

fn with<'a>(mut ask: Ask<'a>, headers: &[(&'static str, &str)]) -> Ask<'a> {
    ask = ask.header("host", "here.example.com");
    for (name, value) in headers {
        ask = ask.header(name, value);
    }
    ask
}

#[tokio::test]
async fn a_page_of_another_site_cannot_sign_a_visitor_out() {
    let world = World::new().await;
    let session = &world.ours.viewer.session;
    let logout = || world.test.ask(Method::POST, "/api/auth/logout");
    let me = || world.test.ask(Method::POST, "/api/auth/me").credential(session);
    for (headers, foreign) in ORIGINS.iter().filter(|(_, foreign)| *foreign) {
        // A cookie that is not sent along, as browsers do, would be taken away all the same.
        for ask in [logout().credential(session), logout()] {
            let answer = with(ask, headers).send().await;
            assert_eq!(
                answer.failure(),
                (403, "auth_permission_denied", &Value::Null),
                "{foreign}"
            );
            assert_eq!(answer.header("set-cookie"), None, "{headers:?}");
        }
        assert_eq!(me().send().await.status, 200, "{headers:?}");
    }
    for (headers, _) in ORIGINS.iter().filter(|(_, foreign)| !foreign) {
        let body = json!({ "query": "{ viewer { permissions } }" });
        let query = with(world.test.post("/graphql", &body).credential(session), headers);
        assert_eq!(query.send().await.body["data"]["viewer"]["permissions"], "VIEWER");
        let answer = with(logout(), headers).send().await;
        assert_eq!((answer.status.as_u16(), answer.session()), (200, String::new()), "{headers:?}");
    }
    with(logout().credential(session), &[]).send().await.data();
    assert_eq!(me().send().await.status, 401);
}

#[tokio::test]
async fn a_page_of_another_site_changes_nothing_by_a_cookie() {
    let world = World::new().await;
    let owner = &world.ours.owner;
    let tag = json!({ "name": "core", "color": "Red", "organization_id": world.ours.organization });
    let query = json!({ "query": "mutation { createApiKey(input: {name: \"x\"}) { key } }" });
    let foreign: &[(&'static str, &str)] = &[("sec-fetch-site", "cross-site")];
    for (path, body) in [("/api/v1/tags", &tag), ("/graphql", &query)] {
        let ask = || world.test.post(path, body);
        let answer = with(ask().credential(&owner.session), foreign).send().await;
        assert_eq!(answer.status, 403, "{path}");
        // What presents a key is no page of another site: none has it.
        let answer = with(ask().credential(&owner.key), foreign).send().await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        // Who presents nothing is nobody, wherever they come from.
        assert_eq!(with(ask(), foreign).send().await.status, 401, "{path}");
    }
    // What only reads is not refused, since no other site gets to see it.
    let read = world.test.get("/api/v1/services").credential(&owner.session);
    assert_eq!(with(read, foreign).send().await.status, 200);
}

#[tokio::test]
async fn the_host_is_the_one_that_a_trusted_proxy_was_asked_for() {
    for (proxies, status) in [("127.0.0.0/8", 200), ("10.0.0.0/8", 403)] {
        let trusted_proxies = vec![proxies.parse().unwrap()];
        let test = TestApp::with(
            Settings { trusted_proxies, ..Settings::default() },
            toposcope::auth::rate_limit::RateLimits::off(),
        );
        let headers = [("origin", "https://x.example.com"), ("x-forwarded-host", "x.example.com")];
        let test = test.await;
        let answer = with(test.ask(Method::POST, "/api/auth/logout"), &headers).send().await;
        assert_eq!(answer.status, status, "{proxies}");
    }
}

#[tokio::test]
async fn the_cookie_is_secure_where_a_trusted_proxy_says_https() {
    for (proxies, scheme, secure) in [
        ("127.0.0.0/8", Some("https"), true),
        ("127.0.0.0/8", Some("HTTPS"), true),
        ("127.0.0.0/8", Some("https, http"), true),
        ("127.0.0.0/8", Some("http"), false),
        ("127.0.0.0/8", None, false),
        ("10.0.0.0/8", Some("https"), false),
    ] {
        let settings = Settings {
            session_cookie_secure: CookieSecure::Auto.resolve([127, 0, 0, 1].into()),
            trusted_proxies: vec![proxies.parse().unwrap()],
            ..Settings::default()
        };
        let test = TestApp::with(settings, toposcope::auth::rate_limit::RateLimits::off()).await;
        let mut ask = test.ask(Method::POST, "/api/auth/logout");
        if let Some(scheme) = scheme {
            ask = ask.header("x-forwarded-proto", scheme);
        }
        let answer = ask.send().await;
        let cookie = answer.header("set-cookie").unwrap();
        assert_eq!(cookie.contains("; Secure"), secure, "{proxies} {scheme:?}: {cookie}");
    }
}

#[tokio::test]
async fn a_logout_that_ends_no_session_looks_nobody_up_again() {
    let world = World::new().await;
    let viewer = &world.ours.viewer;
    let ask = || world.test.get("/api/version").credential(&viewer.key);
    let logout = || world.test.ask(Method::POST, "/api/auth/logout");
    ask().send().await.data();
    let made_up = "0".repeat(64);
    for answer in [logout().send().await, logout().credential(&made_up).send().await] {
        answer.data();
    }
    let (_, sent) = world.test.statements(ask().send()).await;
    assert_eq!(sent, 0, "what was looked up is remembered");
    logout().credential(&viewer.session).send().await.data();
    let (_, sent) = world.test.statements(ask().send()).await;
    assert!(sent > 0, "a session that has ended is forgotten with all the rest");
}
