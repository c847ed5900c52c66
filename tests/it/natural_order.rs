//! Names are in natural order: numbers in them compare by value.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sea_orm::{ConnectionTrait as _, DbBackend, Statement};
use serde_json::{Value, json};
use toposcope_types::natural::natural_key;

use crate::support::{
    app::TestApp,
    bodies::with,
    introspection::text,
    wiring::{Wiring, device, port},
    world::World,
};

/// Each table of names, with its column of names.
const NAMES: [(&str, &str); 8] = [
    ("api_key", "name"),
    ("group", "name"),
    ("host", "name"),
    ("if_entry", "if_descr"),
    ("network", "name"),
    ("service", "name"),
    ("subnet", "name"),
    ("tag", "name"),
];

/// Names of ports in order.
const PORTS: [&str; 10] = [
    "eth2",
    "Ethernet1",
    "Ethernet1/2",
    "ethernet1/02",
    "Ethernet1/10",
    "Ethernet48",
    "Ethernet49/1",
    "Gi1/0/2",
    "Gi1/0/10",
    "端口10",
];

/// Asserts that every stored name has its key, and returns how many there are.
async fn keys_are_true(test: &TestApp) -> usize {
    let mut checked = 0;
    for (table, name) in NAMES {
        let sql = format!(r#"SELECT "{name}", "{name}_sort_key" FROM "{table}""#);
        for row in test.rows(&sql, []).await {
            let name: String = row.try_get_by_index(0).unwrap();
            let key: String = row.try_get_by_index(1).unwrap();
            assert_eq!(key, natural_key(&name), "{table} {name}");
            checked += 1;
        }
    }
    checked
}

/// A device with these ports, in an order that is not theirs.
fn switch(name: &str, ports: &[&str]) -> Value {
    let ports = ports.iter().rev().zip(1..).map(|(name, number)| port(number, name, &json!({})));
    device(name, &ports.collect::<Vec<_>>(), &json!({}))
}

/// The names of all ports over both faces: whole, and by pages of three in both directions.
async fn listed(wiring: &Wiring) -> Vec<String> {
    let names = |rows: &Value, name: &str| -> Vec<String> {
        rows.as_array().unwrap().iter().map(|row| text(&row[name]).to_owned()).collect()
    };
    let rest = wiring.done("GET", "/if-entries?order_by=if_descr&limit=0", &Value::Null).await;
    let whole = names(&rest, "if_descr");
    let mut paged = Vec::new();
    while paged.len() < whole.len() {
        let path = format!("/if-entries?order_by=if_descr&limit=3&offset={}", paged.len());
        paged.extend(names(&wiring.done("GET", &path, &Value::Null).await, "if_descr"));
    }
    assert_eq!(paged, whole, "by offset");
    let query = "query($o: [IfEntryOrder!], $f: Int, $a: String, $l: Int, $b: String) {
        ifEntries(orderBy: $o, first: $f, after: $a, last: $l, before: $b) {
            nodes { ifDescr } pageInfo { startCursor endCursor } } }";
    for direction in ["ASC", "DESC"] {
        let order = json!([{ "field": "IF_DESCR", "direction": direction }]);
        let (mut forwards, mut backwards) = (Vec::new(), Vec::new());
        let (mut after, mut before) = (Value::Null, Value::Null);
        while backwards.len() < whole.len() {
            let variables = json!({ "o": order, "f": 3, "a": after });
            let page = ask(wiring, query, variables).await["ifEntries"].clone();
            forwards.extend(names(&page["nodes"], "ifDescr"));
            after = page["pageInfo"]["endCursor"].clone();
            let variables = json!({ "o": order, "l": 3, "b": before });
            let page = ask(wiring, query, variables).await["ifEntries"].clone();
            backwards.splice(0..0, names(&page["nodes"], "ifDescr"));
            before = page["pageInfo"]["startCursor"].clone();
        }
        if direction == "DESC" {
            forwards.reverse();
            backwards.reverse();
        }
        assert_eq!(forwards, whole, "{direction}");
        assert_eq!(backwards, whole, "{direction}");
    }
    whole
}

async fn ask(wiring: &Wiring, query: &str, variables: Value) -> Value {
    let answer = wiring.test.graphql(wiring.session().await, query, variables).await;
    assert_eq!(answer["errors"], Value::Null, "{answer}");
    answer["data"].clone()
}

