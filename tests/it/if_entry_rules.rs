//! PUT of an interface-table entry: the rules for each field.

use serde_json::{Value, json};
use toposcope_types::Id;

use crate::support::{
    app::Answer,
    bodies::with,
    world::{SampleNetwork, World},
};

/// The first entry of our first network with a change, by somebody who reaches both networks.
async fn put(world: &World, change: &Value) -> Answer {
    let network = &world.ours.networks[0];
    let put = world.test.put(&network.entry_path(0), &with(&network.entry_body(0), change));
    put.credential(&world.ours.admin.key).send().await
}

#[tokio::test]
async fn numbers_keep_to_their_ranges() {
    let world = World::new().await;
    for (field, value) in [
        ("if_index", json!(3)),
        ("if_index", json!(i32::MAX)),
        ("if_index", json!(1)),
        ("if_type", json!(0)),
        ("if_type", json!(i32::MAX)),
        ("speed_bps", json!(0)),
        ("speed_bps", json!(9_007_199_254_740_993_i64)),
        ("speed_bps", json!(i64::MAX)),
        ("speed_bps", Value::Null),
    ] {
        let answer = put(&world, &json!({ field: value })).await;
        assert_eq!(answer.data()[field], value);
    }
    for (field, value, code) in [
        ("if_index", "0", "validation_out_of_range"),
        ("if_index", "-1", "validation_out_of_range"),
        ("if_index", "2147483648", "validation_out_of_range"),
        ("if_index", "1.5", "validation_invalid_format"),
        ("if_index", "\"1\"", "validation_invalid_format"),
        ("if_index", "true", "validation_invalid_format"),
        ("if_type", "-1", "validation_out_of_range"),
        ("if_type", "2147483648", "validation_out_of_range"),
        ("speed_bps", "-1", "validation_out_of_range"),
        ("speed_bps", "9223372036854775808", "validation_invalid_format"),
        ("speed_bps", "1.5", "validation_invalid_format"),
        ("speed_bps", "\"1\"", "validation_invalid_format"),
    ] {
        let value: Value = serde_json::from_str(value).unwrap();
        let answer = put(&world, &json!({ field: value })).await;
        let (status, found, params) = answer.failure();
        assert_eq!((status, found), (400, code), "{field} {value}");
        assert_eq!(params["field"], field);
    }
}

#[tokio::test]
async fn texts_keep_to_their_lengths_in_characters() {
    let world = World::new().await;
    let long = |length: usize| "é".repeat(length);
    for (field, max) in [
        ("if_descr", 255),
        ("if_name", 255),
        ("if_alias", 255),
        ("lldp_port_desc", 4096),
        ("lldp_sys_name", 4096),
        ("lldp_sys_desc", 4096),
        ("lldp_mgmt_addr", 4096),
        ("cdp_device_id", 4096),
        ("cdp_port_id", 4096),
        ("cdp_platform", 4096),
        ("cdp_address", 4096),
    ] {
        let longest = long(max);
        assert_eq!(put(&world, &json!({ field: longest })).await.data()[field], json!(longest));
        let answer = put(&world, &json!({ field: long(max + 1) })).await;
        let params = json!({ "field": field, "max": max });
        assert_eq!(answer.failure(), (400, "validation_max_length", &params));
        let answer = put(&world, &json!({ field: "a\0b" })).await;
        if field.starts_with("if_") {
            let params = json!({ "field": field });
            assert_eq!(answer.failure(), (400, "validation_invalid_format", &params));
        } else {
            assert_eq!(answer.data()[field], "a\\x00b", "what others sent is made legible");
        }
    }
    for (field, subtype) in
        [("lldp_chassis_id", "LocallyAssigned"), ("lldp_port_id", "AgentCircuitId")]
    {
        let id = |value: String| json!({ field: { "subtype": subtype, "value": value } });
        put(&world, &id(long(4096))).await.data();
        let answer = put(&world, &id(long(4097))).await;
        let params = json!({ "field": format!("{field}.value"), "max": 4096 });
        assert_eq!(answer.failure(), (400, "validation_max_length", &params));
    }
    let answer = put(&world, &json!({ "if_descr": "" })).await;
    let params = json!({ "field": "if_descr", "min": 1 });
    assert_eq!(answer.failure(), (400, "validation_min_length", &params));
}

