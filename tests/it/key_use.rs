//! Using API keys: what refuses them, how their owner bounds them now, and what a use writes.

use sea_orm::{ActiveValue::Set, ConnectionTrait as _, Statement};
use serde_json::{Value, json};
use toposcope_types::{Id, PermissionLevel, Timestamp};

use crate::support::{
    app::TestApp,
    world::{World, change_key},
};

const SERVICES: &str = "/api/v1/services";

/// Counts the services that a credential sees, over both faces.
async fn services_seen(test: &TestApp, credential: &str) -> u64 {
    let answer = test.get(SERVICES).credential(credential).send().await;
    let count = answer.body["meta"]["pagination"]["total_count"].as_u64().unwrap();
    let answer = test.graphql(credential, "{ services { totalCount } }", json!({})).await;
    assert_eq!(answer["data"]["services"]["totalCount"], count);
    count
}

/// Returns the permission level of a credential, as the server sees it.
async fn level(test: &TestApp, credential: &str) -> String {
    let answer = test.graphql(credential, "{ viewer { permissions } }", json!({})).await;
    answer["data"]["viewer"]["permissions"].as_str().unwrap().to_owned()
}

/// Asserts that a credential is refused alike over REST and GraphQL.
async fn assert_refused(test: &TestApp, secret: &str, expected: (u16, &str, Value)) {
    let (status, code, params) = expected;
    let answer = test.get(SERVICES).credential(secret).send().await;
    assert_eq!(answer.failure(), (status, code, &params));
    let query = json!({ "query": "{ viewer { permissions } }" });
    let answer = test.post("/graphql", &query).credential(secret).send().await;
    assert_eq!(answer.status.as_u16(), status);
    let extensions = &answer.body["errors"][0]["extensions"];
    assert_eq!(extensions["code"], code);
    assert_eq!(extensions["params"], params);
    assert_eq!(answer.header("www-authenticate").is_some(), status == 401);
}

#[tokio::test]
async fn a_key_that_may_not_be_used_says_why() {
    let world = World::new().await;
    let (test, owner) = (&world.test, &world.ours.owner);
    let key = json!({ "entity": "UserApiKey" });
    let disabled = (403, "entity_disabled", key.clone());
    let expired = (403, "entity_expired", key);
    let past = Timestamp::now() - chrono::TimeDelta::seconds(1);
    change_key(test, owner.key_id, |key| key.expires_at = Set(Some(past))).await;
    assert_refused(test, &owner.key, expired).await;
    change_key(test, owner.key_id, |key| key.is_enabled = Set(false)).await;
    assert_refused(test, &owner.key, disabled.clone()).await;
    let future = Timestamp::now() + chrono::TimeDelta::days(1);
    change_key(test, owner.key_id, |key| key.expires_at = Set(Some(future))).await;
    assert_refused(test, &owner.key, disabled).await;
    change_key(test, owner.key_id, |key| key.is_enabled = Set(true)).await;
    assert_eq!(services_seen(test, &owner.key).await, 8);

    let switch = r"UPDATE organization SET api_access_enabled = $1 WHERE id = $2";
    test.sql(switch, [false.into(), world.ours.organization.into()]).await;
    let off = (403, "organization_api_access_disabled", Value::Null);
    for person in [&world.ours.owner, &world.ours.viewer] {
        assert_refused(test, &person.key, off.clone()).await;
    }
    assert_eq!(services_seen(test, &owner.session).await, 8, "sessions go on");
    assert_eq!(services_seen(test, &world.theirs.owner.key).await, 8, "and other organizations");
}

#[tokio::test]
async fn a_key_that_expires_while_it_is_remembered_is_refused() {
    let world = World::new().await;
    let owner = &world.ours.owner;
    let mut lead = chrono::TimeDelta::milliseconds(400);
    let end = loop {
        let end = Timestamp::now() + lead;
        change_key(&world.test, owner.key_id, |key| key.expires_at = Set(Some(end))).await;
        let ask = world.test.get("/api/v1/services?limit=1").credential(&owner.key);
        let status = ask.send().await.status;
        // Where the answer took so long that the key may have expired before, it is given longer.
        if !end.is_past() {
            assert_eq!(status, 200);
            break end;
        }
        lead = lead * 2;
    };
    while !end.is_past() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let expected = (403, "entity_expired", json!({ "entity": "UserApiKey" }));
    assert_refused(&world.test, &owner.key, expected).await;
}

