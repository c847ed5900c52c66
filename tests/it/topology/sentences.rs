//! Explanations: they tell who else answers, what speaks against it, and what there is to do.

use serde_json::{Value, json};

use crate::{
    support::{
        bodies::with,
        wiring::{Net, Wiring, device, lldp, port},
    },
    topology::hosts::{case, check, far, sw1},
};

const SW2: [&str; 2] = ["LocallyAssigned", "sw2"];
const GI2: [&str; 2] = ["InterfaceName", "Gi0/2"];
const LINK: &str = "sw1:Gi0/1 -- sw2:Gi0/2 LLDP";
const AT_HOST: &str = "sw1:Gi0/1 -- sw2 LLDP";

fn plain(number: i32, name: &str) -> Value {
    port(number, name, &json!({}))
}

/// The port `sw1:Gi0/1` hears `sw2` with this port and this description of it.
fn says(port: [&str; 2], description: &str) -> Value {
    sw1(&with(&lldp(SW2, port), &json!({ "lldp_port_desc": description })))
}

/// The port `sw1:Gi0/1` hears who calls itself so.
fn named(chassis: [&str; 2], name: &str) -> Value {
    sw1(&with(&lldp(chassis, GI2), &json!({ "lldp_sys_name": name })))
}

#[tokio::test]
async fn a_number_that_the_description_contradicts_names_no_port() {
    let three = ["LocallyAssigned", "3"];
    let ports = [plain(3, "Gi1/0/3"), plain(7, "Gi1/0/7")];
    let hears =
        with(&plain(7, "Gi1/0/7"), &lldp(["LocallyAssigned", "sw1"], ["LocallyAssigned", "x"]));
    let why = "`3` is the ifIndex of `Gi1/0/3`, but the neighbor describes its port as `GigabitEthernet1/0/7`, which is `Gi1/0/7`";
    check(vec![
        case(
            "another port",
            json!([says(three, "GigabitEthernet1/0/7"), device("sw2", &ports, &json!({}))]),
            &[AT_HOST],
            &[why, "Correct the record of whichever of them is wrong"],
        ),
        case(
            "another port, which hears this one",
            json!([
                says(three, "GigabitEthernet1/0/7"),
                device("sw2", &[plain(3, "Gi1/0/3"), hears], &json!({}))
            ]),
            &["sw1:Gi0/1 -- sw2:Gi1/0/7 LLDP"],
            &[
                "`3` is the ifIndex of `Gi1/0/3`, but",
                "says that it hears this side, and that decides",
            ],
        ),
        case(
            "the same port",
            json!([says(three, "gi1/0/3"), device("sw2", &ports, &json!({}))]),
            &["sw1:Gi0/1 -- sw2:Gi1/0/3 LLDP"],
            &["`3` is the ifIndex of `Gi1/0/3`"],
        ),
        case(
            "another port, which is written on this one as its far end",
            json!([
                says(three, "Gi1/0/7"),
                device(
                    "sw2",
                    &[port(3, "Gi1/0/3", &json!({ "if_alias": "Gi1/0/7" })), plain(7, "Gi1/0/7")],
                    &json!({})
                )
            ]),
            &["sw1:Gi0/1 -- sw2:Gi1/0/3 LLDP"],
            &["`3` is the ifIndex of `Gi1/0/3`"],
        ),
        case(
            "a group that is no socket",
            json!([
                says(three, "Po1"),
                device(
                    "sw2",
                    &[plain(3, "Gi1/0/3"), port(9, "Po1", &json!({ "if_type": 161 }))],
                    &json!({})
                )
            ]),
            &["sw1:Gi0/1 -- sw2:Gi1/0/3 LLDP"],
            &["`3` is the ifIndex of `Gi1/0/3`"],
        ),
        case(
            "a VLAN of that number",
            json!([
                says(["LocallyAssigned", "10"], "Port #10"),
                device(
                    "sw2",
                    &[port(10, "Vlan99", &json!({ "if_type": 53 })), plain(4, "Gi1/0/10")],
                    &json!({})
                )
            ]),
            &["sw1:Gi0/1 -- sw2:Gi1/0/10 LLDP"],
            &["no port has the ifIndex `10`"],
        ),
        case(
            "nothing that is a port",
            json!([says(three, "uplink"), device("sw2", &ports, &json!({}))]),
            &["sw1:Gi0/1 -- sw2:Gi1/0/3 LLDP"],
            &["`3` is the ifIndex of `Gi1/0/3`"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn what_people_wrote_on_one_port_is_not_the_name_of_another() {
    let aliased = port(7, "Eth7", &json!({ "if_alias": "Ethernet8" }));
    let ports = device("sw2", &[aliased, plain(8, "Eth8")], &json!({}));
    check(vec![
        case(
            "a name",
            json!([sw1(&lldp(SW2, ["InterfaceName", "Ethernet8"])), ports]),
            &[AT_HOST],
            &["`ethernet8` is the alias of `Eth7`, but also the name of `Eth8`"],
        ),
        case(
            "a number",
            json!([
                sw1(&lldp(SW2, ["LocallyAssigned", "3"])),
                device(
                    "sw2",
                    &[plain(3, "Gi1/0/3"), port(9, "Gi1/0/9", &json!({ "if_alias": "3" }))],
                    &json!({})
                )
            ]),
            &[AT_HOST],
            &["`3` is the alias of `Gi1/0/9`, but also the ifIndex of `Gi1/0/3`"],
        ),
        case(
            "said to be an alias",
            json!([sw1(&lldp(SW2, ["InterfaceAlias", "Ethernet8"])), ports]),
            &["sw1:Gi0/1 -- sw2:Eth7 LLDP"],
            &["`ethernet8` is the alias of `Eth7`"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn systems_without_a_name_of_their_own_are_nobody() {
    let unknown = ["MacAddress", "00:11:22:33:44:55"];
    let mut cases = Vec::new();
    for name in ["localhost", "LOCALHOST.localdomain", "(none)"] {
        let hosts = json!([named(unknown, name), far("web", &json!({ "sys_name": name }))]);
        cases.push(case(name, hosts, &[], &["names no single device", "`00:11:22:33:44:55`"]));
    }
    check(cases).await;
}

#[tokio::test]
async fn what_speaks_against_a_device_is_told() {
    let ours = ["MacAddress", "00:11:22:cc:00:00"];
    let theirs = json!({ "chassis_id": "00:11:22:bb:00:00", "sys_name": "sw2" });
    check(vec![
        case(
            "hardware that was replaced",
            json!([named(ours, "sw2"), far("sw2", &theirs)]),
            &[LINK],
            &[
                "the chassis id recorded of `sw2` is `00:11:22:BB:00:00`, and it sends \
                 `00:11:22:CC:00:00`",
                "hardware that was replaced (record the new one)",
            ],
        ),
        case(
            "the name of another",
            json!([named(SW2, "sw3"), far("sw2", &json!({})), far("sw3", &json!({}))]),
            &[LINK],
            &["it also sends the name `sw3`, which is that of `sw3`", "consolidate them"],
        ),
        case(
            "the first label of another",
            json!([
                named(["MacAddress", "00:11:22:bb:00:00"], "sw2.b.example"),
                far("here", &theirs.clone()),
                far("there", &json!({ "hostname": "sw2.a.example" }))
            ]),
            &["here:Gi0/2 -- sw1:Gi0/1 LLDP"],
            &["is the recorded chassis id of `here`. `gi0/2` is the name"],
        ),
        case(
            "nothing",
            json!([named(SW2, "sw2.example.com"), far("sw2", &json!({ "chassis_id": "serial" }))]),
            &[LINK],
            &["`sw2` is the name of `sw2`. `gi0/2` is the name of `Gi0/2`."],
        ),
        case(
            "the first label of a name in another domain",
            json!([
                named(["MacAddress", "00:11:22:33:44:55"], "sw2.b.example"),
                far("sw2", &json!({ "hostname": "sw2.a.example", "name": "core" }))
            ]),
            &[],
            &["the name of `core` begins with `sw2`, too, but it has another domain"],
        ),
        case(
            "the first label of a name",
            json!([
                named(["MacAddress", "00:11:22:33:44:55"], "sw2.b.example"),
                far("sw2", &json!({ "hostname": "sw2", "name": "core" }))
            ]),
            &["core:Gi0/2 -- sw1:Gi0/1 LLDP"],
            &["`sw2`, the first label of `sw2.b.example`, is the name of `core`"],
        ),
        case(
            "an address in place of a name",
            json!([
                named(["LocallyAssigned", "10.0.0.7"], "?"),
                far("sw2", &json!({ "management_address": "10.0.0.7" }))
            ]),
            &[LINK],
            &["`10.0.0.7` is the network address of `sw2`"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn candidates_of_one_name_are_told_apart() {
    let alike = || far("sw2", &json!({}));
    let first = with(&alike(), &json!({ "name": "one", "hostname": "sw2" }));
    let second = with(&alike(), &json!({ "name": "two", "hostname": "sw2" }));
    let twins = device("sw2", &[plain(2, "eth0"), plain(5, "eth0")], &json!({}));
    check(vec![
        case(
            "devices",
            json!([sw1(&lldp(SW2, GI2)), first, second]),
            &[],
            &["2 devices have the name `sw2`: `one`, `two`", "Correct what they have in common"],
        ),
        case(
            "ports",
            json!([sw1(&lldp(SW2, ["InterfaceName", "eth0"])), twins]),
            &[AT_HOST],
            &["2 ports have the name `eth0`: `eth0` (ifIndex 2), `eth0` (ifIndex 5)"],
        ),
        case(
            "a MAC address that two share",
            json!([
                sw1(&lldp(["MacAddress", "00:11:22:cc:00:01"], GI2)),
                device(
                    "a",
                    &[port(1, "e", &json!({ "mac_address": "00:11:22:cc:00:01" }))],
                    &json!({})
                ),
                device(
                    "b",
                    &[port(1, "e", &json!({ "mac_address": "00:11:22:cc:00:01" }))],
                    &json!({})
                ),
            ]),
            &[],
            &["`a`, `b`", "Correct the MAC address by an import, or delete the port or address"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn of_many_candidates_the_first_hundred_are_kept_and_all_are_counted() {
    let named = |nth: usize| device("sw2", &[], &json!({ "ref": nth.to_string() }));
    let hosts: Vec<Value> =
        std::iter::once(sw1(&lldp(SW2, GI2))).chain((0..150).map(named)).collect();
    let wiring = Wiring::new().await;
    let net = wiring.fill("many", &json!(hosts)).await;
    let [explained] = net.explained("sw1:Gi0/1").await.try_into().unwrap();
    let by_name = explained.steps.iter().find(|step| step.candidate_count > 0).unwrap();
    assert_eq!((by_name.candidate_count, by_name.candidates.len()), (150, 100));
    assert!(by_name.sentence.starts_with("150 devices have the name `sw2`: "), "{by_name:?}");
    assert!(explained.sentence.contains(" and others; nothing weaker separates them"));
    net.clear().await;
}

#[tokio::test]
async fn an_open_end_says_what_is_missing() {
    let mac = ["MacAddress", "00:11:22:cc:00:09"];
    let unknown = |number: i32, far: &str| {
        port(
            number,
            &format!("Gi0/{number}"),
            &lldp(["LocallyAssigned", far], ["LocallyAssigned", "x"]),
        )
    };
    check(vec![
        case(
            "a device without ports",
            json!([sw1(&lldp(SW2, GI2)), device("sw2", &[], &json!({}))]),
            &[AT_HOST],
            &["it calls its port `gi0/2`, but no ports of `sw2` are recorded. Scan that device"],
        ),
        case(
            "a MAC address that no port has",
            json!([sw1(&lldp(SW2, mac)), far("sw2", &json!({}))]),
            &[AT_HOST],
            &["no port has the MAC address", "an import changes that of a port"],
        ),
        case(
            "two cables between two that name no port",
            json!([
                device("sw1", &[unknown(1, "sw2"), unknown(2, "sw2")], &json!({})),
                device("sw2", &[unknown(3, "sw1"), unknown(4, "sw1")], &json!({})),
            ]),
            &[
                "sw1 -- sw2:Gi0/3 LLDP",
                "sw1 -- sw2:Gi0/4 LLDP",
                "sw1:Gi0/1 -- sw2 LLDP",
                "sw1:Gi0/2 -- sw2 LLDP",
            ],
            &["`sw2` hears this device by `Gi0/3` and `Gi0/4`, and which of its cables is this one"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_description_that_the_mac_address_contradicts_names_no_port() {
    let mac = "00:11:22:cc:00:24";
    let named = |alias: &str| {
        let more = json!({ "mac_address": mac, "if_alias": alias });
        device("sw2", &[plain(1, "Gi1/0/1"), port(24, "Gi1/0/24", &more)], &json!({}))
    };
    let hears = says(["MacAddress", mac], "Gi1/0/1");
    check(vec![
        case(
            "another",
            json!([hears, named("to core")]),
            &[AT_HOST],
            &["but the MAC address that it sends as the id of its port is that of `Gi1/0/24`"],
        ),
        case(
            "a VLAN",
            json!([
                hears,
                device(
                    "sw2",
                    &[
                        plain(1, "Gi1/0/1"),
                        port(99, "Vl1", &json!({ "mac_address": mac, "if_type": 136 }))
                    ],
                    &json!({})
                )
            ]),
            &["sw1:Gi0/1 -- sw2:Gi1/0/1 LLDP"],
            &["is the description, alias or name of `Gi1/0/1`"],
        ),
        case(
            "its own alias",
            json!([hears, named("Gi1/0/1")]),
            &["sw1:Gi0/1 -- sw2:Gi1/0/24 LLDP"],
            &["is the description, alias or name of `Gi1/0/24`"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn what_a_person_pinned_is_decided_and_stays_in_sight() {
    let wiring = Wiring::new().await;
    let unknown = lldp(["MacAddress", "00:11:22:cc:00:09"], GI2);
    let nameless = json!({ "lldp_port_id": { "subtype": "InterfaceName", "value": "x" } });
    let hosts = json!([
        device("sw1", &[port(1, "Gi0/1", &unknown), port(3, "Gi0/3", &nameless)], &json!({})),
        device(
            "sw2",
            &[plain(2, "Gi0/2"), plain(4, "Gi0/4")],
            &json!({ "chassis_id": "00:11:22:bb:00:00" })
        ),
    ]);
    let net = wiring.fill("lab", &hosts).await;
    assert_eq!(unresolved(&net).await, 2);
    for (near, far) in [("sw1:Gi0/1", "sw2:Gi0/2"), ("sw1:Gi0/3", "sw2:Gi0/4")] {
        let pin = json!({ "type": "IfEntry", "id": net.port(far).await.id });
        net.put(near, &json!({ "neighbor": pin })).await;
    }
    // Who names nobody is whom the person says; another may be somebody else.
    assert_eq!(unresolved(&net).await, 1);
    let why = net.why("sw1:Gi0/1").await;
    for words in [
        "A person pinned this port to `Gi0/2` of `sw2`, and that decides.",
        "But the chassis id recorded of `sw2` is `00:11:22:BB:00:00`, and it sends `00:11:22:CC:00:09`",
    ] {
        assert!(why.contains(words), "{why}");
    }
    assert!(!why.contains("or pin the port") && !why.contains("by hand"), "{why}");
}

#[tokio::test]
async fn the_neighbor_that_is_resolved_can_be_pinned_too() {
    let wiring = Wiring::new().await;
    let net = wiring.fill("lab", &json!([sw1(&lldp(SW2, GI2)), far("sw2", &json!({}))])).await;
    let neighbor = json!({ "type": "IfEntry", "id": net.port("sw2:Gi0/2").await.id });
    net.put("sw1:Gi0/1", &json!({ "neighbor": neighbor })).await;
    assert!(!net.port("sw1:Gi0/1").await.neighbor_pinned, "an echo is no pin");
    net.put("sw1:Gi0/1", &json!({ "neighbor": neighbor, "neighbor_pinned": true })).await;
    assert!(net.port("sw1:Gi0/1").await.neighbor_pinned);
    net.put("sw1:Gi0/1", &json!({ "neighbor": null, "neighbor_pinned": true })).await;
    let port = net.port("sw1:Gi0/1").await;
    assert!(!port.neighbor_pinned && port.neighbor_if_entry_id.is_some(), "nothing is no pin");
}

/// Counts the neighbors that are heard and not known.
async fn unresolved(net: &Net<'_>) -> usize {
    let list =
        net.wiring.done("GET", &format!("/networks/{}/unresolved", net.id), &Value::Null).await;
    list.as_array().unwrap().len()
}