#[tokio::test]
async fn states_and_subtypes_are_those_of_the_contract() {
    let world = World::new().await;
    let lldp = |field: &str, subtype: &str| {
        let value = if subtype == "MacAddress" { "00:11:22:33:44:55" } else { "x" };
        json!({ field: { "subtype": subtype, "value": value } })
    };
    let mut good: Vec<Value> = Vec::new();
    good.extend(["Up", "Down", "Testing"].map(|state| json!({ "admin_status": state })));
    good.extend(
        ["Up", "Down", "Testing", "Unknown", "Dormant", "NotPresent", "LowerLayerDown"]
            .map(|state| json!({ "oper_status": state })),
    );
    let both = [
        "InterfaceAlias",
        "PortComponent",
        "MacAddress",
        "NetworkAddress",
        "InterfaceName",
        "LocallyAssigned",
    ];
    good.extend(both.map(|subtype| lldp("lldp_chassis_id", subtype)));
    good.extend(both.map(|subtype| lldp("lldp_port_id", subtype)));
    good.push(lldp("lldp_chassis_id", "ChassisComponent"));
    good.push(lldp("lldp_port_id", "AgentCircuitId"));
    for change in good {
        let answer = put(&world, &change).await;
        for (key, value) in change.as_object().unwrap() {
            assert_eq!(answer.data()[key], *value, "{change}");
        }
    }
    for (change, code, field) in [
        (json!({ "admin_status": "Dormant" }), "validation_invalid_format", "admin_status"),
        (json!({ "admin_status": "up" }), "validation_invalid_format", "admin_status"),
        (json!({ "admin_status": 1 }), "validation_invalid_format", "admin_status"),
        (json!({ "oper_status": "Broken" }), "validation_invalid_format", "oper_status"),
        (
            lldp("lldp_chassis_id", "AgentCircuitId"),
            "validation_invalid_format",
            "lldp_chassis_id.subtype",
        ),
        (
            lldp("lldp_port_id", "ChassisComponent"),
            "validation_invalid_format",
            "lldp_port_id.subtype",
        ),
        (
            json!({ "lldp_port_id": { "value": "x" } }),
            "validation_required",
            "lldp_port_id.subtype",
        ),
        (
            json!({ "lldp_port_id": { "subtype": "MacAddress" } }),
            "validation_required",
            "lldp_port_id.value",
        ),
        (json!({ "lldp_port_id": "Gi0/1" }), "validation_invalid_format", "lldp_port_id"),
        (json!({ "neighbor": { "id": Id::new() } }), "validation_required", "neighbor.type"),
        (json!({ "neighbor": { "type": "Host" } }), "validation_required", "neighbor.id"),
        (
            json!({ "neighbor": { "type": "Switch", "id": Id::new() } }),
            "validation_invalid_format",
            "neighbor.type",
        ),
        (
            json!({ "neighbor": { "type": "Host", "id": "x" } }),
            "validation_invalid_format",
            "neighbor.id",
        ),
        (json!({ "fdb_macs": "00:11:22:33:44:55" }), "validation_invalid_format", "fdb_macs"),
        (json!({ "fdb_macs": [null] }), "validation_required", "fdb_macs[0]"),
    ] {
        let answer = put(&world, &change).await;
        assert_eq!(answer.failure(), (400, code, &json!({ "field": field })), "{change}");
    }
}

#[tokio::test]
async fn a_mac_address_once_set_stays() {
    let world = World::new().await;
    assert_eq!(put(&world, &json!({})).await.data()["mac_address"], Value::Null);
    let set = json!({ "mac_address": "02:00:00:00:00:01" });
    assert_eq!(put(&world, &set).await.data()["mac_address"], "02:00:00:00:00:01");
    for same in
        [json!({}), json!({ "mac_address": null }), json!({ "mac_address": "0200.0000.0001" })]
    {
        assert_eq!(put(&world, &same).await.data()["mac_address"], "02:00:00:00:00:01");
    }
    let other = put(&world, &json!({ "mac_address": "02:00:00:00:00:02" })).await;
    assert_eq!(other.failure(), (409, "field_immutable", &json!({ "field": "mac_address" })));
}

#[tokio::test]
async fn an_interface_is_of_the_same_host_and_has_the_same_address() {
    let world = World::new().await;
    let [network, other] = &world.ours.networks;
    let interface = |network: &SampleNetwork, host: usize| json!(network.hosts[host].interface);
    let own = interface(network, 0);
    let reference =
        |id: &Value| json!({ "entity": "Interface", "field": "interface_id", "id": id });
    let (theirs, nowhere) = (interface(&world.theirs.networks[0], 0), json!(Id::new()));
    let field = json!({ "field": "interface_id" });
    for (change, code, params) in [
        (json!({ "interface_id": theirs }), "entity_reference_invalid", reference(&theirs)),
        (json!({ "interface_id": nowhere }), "entity_reference_invalid", reference(&nowhere)),
        (
            json!({ "interface_id": interface(other, 0) }),
            "entity_network_mismatch",
            json!({ "entity": "Interface" }),
        ),
        (
            json!({ "interface_id": interface(network, 1) }),
            "validation_invalid_format",
            field.clone(),
        ),
        (
            json!({ "interface_id": own, "mac_address": "02:00:00:00:00:02" }),
            "validation_invalid_format",
            field.clone(),
        ),
    ] {
        let answer = put(&world, &change).await;
        assert_eq!(answer.failure(), (400, code, &params), "{change}");
    }
    // Without an address of its own any interface of the host will do, with one only the same.
    assert_eq!(put(&world, &json!({ "interface_id": own })).await.data()["interface_id"], own);
    put(&world, &json!({ "interface_id": own, "mac_address": "02:00:00:00:00:01" })).await.data();
    put(&world, &json!({ "interface_id": own })).await.data();
    let path = format!("/api/v1/if-entries/{}", network.hosts[0].if_entries[1]);
    let ask = |change: Value| {
        let second = with(&network.entry_body(0), &json!({ "if_index": 2 }));
        world.test.put(&path, &with(&second, &change)).credential(&world.ours.admin.key).send()
    };
    ask(json!({ "mac_address": "02:00:00:00:00:07" })).await.data();
    let answer = ask(json!({ "interface_id": own })).await;
    assert_eq!(
        answer.failure(),
        (400, "validation_invalid_format", &field),
        "the address it keeps counts"
    );
}

