//! Pages of rows that are long: all of it comes, a piece at a time.

use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};
use toposcope::if_entries;
use toposcope_types::Id;

use crate::support::{
    app::TestApp,
    binary::{Sandbox, block_on},
    plenty,
    world::{SampleNetwork, World, if_entry},
};

/// A forwarding table that is told from others by its first address.
fn table(nth: usize, length: usize) -> String {
    let mac = |number: usize| {
        let octets = [nth, number >> 16, number >> 8, number];
        let octets = octets.map(|octet| format!("{:02X}", octet & 0xff)).join(":");
        format!("\"02:00:{octets}\"")
    };
    format!("[{}]", (0..length).map(mac).collect::<Vec<_>>().join(","))
}

/// Entries of a host, of which each second has a long table.
async fn entries(test: &TestApp, network: &SampleNetwork, count: usize, length: usize) -> Vec<Id> {
    let mut ids = Vec::new();
    let host = &network.hosts[0];
    let rows: Vec<_> = (0..count)
        .map(|nth| if_entry(network.id, host.id, 1000 + i32::try_from(nth).unwrap()))
        .collect();
    ids.extend(rows.iter().map(|row| row.id));
    plenty::insert::<if_entries::Entity, _>(test, rows).await;
    let cast = match test.app.db.backend() {
        sea_orm::DbBackend::Postgres => "$1::json",
        _ => "$1",
    };
    for (nth, id) in ids.iter().enumerate() {
        let addresses = table(nth, if nth.is_multiple_of(2) { length } else { 3 });
        let sql = format!("UPDATE if_entry SET fdb_macs = {cast} WHERE id = $2");
        test.sql(&sql, [addresses.into(), (*id).into()]).await;
    }
    toposcope::networks::recount(test.app.db.writer(), network.id).await.unwrap();
    ids
}

