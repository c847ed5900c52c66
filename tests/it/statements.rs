//! How many statements REST sends: the same for ten rows as for a thousand.

use serde_json::{Value, json};

use crate::support::{
    app::{Ask, TestApp},
    bodies::with,
    bulk,
    wiring::{Wiring, device, lldp, port},
    world::World,
};

/// The statements by which a write reads rights again: PostgreSQL is told to keep them first.
fn rights(test: &TestApp) -> u64 {
    if test.app.db.backend() == sea_orm::DbBackend::Postgres { 2 } else { 1 }
}

/// The statements of a request that succeeds, with its credential looked up and noted already.
async fn cost(world: &World, ask: Ask<'_>, key: &str) -> u64 {
    world.test.get("/api/v1/services?limit=1").credential(key).send().await.data();
    let (answer, statements) = world.test.statements(ask.credential(key).send()).await;
    answer.data();
    statements
}

#[tokio::test]
async fn a_page_of_services_costs_four_statements_at_any_size() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let key = &world.ours.viewer.key;
    let red = world.ours.tags[0];
    let queries = [
        "limit=1000".to_owned(),
        "limit=10".to_owned(),
        format!("limit=1000&network_id={}", network.id),
        format!(
            "limit=1000&host_id={}&tag_ids={red}&exclude_categories=DNS,Unknown",
            network.hosts[0].id
        ),
        "limit=1000&group_by=host&order_by=name&order_direction=desc".to_owned(),
        format!("limit=1000&group_by=network_id&order_by=position&tag_ids={red}"),
        "limit=1000&offset=3".to_owned(),
    ];
    let mut costs = Vec::new();
    for size in [6, 990] {
        bulk::services(&world.test, network, red, size, |_, _| {}).await;
        for query in &queries {
            let path = format!("/api/v1/services?{query}");
            costs.push(cost(&world, world.test.get(&path), key).await);
            // Asked again, the total is remembered and still looked up.
            costs.push(cost(&world, world.test.get(&path), key).await);
        }
    }
    assert_eq!(costs, vec![4; 28]);
    let all = world.test.get("/api/v1/services?limit=1000").credential(key).send().await;
    assert_eq!(all.data().as_array().unwrap().len(), 1000);
    let stream = cost(&world, world.test.get("/api/v1/services?limit=0"), key).await;
    assert_eq!(stream, 3, "a thousand rows are one chunk, which is counted as it is read");
    let nothing = cost(&world, world.test.get("/api/v1/services?offset=5000"), key).await;
    assert!(nothing <= 2, "no rows, no children");
}

#[tokio::test]
async fn a_put_of_an_entry_costs_eight_statements_and_twelve_more_where_it_hears_otherwise() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let key = &world.ours.admin.key;
    let full = |name: &str| {
        with(
            &network.entry_body(0),
            &json!({
                "interface_id": network.hosts[0].interface,
                "neighbor": { "type": "IfEntry", "id": network.hosts[1].if_entries[0] },
                "mac_address": "02:00:00:00:00:01",
                "lldp_chassis_id": { "subtype": "LocallyAssigned", "value": name },
                "lldp_sys_name": name,
                "cdp_device_id": name,
            }),
        )
    };
    let only = |kept: &str, name: &str| {
        let mut body = full(name);
        for key in ["lldp_chassis_id", "lldp_sys_name", "cdp_device_id"] {
            if !key.starts_with(kept) {
                body[key] = Value::Null;
            }
        }
        body
    };
    let path = network.entry_path(0);
    world.test.put(&path, &network.entry_body(0)).credential(key).send().await.data();
    let mut first = Vec::new();
    for size in [10, 1000] {
        bulk::services(&world.test, network, world.ours.tags[0], size, |_, _| {}).await;
        let mut costs = Vec::new();
        for body in [
            network.entry_body(0),
            full("a"),
            full("a"),
            full("b"),
            only("cdp", "c"),
            only("lldp", "d"),
            full("e"),
            with(&full("f"), &json!({ "neighbor": { "type": "Host", "id": network.hosts[1].id } })),
            network.entry_body(0),
        ] {
            costs.push(cost(&world, world.test.put(&path, &body), key).await);
            assert!(*costs.last().unwrap() <= 20 + rights(&world.test), "{costs:?}: {body}");
            // The same with another speed decides about no neighbor.
            for speed in [costs.len(), costs.len() + 100] {
                let faster = with(&body, &json!({ "speed_bps": speed }));
                let cost = cost(&world, world.test.put(&path, &faster), key).await;
                assert!(cost <= 8 + rights(&world.test), "{cost}: {faster}");
            }
        }
        if first.is_empty() {
            first.clone_from(&costs);
        }
        assert_eq!(costs, first);
    }
}

