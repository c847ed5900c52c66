//! Attempts at a password stand in line, and pay from the budget of where they come from.

use serde_json::{Value, json};
use tokio::task::JoinSet;
use toposcope::{auth::rate_limit::RateLimits, config::Settings};
use toposcope_types::PermissionLevel;

use crate::support::{app::TestApp, world::World};

const EMAIL: &str = "ada@example.com";
const PASSWORD: &str = "Correct-Horse-9";

#[tokio::test]
async fn past_ten_who_wait_is_429() {
    let test = TestApp::new().await;
    test.user("ours", (EMAIL, PASSWORD), PermissionLevel::Owner).await;
    for from_one in [false, true] {
        let mut attempts = JoinSet::new();
        for nth in 0..60 {
            // Of attempts from one address each is at an account of its own.
            let email = if from_one { format!("{nth}@example.com") } else { EMAIL.to_owned() };
            let from = if from_one { "192.0.2.99".to_owned() } else { format!("192.0.2.{nth}") };
            let body = json!({ "email": email, "password": PASSWORD });
            attempts.spawn(test.post("/api/auth/login", &body).from(&from).owned());
        }
        let (mut tried, mut refused) = (0, 0);
        for answer in attempts.join_all().await {
            match answer.status.as_u16() {
                200 if !from_one => tried += 1,
                401 if from_one => tried += 1,
                _ => {
                    let params = json!({ "retry_after": 4 });
                    assert_eq!(answer.failure(), (429, "rate_limit_exceeded", &params));
                    assert_eq!(answer.header("retry-after"), Some("4"));
                    refused += 1;
                }
            }
        }
        assert!(tried >= 11 && refused > 0, "{tried} tried, {refused} refused");
    }
    // The line is empty again.
    let body = json!({ "email": EMAIL, "password": PASSWORD });
    test.post("/api/auth/login", &body).send().await.data();
}

#[tokio::test]
async fn a_login_pays_from_the_budget_of_its_address_whoever_is_logged_in() {
    let test = TestApp::with(Settings::default(), RateLimits::on()).await;
    let world = World::on(test).await;
    let viewer = &world.ours.viewer;
    let mut statuses = Vec::new();
    for credential in [&viewer.session, &viewer.key].into_iter().cycle().take(14) {
        let login = world.test.post("/api/auth/login", &json!({}));
        let answer = login.credential(credential).send().await;
        assert_eq!(answer.header("x-ratelimit-limit"), Some("40"));
        statuses.push(answer.status.as_u16());
    }
    assert_eq!(statuses[..10], [400; 10]);
    assert!(statuses[10..].contains(&429), "{statuses:?}");
    let answer = world.test.get("/api/v1/services").credential(&viewer.key).send().await;
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("149"));
    assert_ne!(answer.data(), &Value::Null);
}
