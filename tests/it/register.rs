//! Setting up and registering: who may, what it makes, and what happens when two do it at once.

use axum::http::Method;
use serde_json::{Value, json};
use toposcope::{
    auth::rate_limit::RateLimits,
    config::{Registration, Settings},
};
use toposcope_types::{Id, Timestamp};

use crate::support::app::{Answer, TestApp};

async fn with(registration: Registration) -> TestApp {
    TestApp::with(Settings { registration, ..Settings::default() }, RateLimits::off()).await
}

async fn set_up(test: &TestApp) -> Answer {
    let body = json!({ "organization_name": "Ours", "network": { "name": "Home" } });
    test.post("/api/auth/setup", &body).send().await
}

fn person(email: &str) -> Value {
    json!({ "email": email, "password": "Correct-Horse-9", "terms_accepted": true })
}

async fn register(test: &TestApp, session: &str, body: &Value) -> Answer {
    test.post("/api/auth/register", body).credential(session).send().await
}

async fn count(test: &TestApp, table: &str) -> i64 {
    let rows = test.rows(&format!(r#"SELECT COUNT(*) AS n FROM "{table}""#), []).await;
    rows[0].try_get("", "n").unwrap()
}

#[tokio::test]
async fn it_is_said_to_all_what_they_may_begin_with() {
    for (registration, before, after) in [
        (Registration::First, (true, true), (false, false)),
        (Registration::Open, (true, true), (true, false)),
        (Registration::Closed, (false, false), (false, false)),
    ] {
        let test = with(registration).await;
        let said = async |session: &str| {
            let answer = test.get("/api/config").credential(session).send().await;
            let config = answer.data();
            let is = |name: &str| config[name].as_bool().unwrap();
            ((is("registration_open"), is("first_start")), is("signed_in"))
        };
        assert_eq!(said("nobody").await, (before, false), "{registration:?}");
        if registration == Registration::Closed {
            continue;
        }
        let session = set_up(&test).await.session();
        assert_eq!(said(&session).await, (before, false), "{registration:?}");
        let session = register(&test, &session, &person("first@example.org")).await.session();
        assert_eq!(said(&session).await, (after, true), "{registration:?}");
        assert_eq!(said("nobody").await, (after, false), "{registration:?}");
    }
}

#[tokio::test]
async fn the_first_user_owns_the_organization_that_was_set_up() {
    let test = with(Registration::First).await;
    let setup = set_up(&test).await;
    let network: Id = serde_json::from_value(setup.data()["network_id"].clone()).unwrap();
    assert_eq!(setup.data().as_object().unwrap().len(), 1);
    let waiting = setup.session();
    let me = test.ask(Method::POST, "/api/auth/me").credential(&waiting).send().await;
    assert_eq!(me.failure().0, 401, "a setup is no login");

    let answer = register(&test, &waiting, &person("Ada@Example.com")).await;
    let user = answer.data();
    assert_eq!(user["email"], "ada@example.com");
    assert_eq!(user["permissions"], "Owner");
    assert_eq!(user["has_password"], true);
    assert_eq!(user["email_verified"], true);
    assert!(user["terms_accepted_at"].is_string());
    let session = answer.session();
    assert_ne!(session, waiting);
    let me = test.ask(Method::POST, "/api/auth/me").credential(&session).send().await;
    assert_eq!(me.data(), user);
    let query = "{ viewer { organization { id name apiAccessEnabled } networks { id name } } }";
    let answer = test.graphql(&session, query, json!({})).await;
    assert_eq!(
        answer["data"]["viewer"],
        json!({
            "organization":
                { "id": user["organization_id"], "name": "Ours", "apiAccessEnabled": true },
            "networks": [{ "id": network, "name": "Home" }],
        })
    );
    let body = json!({ "email": "ada@example.com", "password": "Correct-Horse-9" });
    assert_eq!(test.post("/api/auth/login", &body).send().await.data(), user);
}

#[tokio::test]
async fn who_may_register_is_a_setting() {
    for (policy, first, second) in [
        (Registration::First, 200, 403),
        (Registration::Open, 200, 200),
        (Registration::Closed, 403, 403),
    ] {
        let test = with(policy).await;
        // Both have set up before either registers.
        let setups = [set_up(&test).await, set_up(&test).await];
        let people = ["a@example.com", "b@example.com"];
        for ((setup, email), expected) in setups.iter().zip(people).zip([first, second]) {
            if policy == Registration::Closed {
                let answer = test.ask(Method::POST, "/api/auth/register").body("{").send().await;
                assert_eq!(answer.failure().0, 403, "before anything is said of the body");
                assert_eq!(setup.failure(), (403, "auth_permission_denied", &Value::Null));
                let answer = register(&test, "none", &person(email)).await;
                assert_eq!(answer.failure(), (403, "auth_permission_denied", &Value::Null));
                continue;
            }
            let answer = register(&test, &setup.session(), &person(email)).await;
            assert_eq!(answer.status.as_u16(), expected, "{policy:?}: {}", answer.body);
            if expected == 403 {
                assert_eq!(answer.failure().1, "auth_permission_denied");
                assert_eq!(set_up(&test).await.failure().1, "auth_permission_denied");
            }
        }
        let made: i64 = [first, second].map(|status| i64::from(status == 200)).iter().sum();
        assert_eq!(count(&test, "user").await, made, "{policy:?}");
        assert_eq!(count(&test, "organization").await, made, "{policy:?}");
    }
}

#[tokio::test]
async fn of_two_first_registrations_at_once_one_wins() {
    for _ in 0..3 {
        let test = with(Registration::First).await;
        let sessions = [set_up(&test).await.session(), set_up(&test).await.session()];
        let (a, b) = (person("a@example.com"), person("b@example.com"));
        let (a, b) =
            tokio::join!(register(&test, &sessions[0], &a), register(&test, &sessions[1], &b));
        let mut statuses = [a.status.as_u16(), b.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 403], "{} {}", a.body, b.body);
        for table in ["user", "organization", "network"] {
            assert_eq!(count(&test, table).await, 1, "{table}");
        }
    }
}

#[tokio::test]
async fn one_setup_makes_one_organization() {
    let test = with(Registration::Open).await;
    let session = set_up(&test).await.session();
    let (a, b) = (person("a@example.com"), person("b@example.com"));
    let (first, second) =
        tokio::join!(register(&test, &session, &a), register(&test, &session, &b));
    let (winner, loser) = if first.status == 200 { (first, second) } else { (second, first) };
    winner.data();
    let no_setup = json!({ "field": "setup" });
    assert_eq!(loser.failure(), (400, "validation_required", &no_setup));
    assert_eq!(count(&test, "organization").await, 1);
    let late = register(&test, &session, &person("c@example.com")).await;
    assert_eq!(late.failure(), (400, "validation_required", &no_setup));
}

#[tokio::test]
async fn an_address_registers_once_in_any_spelling() {
    let test = with(Registration::Open).await;
    let first = set_up(&test).await.session();
    register(&test, &first, &person("ada@example.com")).await.data();
    let second = set_up(&test).await.session();
    for spelling in ["ada@example.com", "ADA@example.COM", " ada@example.com"] {
        let answer = register(&test, &second, &person(spelling)).await;
        let params = json!({ "entity": "User", "field": "email" });
        assert_eq!(answer.failure(), (409, "entity_already_exists", &params), "{spelling}");
        assert_eq!(count(&test, "organization").await, 1, "nothing of it is kept");
    }
    register(&test, &second, &person("other@example.com")).await.data();
}

#[tokio::test]
async fn the_setup_waits_until_it_is_registered() {
    let test = with(Registration::First).await;
    let session = set_up(&test).await.session();
    let field = |name: &str| json!({ "field": name });
    let least = json!({ "field": "password", "min": 10 });
    let most = json!({ "field": "password", "max": 1024 });
    let with = |key: &str, value: Value| {
        let mut body = person("a@example.com");
        body[key] = value;
        body
    };
    let (format, required) = ("validation_invalid_format", "validation_required");
    for (body, code, params) in [
        (json!({}), required, field("email")),
        (with("email", Value::Null), required, field("email")),
        (with("email", json!("")), "validation_min_length", json!({ "field": "email", "min": 1 })),
        (with("email", json!("ada")), format, field("email")),
        (with("email", json!("@example.com")), format, field("email")),
        (with("email", json!("ada@")), format, field("email")),
        (with("email", json!("a@b@c")), format, field("email")),
        (with("email", json!("a b@example.com")), format, field("email")),
        (with("email", json!("a@exam\u{1}ple.com")), format, field("email")),
        (
            with("email", json!(format!("{}@example.com", "a".repeat(250)))),
            "validation_max_length",
            json!({ "field": "email", "max": 254 }),
        ),
        (with("password", json!("Short-1")), "validation_min_length", least.clone()),
        (with("password", json!("Ää1Ää1Ää1")), "validation_min_length", least),
        (with("password", json!("no-capital-1")), format, field("password")),
        (with("password", json!("NO-SMALL-LETTER-1")), format, field("password")),
        (with("password", json!("No-digit-here")), format, field("password")),
        (with("password", json!("Aa1".repeat(500))), "validation_max_length", most),
        (with("terms_accepted", json!(false)), format, field("terms_accepted")),
        (with("terms_accepted", Value::Null), required, field("terms_accepted")),
        (with("terms_accepted", json!("yes")), format, field("terms_accepted")),
    ] {
        let answer = register(&test, &session, &body).await;
        assert_eq!(answer.failure(), (400, code, &params), "{body}");
    }
    let without = test.post("/api/auth/register", &person("a@example.com")).send().await;
    assert_eq!(without.failure(), (400, required, &field("setup")));
    assert_eq!(count(&test, "user").await, 0);
    register(&test, &session, &person("a@example.com")).await.data();
}

#[tokio::test]
async fn a_setup_needs_names() {
    let test = with(Registration::First).await;
    let field = |name: &str| json!({ "field": name });
    let length = |name: &str, key: &str, n: u32| json!({ "field": name, key: n });
    let long = "ä".repeat(101);
    for (body, code, params) in [
        (json!({}), "validation_required", field("organization_name")),
        (json!({ "organization_name": "x" }), "validation_required", field("network")),
        (
            json!({ "organization_name": "x", "network": {} }),
            "validation_required",
            field("network.name"),
        ),
        (
            json!({ "organization_name": 1, "network": { "name": "y" } }),
            "validation_invalid_format",
            field("organization_name"),
        ),
        (
            json!({ "organization_name": "", "network": { "name": "y" } }),
            "validation_min_length",
            length("organization_name", "min", 1),
        ),
        (
            json!({ "organization_name": long, "network": { "name": "y" } }),
            "validation_max_length",
            length("organization_name", "max", 100),
        ),
        (
            json!({ "organization_name": "x", "network": { "name": "" } }),
            "validation_min_length",
            length("network.name", "min", 1),
        ),
    ] {
        let answer = test.post("/api/auth/setup", &body).send().await;
        assert_eq!(answer.failure(), (400, code, &params), "{body}");
        assert_eq!(answer.header("set-cookie"), None);
    }
    assert_eq!(count(&test, "session").await, 0);
    let longest = "ä".repeat(100);
    let body = json!({ "organization_name": longest, "network": { "name": longest } });
    test.post("/api/auth/setup", &body).send().await.data();
}

#[tokio::test]
async fn a_setup_that_was_left_for_a_week_is_over() {
    let test = with(Registration::First).await;
    let session = set_up(&test).await.session();
    let then = Timestamp::now() - chrono::TimeDelta::days(8);
    test.sql("UPDATE session SET last_seen_at = $1", [then.into()]).await;
    let answer = register(&test, &session, &person("a@example.com")).await;
    assert_eq!(answer.failure(), (400, "validation_required", &json!({ "field": "setup" })));
}