#[tokio::test]
async fn a_key_has_the_lower_of_its_own_and_its_owners_present_level() {
    let world = World::new().await;
    let (test, admin) = (&world.test, &world.ours.admin);
    let set_user = r#"UPDATE "user" SET permissions = $1 WHERE id = $2"#;
    for (user, key, expected) in [
        (PermissionLevel::Admin, PermissionLevel::Admin, "ADMIN"),
        (PermissionLevel::Member, PermissionLevel::Admin, "MEMBER"),
        (PermissionLevel::Viewer, PermissionLevel::Admin, "VIEWER"),
        (PermissionLevel::Owner, PermissionLevel::Admin, "ADMIN"),
        (PermissionLevel::Owner, PermissionLevel::Viewer, "VIEWER"),
        (PermissionLevel::Viewer, PermissionLevel::Owner, "VIEWER"),
    ] {
        test.sql(set_user, [format!("{user:?}").into(), admin.id.into()]).await;
        change_key(test, admin.key_id, |row| row.permissions = Set(key)).await;
        assert_eq!(level(test, &admin.key).await, expected, "user {user:?}, key {key:?}");
        let own = format!("{user:?}").to_uppercase();
        assert_eq!(level(test, &admin.session).await, own);
    }
}

#[tokio::test]
async fn a_key_reaches_no_more_than_its_owner_reaches_now() {
    let world = World::new().await;
    let (test, ours) = (&world.test, &world.ours);
    let [one, two] = ours.networks.each_ref().map(|network| network.id);
    let (admin, member) = (&ours.admin, &ours.member);
    assert_eq!(services_seen(test, &admin.key).await, 8);
    assert_eq!(services_seen(test, &member.key).await, 4, "its key was given both");

    let grant = "INSERT INTO user_network (user_id, network_id) VALUES ($1, $2)";
    test.sql(grant, [member.id.into(), two.into()]).await;
    for credential in [&member.key, &member.session] {
        assert_eq!(services_seen(test, credential).await, 8);
    }
    test.sql("DELETE FROM user_network WHERE user_id = $1", [member.id.into()]).await;
    for credential in [&member.key, &member.session] {
        assert_eq!(services_seen(test, credential).await, 0);
    }
    // An admin who becomes a member reaches only what was granted.
    let demote = r#"UPDATE "user" SET permissions = 'Member' WHERE id = $1"#;
    test.sql(demote, [admin.id.into()]).await;
    assert_eq!(services_seen(test, &admin.key).await, 0);
    test.sql(grant, [admin.id.into(), one.into()]).await;
    assert_eq!(services_seen(test, &admin.key).await, 4);
    // A key that was given one network reaches one, whatever its owner does.
    test.sql("DELETE FROM api_key_network WHERE network_id = $1", [two.into()]).await;
    assert_eq!(services_seen(test, &ours.owner.key).await, 4);
    assert_eq!(services_seen(test, &ours.owner.session).await, 8);
    // One that was given a network of another organization gains nothing by it.
    let give = "INSERT INTO api_key_network (api_key_id, network_id) VALUES ($1, $2)";
    test.sql(give, [ours.owner.key_id.into(), world.theirs.networks[0].id.into()]).await;
    assert_eq!(services_seen(test, &ours.owner.key).await, 4);
}

