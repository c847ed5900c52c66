//! Tables of comma-separated values: whole, streamed, and harmless in a spreadsheet.

use serde_json::json;

use crate::support::{bodies::with, bulk, introspection::text, world::World};

const LISTS: [&str; 14] = [
    "networks",
    "hosts",
    "interfaces",
    "ports",
    "if-entries",
    "services",
    "bindings",
    "groups",
    "subnets",
    "tags",
    "auth/keys",
    "users",
    "organizations",
    "changes",
];

#[tokio::test]
async fn every_list_is_a_table_with_a_column_for_each_key() {
    let world = World::new().await;
    let owner = &world.ours.owner.session;
    // So that the log is not empty.
    let group = world.ours.networks[0].group_body();
    let path = world.ours.networks[0].group_path();
    world.test.put(&path, &group).credential(owner).send().await.data();
    for list in LISTS {
        // Of organizations there is one, which is no list.
        let page = if list == "organizations" { "" } else { "?limit=0" };
        let rows = world.test.get(&format!("/api/v1/{list}{page}")).credential(owner);
        let rows = rows.send().await.data().clone();
        let rows = rows.as_array().cloned().unwrap_or_else(|| vec![rows]);
        let table = world.test.get(&format!("/api/v1/{list}/export/csv")).credential(owner);
        let table = table.send().await;
        assert_eq!(table.status, 200, "{list}");
        assert!(table.header("content-type").unwrap().starts_with("text/csv"), "{list}");
        assert!(table.header("content-disposition").unwrap().starts_with("attachment"), "{list}");
        let mut reader = csv::Reader::from_reader(table.bytes.as_slice());
        let columns: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        // What belongs to a host is in tables of its own, and a key has no secret to show.
        let mut keys: Vec<&String> = rows[0].as_object().unwrap().keys().collect();
        let own = ["interfaces", "ip_addresses", "ports", "services", "if_entries", "key"];
        keys.retain(|key| {
            list != "services" && list != "hosts" && list != "auth/keys"
                || !own.contains(&key.as_str())
        });
        // The other name of a key makes no second column.
        keys.retain(|key| key.as_str() != "dependency_type");
        let mut sorted: Vec<&String> = columns.iter().collect();
        sorted.sort();
        if list == "bindings" {
            assert!(sorted.len() >= keys.len());
        } else {
            assert_eq!(sorted, keys, "{list}");
        }
        let mut lines = 0;
        for (record, row) in reader.records().zip(&rows) {
            lines += 1;
            for (column, cell) in columns.iter().zip(&record.unwrap()) {
                match &row[column] {
                    serde_json::Value::Null => assert_eq!(cell, ""),
                    serde_json::Value::String(text) => assert_eq!(cell, text),
                    value => assert_eq!(cell, value.to_string()),
                }
            }
        }
        assert_eq!(lines, rows.len(), "{list}");
    }
}

#[tokio::test]
async fn a_text_that_a_spreadsheet_would_take_for_a_formula_is_marked_as_text() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let key = &world.ours.member.key;
    let body = with(
        &network.group_body(),
        &json!({ "name": "=HYPERLINK(\"x\")", "description": "a,\"b\"\nc" }),
    );
    world.test.put(&network.group_path(), &body).credential(key).send().await.data();
    let table = world.test.get("/api/v1/groups/export/csv").credential(key).send().await;
    let table = String::from_utf8(table.bytes).unwrap();
    assert!(table.contains("\"'=HYPERLINK(\"\"x\"\")\""), "{table}");
    assert!(table.contains("\"a,\"\"b\"\"\nc\""), "{table}");
}

#[tokio::test]
async fn a_table_costs_the_same_statements_for_ten_rows_as_for_thousands() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let key = &world.ours.viewer.key;
    world.test.get("/api/v1/services?limit=1").credential(key).send().await.data();
    let mut costs = Vec::new();
    for size in [6, 990] {
        bulk::services(&world.test, network, world.ours.tags[0], size, |_, _| {}).await;
        let table = world.test.get("/api/v1/services/export/csv").credential(key).send();
        let (table, cost) = world.test.statements(table).await;
        assert_eq!(table.status, 200);
        costs.push(cost);
    }
    assert_eq!(costs, [3, 3], "rows, bindings, tags; a thousand rows are one chunk");
}

#[tokio::test]
async fn a_table_is_filtered_and_ordered_like_its_list() {
    let world = World::new().await;
    let key = &world.ours.admin.key;
    let query =
        format!("network_id={}&order_by=name&order_direction=desc", world.ours.networks[1].id);
    let list = world.test.get(&format!("/api/v1/services?{query}")).credential(key).send().await;
    let table = world.test.get(&format!("/api/v1/services/export/csv?{query}"));
    let table = table.credential(key).send().await;
    let mut reader = csv::Reader::from_reader(table.bytes.as_slice());
    let ids: Vec<String> = reader.records().map(|record| record.unwrap()[0].to_owned()).collect();
    let expected: Vec<&str> =
        list.data().as_array().unwrap().iter().map(|row| text(&row["id"])).collect();
    assert_eq!(ids, expected);
    for odd in ["limit=-5", "offset=a", "nework_id=x"] {
        let answer = world.test.get(&format!("/api/v1/services/export/csv?{odd}"));
        assert_eq!(answer.credential(key).send().await.status, 400, "{odd}");
    }
}
