//! Which ports are ends of cables, and which only belong to one: shapes that people who run networks
//! reported.

use serde_json::{Value, json};
use toposcope_topology::network::layers::Counted;
use toposcope_types::Layer;

use crate::support::{
    bodies::with,
    wiring::{Net, Wiring, cdp, device, lldp, port},
};

/// An interface without a cable of its own.
fn virtual_port(number: i32, name: &str, if_type: i32, more: &Value) -> Value {
    port(number, name, &with(&json!({ "if_type": if_type }), more))
}

/// What LLDP says of a port of a device that is named by its chassis id.
fn hears(chassis: &str, name: &str) -> Value {
    lldp(["MacAddress", chassis], ["InterfaceName", name])
}

fn neighbors(heard: &[(&str, &str)]) -> Value {
    let neighbors: Vec<Value> = heard
        .iter()
        .map(|(chassis, name)| {
            json!({ "protocol": "LLDP",
                "chassis_id": { "subtype": "MacAddress", "value": chassis },
                "port_id": { "subtype": "InterfaceName", "value": name } })
        })
        .collect();
    json!({ "neighbors_heard": neighbors })
}

fn with_chassis(name: &str, chassis: &str, ports: &[Value]) -> Value {
    device(name, ports, &json!({ "chassis_id": chassis }))
}

const A: &str = "02:00:00:00:0A:00";
const B: &str = "02:00:00:00:0B:00";
const C: &str = "02:00:00:00:0C:00";
const D: &str = "02:00:00:00:0D:00";

/// The links of a network, those that are no proven cable in brackets, and how many bridges it has
/// by cable and by bundle.
async fn told(net: &Net<'_>) -> (Vec<String>, usize, usize) {
    let snapshot = net.snapshot().await;
    let mut links: Vec<String> = snapshot
        .links
        .iter()
        .map(|link| {
            let told = crate::support::wiring::told(&snapshot, link);
            if link.is_proven { told } else { format!("({told})") }
        })
        .collect();
    links.sort_unstable();
    let bridges = |counted| snapshot.counted(Layer::L2, counted, None).cuts().bridges.len();
    (links, bridges(Counted::Cables), bridges(Counted::Bundles))
}