#[tokio::test]
async fn hearing_somebody_else_costs_the_same_in_a_network_of_ten_and_of_three_hundred() {
    let wiring = Wiring::new().await;
    let mut costs = Vec::new();
    for size in [10, 300] {
        let name = |nth: usize| format!("sw{nth}");
        let hosts: Vec<Value> = (0..size)
            .map(|nth| {
                let far = ["LocallyAssigned", &name((nth + 1) % size)];
                let right = port(1, "Gi0/1", &lldp(far, ["InterfaceName", "Gi0/2"]));
                let chassis = format!("02:00:00:00:{:02x}:{:02x}", nth / 256, nth % 256);
                let ports = [right, port(2, "Gi0/2", &json!({ "mac_address": chassis }))];
                device(&name(nth), &ports, &json!({ "chassis_id": chassis }))
            })
            .collect();
        let net = wiring.fill(&format!("{size} hosts"), &json!(hosts)).await;
        assert_eq!(net.links().await.len(), size);
        let body = with(&net.body("sw0:Gi0/1").await, &json!({ "neighbor": null }));
        let path = format!("/if-entries/{}", body["id"].as_str().unwrap());
        let chassis = |value: &str| lldp(["MacAddress", value], ["InterfaceName", "Gi0/2"]);
        let mut of_size = Vec::new();
        for change in [
            chassis("02:00:00:00:00:05"),
            lldp(["LocallyAssigned", "sw7"], ["LocallyAssigned", "2"]),
            chassis("02:00:00:00:99:99"),
            json!({ "lldp_chassis_id": null, "lldp_port_id": null, "fdb_macs": ["02:00:00:00:00:04"] }),
            json!({ "lldp_sys_name": "sw1" }),
            json!({ "speed_bps": 1, "lldp_sys_name": "sw1" }),
        ] {
            let body = with(&body, &change);
            let (answer, cost) = wiring.test.statements(wiring.ask("PUT", &path, &body)).await;
            answer.data();
            of_size.push(cost);
        }
        assert!(of_size.iter().all(|cost| *cost <= 26 + rights(&wiring.test)), "{of_size:?}");
        assert!(*of_size.last().unwrap() <= 8 + rights(&wiring.test), "{of_size:?}");
        costs.push(of_size);
    }
    assert_eq!(costs[0], costs[1]);
}

#[tokio::test]
async fn a_put_of_a_group_costs_at_most_eleven_statements_and_its_rights() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let key = &world.ours.admin.key;
    let mut ids = bulk::bindings(&world.test, network, 10).await;
    let [red, blue] = world.ours.tags;
    let path = network.group_path();
    for size in [10, 1000] {
        bulk::services(&world.test, network, red, size, |_, _| {}).await;
        for tags in [json!([red, blue]), json!([blue]), json!([]), json!([red])] {
            ids.rotate_left(3);
            let body = with(&network.group_body(), &json!({ "binding_ids": ids, "tags": tags }));
            let cost = cost(&world, world.test.put(&path, &body), key).await;
            assert!(cost <= 11 + rights(&world.test), "{cost}: {tags}");
        }
    }
}

#[tokio::test]
async fn a_move_to_another_network_costs_seven_statements_more_and_settles_in_both() {
    let world = World::new().await;
    let [one, two] = &world.ours.networks;
    let key = &world.ours.admin.key;
    let heard = json!({ "lldp_sys_name": "a", "cdp_device_id": "a" });
    let (entry, group) = (one.entry_path(0), one.group_path());
    for network in [two, one] {
        let body = with(&with(&network.entry_body(1), &json!({ "if_index": 17 })), &heard);
        let cost_of_entry = cost(&world, world.test.put(&entry, &body), key).await;
        let cost_of_group = cost(&world, world.test.put(&group, &network.group_body()), key).await;
        // Neighbors are worked out in both networks.
        let rights = rights(&world.test);
        assert!(
            cost_of_entry <= 29 + rights && cost_of_group <= 12 + rights,
            "{cost_of_entry} {cost_of_group}"
        );
    }
}

#[tokio::test]
async fn a_credential_costs_one_statement_and_then_none() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    for credential in [&world.ours.member.key, &world.ours.member.session] {
        let get = || world.test.get("/api/v1/services").credential(credential).send();
        let known = get().await;
        known.data();
        let (_, cached) = world.test.statements(get()).await;
        world.test.app.credentials.forget();
        let (_, looked_up) = world.test.statements(get()).await;
        assert_eq!((cached, looked_up), (4, 5));
        // Refused before anything else is read.
        let odd = || world.test.get("/api/v1/services?odd=1").credential(credential).send();
        assert_eq!(world.test.statements(odd()).await.1, 0);
        let put =
            || world.test.put(&network.group_path(), &json!({})).credential(credential).send();
        assert_eq!(world.test.statements(put()).await.1, 0);
    }
    let nobody = world.test.get("/api/v1/services").send();
    assert_eq!(world.test.statements(nobody).await.1, 0);
    let version = world.test.get("/api/version").send();
    assert_eq!(world.test.statements(version).await.1, 0);
}
