//! The credentials of a request: malformed headers and cookies, and both at once.

use serde_json::Value;
use toposcope_types::Id;

use crate::support::world::World;

#[tokio::test]
async fn a_malformed_credential_is_refused_even_beside_a_good_cookie() {
    let world = World::new().await;
    let owner = &world.ours.owner;
    let cookie = format!("session_id={}", owner.session);
    let unknown = format!("Bearer scp_u_{}", "a".repeat(32));
    let cases = [
        String::new(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        owner.key.clone(),
        format!("Basic {}", owner.key),
        format!("Bearer{}", owner.key),
        format!("Bearer {}x", owner.key),
        format!("Bearer {}", &owner.key[..owner.key.len() - 1]),
        format!("Bearer {}", owner.key.to_uppercase()),
        format!("Bearer {} {}", owner.key, owner.key),
        format!("Bearer {}", owner.session),
        format!("Bearer \"{}\"", owner.key),
        unknown,
        "Bearer scp_u_ééééééééééééééééééééééééééééé".to_owned(),
        format!("Bearer scp_u_{}", "a".repeat(100_000)),
    ];
    for value in &cases {
        for path in ["/api/v1/services", "/graphql?query={viewer{permissions}}"] {
            for beside in [None, Some(&cookie)] {
                let mut ask = world.test.get(path).header("authorization", value);
                if let Some(cookie) = beside {
                    ask = ask.header("cookie", cookie);
                }
                let answer = ask.send().await;
                let shown = value.chars().take(60).collect::<String>();
                assert_eq!(answer.status, 401, "{path} {shown}");
                assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{path} {shown}");
                if path == "/api/v1/services" {
                    assert_eq!(answer.failure().1, "auth_not_authenticated");
                } else {
                    let code = &answer.body["errors"][0]["extensions"]["code"];
                    assert_eq!(code, "auth_not_authenticated");
                }
            }
        }
    }
    let twice = world.test.get("/api/v1/services").credential(&owner.key).credential(&owner.key);
    assert_eq!(twice.send().await.status, 401);
    for good in [format!("bearer {}", owner.key), format!("BEARER   {} ", owner.key)] {
        let answer = world.test.get("/api/v1/services").header("authorization", &good).send().await;
        assert_eq!(answer.status, 200, "{good}");
    }
}

#[tokio::test]
async fn a_malformed_cookie_is_nobody() {
    let world = World::new().await;
    let session = &world.ours.owner.session;
    for cookie in [
        String::new(),
        "session_id".to_owned(),
        "session_id=".to_owned(),
        "session_id=x".to_owned(),
        format!("session={session}"),
        format!("Session_Id={session}"),
        format!("session_id={}", session.to_uppercase()),
        format!("session_id={}", "0".repeat(100_000)),
        format!("session_id={}", world.ours.owner.key),
    ] {
        let answer = world.test.get("/api/v1/services").header("cookie", &cookie).send().await;
        let shown = &cookie[..cookie.len().min(60)];
        assert_eq!(answer.failure(), (401, "auth_not_authenticated", &Value::Null), "{shown}");
    }
    let beside = format!("a=b; session_id={session}; c=d");
    let answer = world.test.get("/api/v1/services").header("cookie", &beside).send().await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn a_key_beside_a_cookie_decides_alone() {
    let world = World::new().await;
    let ours = &world.ours;
    let ask = |path: &str| world.test.get(path).credential(&ours.viewer.key);
    let path = format!("/api/v1/auth/keys/{}", ours.owner.key_id);
    let answer = ask(&path).credential(&ours.owner.session).send().await;
    assert_eq!(answer.failure(), (403, "auth_user_context_required", &Value::Null));
    // The key reaches one network, the session beside it two.
    let answer = ask("/api/v1/services").credential(&ours.owner.session).send().await;
    assert_eq!(answer.body["meta"]["pagination"]["total_count"], 4);
    let unknown = Id::new();
    assert_eq!(ask(&format!("/api/v1/auth/keys/{unknown}")).send().await.status, 403);
}