/// Holds each network to its links and its bridges.
async fn check(cases: Vec<(&str, Value, &[&str], [usize; 2])>) {
    let wiring = Wiring::new().await;
    let mut wrong = Vec::new();
    for (name, hosts, links, bridges) in cases {
        let net = wiring.fill(name, &hosts).await;
        let (found, by_cable, by_bundle) = told(&net).await;
        if found != links || [by_cable, by_bundle] != bridges {
            wrong.push(format!("{name}: {found:?}, bridges {by_cable} and {by_bundle}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_cable_heard_on_a_port_and_on_its_subinterface_is_one() {
    let qfx = |heard: &Value| with_chassis("qfx", A, &[port(606, "xe-0/0/19", heard)]);
    let router = |sub: &Value| {
        let main = port(2, "sfp-sfpplus2", &json!({ "mac_address": B }));
        with_chassis("router", B, &[main, sub.clone()])
    };
    let both = neighbors(&[(B, "sfp-sfpplus2"), (B, "sfp-sfpplus2.665")]);
    let sub = |more: &Value| virtual_port(20, "sfp-sfpplus2.665", 135, more);
    let vlan = |more: &Value| virtual_port(20, "vlan665", 135, more);
    let by_name = json!([qfx(&both), router(&sub(&json!({})))]);
    let renamed = neighbors(&[(B, "sfp-sfpplus2"), (B, "vlan665")]);
    let by_record = json!([qfx(&renamed), router(&vlan(&json!({ "parent_if_index": 2 })))]);
    let by_mac = json!([qfx(&renamed), router(&vlan(&json!({ "mac_address": B })))]);
    let link = &["qfx:xe-0/0/19 -- router:sfp-sfpplus2 LLDP"][..];
    let mutual = json!([qfx(&hears(B, "sfp-sfpplus2.665")), router(&sub(&hears(A, "xe-0/0/19"))),]);
    check(vec![
        ("by its name", by_name, link, [1, 1]),
        ("by what is recorded", by_record, link, [1, 1]),
        ("by its MAC address", by_mac, link, [1, 1]),
        ("heard on it alone", mutual, link, [1, 1]),
    ])
    .await;
}

#[tokio::test]
async fn no_loop_and_no_contradiction_comes_from_interfaces_of_one_socket() {
    let wiring = Wiring::new().await;
    let unit = virtual_port(511, "ge-0/0/10.0", 53, &hears(A, "ge-0/0/46"));
    let hosts = json!([
        with_chassis("qfx", A, &[port(546, "ge-0/0/46", &hears(B, "ge-0/0/10.0"))]),
        with_chassis("srx", B, &[port(510, "ge-0/0/10", &hears(A, "ge-0/0/46")), unit]),
    ]);
    let net = wiring.fill("units", &hosts).await;
    let snapshot = net.snapshot().await;
    assert_eq!(net.links().await, ["qfx:ge-0/0/46 -- srx:ge-0/0/10 LLDP"]);
    let excluded: Vec<String> =
        snapshot.miscablings(|_| true).into_iter().map(|one| one.sentence).collect();
    assert_eq!(excluded, [""; 0]);
    let evidence = &snapshot.links[0].evidence;
    assert_eq!(evidence.len(), 3, "each of them is evidence");
    let told: Vec<String> = evidence.iter().filter_map(|one| snapshot.told_sockets(*one)).collect();
    let runs = " `ge-0/0/10.0` of `srx` runs over `ge-0/0/10`, as its name tells.";
    assert_eq!(told, [runs, runs]);
}

#[tokio::test]
async fn an_aggregate_is_a_bundle_of_its_members() {
    let member = |number: i32, name: &str, lag: i32, heard: &Value| {
        port(number, name, &with(heard, &json!({ "lag_if_index": lag })))
    };
    let aggregate = |number: i32, name: &str, more: &Value| virtual_port(number, name, 161, more);
    let two_sides = json!([
        with_chassis(
            "a",
            A,
            &[
                member(1, "xe-0", 10, &hears(B, "xe-0")),
                member(2, "xe-1", 10, &hears(B, "xe-1")),
                // The table of the aggregate has an address from behind the other switch.
                aggregate(10, "ae0", &json!({ "fdb_macs": ["02:00:00:00:0D:01"] })),
            ]
        ),
        with_chassis(
            "b",
            B,
            &[
                member(1, "xe-0", 20, &json!({})),
                member(2, "xe-1", 20, &json!({})),
                aggregate(20, "ae1", &hears(A, "ae0")),
            ]
        ),
        with_chassis(
            "server",
            D,
            &[port(1, "eth0", &json!({ "mac_address": "02:00:00:00:0D:01" }))]
        ),
    ]);
    // Members are recorded by their units, as Junos does.
    let unit =
        |number: i32, name: &str| virtual_port(number, name, 53, &json!({ "lag_if_index": 10 }));
    let by_units = json!([
        with_chassis(
            "a",
            A,
            &[
                port(1, "xe-0", &hears(B, "xe-0")),
                unit(11, "xe-0.0"),
                aggregate(10, "ae0", &json!({ "fdb_macs": ["02:00:00:00:0D:01"] })),
            ]
        ),
        with_chassis("b", B, &[port(1, "xe-0", &json!({}))]),
        with_chassis(
            "server",
            D,
            &[port(1, "eth0", &json!({ "mac_address": "02:00:00:00:0D:01" }))]
        ),
    ]);
    let two_switches = json!([
        with_chassis(
            "a",
            A,
            &[
                member(1, "xe-0", 10, &hears(B, "xe-0")),
                member(2, "xe-1", 10, &hears(C, "xe-0")),
                aggregate(10, "ae0", &json!({})),
            ]
        ),
        with_chassis("b", B, &[port(1, "xe-0", &json!({})), port(2, "xe-1", &hears(C, "xe-1"))]),
        with_chassis("c", C, &[port(1, "xe-0", &json!({})), port(2, "xe-1", &json!({}))]),
    ]);
    check(vec![
        (
            "two members",
            two_sides,
            &["a:xe-0 -- b:xe-0 LLDP", "a:xe-1 -- b:xe-1 LLDP"],
            // The loss of a cable cuts nothing, and the loss of the bundle does.
            [0, 1],
        ),
        ("members by units", by_units, &["a:xe-0 -- b:xe-0 LLDP"], [1, 1]),
        (
            "two switches",
            two_switches,
            &["a:xe-0 -- b:xe-0 LLDP", "a:xe-1 -- c:xe-0 LLDP", "b:xe-1 -- c:xe-1 LLDP"],
            [0, 0],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_table_proves_nothing_where_the_far_side_hears_the_port() {
    let wiring = Wiring::new().await;
    let hosts = json!([
        with_chassis("extreme", A, &[port(1024, "1:24", &hears(B, "GigabitEthernet1/0/48"))]),
        with_chassis("hpe", B, &[port(48, "GigabitEthernet1/0/48", &json!({ "fdb_macs": [D] }))]),
        with_chassis(
            "servers",
            D,
            &[virtual_port(4, "VLAN 10", 135, &json!({ "mac_address": D }))]
        ),
    ]);
    let net = wiring.fill("uplink", &hosts).await;
    let link = "extreme:1:24 -- hpe:GigabitEthernet1/0/48 LLDP";
    assert_eq!(net.links().await, [link]);
    assert_eq!(net.neighbor("hpe:GigabitEthernet1/0/48").await.as_deref(), Some("extreme:1:24"));
    let why = net.why("hpe:GigabitEthernet1/0/48").await;
    assert!(why.contains("so the table proves no other"), "{why}");
    // Without what the far side hears, the table is all that is known.
    let silent = json!({ "lldp_chassis_id": null, "lldp_port_id": null });
    net.put("extreme:1:24", &silent).await;
    assert_eq!(net.links().await, ["hpe:GigabitEthernet1/0/48 -- servers FDB"]);
    net.put("extreme:1:24", &hears(B, "GigabitEthernet1/0/48")).await;
    assert_eq!(net.links().await, [link]);
}

#[tokio::test]
async fn what_shares_a_segment_adds_no_redundancy() {
    // Three ports on one hub hear each other.
    let on_hub = |name: &str, own: &str, heard: [&str; 2]| {
        let heard = neighbors(&[(heard[0], "eth0"), (heard[1], "eth0")]);
        with_chassis(name, own, &[port(1, "eth0", &heard)])
    };
    let hub = json!([on_hub("a", A, [B, C]), on_hub("b", B, [A, C]), on_hub("c", C, [A, B])]);
    // Each member of a bond hears the frames of both; the switch tells which is which.
    let both = neighbors(&[(B, "ge-0"), (B, "ge-1")]);
    let bond = json!([
        with_chassis(
            "server",
            A,
            &[
                port(1, "eth0", &with(&both, &json!({ "mac_address": A, "lag_if_index": 9 }))),
                port(2, "eth1", &with(&both, &json!({ "lag_if_index": 9 }))),
                virtual_port(9, "bond0", 161, &json!({})),
            ]
        ),
        with_chassis(
            "switch",
            B,
            &[port(1, "ge-0", &hears(A, "eth0")), port(2, "ge-1", &hears(A, "eth1")),]
        ),
    ]);
    let lanes = |own: &str, far: &str, slot: i32, hearing: bool| -> Vec<Value> {
        (0..4)
            .map(|lane| {
                let heard = hears(far, &format!("et-0/0/5:{lane}"));
                let heard = if hearing { heard } else { json!({}) };
                port(
                    lane + 1,
                    &format!("et-0/0/{slot}:{lane}"),
                    &with(&heard, &json!({ "if_alias": own })),
                )
            })
            .collect()
    };
    let channels = json!([
        with_chassis("a", A, &lanes(A, B, 0, true)),
        with_chassis("b", B, &lanes(B, A, 5, false)),
    ]);
    check(vec![
        (
            "a hub",
            hub,
            &["(b:eth0 -- c:eth0 LLDP)", "a:eth0 -- b:eth0 LLDP", "a:eth0 -- c:eth0 LLDP"],
            [2, 2],
        ),
        (
            "a bond",
            bond,
            &[
                "(server:eth0 -- switch:ge-1 LLDP)",
                "(server:eth1 -- switch:ge-0 LLDP)",
                "server:eth0 -- switch:ge-0 LLDP",
                "server:eth1 -- switch:ge-1 LLDP",
            ],
            [0, 1],
        ),
        (
            "channels",
            channels,
            &[
                "a:et-0/0/0:0 -- b:et-0/0/5:0 LLDP",
                "a:et-0/0/0:1 -- b:et-0/0/5:1 LLDP",
                "a:et-0/0/0:2 -- b:et-0/0/5:2 LLDP",
                "a:et-0/0/0:3 -- b:et-0/0/5:3 LLDP",
            ],
            [0, 0],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_vlan_interface_that_hears_across_switches_is_no_cable() {
    let vlan = |heard: &Value| virtual_port(21, "management_vlan", 135, heard);
    let alone = json!([
        device(
            "rt",
            &[port(1, "trunk1", &json!({})), vlan(&cdp("sw", "management_vlan"))],
            &json!({})
        ),
        device("sw", &[port(2, "sfp2", &json!({})), vlan(&json!({}))], &json!({})),
    ]);
    let beside = json!([
        with_chassis(
            "rt",
            A,
            &[port(1, "trunk1", &hears(B, "sfp2")), vlan(&cdp("sw", "management_vlan"))]
        ),
        with_chassis("sw", B, &[port(2, "sfp2", &json!({})), vlan(&json!({}))]),
    ]);
    check(vec![
        ("alone", alone, &["(rt:management_vlan -- sw:management_vlan CDP)"], [0, 0]),
        ("beside a cable", beside, &["rt:trunk1 -- sw:sfp2 LLDP"], [1, 1]),
    ])
    .await;
}

#[tokio::test]
async fn devices_with_one_shared_address_stay_apart() {
    // Two switches report the address of their common aggregate as chassis id.
    let shared = "AC:5E:14:7F:89:01";
    let peer = |name: &str, address: &str, far: &str, far_address: &str| {
        let heard = json!({ "lldp_sys_name": far, "lldp_mgmt_addr": far_address });
        let heard = with(&hears(shared, "25GE1/0/10"), &heard);
        device(
            name,
            &[port(1, "25GE1/1/1", &json!({})), port(10, "25GE1/0/10", &heard)],
            &json!({ "chassis_id": shared, "management_address": address }),
        )
    };
    let pair = json!([
        peer("xa", "10.61.99.2", "xb", "10.61.99.3"),
        peer("xb", "10.61.99.3", "xa", "10.61.99.2"),
    ]);
    check(vec![("a pair", pair, &["xa:25GE1/0/10 -- xb:25GE1/0/10 LLDP"], [1, 1])]).await;
}
