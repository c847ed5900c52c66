//! Nobody takes the database, or the place for long answers, away from others.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{body::Body, http::Request};
use futures_util::FutureExt as _;
use http_body_util::BodyExt as _;
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use toposcope::{
    auth::rate_limit::RateLimits,
    config::Settings,
    db::{Asker, asked_by},
};
use toposcope_types::Id;
use tower::ServiceExt as _;

use crate::support::{
    app::{Answer, TestApp},
    binary::PATIENCE,
    bulk,
    world::World,
};

/// A statement that does not end by itself.
pub(crate) const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
                       SELECT count(*) FROM n WHERE i < 0";

fn somebody() -> Id {
    Id::new()
}

/// A request of a user.
fn asker(user: Id) -> Arc<Asker> {
    Asker::new(user, |_| ())
}

/// Reads without end for a user, until it is aborted.
fn read_without_end(test: &TestApp, user: Id) -> tokio::task::JoinHandle<()> {
    let db = test.app.db.clone();
    tokio::spawn(asked_by(Some(asker(user)), async move {
        let statement = Statement::from_string(db.backend(), ENDLESS);
        let _ = db.reader().query_all_raw(statement).await;
    }))
}

async fn read_a_little(test: &TestApp, user: Id) {
    let statement = Statement::from_string(test.app.db.backend(), "SELECT 1");
    let read = test.app.db.reader().query_all_raw(statement);
    assert_eq!(asked_by(Some(asker(user)), read).await.unwrap().len(), 1);
}

