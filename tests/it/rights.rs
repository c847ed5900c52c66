//! Rights are those of the moment of the write, whenever the request began and whoever took them away.

use std::{sync::Arc, time::Instant};

use axum::body::Body;
use bytes::Bytes;
use futures_util::{FutureExt as _, stream};
use sea_orm::{ConnectionTrait as _, DbBackend, EntityTrait as _, Statement};
use serde_json::{Value, json};
use tokio::sync::Notify;
use toposcope::{api_keys, auth::watch, users};
use toposcope_types::PermissionLevel;

use crate::support::{
    app::{Answer, TestApp},
    binary::{PATIENCE, Sandbox, Server, bearer},
    world::{Person, World, change_key},
};

/// Half of a body at once, and the rest when it is let go; it tells when the first half was read.
fn held_back(body: &str, reading: Arc<Notify>, go_on: Arc<Notify>) -> Body {
    let (half, rest) = body.split_at(body.len() / 2);
    let (half, rest) = (Bytes::from(half.to_owned()), Bytes::from(rest.to_owned()));
    Body::from_stream(stream::unfold(0, move |part| {
        let (half, rest) = (half.clone(), rest.clone());
        let (reading, go_on) = (Arc::clone(&reading), Arc::clone(&go_on));
        async move {
            match part {
                0 => Some((Ok::<_, std::io::Error>(half), 1)),
                1 => {
                    reading.notify_one();
                    go_on.notified().await;
                    Some((Ok(rest), 2))
                }
                _ => None,
            }
        }
    }))
}

/// One write that a right allows, over either face.
struct Attempt {
    method: &'static str,
    path: String,
    body: Value,
}

