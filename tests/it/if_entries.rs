//! PUT of an interface-table entry: what it answers, what it keeps and what it clears.

use serde_json::{Value, json};
use toposcope_types::{Id, Timestamp};

use crate::support::{
    app::Answer,
    bodies::{counter, observations, revision, rows, shape, with, without},
    world::{SampleNetwork, World},
};

/// Everything that an entry can say, all of it connected to the second host.
fn full(network: &SampleNetwork) -> Value {
    with(
        &network.entry_body(0),
        &json!({
            "if_name": "Gi0/1",
            "if_alias": "uplink",
            "speed_bps": 1_000_000_000,
            "mac_address": "02:00:00:00:00:01",
            "interface_id": network.hosts[0].interface,
            "neighbor": { "type": "IfEntry", "id": network.hosts[1].if_entries[0] },
            "lldp_chassis_id": { "subtype": "MacAddress", "value": "00:11:22:33:44:55" },
            "lldp_port_id": { "subtype": "InterfaceName", "value": "Gi0/24" },
            "lldp_sys_name": "sw1",
            "lldp_port_desc": "port 24",
            "lldp_mgmt_addr": "10.0.0.1",
            "lldp_sys_desc": "Cisco",
            "cdp_device_id": "sw1.lan",
            "cdp_port_id": "Gi0/24",
            "cdp_platform": "WS-C2960",
            "cdp_address": "2001:db8::1",
            "fdb_macs": ["02:aa:00:00:00:01", "02:aa:00:00:00:02"],
        }),
    )
}

async fn put(world: &World, network: &SampleNetwork, body: &Value) -> Answer {
    world.test.put(&network.entry_path(0), body).credential(&world.ours.admin.key).send().await
}

#[tokio::test]
async fn the_answer_has_the_recorded_shape_and_fdb_macs() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let recorded = json!({
        "id": network.hosts[0].if_entries[0], "created_at": "2026-11-27T21:42:53.264130Z",
        "updated_at": "1970-01-01T00:00:00Z", "host_id": network.hosts[0].id, "network_id": network.id,
        "if_index": 1, "if_descr": "GigabitEthernet0/1", "if_name": "Gi0/1", "if_alias": "uplink",
        "if_type": 6, "speed_bps": 1_000_000_000, "admin_status": "Up", "oper_status": "Up",
        "mac_address": "02:00:00:00:00:01", "interface_id": network.hosts[0].interface,
        "neighbor": { "type": "IfEntry", "id": network.hosts[1].if_entries[0] },
        "lldp_chassis_id": { "subtype": "MacAddress", "value": "00:11:22:33:44:55" },
        "lldp_port_id": { "subtype": "InterfaceName", "value": "Gi0/24" },
        "lldp_sys_name": "sw1", "lldp_port_desc": "port 24", "lldp_mgmt_addr": "10.0.0.1",
        "lldp_sys_desc": "Cisco", "cdp_device_id": "sw1.lan", "cdp_port_id": "Gi0/24",
        "cdp_platform": "WS-C2960", "cdp_address": "2001:db8::1",
    });
    let expected = with(
        &recorded,
        &json!({
            "fdb_macs": ["02:AA:00:00:00:01", "02:AA:00:00:00:02"], "lag_if_index": null,
            "parent_if_index": null, "mtu": null, "duplex": null, "native_vlan": null,
            "tagged_vlans": null, "stp_state": null,
        }),
    );
    let answer = put(&world, network, &full(network)).await;
    assert_eq!(shape(answer.data()), shape(&expected));
    let times = json!({ "created_at": answer.data()["created_at"], "updated_at": answer.data()["updated_at"] });
    assert_eq!(*answer.data(), with(&expected, &times));
    let sample = json!({ "success": true, "data": expected, "meta": { "api_version": 1, "server_version": "0.14.13" } });
    assert_eq!(shape(&answer.body), shape(&sample));
}