/// Answers that somebody asks for and does not read.
async fn unread(world: &World, path: &str, key: &str) -> (u16, Body) {
    let request = Request::get(path)
        .header("authorization", format!("Bearer {key}"))
        .body(Body::empty())
        .unwrap();
    let answer = world.test.router.clone().oneshot(request).await.unwrap();
    (answer.status().as_u16(), answer.into_body())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_does_not_read_a_long_list_holds_up_nobody() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    bulk::services(&world.test, network, world.ours.tags[0], 2_996, |_, _| {}).await;
    let ours = [&world.ours.viewer.key, &world.ours.member.key];
    let mut answers = Vec::new();
    for _ in 0..4 {
        for key in ours {
            let (status, body) = unread(&world, "/api/v1/services?limit=0", key).await;
            assert_eq!(status, 200);
            answers.push(body);
        }
    }
    assert!(world.test.app.spools.taken() > 0, "they wait in files");
    for path in ["/api/v1/services?limit=0", "/api/v1/services/export/csv", "/api/v1/hosts?limit=0"]
    {
        let answer = world.test.get(path).credential(&world.ours.owner.key).send().await;
        assert_eq!(answer.status, 200, "{path}");
    }
    let body = json!({ "name": "new", "color": "Red", "organization_id": world.ours.organization });
    let made =
        world.test.post("/api/v1/tags", &body).credential(&world.ours.owner.key).send().await;
    made.data();
    for body in answers {
        let whole = body.collect().await.unwrap().to_bytes();
        let answer: Value = serde_json::from_slice(&whole).unwrap();
        assert_eq!(answer["meta"]["pagination"]["total_count"], 3_000);
    }
    assert_eq!(world.test.app.spools.taken(), 0, "what was read takes no space");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_that_nobody_waits_for_ends() {
    let test = TestApp::new().await;
    // Each takes a connection; were they to run on, there would soon be none.
    for _ in 0..12 {
        let user = somebody();
        let endless = [read_without_end(&test, user), read_without_end(&test, user)];
        read_a_little(&test, somebody()).await;
        for one in endless {
            one.abort();
            assert!(one.await.unwrap_err().is_cancelled());
        }
    }
    let little = (0..8).map(|_| read_a_little(&test, somebody()));
    futures_util::future::join_all(little).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_snapshot_that_nobody_waits_for_ends() {
    let test = TestApp::new().await;
    for _ in 0..6 {
        let db = test.app.db.clone();
        let endless = tokio::spawn(asked_by(Some(asker(somebody())), async move {
            let snapshot = db.snapshot().await.unwrap();
            let statement = Statement::from_string(db.backend(), ENDLESS);
            let _ = snapshot.query_all_raw(statement).await;
        }));
        read_a_little(&test, somebody()).await;
        endless.abort();
        assert!(endless.await.unwrap_err().is_cancelled());
    }
    let little = (0..8).map(|_| read_a_little(&test, somebody()));
    futures_util::future::join_all(little).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_user_leaves_connections_to_others() {
    let test = TestApp::new().await;
    let greedy = somebody();
    let endless: Vec<_> = (0..20).map(|_| read_without_end(&test, greedy)).collect();
    for _ in 0..10 {
        read_a_little(&test, somebody()).await;
    }
    endless.iter().for_each(tokio::task::JoinHandle::abort);
    futures_util::future::join_all(endless).await;
    read_a_little(&test, greedy).await;
}

/// One user cannot have all writers: those that wait for each other in one network leave some.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_writes_of_one_user_hold_up_no_other_user() {
    let world = World::new().await;
    let test = &world.test;
    let (ours, theirs) = (&world.ours, &world.theirs);
    let write = |key: &str, network: Id, name: &str| {
        let body = json!({ "name": name, "network_id": network, "hidden": false, "tags": [] });
        let asked = test.post("/api/v1/hosts", &body).credential(key).owned();
        async move { asked.await.status }
    };
    // Whoever writes there waits for this one; on SQLite everybody does.
    let other = test.app.db.begin().await.unwrap();
    let line = Statement::from_sql_and_values(
        test.app.db.backend(),
        "UPDATE network SET revision = revision WHERE id = $1",
        [ours.networks[0].id.into()],
    );
    other.execute_raw(line).await.unwrap();
    let mut many = JoinSet::new();
    for _ in 0..16 {
        many.spawn(write(&ours.member.key, ours.networks[0].id, "many"));
    }
    let waiting = async |count: usize| {
        let begun = Instant::now();
        while test.app.db.writer().waiting() < count {
            assert!(begun.elapsed() < PATIENCE, "{} wait", test.app.db.writer().waiting());
            tokio::task::yield_now().await;
        }
    };
    let postgres = test.app.db.backend() == sea_orm::DbBackend::Postgres;
    // There some have a connection each, and wait for the row.
    waiting(if postgres { 12 } else { 16 }).await;
    let one = tokio::spawn(write(&theirs.member.key, theirs.networks[0].id, "other"));
    if postgres {
        assert_eq!(one.await.unwrap(), 200, "it waits for nobody");
        other.commit().await.unwrap();
        assert!(many.join_all().await.iter().all(|status| *status == 200));
        return;
    }
    waiting(17).await;
    other.commit().await.unwrap();
    assert_eq!(one.await.unwrap(), 200);
    assert!(many.join_all().await.iter().all(|status| *status == 200));
    let made = "SELECT h.name FROM change c JOIN host h ON h.id = c.entity_id \
                WHERE h.name IN ('many', 'other') ORDER BY c.created_at, c.id";
    let rows = test.rows(made, []).await;
    let names: Vec<String> = rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect();
    let position = names.iter().position(|name| name == "other").unwrap();
    assert!(names.len() == 17 && position <= 2, "{names:?}");
}

/// A statement that writes ends, too, when nobody waits for it, and the next one goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_nobody_waits_for_ends() {
    let world = World::new().await;
    let test = &world.test;
    for round in 0..12 {
        let db = test.app.db.clone();
        let (begun, begins) = tokio::sync::oneshot::channel();
        let endless = tokio::spawn(async move {
            let write = db.begin().await.unwrap();
            write.execute_unprepared("UPDATE host SET name = 'half'").await.unwrap();
            let statement = Statement::from_string(db.backend(), ENDLESS);
            begun.send(()).unwrap();
            let _ = write.query_all_raw(statement).await;
        });
        begins.await.unwrap();
        tokio::task::yield_now().await;
        endless.abort();
        assert!(endless.await.unwrap_err().is_cancelled());
        let body = json!({ "name": format!("after {round}"), "color": "Red", "organization_id": world.ours.organization });
        let made = test.post("/api/v1/tags", &body).credential(&world.ours.owner.key).send().await;
        made.data();
        let half = test.rows("SELECT id FROM host WHERE name = 'half'", []).await;
        assert!(half.is_empty(), "nothing of it is kept");
    }
}

/// Nor is a transaction left behind by one that nobody waits for while it begins.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_begin_that_nobody_waits_for_leaves_no_transaction() {
    let test = TestApp::new().await;
    let db = &test.app.db;
    for round in 0..200 {
        let (mut reads, mut writes) = (Box::pin(db.snapshot()), Box::pin(db.begin()));
        for _ in 0..5 * round {
            // Whatever has come of it by now is dropped.
            if (&mut reads).now_or_never().is_some() {
                reads = Box::pin(db.snapshot());
            }
            if (&mut writes).now_or_never().is_some() {
                writes = Box::pin(db.begin());
            }
            tokio::task::yield_now().await;
        }
    }
    // Each of them comes in turn, and so more than once; what is left of a transaction fails a BEGIN
    // on SQLite, and on PostgreSQL is told by the server.
    for _ in 0..20 {
        db.snapshot().await.unwrap().rollback().await.unwrap();
        db.begin().await.unwrap().rollback().await.unwrap();
    }
    if db.backend() == sea_orm::DbBackend::Postgres {
        let mut processes = Vec::new();
        for connections in [db.reader(), db.writer()] {
            for _ in 0..20 {
                let own = Statement::from_string(db.backend(), "SELECT pg_backend_pid()");
                let row = connections.query_one_raw(own).await.unwrap().unwrap();
                processes.push(row.try_get_by_index::<i32>(0).unwrap().to_string());
            }
        }
        let within = format!(
            "SELECT pid FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND pid IN ({})",
            processes.join(", ")
        );
        let within = Statement::from_string(db.backend(), within);
        assert!(db.reader().query_all_raw(within).await.unwrap().is_empty());
    }
}