impl Attempt {
    /// Sends it, takes rights away while half of its body is read, and lets it go on.
    async fn meanwhile(
        &self,
        test: &TestApp,
        credential: &str,
        taken_away: impl AsyncFnOnce(),
    ) -> Answer {
        let (reading, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let body = self.body.to_string();
        let body = held_back(&body, Arc::clone(&reading), Arc::clone(&go_on));
        let ask = test.ask(self.method.parse().unwrap(), &self.path).credential(credential);
        let ask = ask.header("content-type", "application/json").body(body);
        let asked = tokio::spawn(ask.owned());
        reading.notified().await;
        taken_away().await;
        go_on.notify_one();
        asked.await.unwrap()
    }
}

/// Returns the error code of an answer over REST or GraphQL, or `done`.
fn code(answer: &Answer) -> &str {
    let graphql = answer.body.pointer("/errors/0/extensions/code");
    graphql.unwrap_or(&answer.body["code"]).as_str().unwrap_or("done")
}

fn level_of(person: &Person, level: &str) -> [Attempt; 2] {
    let mutation = format!(
        "mutation {{ updateUser(id: \"{}\", input: {{ permissions: {} }}) {{ id }} }}",
        person.id,
        level.to_uppercase()
    );
    [
        Attempt {
            method: "PUT",
            path: format!("/api/v1/users/{}", person.id),
            body: json!({ "permissions": level }),
        },
        Attempt { method: "POST", path: "/graphql".into(), body: json!({ "query": mutation }) },
    ]
}

fn tag(world: &World, name: &str) -> [Attempt; 2] {
    let organization = world.ours.organization;
    let mutation = format!(
        "mutation {{ createTag(input: {{ name: \"{name}\", color: RED, \
         organizationId: \"{organization}\" }}) {{ id }} }}"
    );
    [
        Attempt {
            method: "POST",
            path: "/api/v1/tags".into(),
            body: json!({ "name": name, "color": "Red", "organization_id": organization }),
        },
        Attempt { method: "POST", path: "/graphql".into(), body: json!({ "query": mutation }) },
    ]
}

fn host(world: &World, name: &str) -> [Attempt; 2] {
    let network = world.ours.networks[0].id;
    let mutation = format!(
        "mutation {{ createHost(input: {{ name: \"{name}\", networkId: \"{network}\", \
         hidden: false, tags: [] }}) {{ id }} }}"
    );
    [
        Attempt {
            method: "POST",
            path: "/api/v1/hosts".into(),
            body: json!({ "name": name, "network_id": network, "hidden": false, "tags": [] }),
        },
        Attempt { method: "POST", path: "/graphql".into(), body: json!({ "query": mutation }) },
    ]
}

async fn level(test: &TestApp, person: &Person) -> Option<PermissionLevel> {
    let user = users::Entity::find_by_id(person.id).one(test.app.db.writer()).await.unwrap();
    user.map(|user| user.permissions)
}

/// Counts the rows of a table.
async fn count(test: &TestApp, table: &str) -> i64 {
    let rows = test.rows(&format!("SELECT count(*) FROM {table}"), []).await;
    rows[0].try_get_by_index(0).unwrap()
}

#[tokio::test]
async fn a_demoted_admin_is_no_admin_any_more_when_the_body_ends() {
    for face in 0..2 {
        let world = World::new().await;
        let test = &world.test;
        let (owner, admin) = (&world.ours.owner, &world.ours.admin);
        let demote = async || {
            let body = json!({ "permissions": "Viewer" });
            let path = format!("/api/v1/users/{}", admin.id);
            test.put(&path, &body).credential(&owner.session).send().await.data();
        };
        let attempt = &level_of(admin, "Admin")[face];
        let answer = attempt.meanwhile(test, &admin.session, demote).await;
        assert_eq!(code(&answer), "auth_permission_denied", "{}", answer.body);
        assert_eq!(level(test, admin).await, Some(PermissionLevel::Viewer));
    }
}

#[tokio::test]
async fn a_deleted_admin_promotes_nobody() {
    for face in 0..2 {
        let world = World::new().await;
        let test = &world.test;
        let (owner, admin, member) = (&world.ours.owner, &world.ours.admin, &world.ours.member);
        let delete = async || {
            let path = format!("/api/v1/users/{}", admin.id);
            test.ask(axum::http::Method::DELETE, &path)
                .credential(&owner.session)
                .send()
                .await
                .data();
        };
        let attempt = &level_of(member, "Admin")[face];
        let answer = attempt.meanwhile(test, &admin.session, delete).await;
        assert_eq!(code(&answer), "auth_not_authenticated", "{}", answer.body);
        assert_eq!(level(test, member).await, Some(PermissionLevel::Member));
    }
}

#[tokio::test]
async fn a_disabled_or_deleted_key_writes_nothing_any_more() {
    for face in 0..2 {
        for deleted in [false, true] {
            let world = World::new().await;
            let test = &world.test;
            let member = &world.ours.member;
            let before = count(test, "host").await;
            let end = async || {
                let path = format!("/api/v1/auth/keys/{}", member.key_id);
                let ask = if deleted {
                    test.ask(axum::http::Method::DELETE, &path)
                } else {
                    test.put(&path, &json!({ "name": "off", "is_enabled": false, "tags": [] }))
                };
                ask.credential(&member.session).send().await.data();
            };
            let attempt = &host(&world, "late")[face];
            let answer = attempt.meanwhile(test, &member.key, end).await;
            let expected = if deleted { "auth_not_authenticated" } else { "entity_disabled" };
            assert_eq!(code(&answer), expected, "{}", answer.body);
            assert_eq!(count(test, "host").await, before);
        }
    }
}

#[tokio::test]
async fn a_session_writes_nothing_after_its_logout() {
    for face in 0..2 {
        let world = World::new().await;
        let (test, session) = (&world.test, &world.ours.admin.session);
        let before = count(test, "tag").await;
        let logout = async || {
            test.ask(axum::http::Method::POST, "/api/auth/logout")
                .credential(session)
                .send()
                .await
                .data();
        };
        let answer = tag(&world, "late")[face].meanwhile(test, session, logout).await;
        assert_eq!(code(&answer), "auth_not_authenticated", "{}", answer.body);
        assert_eq!(count(test, "tag").await, before);
    }
}

#[tokio::test]
async fn a_network_that_is_taken_out_of_reach_takes_no_more() {
    for face in 0..2 {
        let world = World::new().await;
        let (test, owner, member) = (&world.test, &world.ours.owner, &world.ours.member);
        let before = count(test, "host").await;
        let revoke = async || {
            let path = format!("/api/v1/users/{}", member.id);
            let body = json!({ "network_ids": [] });
            test.put(&path, &body).credential(&owner.session).send().await.data();
        };
        let answer = host(&world, "late")[face].meanwhile(test, &member.session, revoke).await;
        assert_eq!(code(&answer), "entity_reference_invalid", "{}", answer.body);
        assert_eq!(count(test, "host").await, before);
    }
}

#[tokio::test]
async fn a_query_sees_what_is_in_reach_when_its_body_is_there() {
    let world = World::new().await;
    let (test, owner, member) = (&world.test, &world.ours.owner, &world.ours.member);
    let revoke = async || {
        let path = format!("/api/v1/users/{}", member.id);
        let body = json!({ "network_ids": [] });
        test.put(&path, &body).credential(&owner.session).send().await.data();
    };
    let body = json!({ "query": "{ hosts { totalCount } }" });
    let attempt = Attempt { method: "POST", path: "/graphql".into(), body };
    let answer = attempt.meanwhile(test, &member.session, revoke).await;
    assert_eq!(answer.body["data"]["hosts"]["totalCount"], 0, "{}", answer.body);
}

/// The rights that count are those when the write has come to its turn, not those when it began to
/// wait: whoever takes them away holds what it waits for.
#[tokio::test]
async fn rights_are_read_after_a_write_has_waited_in_line() {
    for face in 0..2 {
        let world = World::new().await;
        let (test, member) = (&world.test, &world.ours.member);
        let before = count(test, "host").await;
        // Looked up, and remembered by this process.
        test.get("/api/v1/hosts").credential(&member.session).send().await.data();
        let other = test.app.db.begin().await.unwrap();
        let run = async |sql: &str, id: toposcope_types::Id| {
            let statement = Statement::from_sql_and_values(test.app.db.backend(), sql, [id.into()]);
            other.execute_raw(statement).await.unwrap();
        };
        run("UPDATE network SET revision = revision + 1 WHERE id = $1", world.ours.networks[0].id)
            .await;
        run(r#"UPDATE "user" SET permissions = 'Viewer' WHERE id = $1"#, member.id).await;
        let holder = match test.app.db.backend() {
            DbBackend::Sqlite => 0,
            backend => {
                let own = Statement::from_string(backend, "SELECT pg_backend_pid()");
                let row = other.query_one_raw(own).await.unwrap().unwrap();
                row.try_get_by_index(0).unwrap()
            }
        };
        let attempt = &host(&world, "late")[face];
        let ask = test.ask(attempt.method.parse().unwrap(), &attempt.path);
        let mut asked = Box::pin(ask.credential(&member.session).json(&attempt.body).owned());
        waits(test, holder, &mut asked).await;
        other.commit().await.unwrap();
        let answer = asked.await;
        assert_eq!(code(&answer), "auth_permission_denied", "{}", answer.body);
        assert_eq!(count(test, "host").await, before);
    }
}

/// Runs a request until it waits for what somebody else holds: `holder` is their process, where the
/// database has one.
async fn waits(test: &TestApp, holder: i32, asked: &mut (impl Future<Output = Answer> + Unpin)) {
    let begun = Instant::now();
    loop {
        assert!((&mut *asked).now_or_never().is_none(), "it does not wait");
        let blocked = if test.app.db.backend() == DbBackend::Sqlite {
            test.app.db.writer().waiting() > 0
        } else {
            let sql = "SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))";
            let statement =
                Statement::from_sql_and_values(DbBackend::Postgres, sql, [holder.into()]);
            !test.app.db.reader().query_all_raw(statement).await.unwrap().is_empty()
        };
        if blocked {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "it never waits");
    }
}

/// Another process that changes a right raises a counter in the transaction; whoever watches it
/// forgets what was looked up.
#[tokio::test]
async fn what_another_process_takes_away_is_known_to_those_who_watch() {
    let world = World::new().await;
    let (here, there) = (&world.test, world.test.beside().await);
    let watching =
        tokio::spawn(watch::watch(here.app.db.clone(), Arc::clone(&here.app.credentials)));
    let (owner, member) = (&world.ours.owner, &world.ours.member);
    let asked = async |credential: &str| {
        here.get("/api/v1/hosts").credential(credential).send().await.status.as_u16()
    };
    // Each is looked up and remembered here before it is taken away there.
    let key = format!("/api/v1/auth/keys/{}", member.key_id);
    let user = format!("/api/v1/users/{}", member.id);
    for (path, body, by, credential, refusal) in [
        (&key, json!({ "name": "k", "is_enabled": false, "tags": [] }), member, &member.key, 403),
        (&key, json!({ "name": "k", "is_enabled": true, "tags": [] }), member, &member.key, 200),
        (&user, json!({ "permissions": "Viewer" }), owner, &member.session, 200),
    ] {
        asked(credential).await;
        let forgotten = here.app.credentials.forgotten();
        there.put(path, &body).credential(&by.session).send().await.data();
        let begun = Instant::now();
        while here.app.credentials.forgotten() == forgotten {
            assert!(begun.elapsed() < PATIENCE, "{body} is never known");
            tokio::task::yield_now().await;
        }
        assert_eq!(asked(credential).await, refusal, "{body}");
    }
    let name = "late";
    let network = world.ours.networks[0].id;
    let body = json!({ "name": name, "network_id": network, "hidden": false, "tags": [] });
    let refused = here.post("/api/v1/hosts", &body).credential(&member.key).send().await;
    assert_eq!(code(&refused), "auth_permission_denied");
    watching.abort();
}

#[tokio::test]
async fn a_key_for_all_networks_reaches_those_that_come_and_no_more_than_its_owner() {
    let world = World::new().await;
    let (test, ours) = (&world.test, &world.ours);
    let make = async |person: &Person, level: &str, more: Value| {
        let mut body = json!({
            "name": "all", "organization_id": ours.organization, "user_id": person.id, "tags": [],
            "permissions": level, "all_networks": true,
        });
        for (key, value) in more.as_object().unwrap() {
            body[key] = value.clone();
        }
        test.post("/api/v1/auth/keys", &body).credential(&person.session).send().await
    };
    let networks = async |key: &str| {
        let answer = test.get("/api/v1/networks").credential(key).send().await;
        answer.data().as_array().unwrap().len()
    };
    let created = make(&ours.owner, "Owner", json!({})).await;
    assert_eq!(created.data()["api_key"]["all_networks"], true);
    assert_eq!(created.data()["api_key"]["network_ids"], json!([]));
    let owners = created.data()["key"].as_str().unwrap().to_owned();
    let members = make(&ours.member, "Member", json!({})).await;
    let members = members.data()["key"].as_str().unwrap().to_owned();
    assert_eq!((networks(&owners).await, networks(&members).await), (2, 1));
    let body = json!({ "name": "new", "organization_id": ours.organization, "tags": [] });
    let new = test.post("/api/v1/networks", &body).credential(&ours.owner.session).send().await;
    let new = new.data()["id"].clone();
    assert_eq!((networks(&owners).await, networks(&members).await), (3, 1));
    // What a key of the kind makes it reaches anyway.
    test.post("/api/v1/networks", &body).credential(&owners).send().await.data();
    assert_eq!(networks(&owners).await, 4);
    // One or the other.
    let both = make(&ours.owner, "Owner", json!({ "network_ids": [new] })).await;
    assert_eq!(
        both.failure(),
        (400, "validation_invalid_format", &json!({ "field": "network_ids" }))
    );
    // It is stored, shown to GraphQL, and can be taken back.
    let query = "{ apiKeys(filter: { name: { eq: \"all\" } }) { nodes { id allNetworks } } }";
    let found = test.graphql(&ours.member.session, query, json!({})).await;
    let key = &found["data"]["apiKeys"]["nodes"][0];
    assert_eq!(key["allNetworks"], true, "{found}");
    let path = format!("/api/v1/auth/keys/{}", key["id"].as_str().unwrap());
    let body = json!({ "name": "all", "tags": [], "all_networks": false });
    test.put(&path, &body).credential(&ours.member.session).send().await.data();
    assert_eq!(networks(&members).await, 0);
}

#[tokio::test]
async fn a_key_that_was_changed_behind_the_back_is_judged_by_each_write() {
    let world = World::new().await;
    let (test, admin) = (&world.test, &world.ours.admin);
    let mut levels = vec![];
    for level in [PermissionLevel::Viewer, PermissionLevel::Admin] {
        change_key(test, admin.key_id, |key: &mut api_keys::ActiveModel| {
            key.permissions = sea_orm::Set(level);
        })
        .await;
        let body = &tag(&world, &format!("{level:?}"))[0].body;
        let answer = test.post("/api/v1/tags", body).credential(&admin.key).send().await;
        levels.push(answer.status.as_u16());
    }
    assert_eq!(levels, [403, 200]);
}

#[test]
fn what_commands_change_is_known_to_a_running_server() {
    let sandbox = Sandbox::migrated();
    let email = "ada@example.com";
    let create = ["user", "create", "--email", email, "--password-stdin"];
    sandbox.done(&create, "Correct-Horse-9\n");
    let robot = ["key", "create", "--email", email, "--name", "robot", "--permissions", "Owner"];
    let old = bearer(sandbox.done(&robot, "").trim());
    let robot = [&robot[..], &["--all-networks"]].concat();
    let all = bearer(sandbox.done(&robot, "").trim());
    let unlimited = ["serve", "--listen", "127.0.0.1:0", "--rate-limit", "off"];
    let server = Server::start(&mut sandbox.command(&unlimited));
    let networks = |head: &str| {
        let answer = server.get("/api/v1/networks", head);
        (answer.status, answer.body["data"].as_array().map_or(0, Vec::len))
    };
    let login = json!({ "email": email, "password": "Correct-Horse-9" });
    let session = server.ask("POST", "/api/auth/login", "", &login).cookie();
    for head in [&old, &all, &session] {
        assert_eq!(networks(head), (200, 1));
    }
    let until = |head: &str, expected: (u16, usize)| {
        let begun = Instant::now();
        loop {
            let found = networks(head);
            if found == expected {
                break;
            }
            assert!(begun.elapsed() < PATIENCE, "{found:?}");
        }
    };
    let campus = concat!(env!("CARGO_MANIFEST_DIR"), "/src/inventory/campus.json");
    sandbox.done(&["import", campus], "");
    until(&all, (200, 2));
    until(&session, (200, 2));
    assert_eq!(networks(&old), (200, 1));
    sandbox.done(&["user", "password", "--email", email, "--password-stdin"], "Another-Horse-9\n");
    until(&session, (401, 0));
}

/// While nobody can tell whether something has changed, nothing is believed.
#[tokio::test]
async fn nothing_is_believed_while_the_counter_cannot_be_read() {
    let world = World::new().await;
    let test = &world.test;
    if test.app.db.backend() != DbBackend::Postgres {
        eprintln!("skipped: readers of SQLite cannot be kept from reading");
        return;
    }
    let forgotten = test.app.credentials.forgotten();
    let watching =
        tokio::spawn(watch::watch(test.app.db.clone(), Arc::clone(&test.app.credentials)));
    // Its first answer makes it forget what was looked up before it watched.
    let begun = Instant::now();
    while test.app.credentials.forgotten() == forgotten {
        assert!(begun.elapsed() < PATIENCE, "it never asks");
        tokio::task::yield_now().await;
    }
    let key = &world.ours.viewer.key;
    let ask = async || {
        let ((), statements) = test
            .statements(async {
                let answer = test.get("/api/version").credential(key).send().await;
                drop(answer.headers);
            })
            .await;
        statements
    };
    let begun = Instant::now();
    while ask().await != 0 {
        assert!(begun.elapsed() < PATIENCE, "nothing is ever believed");
    }
    let guard = test.app.db.begin().await.unwrap();
    guard.execute_unprepared("LOCK TABLE signal IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let begun = Instant::now();
    while ask().await == 0 {
        assert!(begun.elapsed() < PATIENCE, "all is believed for ever");
        tokio::task::yield_now().await;
    }
    // And what was looked up since is not believed either.
    assert_eq!((ask().await, ask().await), (1, 1));
    drop(guard);
    let begun = Instant::now();
    while ask().await != 0 {
        assert!(begun.elapsed() < PATIENCE, "nothing is ever believed again");
    }
    watching.abort();
}