#[tokio::test]
async fn a_host_is_visible_and_in_the_same_network() {
    let world = World::new().await;
    let [network, other] = &world.ours.networks;
    let theirs = &world.theirs.networks[0];
    let reference =
        |entity: &str, field: &str, id: Id| json!({ "entity": entity, "field": field, "id": id });
    let nowhere = Id::new();
    for (change, code, params) in [
        (
            json!({ "host_id": theirs.hosts[0].id }),
            "entity_reference_invalid",
            reference("Host", "host_id", theirs.hosts[0].id),
        ),
        (
            json!({ "host_id": nowhere }),
            "entity_reference_invalid",
            reference("Host", "host_id", nowhere),
        ),
        (
            json!({ "host_id": other.hosts[0].id }),
            "entity_network_mismatch",
            json!({ "entity": "Host" }),
        ),
        (
            json!({ "network_id": theirs.id }),
            "entity_reference_invalid",
            reference("Network", "network_id", theirs.id),
        ),
        (
            json!({ "network_id": nowhere }),
            "entity_reference_invalid",
            reference("Network", "network_id", nowhere),
        ),
        (json!({ "network_id": other.id }), "entity_network_mismatch", json!({ "entity": "Host" })),
    ] {
        let answer = put(&world, &change).await;
        assert_eq!(answer.failure(), (400, code, &params), "{change}");
    }
    // A member does not reach the second network, so it is as if it did not exist.
    for (change, entity, field, id) in [
        (
            json!({ "network_id": other.id, "host_id": other.hosts[0].id }),
            "Network",
            "network_id",
            other.id,
        ),
        (json!({ "host_id": other.hosts[0].id }), "Host", "host_id", other.hosts[0].id),
    ] {
        let put = world.test.put(&network.entry_path(0), &with(&network.entry_body(0), &change));
        let answer = put.credential(&world.ours.member.key).send().await;
        assert_eq!(
            answer.failure(),
            (400, "entity_reference_invalid", &reference(entity, field, id))
        );
    }
    let change = json!({ "host_id": network.hosts[1].id, "if_index": 9 });
    assert_eq!(put(&world, &change).await.data()["host_id"], json!(network.hosts[1].id));
}

#[tokio::test]
async fn an_index_is_unique_within_its_host_only() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let exists = json!({ "entity": "IfEntry", "field": "if_index" });
    for change in [json!({ "if_index": 2 }), json!({ "host_id": network.hosts[1].id })] {
        assert_eq!(put(&world, &change).await.failure(), (409, "entity_already_exists", &exists));
    }
    put(&world, &json!({ "if_index": 1 })).await.data();
    put(&world, &json!({ "host_id": network.hosts[1].id, "if_index": 3 })).await.data();
}

#[tokio::test]
async fn a_forwarding_table_holds_65_536_addresses_and_no_more() {
    let world = World::new().await;
    let macs = |count: u32| -> Vec<String> {
        (0..count).map(|nth| format!("02000000{nth:04x}")).collect()
    };
    let mut table = macs(65_535);
    table.push("0200.0000.ffff".to_owned());
    let answer = put(&world, &json!({ "fdb_macs": table })).await;
    let kept = answer.data()["fdb_macs"].as_array().unwrap();
    assert_eq!(kept.len(), 65_536);
    assert_eq!(
        (&kept[1], &kept[65_535]),
        (&json!("02:00:00:00:00:01"), &json!("02:00:00:00:FF:FF"))
    );
    table.push("0200.0000.ffff".to_owned());
    let answer = put(&world, &json!({ "fdb_macs": table })).await;
    assert_eq!(
        answer.failure(),
        (400, "validation_max_length", &json!({ "field": "fdb_macs", "max": 65_536 }))
    );
    assert_eq!(put(&world, &json!({ "fdb_macs": [] })).await.data()["fdb_macs"], json!([]));
}
