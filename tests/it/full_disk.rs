//! A database that cannot be written: what is refused leaves nothing, what is answered for is stored,
//! and all goes on by itself once there is space again.

use std::{collections::BTreeSet, process::Command};

use axum::http::StatusCode;
use sea_orm::{ConnectionTrait as _, DbBackend, Statement};
use serde_json::{Value, json};
use toposcope::db::Db;
use toposcope_types::Id;

use crate::support::{
    app::{Answer, TestApp},
    binary::{Sandbox, Server},
    world::World,
};

const ROUNDS: usize = 200;

/// A host with so many ports that it takes about thirty pages of the database.
fn host(network: Id, name: &str) -> Value {
    let entries: Vec<Value> = (1..=12)
        .map(|index| {
            json!({
                "if_index": index, "if_descr": format!("Ethernet{index}"), "if_type": 6,
                "admin_status": "Up", "oper_status": "Up", "sys_descr": "", "network_id": network,
                "lldp_sys_desc": "long ".repeat(700),
            })
        })
        .collect();
    json!({ "name": name, "network_id": network, "hidden": false, "tags": [], "if_entries": entries })
}

async fn number(db: &Db, sql: &str) -> i64 {
    let statement = Statement::from_string(db.backend(), sql);
    let row = db.writer().query_one_raw(statement).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}

/// Lets the database grow by so many pages from now on, as long as its writer stays the same.
async fn limit(db: &Db, pages: usize) {
    let limit = number(db, "PRAGMA page_count").await + i64::try_from(pages).unwrap();
    let set = number(db, &format!("PRAGMA max_page_count = {limit}")).await;
    assert_eq!(set, limit);
}

#[track_caller]
fn assert_refused(answer: &Answer, reason: &str) {
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{}", answer.body);
    assert_eq!(answer.body["code"], "service_unavailable");
    let sentence = answer.body["error"].as_str().unwrap();
    assert!(sentence.ends_with(reason), "{sentence}");
}