#[tokio::test]
async fn what_is_left_out_becomes_null_but_for_the_mac_address() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    put(&world, network, &full(network)).await.data();
    let bare = network.entry_body(0);
    let nulls = [
        "if_name",
        "if_alias",
        "speed_bps",
        "interface_id",
        "neighbor",
        "lldp_chassis_id",
        "lldp_port_id",
        "lldp_sys_name",
        "lldp_port_desc",
        "lldp_mgmt_addr",
        "lldp_sys_desc",
        "cdp_device_id",
        "cdp_port_id",
        "cdp_platform",
        "cdp_address",
        "fdb_macs",
    ];
    let mut null_body = with(&bare, &json!({ "mac_address": null }));
    for key in nulls {
        null_body[key] = Value::Null;
    }
    for body in [&bare, &null_body] {
        put(&world, network, &full(network)).await.data();
        let answer = put(&world, network, body).await;
        for key in nulls {
            assert_eq!(answer.data().get(key), Some(&Value::Null), "{key} is there, and null");
        }
        assert_eq!(answer.data()["mac_address"], "02:00:00:00:00:01");
        assert_eq!(observations(&world.test).await.unwrap(), []);
    }
}

#[tokio::test]
async fn every_required_key_is_required() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let body = network.entry_body(0);
    for key in
        ["host_id", "network_id", "if_index", "if_descr", "if_type", "admin_status", "oper_status"]
    {
        let mut null = body.clone();
        null[key] = Value::Null;
        for wrong in [without(&body, key), null] {
            let answer = put(&world, network, &wrong).await;
            assert_eq!(answer.failure(), (400, "validation_required", &json!({ "field": key })));
        }
    }
}

#[tokio::test]
async fn what_was_answered_is_what_is_stored() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let answer = put(&world, network, &full(network)).await;
    let query =
        "query($id: ID!) { ifEntry(id: $id) { ifIndex ifDescr ifName ifAlias ifType speedBps
        adminStatus operStatus macAddress interface { id } fdbMacs updatedAt createdAt
        neighborPinned } }";
    let variables = json!({ "id": answer.data()["id"] });
    let found = world.test.graphql(&world.ours.admin.key, query, variables).await;
    assert_eq!(found["errors"], json!(null), "{found}");
    let (found, said) = (&found["data"]["ifEntry"], answer.data());
    for (stored, answered) in [
        ("ifIndex", "if_index"),
        ("ifDescr", "if_descr"),
        ("ifName", "if_name"),
        ("ifAlias", "if_alias"),
        ("speedBps", "speed_bps"),
        ("macAddress", "mac_address"),
        ("fdbMacs", "fdb_macs"),
        ("updatedAt", "updated_at"),
        ("createdAt", "created_at"),
    ] {
        assert_eq!(found[stored], said[answered], "{stored}");
    }
    assert_eq!(found["neighborPinned"], true);
    assert_eq!(found["interface"]["id"], said["interface_id"]);
    let heard = observations(&world.test).await.unwrap();
    let heard = |protocol: &str| {
        let row = heard.iter().find(|row| json!(row.protocol) == protocol).unwrap();
        json!([
            row.chassis(),
            row.port_id,
            row.port_desc,
            row.sys_name,
            row.sys_desc,
            row.mgmt_addr,
            row.platform
        ])
    };
    let chassis = json!({ "subtype": "MacAddress", "value": "00:11:22:33:44:55" });
    assert_eq!(
        heard("LLDP"),
        json!([chassis, "Gi0/24", "port 24", "sw1", "Cisco", "10.0.0.1", null])
    );
    assert_eq!(
        heard("CDP"),
        json!([null, "Gi0/24", null, "sw1.lan", null, "2001:db8::1", "WS-C2960"])
    );
}

#[tokio::test]
async fn a_repeated_put_changes_the_version_and_nothing_else() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let first = put(&world, network, &full(network)).await;
    let heard = observations(&world.test).await.unwrap();
    let second = put(&world, network, &full(network)).await;
    let time = |answer: &Answer| {
        answer.data()["updated_at"].as_str().unwrap().parse::<Timestamp>().unwrap()
    };
    assert!(time(&second) > time(&first));
    let same = json!({ "updated_at": null });
    assert_eq!(with(first.data(), &same), with(second.data(), &same));
    assert_eq!(observations(&world.test).await.unwrap(), heard, "what was heard did not change");
    assert_eq!(second.header("etag").unwrap(), format!("\"{}\"", time(&second)));
}

