//! How many answers one user may leave unread.

use axum::{body::Body, http::Request, response::Response};
use http_body_util::BodyExt as _;
use serde_json::json;
use toposcope::{auth::rate_limit::RateLimits, config::Settings};
use tower::ServiceExt as _;

use crate::support::{app::TestApp, world::World};

/// An answer whose body nobody has read yet.
async fn begin(world: &World, path: &str, key: &str) -> Response {
    let request = Request::post(path)
        .method(if path == "/graphql" { "POST" } else { "GET" })
        .header("authorization", format!("Bearer {key}"))
        .header("content-type", "application/json");
    let body = json!({ "query": "{ viewer { permissions } }" }).to_string();
    world.test.router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap()
}

#[tokio::test]
async fn a_user_has_sixteen_answers_under_way_at_most() {
    let test = TestApp::with(Settings::default(), RateLimits::on()).await;
    let world = World::on(test).await;
    let (ours, services) = (&world.ours, "/api/v1/services");
    let mut unread = Vec::new();
    for path in [services, "/graphql"].into_iter().cycle().take(16) {
        let answer = begin(&world, path, &ours.viewer.key).await;
        assert_eq!(answer.status(), 200, "{path}");
        unread.push(answer);
    }
    for path in [services, "/graphql"] {
        let answer = begin(&world, path, &ours.viewer.key).await;
        assert_eq!(answer.status(), 429, "{path}");
        assert_eq!(answer.headers()["retry-after"], "1");
        let session = world.test.get(services).credential(&ours.viewer.session).send().await;
        assert_eq!(session.failure().1, "rate_limit_exceeded", "keys and sessions count together");
    }
    assert_eq!(begin(&world, services, &ours.member.key).await.status(), 200);
    // One that is read, or given up, makes room for another.
    unread.pop().unwrap().into_body().collect().await.unwrap();
    let another = begin(&world, services, &ours.viewer.key).await;
    assert_eq!(another.status(), 200);
    assert_eq!(begin(&world, services, &ours.viewer.key).await.status(), 429);
    drop(unread);
    assert_eq!(begin(&world, services, &ours.viewer.key).await.status(), 200);
}
