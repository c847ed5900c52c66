//! Pages of other origins: they may ask with a key where the operator lets them, and never with a cookie.

use std::process::Command;

use axum::http::{Method, StatusCode};
use toposcope::{
    auth::rate_limit::RateLimits,
    config::{Settings, origin},
    http::cors::cors,
};

use crate::support::{app::TestApp, world::World};

const PAGE: &str = "https://map.example.com";
const PATHS: [&str; 5] =
    ["/api/v1/hosts", "/api/v1/nowhere", "/api/health", "/graphql", "/openapi.json"];

async fn world(origins: &[&str]) -> World {
    let cors_origins = origins.iter().map(|one| origin(one).unwrap()).collect();
    let settings = Settings { cors_origins, ..Settings::default() };
    World::on(TestApp::with(settings, RateLimits::off()).await).await
}

#[tokio::test]
async fn nothing_is_said_to_other_origins_unless_they_are_let_in() {
    for (world, page) in
        [(world(&[]).await, PAGE), (world(&[PAGE]).await, "https://elsewhere.example.com")]
    {
        for path in PATHS {
            for method in [Method::GET, Method::OPTIONS] {
                let ask = world.test.ask(method, path).credential(&world.ours.owner.key);
                let ask = ask.header("access-control-request-method", "GET");
                let answer = ask.header("origin", page).send().await;
                assert_eq!(answer.header("access-control-allow-origin"), None, "{path}");
            }
        }
    }
}

#[tokio::test]
async fn a_page_that_is_let_in_asks_with_a_key_and_without_cookies() {
    let world = world(&["https://other.example.com:8443", PAGE]).await;
    for path in PATHS {
        let asked = world
            .test
            .ask(Method::OPTIONS, path)
            .header("origin", PAGE)
            .header("access-control-request-method", "PUT")
            .header("access-control-request-headers", "authorization,content-type,if-match")
            .send()
            .await;
        assert_eq!(asked.status, StatusCode::OK, "{path}");
        assert_eq!(asked.header("access-control-allow-origin"), Some(PAGE), "{path}");
        let allowed = asked.header("access-control-allow-headers").unwrap().to_lowercase();
        for header in ["authorization", "content-type", "if-match"] {
            assert!(allowed.contains(header), "{path}: {allowed}");
        }
        let methods = asked.header("access-control-allow-methods").unwrap();
        assert!(["GET", "POST", "PUT", "DELETE"].iter().all(|one| methods.contains(one)));
        assert_eq!(asked.header("access-control-allow-credentials"), None, "{path}");
    }
    let read = world.test.get("/api/v1/hosts").header("origin", PAGE);
    let read = read.credential(&world.ours.owner.key).send().await;
    read.data();
    assert_eq!(read.header("access-control-allow-origin"), Some(PAGE));
    assert!(
        read.header("access-control-expose-headers").unwrap().contains("x-ratelimit-remaining")
    );
    // The page reads what was refused, too.
    let refused = world.test.get("/api/v1/hosts").header("origin", PAGE).send().await;
    assert_eq!(refused.failure().0, 401);
    assert_eq!(refused.header("access-control-allow-origin"), Some(PAGE));
    // A cookie that came along all the same is not shown what it may see, and changes nothing.
    let by_cookie = world.test.get("/api/v1/hosts").header("origin", PAGE);
    let by_cookie = by_cookie.credential(&world.ours.owner.session).send().await;
    assert_eq!(by_cookie.header("access-control-allow-credentials"), None);
    let out = world.test.ask(Method::POST, "/api/auth/logout").header("origin", PAGE);
    assert_eq!(out.credential(&world.ours.owner.session).send().await.failure().0, 403);
}

#[test]
fn an_origin_is_a_scheme_and_a_host() {
    assert!(cors(&[]).is_none());
    for right in ["https://map.example.com", "http://localhost:5173", "https://[2001:db8::1]:8443"]
    {
        assert_eq!(origin(right).unwrap(), right);
    }
    assert_eq!(origin("HTTPS://Map.Example.com").unwrap(), PAGE);
    assert_eq!(origin("https://map.example.com:443").unwrap(), PAGE);
    assert_eq!(origin("http://localhost:80").unwrap(), "http://localhost");
    for wrong in [
        "",
        "*",
        "map.example.com",
        "https://map.example.com/",
        "https://a@b",
        "ftp://a",
        "https://",
    ] {
        assert!(origin(wrong).unwrap_err().contains("is not an origin"), "{wrong}");
    }
    let server = Command::new(env!("CARGO_BIN_EXE_toposcope"))
        .args(["serve", "--cors-origins", "map.example.com"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&server.stderr);
    assert!(!server.status.success() && said.contains("write the scheme"), "{said}");
}