/// Readiness is told by writing: who only waits cannot write.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_tells_of_writers_that_wait_in_vain() {
    let test = TestApp::new().await;
    let health = async || test.get("/api/health").send().await;
    assert_eq!(health().await.status, 200);
    let other = test.beside().await;
    let held = other.app.db.begin().await.unwrap();
    held.execute_unprepared("UPDATE signal SET value = value WHERE name = 'probe'").await.unwrap();
    let begun = Instant::now();
    let answer = loop {
        let answer = health().await;
        if answer.status != 200 {
            break answer;
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "it never tells");
    };
    assert_eq!(answer.status, 503);
    drop(held);
    let begun = Instant::now();
    while health().await.status != 200 {
        assert!(begun.elapsed() < Duration::from_mins(1), "it never recovers");
    }
}

#[tokio::test]
async fn postgres_ends_what_runs_or_waits_too_long() {
    let test = TestApp::new().await;
    if test.app.db.backend() == sea_orm::DbBackend::Sqlite {
        // There a handler of ours does, which has a test of its own.
        return;
    }
    let db = &test.app.db;
    for (connections, what, limit) in [
        (db.reader(), "statement_timeout", "30s"),
        (db.writer(), "statement_timeout", "5min"),
        (db.writer(), "lock_timeout", "10s"),
    ] {
        let statement = Statement::from_string(db.backend(), format!("SHOW {what}"));
        let row = connections.query_one_raw(statement).await.unwrap().unwrap();
        assert_eq!(row.try_get_by_index::<String>(0).unwrap(), limit, "{what}");
    }
}

#[tokio::test]
async fn one_request_holds_two_connections() {
    let test = TestApp::new().await;
    let db = &test.app.db;
    let asked = asker(somebody());
    let snapshot = || Box::pin(asked_by(Some(Arc::clone(&asked)), db.snapshot()));
    let first = snapshot().await.unwrap();
    let second = snapshot().await.unwrap();
    let mut third = snapshot();
    assert!((&mut third).now_or_never().is_none());
    read_a_little(&test, somebody()).await;
    assert!((&mut third).now_or_never().is_none());
    first.rollback().await.unwrap();
    let third = third.await.unwrap();
    for snapshot in [second, third] {
        snapshot.rollback().await.unwrap();
    }
}

#[tokio::test]
async fn who_has_spent_their_time_in_the_database_waits() {
    let limits = RateLimits::on();
    let world = World::on(TestApp::with(Settings::default(), limits.clone()).await).await;
    let viewer = &world.ours.viewer;
    let ask = || world.test.get("/api/v1/services?limit=1").credential(&viewer.key).send();
    ask().await.data();
    limits.asker(viewer.id).charge(Duration::from_mins(1));
    let over = |answer: &Answer| {
        assert_eq!(answer.status, 429, "{}", answer.body);
        let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        let error = answer.body.pointer("/errors/0/extensions").unwrap_or(&answer.body);
        assert_eq!(error["code"], "rate_limit_exceeded");
        assert_eq!(error["params"]["retry_after"], wait);
    };
    let answer = ask().await;
    over(&answer);
    assert!(answer.body["error"].as_str().unwrap().contains("ask for less at a time"));
    let query = json!({ "query": "{ viewer { permissions } }" });
    over(&world.test.post("/graphql", &query).credential(&viewer.session).send().await);
    let other = world.test.get("/api/v1/services?limit=1").credential(&world.ours.member.key);
    other.send().await.data();
}
