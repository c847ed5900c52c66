//! Why something is missing from the graph of a network, or is doubtful.

use serde_json::{Value, json};

use crate::{
    support::wiring::{self, Net, document},
    topology::answers::{ImportedNetwork, device, hears},
};

#[tokio::test]
async fn a_port_without_a_link_says_why() {
    let port = |number: i32, more: &Value| wiring::port(number, &format!("eth{number}"), more);
    let (own, other, third) = ("02:00:00:00:01:01", "02:00:00:00:02:01", "02:00:00:00:03:01");
    let document = document(
        "lab",
        &json!([
            device(
                "sw",
                &[
                    port(1, &json!({ "mac_address": own })),
                    port(2, &json!({ "fdb_macs": [own, "01:00:5E:00:00:FB"] })),
                    port(3, &json!({ "fdb_macs": [own, other, third, third] })),
                    port(4, &json!({ "if_type": 136, "fdb_macs": [other] })),
                    port(5, &json!({ "oper_status": "Down" })),
                    port(6, &json!({ "admin_status": "Down", "oper_status": "Down" })),
                    hears(7, "stranger", "eth1"),
                    port(8, &json!({ "fdb_macs": [other] })),
                    hears(9, "far", "eth1"),
                    port(10, &json!({ "if_type": 1 })),
                ]
            ),
            device("far", &[hears(1, "sw", "eth9")])
        ]),
    );
    let network = ImportedNetwork::new(&document).await;
    let sw = network.host("sw").await;
    let query =
        "query($id: ID!) { host(id: $id) { ifEntries(orderBy: [{ field: IF_INDEX }]) { edges {
        node { unlinked { reason sentence } } } } } }";
    let before = network.wiring.test.app.db.statements();
    let answer = network.ask(query, json!({ "id": sw })).await;
    let statements = network.wiring.test.app.db.statements() - before;
    let edges = answer["data"]["host"]["ifEntries"]["edges"].as_array().unwrap();
    let told = |number: usize| &edges[number - 1]["node"]["unlinked"];
    for (number, reason, words) in [
        (1, "NOTHING_HEARD", "Switch LLDP on"),
        (2, "NO_USABLE_ADDRESS", "of groups"),
        (3, "SEVERAL_ADDRESSES", "has 2 MAC addresses"),
        (3, "SEVERAL_ADDRESSES", "`02:00:00:00:02:01` is nobody's"),
        (4, "NOT_A_PORT", "ifType 136"),
        (4, "NOT_A_PORT", "Its forwarding table is not used"),
        (5, "DOWN", "ifOperStatus Down"),
        (6, "DOWN", "ifAdminStatus Down"),
        (7, "UNKNOWN_NEIGHBOR", "no device has the name `stranger`"),
        (8, "UNKNOWN_NEIGHBOR", other),
        (10, "NOT_A_PORT", "neither a socket"),
    ] {
        assert_eq!(told(number)["reason"], reason, "{number}: {answer}");
        let sentence = told(number)["sentence"].as_str().unwrap();
        assert!(sentence.contains(words), "{number}: {sentence}");
    }
    assert_eq!(*told(9), Value::Null);
    assert!(statements <= 25, "for ten ports at once: {statements}");
}

