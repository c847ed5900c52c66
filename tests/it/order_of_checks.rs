//! A request that breaks several rules is told the first of them in the order of the contract.

use axum::http::Method;
use serde_json::{Value, json};
use toposcope::{auth::rate_limit::RateLimits, config::Settings};
use toposcope_types::Id;

use crate::support::{
    app::{Answer, Ask, TestApp},
    bodies::with,
    world::World,
};

/// A request that is wrong from some check on.
struct Wrong<'a> {
    credential: Option<&'a str>,
    path: String,
    content_type: &'a str,
    body: String,
}

impl Wrong<'_> {
    fn ask<'a>(&self, test: &'a TestApp, method: Method) -> Ask<'a> {
        let ask = test.ask(method, &self.path).body(self.body.clone());
        let ask = ask.header("content-type", self.content_type);
        match self.credential {
            Some(credential) => ask.credential(credential),
            None => ask,
        }
    }
}

const NO_ID: &str = "no-id";
const NO_JSON: &str = "{";

#[tokio::test]
async fn a_put_is_checked_in_the_order_of_the_contract() {
    let world = World::new().await;
    let (ours, theirs) = (&world.ours, &world.theirs);
    let (viewer, member) = (ours.viewer.key.as_str(), ours.member.key.as_str());
    let session = ours.viewer.session.as_str();
    let entry = ours.networks[0].entry_body(0);
    let group = ours.networks[0].group_body();
    for (collection, id, foreign, good, broken) in [
        (
            "if-entries",
            ours.networks[0].hosts[0].if_entries[0],
            theirs.networks[0].hosts[0].if_entries[0],
            &entry,
            with(&entry, &json!({ "if_index": 0 })),
        ),
        (
            "groups",
            ours.networks[0].group,
            theirs.networks[0].group,
            &group,
            with(&group, &json!({ "name": "" })),
        ),
    ] {
        let base = format!("/api/v1/{collection}");
        let (stranger, nowhere) = (format!("{base}/{foreign}"), format!("{base}/{}", Id::new()));
        let (all_wrong, with_id) = (format!("{base}/{NO_ID}?odd=1"), format!("{base}/{id}?odd=1"));
        let (plain, json_type) = ("text/plain", "application/json");
        let (broken, good) = (&*broken.to_string(), &*good.to_string());
        let big = &*"x".repeat(2 * 1024 * 1024 + 1);
        let mine = format!("{base}/{id}");
        for (credential, path, content_type, body, expected) in [
            (None, &all_wrong, plain, NO_JSON, (401, "auth_not_authenticated")),
            (Some("scp_u_nonsense"), &all_wrong, plain, NO_JSON, (401, "auth_not_authenticated")),
            (Some(viewer), &all_wrong, plain, NO_JSON, (403, "auth_permission_denied")),
            (Some(session), &all_wrong, plain, NO_JSON, (403, "auth_permission_denied")),
            (Some(viewer), &mine, json_type, good, (403, "auth_permission_denied")),
            (Some(member), &all_wrong, plain, NO_JSON, (400, "validation_invalid_format")),
            (Some(member), &with_id, plain, NO_JSON, (400, "validation_unknown_parameter")),
            (Some(member), &mine, plain, NO_JSON, (415, "unsupported_media_type")),
            (Some(member), &mine, plain, big, (415, "unsupported_media_type")),
            (Some(member), &mine, json_type, big, (413, "payload_too_large")),
            (Some(member), &stranger, json_type, NO_JSON, (400, "validation_invalid_format")),
            (Some(member), &stranger, json_type, broken, (404, "entity_not_found")),
            (Some(member), &nowhere, json_type, broken, (404, "entity_not_found")),
        ] {
            let wrong =
                Wrong { credential, path: path.clone(), content_type, body: body.to_owned() };
            let answer = wrong.ask(&world.test, Method::PUT).send().await;
            let (status, code, _) = answer.failure();
            let start = &body[..body.len().min(80)];
            assert_eq!((status, code), expected, "{credential:?} {path} {content_type} {start}");
        }
        let answer = world.test.put(&mine, &serde_json::from_str(broken).unwrap());
        let answer = answer.credential(member).send().await;
        assert_eq!(answer.failure().0, 400, "a rule, last of all");
        let answer = world.test.put(&mine, &serde_json::from_str(good).unwrap());
        answer.credential(member).send().await.data();
    }
}