#[tokio::test]
async fn every_put_raises_the_revision_and_a_refused_one_changes_nothing() {
    let world = World::new().await;
    let (network, other) = (&world.ours.networks[0], &world.ours.networks[1]);
    put(&world, network, &full(network)).await.data();
    let before = revision(&world.test, network.id).await;
    put(&world, network, &full(network)).await.data();
    assert!(revision(&world.test, network.id).await > before);

    let everything = rows(&world.test).await;
    for change in [
        json!({ "if_index": 2, "if_descr": "new" }),
        json!({ "if_index": 0, "if_descr": "new" }),
        json!({ "mac_address": "02:00:00:00:00:09" }),
        json!({ "host_id": Id::new() }),
        json!({ "host_id": world.theirs.networks[0].hosts[0].id }),
        json!({ "network_id": other.id }),
        json!({ "network_id": world.theirs.networks[0].id }),
        json!({ "interface_id": network.hosts[1].interface }),
        json!({ "neighbor": { "type": "Host", "id": network.hosts[0].id } }),
        json!({ "neighbor": { "type": "Host", "id": other.hosts[0].id } }),
        json!({ "lldp_sys_name": "x".repeat(4097) }),
        json!({ "expected_updated_at": "2020-01-01T00:00:00Z" }),
    ] {
        let answer = put(&world, network, &with(&full(network), &change)).await;
        assert!((400..410).contains(&answer.failure().0), "{change}: {}", answer.body);
        assert_eq!(rows(&world.test).await, everything, "{change}");
    }
    for id in [Id::new(), world.theirs.networks[0].hosts[0].if_entries[0]] {
        let put = world.test.put(&format!("/api/v1/if-entries/{id}"), &full(network));
        assert_eq!(put.credential(&world.ours.admin.key).send().await.failure().0, 404);
        assert_eq!(rows(&world.test).await, everything);
    }
}

#[tokio::test]
async fn an_entry_that_changes_its_network_takes_along_what_hangs_on_it() {
    let world = World::new().await;
    let (network, other) = (&world.ours.networks[0], &world.ours.networks[1]);
    put(&world, network, &full(network)).await.data();
    // The entry at the other end points back.
    let back = json!({ "host_id": network.hosts[1].id, "neighbor": { "type": "IfEntry", "id": network.hosts[0].if_entries[0] } });
    let path = network.entry_path(1);
    let far = world.test.put(&path, &with(&network.entry_body(0), &back));
    let far = far.credential(&world.ours.admin.key).send().await;
    assert_eq!(far.data()["neighbor"]["type"], "IfEntry");

    let before = (revision(&world.test, network.id).await, revision(&world.test, other.id).await);
    let change = json!({ "network_id": other.id, "host_id": other.hosts[1].id, "if_index": 17,
        "interface_id": null, "neighbor": null, "lldp_mgmt_addr": "10.9.9.9" });
    let moved = put(&world, network, &with(&full(network), &change)).await;
    assert_eq!(moved.data()["network_id"], json!(other.id));
    assert_eq!(moved.data()["neighbor"], Value::Null, "the port at the other end stayed behind");
    assert_eq!(moved.data()["lldp_sys_name"], "sw1");
    assert_eq!(counter(&world.test, network.id, "if_entry_count").await, 3);
    assert_eq!(counter(&world.test, other.id, "if_entry_count").await, 5);
    assert!(revision(&world.test, network.id).await > before.0);
    assert!(revision(&world.test, other.id).await > before.1);
    let heard = observations(&world.test).await.unwrap();
    assert_eq!(heard.len(), 2);
    assert!(heard.iter().all(|row| row.network_id == other.id));

    let query = "{ ifEntries(filter: {networkId: {eq: \"ID\"}}) { totalCount nodes { id neighbor { __typename } updatedAt } } }";
    for (network, count) in [(network.id, 3), (other.id, 5)] {
        let query = query.replace("ID", &network.to_string());
        let list = world.test.graphql(&world.ours.admin.key, &query, json!({})).await;
        assert_eq!(list["data"]["ifEntries"]["totalCount"], count, "{list}");
        let nodes = list["data"]["ifEntries"]["nodes"].as_array().unwrap();
        assert_eq!(nodes.len(), count);
        assert!(nodes.iter().all(|node| node["neighbor"].is_null()), "{list}");
        if let Some(cut) = nodes.iter().find(|node| node["id"] == far.data()["id"]) {
            assert_ne!(
                cut["updatedAt"],
                far.data()["updated_at"],
                "it lost its neighbor, which is a change"
            );
        }
    }
    // A member who does not reach the other network no longer finds it.
    let put =
        world.test.put(&network.entry_path(0), &full(network)).credential(&world.ours.member.key);
    assert_eq!(put.send().await.failure().0, 404);
}