#[tokio::test]
async fn a_device_that_only_cdp_knows_contradicts_lldp_and_a_telephone_does_not() {
    let lldp = |far: &str| {
        json!({ "protocol": "LLDP", "chassis_id": { "subtype": "LocallyAssigned", "value": far },
            "port_id": { "subtype": "InterfaceName", "value": "eth1" } })
    };
    let cdp = |far: &str| {
        json!({ "protocol": "CDP", "sys_name": far,
        "port_id": { "subtype": "InterfaceName", "value": "eth1" } })
    };
    let both = |number: i32, far: &str, others: &[Value]| {
        let mut observations = vec![lldp(far)];
        observations.extend_from_slice(others);
        wiring::port(number, &format!("eth{number}"), &json!({ "neighbors_heard": observations }))
    };
    let port = || wiring::port(1, "eth1", &json!({}));
    let document = document(
        "lab",
        &json!([
            device(
                "sw",
                &[
                    both(1, "a", &[cdp("b")]),
                    both(2, "phone", &[lldp("pc"), cdp("phone")]),
                    both(3, "a telephone", &[lldp("pc2"), cdp("phone2")]),
                ],
            ),
            device("a", &[port()]),
            device("b", &[port()]),
            device("phone", &[port()]),
            device("pc", &[port()]),
            device("phone2", &[port()]),
            device("pc2", &[port()]),
        ]),
    );
    let network = ImportedNetwork::new(&document).await;
    let topology = network.topology("links { method } miscablings { kind sentence }").await;
    assert_eq!(topology["links"].as_array().unwrap().len(), 6);
    let miscablings = topology["miscablings"].as_array().unwrap();
    assert_eq!(miscablings.len(), 1, "{topology}");
    assert_eq!(miscablings[0]["kind"], "CONTRADICTION");
    let sentence = miscablings[0]["sentence"].as_str().unwrap();
    assert!(sentence.contains("CDP says that `eth1` of `sw` hears `eth1` of `b`"), "{sentence}");
}

/// Why ports of `sw` have no link.
async fn unlinked(network: &ImportedNetwork) -> Vec<Value> {
    unlinked_of(network, "sw").await
}

async fn unlinked_of(network: &ImportedNetwork, host: &str) -> Vec<Value> {
    let query =
        "query($id: ID!) { host(id: $id) { ifEntries(orderBy: [{ field: IF_INDEX }]) { nodes {
        unlinked { reason sentence } } } } }";
    let answer = network.ask(query, json!({ "id": network.host(host).await })).await;
    let nodes = answer["data"]["host"]["ifEntries"]["nodes"].as_array().unwrap();
    nodes.iter().map(|node| node["unlinked"].clone()).collect()
}

fn assert_told(unlinked: &Value, reason: &str, words: &[&str]) {
    assert_eq!(unlinked["reason"], reason, "{unlinked}");
    let sentence = unlinked["sentence"].as_str().unwrap();
    for words in words {
        assert!(sentence.contains(words), "{sentence}");
    }
}

#[tokio::test]
async fn a_port_that_loses_to_better_evidence_says_to_which() {
    let mac = "02:00:00:00:09:01";
    let port = |number: i32, more: &Value| wiring::port(number, &format!("eth{number}"), more);
    let document = document(
        "lab",
        &json!([
            device(
                "sw",
                &[
                    hears(1, "far", "eth1"),
                    port(2, &wiring::cdp("far", "eth1")),
                    hears(3, "far", "eth3"),
                    port(4, &json!({ "fdb_macs": [mac] })),
                    port(5, &json!({})),
                    port(6, &json!({ "if_type": 161 })),
                    port(
                        7,
                        &json!({ "fdb_macs": [mac, "02:00:00:00:09:02"], "admin_status": "Down",
                        "oper_status": "Down" })
                    ),
                ],
            ),
            device(
                "far",
                &[
                    port(1, &json!({})),
                    port(2, &json!({ "mac_address": mac })),
                    port(3, &json!({}))
                ],
            ),
        ]),
    );
    let network = ImportedNetwork::new(&document).await;
    let before = unlinked(&network).await;
    assert_eq!(before[0], Value::Null);
    assert_eq!(before[2], Value::Null);
    let joined = "`eth1` of `sw` and `eth1` of `far` are joined by LLDP, which counts more";
    assert_told(&before[1], "CONTRADICTED", &["CDP heard", joined]);
    let second = "If this is a second cable, switch LLDP on at `eth4` of `sw`";
    assert_told(&before[3], "OUTRANKED", &["joins the two devices already", second]);
    assert_told(&before[5], "NOTHING_HEARD", &["look at their links"]);
    assert_told(&before[6], "DOWN", &["ifAdminStatus Down"]);
    let net = Net { wiring: &network.wiring, id: network.id };
    let pin = json!({ "type": "IfEntry", "id": net.port("far:eth3").await.id });
    assert_eq!(net.neighbor("sw:eth3").await.as_deref(), Some("far:eth3"));
    net.put("sw:eth5", &json!({ "neighbor": pin })).await;
    let after = unlinked(&network).await;
    let pinned = ["`eth5` of `sw`", "`eth3` of `far`", "joined by hand", "Remove that pin"];
    assert_told(&after[2], "CONTRADICTED", &pinned);
    // What has lost its link to a pin has no neighbor either, until the pin is gone.
    assert_eq!(net.neighbor("sw:eth3").await, None);
    assert_eq!(net.neighbor("far:eth3").await.as_deref(), Some("sw:eth5"));
    net.put("sw:eth5", &json!({})).await;
    assert_eq!(net.neighbor("sw:eth3").await.as_deref(), Some("far:eth3"));
}