async fn names(test: &TestApp, key: &str) -> BTreeSet<String> {
    let answer = test.get("/api/v1/hosts?limit=0").credential(key).send().await;
    let hosts = answer.data().as_array().unwrap().clone();
    hosts.iter().map(|host| host["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn writes_refused_at_any_statement_leave_nothing_and_no_later_write_is_lost() {
    let world = World::new().await;
    let test = &world.test;
    if test.app.db.backend() != DbBackend::Sqlite {
        eprintln!("skipped: PostgreSQL ends its transactions itself and keeps their connections");
        return;
    }
    let (key, network) = (&world.ours.owner.key, world.ours.networks[0].id);
    let (mut expected, mut refused) = (names(test, key).await, 0);
    let other = test.beside().await;
    for round in 0..ROUNDS {
        // Two in a row are refused, each at another statement in each round.
        for attempt in 0..2 {
            limit(&test.app.db, (round * 7 + attempt) % 40).await;
            let name = format!("host {round}.{attempt}");
            let answer = test.post("/api/v1/hosts", &host(network, &name)).credential(key);
            let answer = answer.send().await;
            if answer.status == StatusCode::OK {
                expected.insert(name);
            } else {
                assert_refused(&answer, "the database has no space left");
                refused += 1;
                let health = test.get("/api/health").send().await;
                assert_refused(&health, "the database has no space left");
            }
        }
        // Then there is space again, for whoever writes next.
        number(&test.app.db, "PRAGMA max_page_count = 1073741823").await;
        let name = format!("host {round}");
        let answer = test.post(
            "/api/v1/hosts",
            &json!({
                "name": name, "network_id": network, "hidden": false, "tags": [],
            }),
        );
        answer.credential(key).send().await.data();
        expected.insert(name);
        assert_eq!(test.get("/api/health").send().await.status, StatusCode::OK);
        if round % 10 == 9 {
            assert_eq!(names(&other, key).await, expected, "after round {round}");
        }
    }
    assert!(refused > ROUNDS, "only {refused} were refused");
    // Nothing is left of what was refused: neither parts, nor counts, nor entries of the log.
    let db = &other.app.db;
    let hosts = number(db, "SELECT count(*) FROM host").await;
    assert_eq!(number(db, "SELECT sum(host_count) FROM network").await, hosts);
    let entries = number(db, "SELECT count(*) FROM if_entry").await;
    assert_eq!(number(db, "SELECT sum(if_entry_count) FROM network").await, entries);
    let orphans = "SELECT count(*) FROM if_entry WHERE host_id NOT IN (SELECT id FROM host)";
    assert_eq!(number(db, orphans).await, 0);
    let gaps = "SELECT count(*) FROM network n WHERE change_count <> \
                (SELECT count(*) FROM change c WHERE c.log_id = n.id)";
    assert_eq!(number(db, gaps).await, 0);
    // And it is the same after a restart.
    assert_eq!(names(&test.beside().await, key).await, expected);
}

#[tokio::test]
async fn a_server_that_may_only_read_says_so_and_reads() {
    let world = World::new().await;
    if world.test.app.db.backend() != DbBackend::Postgres {
        eprintln!("skipped: it needs TEST_DATABASE_URL");
        return;
    }
    let read_only = "%20-cdefault_transaction_read_only%3Don";
    let replica = world.test.beside_with(read_only).await;
    let (key, network) = (&world.ours.owner.key, world.ours.networks[0].id);
    let before = names(&replica, key).await;
    let answer = replica.post("/api/v1/hosts", &host(network, "new")).credential(key).send().await;
    assert_refused(&answer, "the database is read-only");
    let health = replica.get("/api/health").send().await;
    assert_refused(&health, "the database is read-only");
    let mutation = format!(
        "mutation {{ createTag(input: {{ name: \"t\", color: RED, organizationId: \"{}\" }}) {{ id }} }}",
        world.ours.organization
    );
    let answer = replica.graphql(key, &mutation, json!({})).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "service_unavailable", "{answer}");
    assert_eq!(names(&replica, key).await, before);
}

#[test]
fn files_that_reach_the_limit_of_the_process_refuse_writes_until_it_is_raised() {
    let sandbox = Sandbox::migrated();
    if !sandbox.url.starts_with("sqlite:") {
        eprintln!("skipped: on PostgreSQL the files are the server's");
        return;
    }
    let key = sandbox.key_of_ada("Owner");
    let unlimited = ["serve", "--listen", "127.0.0.1:0", "--rate-limit", "off"];
    let server = Server::start(&mut sandbox.command(&unlimited));
    let networks = server.get("/api/v1/networks", &key);
    let network: Id = serde_json::from_value(networks.data()[0]["id"].clone()).unwrap();
    let limit = |bytes: &str| {
        let limit = format!("--fsize={bytes}:unlimited");
        let pid = server.pid().to_string();
        assert!(Command::new("prlimit").args(["--pid", &pid, &limit]).status().unwrap().success());
    };
    let mut expected = BTreeSet::new();
    for round in 0..20 {
        limit("3000000");
        let mut refused = 0;
        for write in 0.. {
            assert!(write < 500, "the limit is never reached");
            let name = format!("host {round}.{write}");
            let answer = server.ask("POST", "/api/v1/hosts", &key, &host(network, &name));
            if answer.status == 200 {
                expected.insert(name);
                continue;
            }
            assert_eq!(answer.status, 503, "{answer:?}");
            assert_eq!(answer.header("retry-after"), Some("2"));
            refused += 1;
            if refused == 3 {
                break;
            }
        }
        let health = server.get("/api/health", "");
        assert_eq!(health.status, 503, "{health:?}");
        let sentence = health.body["error"].as_str().unwrap();
        assert!(sentence.contains("cannot read or write its files"), "{sentence}");
        limit("unlimited");
        let name = format!("host {round}");
        let answer = server.ask("POST", "/api/v1/hosts", &key, &host(network, &name));
        assert_eq!(answer.status, 200, "{answer:?} {}", server.log());
        expected.insert(name);
        assert_eq!(server.get("/api/health", "").status, 200);
    }
    // Nor does an answer fit that is too long for memory; that is said instead of half of it.
    let with_entries = |name: &str| {
        let mut host = host(network, name);
        let entry = |index: u32| {
            json!({ "if_index": index, "if_descr": "x".repeat(200), "if_type": 6,
                    "admin_status": "Up", "oper_status": "Up", "lldp_sys_desc": "x".repeat(200) })
        };
        host["if_entries"] = (1..=1500).map(entry).collect();
        host
    };
    for name in ["long", "longer"] {
        expected.insert(name.to_owned());
        assert_eq!(server.ask("POST", "/api/v1/hosts", &key, &with_entries(name)).status, 200);
    }
    limit("100000");
    let answer = server.get("/api/v1/if-entries?limit=0", &key);
    assert_eq!(answer.status, 503, "{}", answer.status);
    let sentence = answer.body["error"].as_str().unwrap();
    assert!(sentence.contains("no space left for an answer of this length"), "{sentence}");
    limit("unlimited");
    let answer = server.get("/api/v1/if-entries?limit=0", &key);
    assert!(answer.data().as_array().unwrap().len() >= 3000);
    let log = server.log();
    assert!(log.contains("disk I/O error") || log.contains("full"), "the cause is not told: {log}");
    server.terminate();
    assert!(server.ended().0.success());
    // Another process reads what was answered for, and nothing else.
    let exported = sandbox.done(&["export", "--network", "My network"], "");
    let document: Value = serde_json::from_str(&exported).unwrap();
    let stored = document["hosts"].as_array().unwrap();
    let stored: BTreeSet<String> =
        stored.iter().map(|host| host["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(stored, expected);
}
