//! Logging in and out, what a session is, and what a wrong credential is told.

mod line;

use std::time::{Duration, Instant};

use axum::http::Method;
use serde_json::{Value, json};
use toposcope::{
    auth::rate_limit::RateLimits,
    config::{CookieSecure, Settings},
    users,
};
use toposcope_types::{PermissionLevel, Timestamp};

use crate::support::{
    app::{Answer, TestApp},
    world::World,
};

const EMAIL: &str = "ada@example.com";
const PASSWORD: &str = "Correct-Horse-9";

/// An application with one user who has a password.
async fn with_user(settings: Settings) -> TestApp {
    let test = TestApp::with(settings, RateLimits::off()).await;
    test.user("ours", (EMAIL, PASSWORD), PermissionLevel::Member).await;
    test
}

async fn login(test: &TestApp, email: &str, password: &str) -> Answer {
    test.post("/api/auth/login", &json!({ "email": email, "password": password })).send().await
}

async fn me(test: &TestApp, session: &str) -> Answer {
    test.ask(Method::POST, "/api/auth/me").credential(session).send().await
}

#[tokio::test]
async fn a_login_answers_the_user_and_starts_a_session() {
    let test = with_user(Settings::default()).await;
    for email in [EMAIL, "Ada@Example.COM", "  ada@example.com "] {
        let answer = login(&test, email, PASSWORD).await;
        let mut keys: Vec<_> =
            answer.data().as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        let expected = [
            "created_at",
            "email",
            "email_verified",
            "has_password",
            "id",
            "network_ids",
            "organization_id",
            "permissions",
            "terms_accepted_at",
            "updated_at",
        ];
        assert_eq!(keys, expected);
        assert_eq!(answer.data()["email"], EMAIL);
        assert_eq!(answer.data()["permissions"], "Member");
        assert_eq!(answer.data()["has_password"], true);
        assert_eq!(answer.data()["network_ids"], json!([]));
        let session = answer.session();
        assert_eq!(session.len(), 64, "256 bits: {session}");
        assert!(session.bytes().all(|byte| byte.is_ascii_hexdigit()), "{session}");
        assert_eq!(me(&test, &session).await.data(), answer.data());
    }
}

#[tokio::test]
async fn the_cookie_is_secure_unless_told_otherwise() {
    for (setting, secure) in
        [(CookieSecure::Auto, true), (CookieSecure::True, true), (CookieSecure::False, false)]
    {
        let settings = Settings { session_cookie_secure: setting, ..Settings::default() };
        let test = with_user(settings).await;
        let answer = login(&test, EMAIL, PASSWORD).await;
        let session = answer.session();
        let prolonged = me(&test, &session).await;
        assert_eq!(prolonged.session(), session);
        let ended = test.ask(Method::POST, "/api/auth/logout").credential(&session).send().await;
        assert_eq!(ended.session(), "");
        for (answer, age) in [(answer, 604_800), (prolonged, 604_800), (ended, 0)] {
            let cookie = answer.header("set-cookie").unwrap();
            let mut attributes: Vec<_> = cookie.split("; ").skip(1).collect();
            attributes.sort_unstable();
            let age = format!("Max-Age={age}");
            let mut expected = vec!["HttpOnly", &age, "Path=/", "SameSite=Lax"];
            expected.extend(secure.then_some("Secure"));
            assert_eq!(attributes, expected, "{setting:?}");
        }
    }
    for (setting, listen, resolved) in [
        (CookieSecure::Auto, "127.0.0.1", CookieSecure::False),
        (CookieSecure::Auto, "::1", CookieSecure::False),
        (CookieSecure::Auto, "0.0.0.0", CookieSecure::True),
        (CookieSecure::Auto, "192.0.2.1", CookieSecure::True),
        (CookieSecure::True, "127.0.0.1", CookieSecure::True),
        (CookieSecure::False, "0.0.0.0", CookieSecure::False),
    ] {
        assert_eq!(setting.resolve(listen.parse().unwrap()), resolved, "{setting:?} on {listen}");
    }
}

#[tokio::test]
async fn every_failed_login_looks_the_same() {
    let test = with_user(Settings::default()).await;
    let long = "Aa1".repeat(1000);
    let mut expected: Option<Value> = None;
    let cases = [
        (EMAIL, "Correct-Horse-8"),
        (EMAIL, "correct-horse-9"),
        (EMAIL, ""),
        (EMAIL, "\0"),
        (EMAIL, &long),
        ("nobody@example.com", PASSWORD),
        ("", PASSWORD),
        ("\0", PASSWORD),
        ("ada@example.com\u{1}", PASSWORD),
        ("' OR 1=1 --", PASSWORD),
        (&long, PASSWORD),
    ];
    for (nth, (email, password)) in cases.into_iter().enumerate() {
        // Another address each time, so that nothing is slowed down.
        let body = json!({ "email": email, "password": password });
        let address = format!("192.0.2.{nth}");
        let answer = test.post("/api/auth/login", &body).from(&address).send().await;
        assert_eq!(answer.failure(), (401, "auth_invalid_credentials", &Value::Null), "{email:?}");
        assert_eq!(answer.header("set-cookie"), None);
        assert_eq!(answer.header("www-authenticate"), None);
        let expected = expected.get_or_insert_with(|| answer.body.clone());
        assert_eq!(&answer.body, expected, "{email:?}");
    }
}

