//! Which port of a device a neighbor is: every kind of evidence, and what is left where none decides.

use serde_json::{Value, json};

use crate::{
    support::{
        bodies::with,
        wiring::{Wiring, cdp, device, lldp, port},
    },
    topology::hosts::{Case, case, check, sw1},
};

const SW2: [&str; 2] = ["LocallyAssigned", "sw2"];
const LINK: &str = "sw1:Gi0/1 -- sw2:Gi0/2 LLDP";
const AT_HOST: &str = "sw1:Gi0/1 -- sw2 LLDP";

/// The port `sw1:Gi0/1` hears `sw2`, which calls its port so.
fn hears(subtype: &str, value: &str) -> Value {
    sw1(&lldp(SW2, [subtype, value]))
}

fn says(subtype: &str, value: &str, description: &str) -> Value {
    sw1(&with(&lldp(SW2, [subtype, value]), &json!({ "lldp_port_desc": description })))
}

fn sw2(ports: &[Value]) -> Value {
    device("sw2", ports, &json!({}))
}

/// A port with a name and a description that differ.
fn described(number: i32, name: &str, description: &str, more: &Value) -> Value {
    with(&port(number, name, more), &json!({ "if_descr": description }))
}

fn plain(number: i32, name: &str) -> Value {
    port(number, name, &json!({}))
}

fn of_type(number: i32, name: &str, if_type: i32, mac: &str) -> Value {
    port(number, name, &json!({ "if_type": if_type, "mac_address": mac }))
}

#[tokio::test]
async fn a_port_id_finds_the_port_by_each_of_its_names() {
    let many = sw2(&[
        described(501, "Gi0/2", "GigabitEthernet0/2", &json!({ "if_alias": "to sw1" })),
        described(502, "Gi0/3", "GigabitEthernet0/3", &json!({ "if_alias": "to sw3" })),
    ]);
    let mut cases = Vec::new();
    for (name, subtype, value, why) in [
        ("name", "InterfaceName", "Gi0/2", "`gi0/2` is the name of `Gi0/2`"),
        ("name of any case", "InterfaceName", "GI0/2", "`gi0/2` is the name of `Gi0/2`"),
        ("name as free text", "LocallyAssigned", "Gi0/2", "`gi0/2` is the name of `Gi0/2`"),
        ("name as a component", "PortComponent", "Gi0/2", "`gi0/2` is the name of `Gi0/2`"),
        ("name as a circuit", "AgentCircuitId", "Gi0/2", "`gi0/2` is the name of `Gi0/2`"),
        (
            "description",
            "InterfaceName",
            "GigabitEthernet0/2",
            "`gigabitethernet0/2` is the description of `Gi0/2`",
        ),
        ("alias", "InterfaceAlias", "to sw1", "`to sw1` is the alias of `Gi0/2`"),
        ("alias as free text", "LocallyAssigned", "to sw1", "`to sw1` is the alias of `Gi0/2`"),
        (
            "another length of the name",
            "InterfaceName",
            "Gig 0/2",
            "`gi0/2` is the name, in its short form, of `Gi0/2`",
        ),
        ("ifIndex", "LocallyAssigned", "501", "`501` is the ifIndex of `Gi0/2`"),
        ("ifIndex with zeros", "InterfaceName", "0501", "`0501` is the ifIndex of `Gi0/2`"),
    ] {
        cases.push(case(name, json!([hears(subtype, value), many]), &[LINK], &[why]));
    }
    let by_cdp = json!([sw1(&cdp("sw2", "GigabitEthernet0/2")), many]);
    let why = ["CDP heard a neighbor", "`gigabitethernet0/2` is the description of `Gi0/2`"];
    cases.push(case("CDP", by_cdp, &["sw1:Gi0/1 -- sw2:Gi0/2 CDP"], &why));
    check(cases).await;
}

#[tokio::test]
async fn long_and_short_names_of_interfaces_are_one() {
    let mut cases = Vec::new();
    for (said, known) in [
        ("TenGigabitEthernet1/1", "Te1/1"),
        ("Te1/1", "TenGigabitEthernet1/1"),
        ("FortyGigE1/0/49", "Fo1/0/49"),
        ("HundredGigE1/0/1", "Hu1/0/1"),
        ("Ethernet1/1", "Eth1/1"),
        ("Et1", "Ethernet1"),
        ("port-channel10", "Po10"),
        ("Vlan10", "Vl10"),
        ("FastEthernet0/1", "Fa0/1"),
    ] {
        let hosts =
            json!([hears("InterfaceName", said), sw2(&[plain(7, known), plain(8, "Gi9/9")])]);
        let link: &'static str =
            Box::leak(format!("sw1:Gi0/1 -- sw2:{known} LLDP").into_boxed_str());
        cases.push(case(said, hosts, &[link], &["name, in its short form,"]));
    }
    let bridge = json!([
        hears("InterfaceName", "bridge1/ether2"),
        sw2(&[plain(1, "ether1"), plain(2, "ether2")])
    ]);
    let why = [
        "o port has the name `bridge1/ether2`",
        "`ether2` is the name, in its short form, of `ether2`",
    ];
    cases.push(case("a bridge before it", bridge, &["sw1:Gi0/1 -- sw2:ether2 LLDP"], &why));
    check(cases).await;
}