#[tokio::test]
async fn ports_stay_in_natural_order_through_imports_and_updates() {
    let wiring = Wiring::new().await;
    wiring.import(&crate::support::wiring::document("lab", &json!([switch("sw1", &PORTS)]))).await;
    assert_eq!(listed(&wiring).await, PORTS);

    // One port, as it is replaced alone.
    let net = wiring.fill("lab", &json!([switch("sw1", &PORTS)])).await;
    net.put("sw1:eth2", &json!({ "if_descr": "eth10" })).await;
    keys_are_true(&wiring.test).await;
    assert_eq!(listed(&wiring).await[0], "eth10");
    net.put("sw1:eth10", &json!({ "if_descr": "Ethernet1/3" })).await;
    assert_eq!(listed(&wiring).await[2..5], ["ethernet1/02", "Ethernet1/3", "Ethernet1/10"]);

    // The whole table of a device, as its host is replaced.
    let host = net.host("sw1").await;
    let entries = ["xe-0/0/10", "xe-0/0/9", "xe-0/0/9.100", "xe-0/0/9.20"];
    let entries = entries.iter().zip(3..).map(|(name, number)| port(number, name, &json!({})));
    let body = json!({ "name": "sw1", "if_entries": entries.collect::<Vec<_>>() });
    wiring.done("PUT", &format!("/hosts/{host}"), &body).await;
    keys_are_true(&wiring.test).await;
    assert_eq!(listed(&wiring).await, ["xe-0/0/9", "xe-0/0/9.20", "xe-0/0/9.100", "xe-0/0/10"]);

    // What was there, and what was not.
    wiring
        .fill("lab", &json!([switch("sw1", &PORTS), switch("sw10", &[]), switch("sw9", &[])]))
        .await;
    assert_eq!(listed(&wiring).await, PORTS);
    let hosts = wiring.done("GET", "/hosts?order_by=name", &Value::Null).await;
    let hosts: Vec<&str> =
        hosts.as_array().unwrap().iter().map(|host| text(&host["name"])).collect();
    assert_eq!(hosts, ["sw1", "sw9", "sw10"]);
    keys_are_true(&wiring.test).await;
}

#[tokio::test]
async fn every_list_by_name_is_in_natural_order() {
    let world = World::new().await;
    let (test, network) = (&world.test, &world.ours.networks[0]);
    let ours = world.ours.organization;
    let send = async |path: &str, body: Value| {
        let ask = test.post(path, &body).credential(&world.ours.owner.session);
        ask.send().await.data().clone()
    };
    for nth in [10, 9, 100] {
        let name = format!("Rack {nth}");
        send("/api/v1/tags", json!({ "name": name, "color": "Red", "organization_id": ours }))
            .await;
        let host = json!({ "name": name, "network_id": network.id, "hidden": false, "tags": [] });
        let host = send("/api/v1/hosts", host).await;
        let service = json!({
            "name": name, "service_definition": "SSH", "host_id": host["id"],
            "network_id": network.id, "bindings": [], "tags": [],
        });
        send("/api/v1/services", service).await;
        send("/api/v1/groups", with(&network.group_body(), &json!({ "name": name }))).await;
        let subnet = json!({
            "name": name, "cidr": format!("10.{nth}.0.0/16"), "network_id": network.id,
            "subnet_type": "Lan", "tags": [],
        });
        send("/api/v1/subnets", subnet).await;
        send("/api/v1/networks", json!({ "name": name, "organization_id": ours, "tags": [] }))
            .await;
    }
    assert!(keys_are_true(test).await > 40);
    for list in ["tags", "hosts", "services", "groups", "subnets", "networks"] {
        let rest = test.get(&format!("/api/v1/{list}?order_by=name&limit=0"));
        let rest = rest.credential(&world.ours.owner.session).send().await.data().clone();
        let query = format!("{{ {list}(orderBy: [{{ field: NAME }}]) {{ nodes {{ name }} }} }}");
        let answer = test.graphql(&world.ours.owner.session, &query, json!({})).await;
        for rows in [&rest, &answer["data"][list]["nodes"]] {
            let names = rows.as_array().unwrap().iter().map(|row| text(&row["name"]));
            let racks: Vec<&str> = names.filter(|name| name.starts_with("Rack")).collect();
            assert_eq!(racks, ["Rack 9", "Rack 10", "Rack 100"], "{list}");
        }
    }
    let rest = test.get("/api/v1/services?group_by=host&limit=0");
    let rest = rest.credential(&world.ours.owner.session).send().await.data().clone();
    let names = rest.as_array().unwrap().iter().map(|row| text(&row["name"]));
    let racks: Vec<&str> = names.filter(|name| name.starts_with("Rack")).collect();
    assert_eq!(racks, ["Rack 9", "Rack 10", "Rack 100"], "by host");
}

#[tokio::test]
async fn nobody_sees_the_keys() {
    let world = World::new().await;
    let (test, network) = (&world.test, &world.ours.networks[0]);
    let key = &world.ours.owner.key;
    let put = test.put(&network.entry_path(0), &network.entry_body(0)).credential(key).send().await;
    assert!(!put.text().contains("sort"));
    for path in ["if-entries", "hosts", "changes?entity=IfEntry", "changes"] {
        let answer = test.get(&format!("/api/v1/{path}")).credential(key).send().await;
        assert!(!answer.text().contains("sort_key"), "{path}");
    }
    let document = test.get("/api/openapi.json").credential(key).send().await;
    assert!(!document.text().contains("sort_key"));
}