fn id(row: &Value) -> Id {
    row["id"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn long_rows_come_whole_in_every_way() {
    let world = World::new().await;
    let (test, network) = (&world.test, &world.ours.networks[0]);
    let key = &world.ours.viewer.key;
    // Together they are longer than one piece.
    let ids = entries(test, network, 30, 16_000).await;
    let get = async |path: String| test.get(&path).credential(key).send().await;
    let mut alone = Vec::new();
    for entry in &ids {
        alone.push(get(format!("/api/v1/if-entries/{entry}")).await.data().clone());
    }
    let of = |nth: usize| {
        serde_json::from_str::<Value>(&table(nth, if nth.is_multiple_of(2) { 16_000 } else { 3 }))
    };
    assert!(alone.iter().enumerate().all(|(nth, row)| row["fdb_macs"] == of(nth).unwrap()));
    let query = "order_by=if_index&order_direction=desc";
    let mut paged = Vec::new();
    for (limit, offset) in [(9, 0), (9, 9), (1000, 18)] {
        let page = get(format!("/api/v1/if-entries?{query}&limit={limit}&offset={offset}")).await;
        let rows = page.data().as_array().unwrap();
        let total = 34;
        let meta = &page.body["meta"]["pagination"];
        let has_more = offset + rows.len() < total;
        let expected =
            json!({ "total_count": total, "limit": limit, "offset": offset, "has_more": has_more });
        assert_eq!(*meta, expected);
        paged.extend(rows.iter().cloned());
    }
    let whole = get(format!("/api/v1/if-entries?{query}&limit=0")).await;
    assert!(*whole.data() == json!(paged), "the same, however it is asked for");
    let found = |row: &&Value| ids.contains(&id(row));
    let mut ours: Vec<Value> = paged.iter().filter(found).cloned().collect();
    ours.reverse();
    assert!(ours == alone, "and the same as one by one");
    let hosts = get("/api/v1/hosts".to_owned()).await;
    let host = hosts.data().as_array().unwrap().iter().find(|row| id(row) == network.hosts[0].id);
    let inside = host.unwrap()["if_entries"].as_array().unwrap();
    assert!(inside.iter().filter(found).eq(&alone), "within a host");
    let one = get(format!("/api/v1/hosts/{}", network.hosts[0].id)).await;
    assert!(one.data() == host.unwrap());
    // However it is asked for, it is the same version, and a change shows all of it, too.
    let tag = one.header("etag").unwrap().to_owned();
    let path = format!("/api/v1/hosts/{}", network.hosts[0].id);
    let body = json!({ "name": "renamed", "network_id": network.id, "hidden": false, "tags": [] });
    let put = test.put(&path, &body).credential(&world.ours.member.key).header("if-match", &tag);
    let changed = put.send().await;
    assert!(changed.data()["if_entries"] == host.unwrap()["if_entries"]);
    let again = get(path).await;
    assert!(again.data() == changed.data() && again.data()["name"] == "renamed");
    let tags = [&one, &changed, &again].map(|answer| answer.header("etag").unwrap().to_owned());
    assert!(tags[0] != tags[1] && tags[1] == tags[2], "{tags:?}");
    let csv = get("/api/v1/if-entries/export/csv".to_owned()).await;
    let lines = csv::Reader::from_reader(csv.bytes.as_slice()).into_records().count();
    assert_eq!(lines, 34);
    assert!(csv.text().contains(&table(28, 16_000).replace('"', "\"\"")));
}

#[tokio::test]
async fn the_log_of_changes_comes_whole_too() {
    let world = World::new().await;
    let (test, network) = (&world.test, &world.ours.networks[0]);
    let key = &world.ours.admin.key;
    for nth in 0..6 {
        let macs: Value = serde_json::from_str(&table(nth, 30_000)).unwrap();
        let body =
            crate::support::bodies::with(&network.entry_body(0), &json!({ "fdb_macs": macs }));
        test.put(&network.entry_path(0), &body).credential(key).send().await.data();
    }
    let path = "/api/v1/changes?entity=IfEntry&order_by=sequence";
    let page = test.get(path).credential(key).send().await;
    let rows = page.data().as_array().unwrap();
    let tables = |row: &Value| [&row["before"], &row["after"]].map(|row| row["fdb_macs"].clone());
    for (nth, row) in rows.iter().enumerate() {
        let [before, after] = tables(row);
        assert!(after == serde_json::from_str::<Value>(&table(nth, 30_000)).unwrap());
        assert!(nth == 0 || before == tables(&rows[nth - 1])[1]);
    }
    assert_eq!(rows.len(), 6);
    let query = "query ($first: Int) { changes(entity: IF_ENTRY, first: $first) { nodes { id before after } } }";
    let few = test.graphql(key, query, json!({ "first": 2 })).await;
    let nodes = few["data"]["changes"]["nodes"].as_array().unwrap();
    for (node, row) in nodes.iter().zip(rows) {
        assert!(node["after"] == row["after"] && node["before"] == row["before"]);
    }
}

#[tokio::test]
async fn graphql_says_how_many_long_rows_to_ask_for() {
    let world = World::new().await;
    let (test, network) = (&world.test, &world.ours.networks[0]);
    let key = &world.ours.viewer.key;
    let ids = entries(test, network, 30, 30_000).await;
    let query = |fields: &str| {
        let order = "orderBy: [{ field: IF_INDEX, direction: DESC }]";
        format!("query ($n: Int) {{ ifEntries(first: $n, {order}) {{ nodes {{ id {fields} }} }} }}")
    };
    let all = test.graphql(key, &query("ifName"), json!({ "n": 1000 })).await;
    assert_eq!(all["errors"], Value::Null, "what is not asked for is not read");
    for fields in ["fdbMacs", "host { ifEntries(first: 40) { nodes { fdbMacs } } }"] {
        let much = test.graphql(key, &query(fields), json!({ "n": 30 })).await;
        let error = &much["errors"][0];
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("8388608 bytes") && message.contains("first: "), "{message}");
        assert_eq!(error["extensions"]["code"], "validation_invalid_format");
    }
    let few = test.graphql(key, &query("fdbMacs"), json!({ "n": 6 })).await;
    assert_eq!(few["errors"], Value::Null);
    let nodes = few["data"]["ifEntries"]["nodes"].as_array().unwrap();
    for (node, nth) in nodes.iter().zip((0..30).rev()) {
        assert_eq!(id(node), ids[nth]);
        let length = if nth.is_multiple_of(2) { 30_000 } else { 3 };
        assert!(node["fdbMacs"] == serde_json::from_str::<Value>(&table(nth, length)).unwrap());
    }
}

/// The memory of a process that is not backed by files, in MiB.
#[cfg(target_os = "linux")]
fn memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

/// The number of addresses in each table of the pages that nobody reads.
#[cfg(target_os = "linux")]
const LENGTH: usize = 65_536;

#[cfg(target_os = "linux")]
#[test]
fn thirty_pages_that_nobody_reads_stay_small() {
    use std::io::{Read as _, Write as _};

    let sandbox = Sandbox::migrated();
    let ports: Vec<Value> = (1..=2)
        .map(|nth| {
            json!({ "if_index": nth, "if_descr": format!("eth{nth}"), "if_type": 6,
                    "admin_status": "Up", "oper_status": "Up" })
        })
        .collect();
    let key = sandbox.key_of_ada("Owner");
    let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0", "--rate-limit", "off"]);
    let server = crate::support::binary::Server::start(&mut command);
    let networks = server.get("/api/v1/networks", &key);
    let host = json!({
        "name": "sw", "network_id": networks.data()[0]["id"], "hidden": false, "tags": [],
        "if_entries": ports,
    });
    let made = server.ask("POST", "/api/v1/hosts", &key, &host);
    assert_eq!(made.data()["if_entries"].as_array().unwrap().len(), 2);
    block_on(async {
        let db = sea_orm::Database::connect(&sandbox.url).await.unwrap();
        let backend = db.get_database_backend();
        let cast = if backend == sea_orm::DbBackend::Postgres { "$1::json" } else { "$1" };
        let sql = format!("UPDATE if_entry SET fdb_macs = {cast}");
        let text = table(7, LENGTH);
        db.execute_raw(Statement::from_sql_and_values(backend, sql, [text.into()])).await.unwrap();
        db.close().await.unwrap();
    });
    let mut unread = Vec::new();
    for _ in 0..30 {
        let mut stream = server.connect();
        let path = "/api/v1/if-entries?limit=1000";
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n{key}\r\n").unwrap();
        // It has begun to answer when the first byte is there.
        stream.read_exact(&mut [0]).unwrap();
        unread.push(stream);
    }
    let memory = memory(server.pid());
    // All of them together are eighty MiB of text.
    assert!(memory < 75, "{memory} MiB");

    let mut last = unread.pop().unwrap();
    let mut text = Vec::new();
    let mut piece = vec![0; 1 << 20];
    while !text.ends_with(b"}}}") {
        let read = last.read(&mut piece).unwrap();
        assert!(read > 0, "it ends too soon");
        text.extend_from_slice(&piece[..read]);
    }
    assert!(text.len() > 2 * LENGTH * 20);
}