#[tokio::test]
async fn an_unknown_user_costs_as_much_work_as_a_wrong_password() {
    let test = with_user(Settings::default()).await;
    let mut statements = Vec::new();
    let mut fastest = [Duration::MAX; 2];
    // Whoever else is at work makes some tries slower, and none faster; a fifth failure would wait.
    for _ in 0..4 {
        for (email, fastest) in [EMAIL, "nobody@example.com"].into_iter().zip(&mut fastest) {
            let start = Instant::now();
            let (answer, sent) = test.statements(login(&test, email, "Wrong-Horse-1")).await;
            *fastest = start.elapsed().min(*fastest);
            assert_eq!(answer.status, 401);
            statements.push(sent);
        }
        if is_alike(&fastest) {
            break;
        }
    }
    assert!(statements.iter().all(|sent| *sent == statements[0]), "{statements:?}");
    assert!(is_alike(&fastest), "{fastest:?}");
}

/// Hashing takes a hundred times as long as all the rest, so the bound can be wide.
fn is_alike([one, other]: &[Duration; 2]) -> bool {
    *one < *other * 3 && *other < *one * 3
}

#[tokio::test]
async fn what_is_wrong_with_a_login_is_said() {
    let test = with_user(Settings::default()).await;
    let field = |name: &str| json!({ "field": name });
    for (body, code, params) in [
        (json!({}), "validation_required", field("email")),
        (json!({ "email": EMAIL }), "validation_required", field("password")),
        (json!({ "email": EMAIL, "password": null }), "validation_required", field("password")),
        (json!({ "email": 1, "password": "" }), "validation_invalid_format", field("email")),
    ] {
        let answer = test.post("/api/auth/login", &body).send().await;
        assert_eq!(answer.failure(), (400, code, &params), "{body}");
    }
    let form = test.ask(Method::POST, "/api/auth/login").body("email=a");
    let form = form.header("content-type", "application/x-www-form-urlencoded").send().await;
    assert_eq!(form.failure(), (415, "unsupported_media_type", &Value::Null));
    let query = test.post("/api/auth/login?email=a", &json!({})).send().await;
    assert_eq!(query.failure().1, "validation_unknown_parameter");
}

#[tokio::test]
async fn guessing_is_slowed_down_and_the_owner_still_gets_in() {
    let test = with_user(Settings::default()).await;
    for attempt in 0..5 {
        assert_eq!(login(&test, EMAIL, "Wrong-Horse-1").await.status, 401, "{attempt}");
    }
    // Five failures: the next attempt waits, from the same address and for the same account.
    for (email, address) in [("b@example.com", "127.0.0.1"), (EMAIL, "192.0.2.7")] {
        let body = json!({ "email": email, "password": PASSWORD });
        let start = Instant::now();
        let answer = test.post("/api/auth/login", &body).from(address).send().await;
        assert!(start.elapsed() >= Duration::from_millis(250), "{email} from {address}");
        assert_eq!(answer.status.as_u16(), if email == EMAIL { 200 } else { 401 });
    }
}

#[tokio::test]
async fn a_login_gives_a_new_id_and_ends_the_session_before() {
    let test = with_user(Settings::default()).await;
    let before = login(&test, EMAIL, PASSWORD).await.session();
    let body = json!({ "email": EMAIL, "password": PASSWORD });
    let after = test.post("/api/auth/login", &body).credential(&before).send().await.session();
    assert_ne!(before, after);
    assert_eq!(me(&test, &before).await.status, 401);
    assert_eq!(me(&test, &after).await.status, 200);
    // An id that the client has made up is not taken over.
    let chosen = "0".repeat(64);
    let given = test.post("/api/auth/login", &body).credential(&chosen).send().await.session();
    assert_ne!(given, chosen);
    assert_eq!(me(&test, &chosen).await.status, 401);
}