#[tokio::test]
async fn a_cursor_from_before_holds_the_name_and_still_names_its_place() {
    let wiring = Wiring::new().await;
    wiring.fill("lab", &json!([switch("sw1", &PORTS)])).await;
    let query = "query($after: String) { ifEntries(
        orderBy: [{ field: IF_DESCR }], first: 2, after: $after) { nodes { id createdAt ifDescr } } }";
    let all = wiring.done("GET", "/if-entries?limit=0", &Value::Null).await;
    for row in all.as_array().unwrap() {
        let cursor = json!([row["if_descr"], row["created_at"], row["id"]]).to_string();
        let variables = json!({ "after": URL_SAFE_NO_PAD.encode(cursor) });
        let page = ask(&wiring, query, variables).await;
        let place = PORTS.iter().position(|name| *name == row["if_descr"]).unwrap();
        let found = page["ifEntries"]["nodes"].as_array().unwrap();
        let found: Vec<&str> = found.iter().map(|node| text(&node["ifDescr"])).collect();
        assert_eq!(found, PORTS.into_iter().skip(place + 1).take(2).collect::<Vec<_>>());
    }
}

/// Takes a database back to before names had keys.
async fn without_keys(test: &TestApp) {
    for (table, name) in NAMES {
        let key = format!("{name}_sort_key");
        for scope in ["network_id", "organization_id", "user_id"] {
            let index = format!(r#"DROP INDEX IF EXISTS "{table}_{scope}_{key}_created_at_id""#);
            test.sql(&index, []).await;
        }
        test.sql(&format!(r#"ALTER TABLE "{table}" DROP COLUMN "{key}""#), []).await;
    }
    test.sql(
        "CREATE INDEX service_network_id_name_created_at_id ON service (network_id, name, created_at, id)",
        [],
    )
    .await;
    let version = "DELETE FROM seaql_migrations WHERE version LIKE '%natural_order'";
    test.sql(version, []).await;
}

#[tokio::test]
async fn names_from_before_get_their_keys() {
    let world = World::new().await;
    crate::support::plenty::ring(&world.test, &world.ours, &world.ours.networks[0], 600).await;
    without_keys(&world.test).await;
    world.test.app.db.migrate().await.unwrap();
    assert!(keys_are_true(&world.test).await > 2400);
    let left = world.test.rows("SELECT 1 FROM seaql_migrations", []).await.len();
    world.test.app.db.migrate().await.unwrap();
    assert_eq!(world.test.rows("SELECT 1 FROM seaql_migrations", []).await.len(), left);
}

#[tokio::test]
async fn an_index_stands_behind_every_order_by_name() {
    let world = World::new().await;
    let db = &world.test.app.db;
    // A test has too few rows for an index to be worth reading.
    let transaction = db.begin().await.unwrap();
    let postgres = db.backend() == DbBackend::Postgres;
    if postgres {
        for setting in ["enable_seqscan", "enable_bitmapscan", "enable_sort"] {
            let off = format!("SET LOCAL {setting} = off");
            transaction.execute_unprepared(&off).await.unwrap();
        }
    }
    let explain = if postgres { "EXPLAIN" } else { "EXPLAIN QUERY PLAN" };
    for (table, name) in NAMES {
        let scope = match table {
            "api_key" => "user_id",
            "tag" => "organization_id",
            // Nobody reaches so many.
            "network" => continue,
            _ => "network_id",
        };
        let id = match table {
            "api_key" => world.ours.owner.id,
            "tag" => world.ours.organization,
            _ => world.ours.networks[0].id,
        };
        for direction in ["ASC", "DESC"] {
            let keys = format!(r#""{name}_sort_key", "created_at", "id""#)
                .replace(',', &format!(" {direction},"));
            let sql = format!(
                r#"{explain} SELECT * FROM "{table}" WHERE "{scope}" = {} ORDER BY {keys} {direction} LIMIT 50"#,
                if postgres { "$1" } else { "?" },
            );
            let statement = Statement::from_sql_and_values(db.backend(), sql, [id.into()]);
            let rows = transaction.query_all_raw(statement).await.unwrap();
            let column = if postgres { 0 } else { 3 };
            let plan = rows.iter().map(|row| row.try_get_by_index::<String>(column).unwrap());
            let plan = plan.collect::<Vec<_>>().join("\n");
            let index = format!("{table}_{scope}_{name}_sort_key_created_at_id");
            assert!(plan.contains(&index), "{table}: {plan}");
            assert!(!plan.contains("Sort ") && !plan.contains("TEMP B-TREE"), "{table}: {plan}");
        }
    }
}
