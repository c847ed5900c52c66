//! Guesses: more likely right than not, and still not taken for granted.

use serde_json::{Value, json};

use crate::{
    support::{
        bodies::with,
        wiring::{Wiring, device, lldp, port},
    },
    topology::hosts::{case, check, far, sw1},
};

const GI2: [&str; 2] = ["InterfaceName", "Gi0/2"];
const LINK: &str = "sw1:Gi0/1 -- sw2:Gi0/2 LLDP";
const AT_HOST: &str = "sw1:Gi0/1 -- sw2 LLDP";
const SHARED: &str = "02:00:00:00:09:01";

fn mac(value: &str) -> [&str; 2] {
    ["MacAddress", value]
}

fn with_mac(number: i32, name: &str) -> Value {
    port(number, name, &json!({ "mac_address": SHARED }))
}

#[tokio::test]
async fn another_device_that_is_called_like_the_own_one_is_not_the_own_one() {
    let own = |name: &str, heard: &Value| {
        device(
            "sw1",
            &[port(1, "Gi0/1", heard), port(2, "Gi0/2", &json!({}))],
            &json!({
                "sys_name": name, "chassis_id": "02:00:00:00:01:00"
            }),
        )
    };
    let said = |chassis: [&str; 2], name: &str| {
        with(&lldp(chassis, GI2), &json!({ "lldp_sys_name": name }))
    };
    let other = mac("02:00:00:00:02:00");
    let remedy = "If this port hears its own device, record of that what else the neighbor says; if it is another device, add it to this network";
    let looped = "sw1:Gi0/1 -- sw1:Gi0/2 LLDP";
    let only = |name: &str| {
        let port = json!({ "subtype": "InterfaceName", "value": "Gi0/2" });
        json!({ "lldp_port_id": port, "lldp_sys_name": name })
    };
    check(vec![
        case(
            "the same first label",
            json!([own("core.site1.example.com", &said(other, "core.site2.example.com"))]),
            &[],
            &["only the device itself has the name `core`", remedy],
        ),
        case(
            "nothing but the same first label",
            json!([own("core.site1.example.com", &only("core.site2.example.com"))]),
            &[],
            &["only the device itself has the name `core`", remedy],
        ),
        case(
            "the same name, as it left the factory",
            json!([own("Switch", &said(other, "Switch"))]),
            &[],
            &[
                "no device has the recorded chassis id `02:00:00:00:02:00`",
                "systems are called so that have no name of their own",
            ],
        ),
        case(
            "its own chassis id",
            json!([own("Switch", &said(mac("02:00:00:00:01:00"), "Switch"))]),
            &[looped],
            &["the recorded chassis id"],
        ),
        case("nothing but its own name", json!([own("access", &only("access"))]), &[looped], &[]),
        case(
            "another serial number",
            json!([own("access(FOC1)", &only("access(FOC2)"))]),
            &[],
            &["only the device itself has the name `access`", remedy],
        ),
        case(
            "its own name, with a serial number",
            json!([own("access", &only("access(FOC2)"))]),
            &[looped],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_whole_name_is_better_than_one_without_what_is_in_parentheses() {
    let called = |name: &str| sw1(&lldp(["LocallyAssigned", name], GI2));
    let gone = device("sw2 (old)", &[port(2, "Gi0/2", &json!({}))], &json!({}));
    let serial = |name: &str| far(name, &json!({}));
    check(vec![
        case("one is retired", json!([called("SW2"), far("sw2", &json!({})), gone]), &[LINK], &[]),
        case(
            "told apart by serial numbers",
            json!([called("sw2(FOC2)"), serial("sw2(FOC1)"), serial("sw2(FOC2)")]),
            &["sw1:Gi0/1 -- sw2(FOC2):Gi0/2 LLDP"],
            &["`sw2(foc2)` is the name of `sw2(FOC2)`"],
        ),
        case(
            "another serial number",
            json!([called("sw2(FOC3)"), serial("sw2(FOC1)"), serial("sw2(FOC2)")]),
            &[],
            &["2 devices have the name `sw2`: `sw2(FOC1)`, `sw2(FOC2)`"],
        ),
        case(
            "recorded with a serial number, heard without",
            json!([called("sw2"), serial("sw2(FOC1)")]),
            &["sw1:Gi0/1 -- sw2(FOC1):Gi0/2 LLDP"],
            &[],
        ),
    ])
    .await;
}

#[tokio::test]
async fn the_only_port_that_hears_this_side_is_not_meant_where_others_are() {
    let hears = |name: &str, more: &Value| {
        port(
            9,
            name,
            &with(&lldp(["LocallyAssigned", "sw1"], ["LocallyAssigned", "backplane"]), more),
        )
    };
    let near = |shared: [&str; 2]| sw1(&lldp(["LocallyAssigned", "sw2"], shared));
    let two = [with_mac(2, "Gi0/2"), with_mac(3, "Gi0/3")];
    let many = (10..80).map(|number| with_mac(number, &format!("Eth{number}")));
    let many: Vec<Value> = many.chain([hears("mgmt0", &json!({}))]).collect();
    let three = |last: Value| {
        let ports: Vec<Value> = two.iter().cloned().chain([last]).collect();
        device("sw2", &ports, &json!({}))
    };
    check(vec![
        case(
            "one without the MAC address",
            json!([near(mac(SHARED)), three(hears("Gi0/9", &json!({})))]),
            &["sw1 -- sw2:Gi0/9 LLDP", AT_HOST],
            &[
                "2 ports have the MAC address `02:00:00:00:09:01`: `Gi0/2`, `Gi0/3`",
                "`sw2` hears this device by `Gi0/9`",
            ],
        ),
        case(
            "one that has it as well",
            json!([near(mac(SHARED)), three(hears("Gi0/9", &json!({ "mac_address": SHARED })))]),
            &["sw1:Gi0/1 -- sw2:Gi0/9 LLDP"],
            &["says that it hears this side, and that decides"],
        ),
        case(
            "all have it, sockets above all",
            json!([
                near(mac(SHARED)),
                device(
                    "sw2",
                    &[
                        with_mac(2, "Gi0/2"),
                        hears("Gi0/9", &json!({ "mac_address": SHARED })),
                        port(40, "Vl1", &json!({ "if_type": 136 })),
                    ],
                    &json!({})
                )
            ]),
            &["sw1:Gi0/1 -- sw2:Gi0/9 LLDP"],
            &[],
        ),
        case(
            "one of very many without it",
            json!([near(mac(SHARED)), device("sw2", &many, &json!({}))]),
            &["sw1 -- sw2:mgmt0 LLDP", AT_HOST],
            &["70 ports have the MAC address"],
        ),
        case(
            "the group of those that have it",
            json!([
                near(mac(SHARED)),
                device(
                    "sw2",
                    &[
                        with_mac(2, "Gi0/2"),
                        with_mac(3, "Gi0/3"),
                        hears("Po1", &json!({ "mac_address": SHARED, "if_type": 161 })),
                        port(40, "mgmt0", &json!({})),
                    ],
                    &json!({})
                )
            ]),
            &["sw1:Gi0/1 -- sw2:Po1 LLDP"],
            &[],
        ),
        case(
            "the end of other names",
            json!([
                near(["LocallyAssigned", "4"]),
                device(
                    "sw2",
                    &[
                        port(11, "Gi1/4", &json!({})),
                        port(12, "Gi2/4", &json!({})),
                        hears("Gi0/9", &json!({})),
                    ],
                    &json!({})
                )
            ]),
            &["sw1 -- sw2:Gi0/9 LLDP", AT_HOST],
            &["2 ports have the last number in its name `4`", "`sw2` hears this device by `Gi0/9`"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_recorded_chassis_id_is_an_address_of_the_device() {
    let chassis = json!({ "chassis_id": SHARED });
    let table = |macs: &[&str]| json!({ "fdb_macs": macs });
    let own = |macs: &[&str]| device("sw1", &[port(1, "Gi0/1", &table(macs))], &chassis);
    let pc = device(
        "pc",
        &[port(1, "eth0", &json!({ "mac_address": "02:00:00:00:03:01" }))],
        &json!({}),
    );
    check(vec![
        case(
            "of the one whose table it is",
            json!([own(&[SHARED, "02:00:00:00:03:01"]), pc]),
            &["pc:eth0 -- sw1:Gi0/1 FDB"],
            &[],
        ),
        case(
            "of the one that is there",
            json!([
                sw1(&table(&[SHARED])),
                device("sw2", &[port(2, "Gi0/2", &json!({}))], &chassis)
            ]),
            &["sw1:Gi0/1 -- sw2 FDB"],
            &["`02:00:00:00:09:01` is the recorded chassis id of `sw2`"],
        ),
    ])
    .await;

    // It counts from when it is recorded.
    let wiring = Wiring::new().await;
    let bare = |chassis: &Value| {
        let ports = [port(1, "Gi0/1", &table(&[SHARED, "02:00:00:00:03:01"]))];
        json!([device("sw1", &ports, chassis), pc])
    };
    let net = wiring.fill("lab", &bare(&json!({}))).await;
    assert_eq!(net.links().await, [""; 0]);
    wiring.fill("lab", &bare(&chassis)).await;
    assert_eq!(net.links().await, ["pc:eth0 -- sw1:Gi0/1 FDB"]);
}

#[tokio::test]
async fn an_open_end_says_how_the_port_can_be_known() {
    let sw2 = ["LocallyAssigned", "sw2"];
    let named = |first: &str, second: &str| {
        device("sw2", &[port(2, first, &json!({})), port(3, second, &json!({}))], &json!({}))
    };
    let shared = device("sw2", &[with_mac(2, "Gi0/2"), with_mac(3, "Gi0/3")], &json!({}));
    let quiet = sw1(&json!({ "cdp_device_id": "sw2" }));
    let nameless = sw1(&lldp(["LocallyAssigned", "localhost"], GI2));
    check(vec![
        case(
            "a name of nobody as its chassis id",
            json!([nameless]),
            &[],
            &["`localhost` names no single device: systems are called so that have no name"],
        ),
        case(
            "a number at the end of several names",
            json!([sw1(&lldp(sw2, ["LocallyAssigned", "4"])), named("Gi1/4", "Gi2/4")]),
            &[AT_HOST],
            &["Have the neighbor send the name of its port, have the other side hear this one"],
        ),
        case(
            "an address of all ports",
            json!([sw1(&lldp(sw2, mac(SHARED))), shared]),
            &[AT_HOST],
            &["Have the neighbor send the name of its port instead of an address that several have"],
        ),
        case(
            "nothing",
            json!([quiet, named("Gi0/2", "Gi0/3")]),
            &["sw1:Gi0/1 -- sw2 CDP"],
            &["it says nothing of its port. Have the neighbor send the name of its port"],
        ),
        case(
            "two of one name",
            json!([sw1(&lldp(sw2, ["InterfaceName", "eth0"])), named("eth0", "eth0")]),
            &[AT_HOST],
            &["2 ports have the name `eth0`", "Give these ports names that differ"],
        ),
    ])
    .await;
}