#[tokio::test]
async fn a_key_goes_with_its_owner() {
    let world = World::new().await;
    let (test, ours) = (&world.test, &world.ours);
    let nobody = (401, "auth_not_authenticated", Value::Null);
    let leave = r#"UPDATE "user" SET organization_id = $1 WHERE id = $2"#;
    test.sql(leave, [world.theirs.organization.into(), ours.admin.id.into()]).await;
    assert_refused(test, &ours.admin.key, nobody.clone()).await;
    test.sql(r#"DELETE FROM "user" WHERE id = $1"#, [ours.owner.id.into()]).await;
    for credential in [&ours.owner.key, &ours.owner.session] {
        assert_refused(test, credential, nobody.clone()).await;
    }
}

async fn last_used(test: &TestApp, id: Id) -> Option<Timestamp> {
    let rows = test.rows("SELECT last_used FROM api_key WHERE id = $1", [id.into()]).await;
    rows[0].try_get("", "last_used").unwrap()
}

#[tokio::test]
async fn the_use_of_a_key_is_written_at_most_once_a_minute() {
    let world = World::new().await;
    let (test, owner) = (&world.test, &world.ours.owner);
    let before = Timestamp::now();
    assert_eq!(last_used(test, owner.key_id).await, None);
    for _ in 0..3 {
        services_seen(test, &owner.key).await;
        test.settle().await;
    }
    let first = last_used(test, owner.key_id).await.unwrap();
    assert!(first >= before && first <= Timestamp::now());
    // What another process has noted half a minute ago is not noted again, what is older is.
    for (person, age, written) in [(&world.ours.admin, 50, false), (&world.ours.member, 70, true)] {
        let then = before - chrono::TimeDelta::seconds(age);
        change_key(test, person.key_id, |key| key.last_used = Set(Some(then))).await;
        services_seen(test, &person.key).await;
        test.settle().await;
        assert_eq!(last_used(test, person.key_id).await > Some(then), written, "{age} s");
    }
    // A refused use is none.
    change_key(test, world.ours.viewer.key_id, |key| key.is_enabled = Set(false)).await;
    test.get(SERVICES).credential(&world.ours.viewer.key).send().await.failure();
    test.settle().await;
    assert_eq!(last_used(test, world.ours.viewer.key_id).await, None);
}

#[tokio::test]
async fn noting_a_use_is_one_statement() {
    let world = World::new().await;
    let (test, owner) = (&world.test, &world.ours.owner);
    let once = || async {
        test.get(SERVICES).credential(&owner.key).send().await.data();
        test.settle().await;
    };
    let ((), first) = test.statements(once()).await;
    let ((), second) = test.statements(once()).await;
    // The first looks the key up and notes its use; the second remembers both.
    assert_eq!(first, second + 2);
}

#[tokio::test]
async fn a_key_disabled_before_its_use_is_noted_stays_disabled() {
    let world = World::new().await;
    let (test, owner) = (&world.test, &world.ours.owner);
    let statement = |sql: &str, values: Vec<sea_orm::Value>| {
        Statement::from_sql_and_values(test.app.db.backend(), sql, values)
    };
    // The change holds the row while the request is answered, so its note comes after the change.
    let change = test.app.db.begin().await.unwrap();
    let sql = "UPDATE api_key SET is_enabled = $1, name = 'off' WHERE id = $2";
    change.execute_raw(statement(sql, vec![false.into(), owner.key_id.into()])).await.unwrap();
    let sql = "UPDATE api_key_secret SET secret_hash = 'rotated' WHERE api_key_id = $1";
    let rotated = world.ours.admin.key_id;
    change.execute_raw(statement(sql, vec![rotated.into()])).await.unwrap();
    for key in [&owner.key, &world.ours.admin.key] {
        assert_eq!(test.get(SERVICES).credential(key).send().await.status, 200);
    }
    change.commit().await.unwrap();
    test.settle().await;
    test.app.credentials.forget();

    assert!(last_used(test, owner.key_id).await.is_some(), "the note was written");
    let disabled = (403, "entity_disabled", json!({ "entity": "UserApiKey" }));
    assert_refused(test, &owner.key, disabled).await;
    let sql = "SELECT name, is_enabled, created_at, updated_at FROM api_key WHERE id = $1";
    let rows = test.rows(sql, [owner.key_id.into()]).await;
    assert_eq!(rows[0].try_get::<String>("", "name").unwrap(), "off");
    let [created, updated] =
        ["created_at", "updated_at"].map(|name| rows[0].try_get::<Timestamp>("", name).unwrap());
    assert_eq!(created, updated, "a use is no change");
    assert_refused(test, &world.ours.admin.key, (401, "auth_not_authenticated", Value::Null)).await;
}

#[tokio::test]
async fn a_new_key_does_not_wait_for_what_is_remembered() {
    let world = World::new().await;
    let (test, owner) = (&world.test, &world.ours.owner);
    // The session is remembered with its reach; a change of this process forgets it.
    assert_eq!(services_seen(test, &owner.session).await, 8);
    let (_, sent) = test.statements(services_seen(test, &owner.session)).await;
    let body =
        json!({ "name": "x", "organization_id": Id::nil(), "user_id": Id::nil(), "tags": [] });
    let created = test.post("/api/v1/auth/keys", &body).credential(&owner.session).send().await;
    created.data();
    let (_, after) = test.statements(services_seen(test, &owner.session)).await;
    assert_eq!(after, sent + 1, "it was looked up anew");
}

#[tokio::test]
async fn a_key_cannot_look_at_keys_over_either_face() {
    let world = World::new().await;
    let owner = &world.ours.owner;
    for query in [
        "{ apiKeys { totalCount } }".to_owned(),
        format!("{{ apiKey(id: \"{}\") {{ name }} }}", owner.key_id),
    ] {
        let by_key = world.test.graphql(&owner.key, &query, json!({})).await;
        let code = &by_key["errors"][0]["extensions"]["code"];
        assert_eq!(code, "auth_user_context_required", "{by_key}");
        let by_session = world.test.graphql(&owner.session, &query, json!({})).await;
        assert_eq!(by_session["errors"], json!(null), "{by_session}");
    }
}