#[tokio::test]
async fn a_logout_ends_the_session_at_once() {
    let test = with_user(Settings::default()).await;
    let session = login(&test, EMAIL, PASSWORD).await.session();
    let other = login(&test, EMAIL, PASSWORD).await.session();
    assert_eq!(me(&test, &session).await.status, 200);
    for _ in 0..2 {
        let answer = test.ask(Method::POST, "/api/auth/logout").credential(&session).send().await;
        assert_eq!(answer.data(), &Value::Null);
        assert_eq!(me(&test, &session).await.status, 401);
    }
    assert_eq!(me(&test, &other).await.status, 200);
    let nobody = test.ask(Method::POST, "/api/auth/logout").send().await;
    assert_eq!(nobody.data(), &Value::Null);
}

#[tokio::test]
async fn a_change_of_password_ends_every_session_at_once() {
    let test = with_user(Settings::default()).await;
    let sessions = [
        login(&test, EMAIL, PASSWORD).await.session(),
        login(&test, EMAIL, PASSWORD).await.session(),
    ];
    for session in &sessions {
        assert_eq!(me(&test, session).await.status, 200);
    }
    users::set_password(&test.app, EMAIL, "Another-Horse-7".to_owned()).await.unwrap();
    for session in &sessions {
        assert_eq!(me(&test, session).await.status, 401);
    }
    assert_eq!(login(&test, EMAIL, PASSWORD).await.status, 401);
    assert_eq!(login(&test, EMAIL, "Another-Horse-7").await.status, 200);
}

#[tokio::test]
async fn a_session_ends_after_seven_days_without_use() {
    let test = with_user(Settings::default()).await;
    let session = login(&test, EMAIL, PASSWORD).await.session();
    let minute = chrono::TimeDelta::minutes(1);
    let week = chrono::TimeDelta::days(7);
    for (idle, status) in [(week - minute, 200), (week + minute, 401)] {
        let then = Timestamp::now() - idle;
        test.sql("UPDATE session SET last_seen_at = $1", [then.into()]).await;
        assert_eq!(me(&test, &session).await.status.as_u16(), status, "{idle}");
        test.settle().await;
        let used = last_seen(&test).await > then;
        assert_eq!(used, status == 200, "a use prolongs a session that lives, {idle}");
        if used {
            continue;
        }
        let query = json!({ "query": "{ viewer { permissions } }" });
        let answer = test.post("/graphql", &query).credential(&session).send().await;
        assert_eq!(answer.body["errors"][0]["extensions"]["code"], "auth_not_authenticated");
    }
    // The next login clears it away.
    login(&test, EMAIL, PASSWORD).await.data();
    assert_eq!(test.rows("SELECT token_hash FROM session", []).await.len(), 1);
}

async fn last_seen(test: &TestApp) -> Timestamp {
    let rows = test.rows("SELECT last_seen_at FROM session", []).await;
    rows[0].try_get("", "last_seen_at").unwrap()
}

#[tokio::test]
async fn the_use_of_a_session_is_written_at_most_once_a_minute() {
    let test = with_user(Settings::default()).await;
    let session = login(&test, EMAIL, PASSWORD).await.session();
    let now = Timestamp::now();
    for (age, written) in [(50, false), (70, true)] {
        let then = now - chrono::TimeDelta::seconds(age);
        test.sql("UPDATE session SET last_seen_at = $1", [then.into()]).await;
        for _ in 0..3 {
            assert_eq!(me(&test, &session).await.status, 200);
        }
        test.settle().await;
        assert_eq!(last_seen(&test).await > then, written, "{age} s");
    }
}

#[tokio::test]
async fn only_the_hash_of_a_session_is_stored() {
    let test = with_user(Settings::default()).await;
    let session = login(&test, EMAIL, PASSWORD).await.session();
    let rows = test.rows("SELECT token_hash FROM session", []).await;
    let stored: String = rows[0].try_get("", "token_hash").unwrap();
    assert_ne!(stored, session);
    // Whoever reads the table cannot log in with what stands there.
    assert_eq!(me(&test, &stored).await.status, 401);
    let rows = test.rows("SELECT password_hash FROM credential", []).await;
    let stored: String = rows[0].try_get("", "password_hash").unwrap();
    assert!(stored.starts_with("$argon2id$"), "{stored}");
}

#[tokio::test]
async fn me_is_for_sessions_only() {
    let world = World::new().await;
    let nobody = world.test.ask(Method::POST, "/api/auth/me").send().await;
    assert_eq!(nobody.failure(), (401, "auth_not_authenticated", &Value::Null));
    assert_eq!(nobody.header("www-authenticate"), Some("Bearer"));
    let key = world.test.ask(Method::POST, "/api/auth/me").credential(&world.ours.owner.key);
    let key = key.send().await;
    assert_eq!(key.failure(), (403, "auth_user_context_required", &Value::Null));
    let member = me(&world.test, &world.ours.member.session).await;
    assert_eq!(member.data()["id"], json!(world.ours.member.id));
    assert_eq!(member.data()["network_ids"], json!([world.ours.networks[0].id]));
}