#[tokio::test]
async fn a_far_end_that_hears_somebody_else_is_a_contradiction_though_no_port_is_named() {
    let document = document(
        "lab",
        &json!([
            device("a", &[hears(1, "c", "eth1")]),
            device("c", &[hears(1, "d", "no such port")]),
            device("d", &[hears(2, "e", "no such port")]),
            device("e", &[hears(1, "d", "eth2")]),
        ]),
    );
    let network = ImportedNetwork::new(&document).await;
    let topology = network.topology("miscablings { kind sentence ifEntries { ifDescr } }").await;
    let miscablings = topology["miscablings"].as_array().unwrap();
    assert_eq!(miscablings.len(), 1, "what names no port may mean this one: {topology}");
    let sentence = miscablings[0]["sentence"].as_str().unwrap();
    assert!(
        sentence.contains("`eth1` of `a` hears `eth1` of `c`, but that hears `d`"),
        "{sentence}"
    );
    assert_eq!(miscablings[0]["ifEntries"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_port_that_another_names_in_vain_says_who_and_why() {
    let port = |number: i32, more: &Value| wiring::port(number, &format!("eth{number}"), more);
    let (second, third) = ("02:00:00:00:09:02", "02:00:00:00:09:03");
    let has = |number: i32, mac: &str| port(number, &json!({ "mac_address": mac }));
    let document = document(
        "lab",
        &json!([
            device(
                "sw",
                &[
                    hears(1, "far", "eth1"),
                    hears(2, "far", "eth9"),
                    port(3, &json!({ "fdb_macs": [second] })),
                    hears(4, "far", "eth4"),
                    port(5, &wiring::cdp("far", "eth5")),
                ]
            ),
            device(
                "far",
                &[
                    port(1, &json!({})),
                    has(2, second),
                    has(3, third),
                    hears(4, "sw", "eth5"),
                    port(5, &json!({})),
                ]
            ),
            device("other", &[port(7, &json!({}))]),
        ]),
    );
    let network = ImportedNetwork::new(&document).await;
    let net = Net { wiring: &network.wiring, id: network.id };
    let pin = json!({ "type": "IfEntry", "id": net.port("other:eth7").await.id });
    net.put("sw:eth1", &json!({ "neighbor": pin })).await;
    let far = unlinked_of(&network, "far").await;
    assert_told(
        &far[0],
        "CONTRADICTED",
        &["`eth1` of `sw` hears this port, but is pinned to `eth7` of `other`. Remove that pin"],
    );
    let beside = "`eth3` of `sw` has only this port in its forwarding table, but ";
    assert_told(&far[1], "OUTRANKED", &[beside, "joined by LLDP. If this is a second cable"]);
    // Somebody hears this device, and knows no port of it.
    let open = "`eth2` of `sw` hears this device, but at no port that is known: if it is this one";
    assert_told(&far[2], "NOTHING_HEARD", &["Switch LLDP on", open]);
    assert_told(
        &far[4],
        "CONTRADICTED",
        &["`eth5` of `sw` hears this port, but is joined to `eth4` of `far` by LLDP"],
    );
    // What is said to be done helps.
    let near = json!({ "type": "IfEntry", "id": net.port("sw:eth2").await.id });
    net.put("far:eth3", &json!({ "neighbor": near })).await;
    net.put("sw:eth1", &json!({})).await;
    let far = unlinked_of(&network, "far").await;
    assert_eq!((&far[0], &far[2]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn several_addresses_are_told_with_whose_they_are_in_as_many_statements() {
    let mac = |number: i32| format!("02:00:00:00:10:{number:02X}");
    let port = |number: i32, more: &Value| wiring::port(number, &format!("eth{number}"), more);
    let has = |number: i32, of: i32| port(number, &json!({ "mac_address": mac(of) }));
    let mut costs = Vec::new();
    for ports in [1, 40] {
        let table = json!({ "fdb_macs": [mac(1), mac(2), mac(9)] });
        let mut tables: Vec<Value> = (1..=ports).map(|number| port(number, &table)).collect();
        tables.push(port(91, &json!({ "fdb_macs": [mac(1), mac(3)] })));
        tables.push(port(92, &json!({ "fdb_macs": (1..=8).map(mac).collect::<Vec<_>>() })));
        let mut bridge = has(1, 1);
        bridge["fdb_macs"] = json!([mac(2), mac(9)]);
        let mut pc = device("pc1", &[has(1, 2)]);
        pc["interfaces"] = json!([{ "ip_address": "10.0.0.9", "prefix_length": 24,
            "mac_address": mac(4) }]);
        pc["if_entries"][0]["fdb_macs"] = json!([]);
        let sw2 = device("sw2", &[bridge, has(2, 3)]);
        let network =
            ImportedNetwork::new(&document("lab", &json!([device("sw", &tables), sw2, pc]))).await;
        unlinked(&network).await;
        let before = network.wiring.test.app.db.statements();
        let told = unlinked(&network).await;
        costs.push(network.wiring.test.app.db.statements() - before);
        let each = [
            "has 3 MAC addresses: `02:00:00:00:10:01` is `eth1` of `sw2`; `02:00:00:00:10:02` is \
             `eth1` of `pc1`; `02:00:00:00:10:09` is nobody's. Several devices",
            "only `sw2` has forwarding tables itself: if it is the next one, pin this port to it",
            "Switch LLDP on",
        ];
        assert_told(&told[0], "SEVERAL_ADDRESSES", &each);
        let last = told.len() - 1;
        assert_told(&told[last - 1], "SEVERAL_ADDRESSES", &["All of them are those of `sw2`"]);
        let many = ["8 MAC addresses", "`02:00:00:00:10:04` is `pc1`", "nobody's; and 3 more."];
        assert_told(&told[last], "SEVERAL_ADDRESSES", &many);
    }
    assert_eq!(costs[0], costs[1]);
}

#[tokio::test]
async fn what_switches_is_not_asked_for_where_one_device_has_all_addresses() {
    let mac = |number: i32| format!("02:00:00:00:11:{number:02X}");
    let port = |number: i32, more: &Value| wiring::port(number, &format!("eth{number}"), more);
    let mut costs = Vec::new();
    for beside in [1, 3] {
        let has = |of: i32| port(of, &json!({ "mac_address": mac(of) }));
        let network = ImportedNetwork::new(&document(
            "lab",
            &json!([
                device("sw", &[port(1, &json!({ "fdb_macs": [mac(1), mac(beside + 1)] }))]),
                device("far", &[has(1), has(2)]),
                device("pc", &[has(4)]),
            ]),
        ))
        .await;
        unlinked(&network).await;
        let before = network.wiring.test.app.db.statements();
        let told = unlinked(&network).await;
        costs.push(network.wiring.test.app.db.statements() - before);
        let words =
            if beside == 1 { "All of them are those of `far`" } else { "only `far` has sev" };
        assert_told(&told[0], "SEVERAL_ADDRESSES", &[words]);
    }
    assert_eq!(costs[0] + 1, costs[1]);
}

#[tokio::test]
async fn those_who_name_a_port_or_a_device_in_vain_are_counted_where_they_are_many() {
    let port = |number: i32| wiring::port(number, &format!("eth{number}"), &json!({}));
    let several = |name: &'static str, far_port: &'static str, count: i32| {
        (1..=count)
            .map(move |number| device(&format!("{name}{number}"), &[hears(1, "far", far_port)]))
    };
    for (count, more) in [(4, "1 more names this port."), (5, "2 more name this port.")] {
        let mut devices = vec![
            device("far", &[port(1), port(2)]),
            device("other", &(1..=count).map(port).collect::<Vec<_>>()),
        ];
        devices.extend(several("a", "eth1", count).chain(several("b", "port 9", 7)));
        let network = ImportedNetwork::new(&document("lab", &json!(devices))).await;
        let net = Net { wiring: &network.wiring, id: network.id };
        for number in 1..=count {
            let other = net.port(&format!("other:eth{number}")).await.id;
            let pin = json!({ "neighbor": { "type": "IfEntry", "id": other } });
            net.put(&format!("a{number}:eth1"), &pin).await;
        }
        let far = unlinked_of(&network, "far").await;
        assert_told(&far[0], "CONTRADICTED", &["hears this port, but is pinned to", more]);
        let sentence = far[0]["sentence"].as_str().unwrap();
        assert_eq!(sentence.matches("hears this port").count(), 3, "{sentence}");
        assert_told(&far[1], "NOTHING_HEARD", &["hears this device and 2 more, but at no port"]);
        let sentence = far[1]["sentence"].as_str().unwrap();
        assert_eq!(sentence.matches("hears this device").count(), 5, "{sentence}");
    }
}

#[tokio::test]
async fn a_group_whose_members_are_joined_is_no_second_cable() {
    let mac = |number: i32| format!("02:00:00:00:12:{number:02X}");
    let port = |number: i32, more: &Value| wiring::port(number, &format!("eth{number}"), more);
    let far = |number: i32, if_type: i32| {
        port(number, &json!({ "if_type": if_type, "mac_address": mac(number) }))
    };
    let table = |number: i32, if_type: i32, of: i32| {
        port(number, &json!({ "if_type": if_type, "fdb_macs": [mac(of)] }))
    };
    let document = document(
        "lab",
        &json!([
            device(
                "sw",
                &[
                    hears(1, "far", "eth1"),
                    table(2, 161, 2),
                    table(3, 161, 3),
                    table(4, 6, 4),
                    table(5, 6, 5)
                ]
            ),
            device("far", &[far(1, 6), far(2, 6), far(3, 161), far(4, 71), far(5, 6)]),
        ]),
    );
    let network = ImportedNetwork::new(&document).await;
    let (sw, far) = (unlinked(&network).await, unlinked_of(&network, "far").await);
    for (number, words) in [
        (2, Some("`eth2` of `sw` is likely the group of the cables that join them.")),
        (3, Some("`eth3` of `sw` and `eth3` of `far` are likely the groups of the cables that")),
        (4, None),
        (
            5,
            Some("If this is a second cable, switch LLDP on at `eth5` of `sw` and `eth5` of `far`"),
        ),
    ] {
        for told in [&sw[number - 1], &far[number - 1]] {
            assert_told(told, "OUTRANKED", &[words.unwrap_or_default()]);
            let sentence = told["sentence"].as_str().unwrap();
            assert_eq!(sentence.contains("second cable"), number == 5, "{sentence}");
            assert_eq!(sentence.contains("likely"), [2, 3].contains(&number), "{sentence}");
        }
    }
}