#[tokio::test]
async fn a_bare_number_is_an_index_or_the_end_of_one_name() {
    let numbered = [plain(501, "Gi0/1"), plain(502, "Gi0/2")];
    let three = [plain(501, "Gi0/1"), plain(502, "Gi1/1"), plain(503, "Te1/1")];
    let both = [plain(2, "Gi0/1"), plain(501, "Gi0/2")];
    let beside = [plain(502, "Gi0/2"), port(601, "Vlan2", &json!({ "if_type": 53 }))];
    check(vec![
        case(
            "2 for Gi0/2",
            json!([hears("LocallyAssigned", "2"), sw2(&numbered)]),
            &[LINK],
            &["no port has the ifIndex `2`", "`2` is the last number in its name of `Gi0/2`"],
        ),
        case(
            "an index before the end of a name",
            json!([hears("LocallyAssigned", "2"), sw2(&both)]),
            &["sw1:Gi0/1 -- sw2:Gi0/1 LLDP"],
            &["`2` is the ifIndex of `Gi0/1`"],
        ),
        case(
            "1 at the end of three names",
            json!([hears("LocallyAssigned", "1"), sw2(&three)]),
            &[AT_HOST],
            &[
                "3 ports have the last number in its name `1`: `Gi0/1`, `Gi1/1`, `Te1/1`",
                "The link ends at `sw2`",
            ],
        ),
        case(
            "a VLAN is no socket",
            json!([hears("LocallyAssigned", "2"), sw2(&beside)]),
            &[LINK],
            &[],
        ),
        case(
            "nothing",
            json!([hears("LocallyAssigned", "7"), sw2(&numbered)]),
            &[AT_HOST],
            &["no port has the ifIndex `7`", "no port has the last number in its name `7`"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_description_decides_where_the_port_id_says_nothing() {
    let ports = sw2(&[
        described(501, "Gi0/1", "port one", &json!({ "if_alias": "uplink" })),
        described(502, "Gi0/2", "port two", &json!({ "if_alias": "to sw1" })),
    ]);
    let twice = sw2(&[
        described(501, "Gi0/1", "port one", &json!({ "if_alias": "uplink" })),
        described(502, "Gi0/2", "port two", &json!({ "if_alias": "uplink" })),
    ]);
    let why =
        ["o port has the name `slot-b`", "`port two` is the description, alias or name of `Gi0/2`"];
    check(vec![
        case("description", json!([says("LocallyAssigned", "slot-b", "Port Two"), ports]), &[LINK], &why),
        case(
            "alias",
            json!([says("LocallyAssigned", "slot-b", "to sw1"), ports]),
            &[LINK],
            &["`to sw1` is the description, alias or name of `Gi0/2`"],
        ),
        case(
            "name",
            json!([says("MacAddress", "02:00:00:00:00:99", "GigabitEthernet0/2"), ports]),
            &[LINK],
            &["`gi0/2` is the description, alias or name of `Gi0/2`"],
        ),
        case(
            "two have it",
            json!([says("LocallyAssigned", "slot-b", "uplink"), twice]),
            &[AT_HOST],
            &["2 ports have the description, alias or name `uplink`: `Gi0/1`, `Gi0/2`"],
        ),
        case(
            "weaker evidence chooses among two only",
            json!([says("InterfaceAlias", "uplink", "port two"), twice]),
            &[LINK],
            &["2 ports have the alias `uplink`", "`port two` is the description, alias or name of `Gi0/2`"],
        ),
        case(
            "weaker evidence may not bring in a third",
            json!([says("InterfaceAlias", "uplink", "Gi0/3"), with(&twice, &json!({ "if_entries": [
                described(501, "Gi0/1", "port one", &json!({ "if_alias": "uplink" })),
                described(502, "Gi0/2", "port two", &json!({ "if_alias": "uplink" })),
                plain(503, "Gi0/3"),
            ] }))]),
            &[AT_HOST],
            &["`Gi0/3` has the description, alias or name `gi0/3`, but stronger evidence rules that out"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_mac_decides_where_one_socket_has_it() {
    let m = "02:00:00:00:02:00";
    let own = [of_type(1, "Gi0/1", 6, "02:00:00:00:02:01"), of_type(2, "Gi0/2", 6, m)];
    let shared = [of_type(1, "Gi0/1", 6, m), of_type(2, "Gi0/2", 6, m), of_type(3, "Gi0/3", 6, m)];
    let svis =
        [of_type(2, "Gi0/2", 6, m), of_type(90, "Vlan1", 53, m), of_type(91, "Vlan2", 136, m)];
    let spelled = |value: &str| hears("MacAddress", value);
    let mut cases = vec![
        case(
            "all ports share it",
            json!([spelled(m), sw2(&shared)]),
            &[AT_HOST],
            &["3 ports have the MAC address `02:00:00:00:02:00`: `Gi0/1`, `Gi0/2`, `Gi0/3`"],
        ),
        case(
            "SVIs repeat it",
            json!([spelled(m), sw2(&svis)]),
            &[LINK],
            &["`02:00:00:00:02:00` is the MAC address of `Gi0/2`"],
        ),
        case(
            "all share it, the description decides",
            json!([says("MacAddress", m, "Gi0/2"), sw2(&shared)]),
            &[LINK],
            &["`gi0/2` is the description, alias or name of `Gi0/2`"],
        ),
        case(
            "nobody has it",
            json!([spelled("02:00:00:00:02:99"), sw2(&own)]),
            &[AT_HOST],
            &["no port has the MAC address `02:00:00:00:02:99`"],
        ),
    ];
    for value in [
        "02:00:00:00:02:00",
        "02-00-00-00-02-00",
        "0200.0000.0200",
        "020000-000200",
        "020000000200",
        "2:0:0:0:2:0",
        " 02:00:00:00:02:00",
    ] {
        cases.push(case(
            value,
            json!([spelled(value), sw2(&own)]),
            &[LINK],
            &["is the MAC address of `Gi0/2`"],
        ));
    }
    let local = json!([hears("LocallyAssigned", "0200.0000.0200"), sw2(&own)]);
    cases.push(case("as free text", local, &[LINK], &["is the MAC address of `Gi0/2`"]));
    check(cases).await;
}

#[tokio::test]
async fn a_port_id_never_attaches_to_a_port_of_another_device() {
    let m = "02:00:00:00:03:02";
    let sw3 =
        device("sw3", &[of_type(2, "Gi0/2", 6, m)], &json!({ "chassis_id": "02:00:00:00:03:00" }));
    let of_sw2 = sw2(&[of_type(1, "Gi0/9", 6, "02:00:00:00:02:02")]);
    let by_mac = json!([hears("MacAddress", m), of_sw2, sw3]);
    let by_name = json!([hears("InterfaceName", "Gi0/2"), of_sw2, sw3]);
    // The MAC of the chassis of sw2 is that of a port of sw3.
    let chassis = with(&of_sw2, &json!({ "chassis_id": m }));
    let equal = json!([sw1(&lldp(["MacAddress", m], ["InterfaceName", "Gi0/9"])), chassis, sw3]);
    let address = with(
        &of_sw2,
        &json!({ "interfaces": [
        { "ip_address": "10.0.0.2", "prefix_length": 24, "if_name": "Gi0/9" },
    ] }),
    );
    check(vec![
        case("by MAC", by_mac, &[AT_HOST], &["no port has the MAC address `02:00:00:00:03:02`"]),
        case("by name", by_name, &[AT_HOST], &["no port has the name `gi0/2`"]),
        case(
            "a chassis MAC equal to that of another port",
            equal,
            &["sw1:Gi0/1 -- sw2:Gi0/9 LLDP"],
            &["`02:00:00:00:03:02` is the recorded chassis id of `sw2`"],
        ),
        case(
            "by address",
            json!([hears("NetworkAddress", "10.0.0.2"), address, sw3]),
            &["sw1:Gi0/1 -- sw2:Gi0/9 LLDP"],
            &["`10.0.0.2` is the address of `Gi0/9`"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn each_side_that_names_the_other_alone_finds_the_port() {
    let unknown = |name: &str| lldp(["LocallyAssigned", name], ["LocallyAssigned", "backplane"]);
    let quiet = |name: &str| json!({ "lldp_sys_name": name });
    let named = |name: &str, port: &str| lldp(["LocallyAssigned", name], ["InterfaceName", port]);
    let two = |here: &Value, there: &Value| {
        json!([sw1(here), device("sw2", &[port(2, "Gi0/2", there), plain(3, "Gi0/3")], &json!({}))])
    };
    let third = |here: &Value, there: &Value, more: &Value| {
        let ports = [port(2, "Gi0/2", there), port(3, "Gi0/3", more)];
        json!([sw1(here), device("sw2", &ports, &json!({}))])
    };
    let met = "Its port is `Gi0/2`, which says that it hears this side";
    let cases = vec![
        case("both once", two(&unknown("sw2"), &unknown("sw1")), &[LINK], &[met]),
        case("one names the other", two(&quiet("sw2"), &named("sw1", "Gi0/1")), &[LINK], &[met]),
        case(
            "the far side names this one with two ports",
            third(&unknown("sw2"), &named("sw1", "Gi0/1"), &named("sw1", "Gi0/1")),
            &[LINK, "sw1:Gi0/1 -- sw2:Gi0/3 LLDP"],
            &["The link ends at `sw2`"],
        ),
        case(
            "two far ports hear this side without a name",
            third(&unknown("sw2"), &unknown("sw1"), &unknown("sw1")),
            &["sw1 -- sw2:Gi0/2 LLDP", "sw1 -- sw2:Gi0/3 LLDP", AT_HOST],
            &["The link ends at `sw2`"],
        ),
    ];
    check(cases).await;
}

#[tokio::test]
async fn neighbors_on_one_port_are_each_a_link_in_any_order() {
    let heard = |name: &str, port: &str| {
        json!({ "protocol": "LLDP", "chassis_id": { "subtype": "LocallyAssigned", "value": name },
            "port_id": { "subtype": "InterfaceName", "value": port } })
    };
    let all = [heard("phone", "1"), heard("pc", "eth0"), heard("sw2", "Gi0/2")];
    let devices = [
        device("phone", &[plain(1, "1")], &json!({})),
        device("pc", &[plain(1, "eth0")], &json!({})),
        sw2(&[plain(2, "Gi0/2")]),
    ];
    let links =
        ["pc:eth0 -- sw1:Gi0/1 LLDP", "phone:1 -- sw1:Gi0/1 LLDP", "sw1:Gi0/1 -- sw2:Gi0/2 LLDP"];
    let wiring = Wiring::new().await;
    let orders: [&[usize]; 8] =
        [&[0, 1], &[1, 0], &[0, 1, 2], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]];
    for order in orders {
        let heard: Vec<_> = order.iter().map(|nth| all[*nth].clone()).collect();
        let mut hosts = devices.to_vec();
        hosts.push(sw1(&json!({ "neighbors_heard": heard })));
        let net = wiring.fill(&format!("{order:?}"), &json!(hosts)).await;
        assert_eq!(net.links().await, links[..order.len()], "{order:?}");
        assert_eq!(net.explained("sw1:Gi0/1").await.len(), order.len());
        let first = ["phone:1", "pc:eth0", "sw2:Gi0/2"][order[0]];
        assert_eq!(net.neighbor("sw1:Gi0/1").await.as_deref(), Some(first));
    }
}

#[tokio::test]
async fn two_devices_with_one_mac_each_other_evidence_tells_apart() {
    let m = "02:00:00:00:00:55";
    let with_mac = |name: &str| device(name, &[of_type(2, "Gi0/2", 6, m)], &json!({}));
    let heard = lldp(["MacAddress", m], ["InterfaceName", "Gi0/2"]);
    let cases: Vec<Case> = vec![
        case(
            "nothing else",
            json!([sw1(&heard), with_mac("sw2"), with_mac("sw3")]),
            &[],
            &[
                "2 devices have the MAC address `02:00:00:00:00:55`",
                "`sw2`",
                "`sw3`",
                "nothing is guessed",
            ],
        ),
        case(
            "a name among them",
            json!([
                sw1(&with(&heard, &json!({ "lldp_sys_name": "sw2" }))),
                with_mac("sw2"),
                with_mac("sw3")
            ]),
            &[LINK],
            &["2 devices have the MAC address", "`sw2` is the name of `sw2`"],
        ),
        case(
            "a name of a third",
            json!([
                sw1(&with(&heard, &json!({ "lldp_sys_name": "sw4" }))),
                with_mac("sw2"),
                with_mac("sw3"),
                device("sw4", &[plain(2, "Gi0/2")], &json!({}))
            ]),
            &[],
            &["`sw4` has the name `sw4`, but stronger evidence rules that out"],
        ),
    ];
    check(cases).await;
}