#[tokio::test]
async fn keys_are_checked_in_the_order_of_the_contract() {
    let world = World::new().await;
    let ours = &world.ours;
    let (key, session) = (Some(ours.owner.key.as_str()), Some(ours.viewer.session.as_str()));
    let (get, post) = (Method::GET, Method::POST);
    let theirs = &*format!("/api/v1/auth/keys/{}", world.theirs.viewer.key_id);
    let odd = &*format!("{theirs}?odd=1");
    for (method, path, credential, content_type, body, expected) in [
        (
            &get,
            "/api/v1/auth/keys/no-id?odd=1",
            None,
            "text/plain",
            NO_JSON,
            (401, "auth_not_authenticated"),
        ),
        (
            &get,
            "/api/v1/auth/keys/no-id?odd=1",
            key,
            "text/plain",
            NO_JSON,
            (403, "auth_user_context_required"),
        ),
        (
            &get,
            "/api/v1/auth/keys/no-id?odd=1",
            session,
            "text/plain",
            NO_JSON,
            (400, "validation_invalid_format"),
        ),
        (&get, odd, session, "text/plain", NO_JSON, (400, "validation_unknown_parameter")),
        (&get, theirs, session, "text/plain", NO_JSON, (404, "entity_not_found")),
        (
            &post,
            "/api/v1/auth/keys?odd=1",
            None,
            "text/plain",
            NO_JSON,
            (401, "auth_not_authenticated"),
        ),
        (
            &post,
            "/api/v1/auth/keys?odd=1",
            key,
            "text/plain",
            NO_JSON,
            (403, "auth_user_context_required"),
        ),
        (
            &post,
            "/api/v1/auth/keys?odd=1",
            session,
            "text/plain",
            NO_JSON,
            (400, "validation_unknown_parameter"),
        ),
        (
            &post,
            "/api/v1/auth/keys",
            session,
            "text/plain",
            NO_JSON,
            (415, "unsupported_media_type"),
        ),
        (
            &post,
            "/api/v1/auth/keys",
            session,
            "application/json",
            NO_JSON,
            (400, "validation_invalid_format"),
        ),
        (
            &post,
            "/api/v1/auth/keys",
            session,
            "application/json",
            "{}",
            (400, "validation_required"),
        ),
    ] {
        let wrong =
            Wrong { credential, path: path.to_owned(), content_type, body: body.to_owned() };
        let answer = wrong.ask(&world.test, method.clone()).send().await;
        let (status, code, _) = answer.failure();
        assert_eq!((status, code), expected, "{method} {path} {credential:?} {body}");
    }
}

#[tokio::test]
async fn lists_and_versions_are_checked_in_the_order_of_the_contract() {
    let world = World::new().await;
    let viewer = &world.ours.viewer.key;
    let list = world.test.get("/api/v1/services?odd=1&limit=x").send().await;
    assert_eq!(list.failure().1, "auth_not_authenticated");
    let list = world.test.get("/api/v1/services?odd=1").credential(viewer).send().await;
    assert_eq!(list.failure().1, "validation_unknown_parameter");
    for path in ["/api/version", "/api/health"] {
        let bad = world.test.get(path).credential("scp_u_nonsense").send().await;
        assert_eq!(bad.status, 200, "{path} needs no credential, not even a good one");
        let odd = world.test.get(&format!("{path}?odd=1")).send().await;
        assert_eq!(
            odd.failure(),
            (400, "validation_unknown_parameter", &json!({ "parameter": "odd" }))
        );
    }
}

#[tokio::test]
async fn whoever_may_not_write_learns_nothing_of_ids_and_bodies() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let theirs = &world.theirs.networks[0];
    let good = network.group_body();
    let mut answers: Vec<Value> = Vec::new();
    for id in
        [network.group.to_string(), theirs.group.to_string(), Id::new().to_string(), "x".to_owned()]
    {
        for body in [&good, &json!({}), &json!(17)] {
            let put = world.test.put(&format!("/api/v1/groups/{id}"), body);
            answers.push(put.credential(&world.ours.viewer.key).send().await.body);
        }
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:#?}");
    assert_eq!(answers[0]["code"], "auth_permission_denied");
}

#[tokio::test]
async fn the_budget_comes_after_the_credential_and_before_everything_else() {
    let test = TestApp::with(Settings::default(), RateLimits::on()).await;
    let world = World::on(test).await;
    let wrong = |credential| Wrong {
        credential,
        path: format!("/api/v1/groups/{NO_ID}?odd=1"),
        content_type: "text/plain",
        body: NO_JSON.to_owned(),
    };
    let code = |answer: &Answer| answer.failure().1.to_owned();
    for (credential, burst, before) in [
        (None, 10, "auth_not_authenticated"),
        (Some(world.ours.viewer.key.as_str()), 150, "auth_permission_denied"),
    ] {
        let mut last = String::new();
        // The budget fills up while it is used, so a few more than the burst may pass.
        for nth in 0..burst * 2 {
            let answer = wrong(credential).ask(&world.test, Method::PUT).send().await;
            last = code(&answer);
            if nth < burst {
                assert_eq!(last, before, "request {nth}");
            }
        }
        assert_eq!(last, "rate_limit_exceeded");
    }
    let other = wrong(Some(&world.ours.member.key)).ask(&world.test, Method::PUT).send().await;
    assert_eq!(code(&other), "validation_invalid_format", "another user has another budget");
}
