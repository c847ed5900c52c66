//! Which device a neighbor is: every kind of evidence, from the strongest to the weakest.

use serde_json::{Value, json};

use crate::support::{
    bodies::with,
    wiring::{Wiring, cdp, device, lldp, port},
};

/// A network whose port `sw1:Gi0/1` hears somebody: what links it has, and what is said of them.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) hosts: Value,
    pub(crate) links: Vec<&'static str>,
    /// Parts of the explanation, in any order.
    pub(crate) why: Vec<&'static str>,
}

pub(crate) fn case(
    name: &'static str,
    hosts: Value,
    links: &[&'static str],
    why: &[&'static str],
) -> Case {
    Case { name, hosts, links: links.to_vec(), why: why.to_vec() }
}

/// Holds each network to what it should be, all of them in one organization with the same names and
/// addresses, so that none may see another.
pub(crate) async fn check(cases: Vec<Case>) {
    let wiring = Wiring::new().await;
    let mut wrong = Vec::new();
    for case in cases {
        let net = wiring.fill(case.name, &case.hosts).await;
        let (links, why) = (net.links().await, net.why("sw1:Gi0/1").await);
        if links != case.links {
            wrong.push(format!("{}: {links:?}\n  {why}", case.name));
        }
        for part in case.why {
            if !why.contains(part) {
                wrong.push(format!("{}: `{part}` is not in\n  {why}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The device that hears.
pub(crate) fn sw1(heard: &Value) -> Value {
    device("sw1", &[port(1, "Gi0/1", heard)], &json!({}))
}

/// A device with the port `Gi0/2`.
pub(crate) fn far(name: &str, more: &Value) -> Value {
    device(name, &[port(2, "Gi0/2", &json!({}))], more)
}

/// An address that the port `Gi0/2` shares.
fn address(ip: &str) -> Value {
    json!({ "interfaces": [{ "ip_address": ip, "prefix_length": 24, "if_name": "Gi0/2" }] })
}

const GI2: [&str; 2] = ["InterfaceName", "Gi0/2"];
const LINK: &str = "sw1:Gi0/1 -- sw2:Gi0/2 LLDP";

fn mac(value: &str) -> [&str; 2] {
    ["MacAddress", value]
}

#[tokio::test]
async fn a_chassis_id_finds_the_device_that_has_it_recorded() {
    let m = "02:00:00:00:00:22";
    let mut cases = Vec::new();
    for (name, recorded) in [
        ("colons", "02:00:00:00:00:22"),
        ("hyphens", "02-00-00-00-00-22"),
        ("quads", "0200.0000.0022"),
        ("halves", "020000-000022"),
        ("digits", "020000000022"),
        ("short octets", "2:0:0:0:0:22"),
        ("capitals", "02:00:00:00:00:22"),
    ] {
        let hosts =
            json!([sw1(&lldp(mac(m), GI2)), far("sw2", &json!({ "chassis_id": recorded }))]);
        let why =
            ["LLDP heard a neighbor: ", "`02:00:00:00:00:22` is the recorded chassis id of `sw2`"];
        cases.push(case(name, hosts, &[LINK], &why));
    }
    for (name, said) in [
        ("heard in hyphens", "02-00-00-00-00-22"),
        ("heard in quads", "0200.0000.0022"),
        ("heard in small letters", "02:00:00:00:00:22"),
    ] {
        let hosts = json!([sw1(&lldp(mac(said), GI2)), far("sw2", &json!({ "chassis_id": m }))]);
        cases.push(case(name, hosts, &[LINK], &["`02:00:00:00:00:22` is the recorded chassis id"]));
    }
    let text = json!([
        sw1(&lldp(["LocallyAssigned", "Rack-7"], GI2)),
        far("sw2", &json!({ "chassis_id": "rack-7" })),
    ]);
    cases.push(case("a text", text, &[LINK], &["`rack-7` is the recorded chassis id of `sw2`"]));
    let of_an_address = json!([
        sw1(&lldp(["NetworkAddress", "10.0.0.2"], GI2)),
        far("sw2", &json!({ "chassis_id": "10.0.0.2" })),
    ]);
    let why = ["`10.0.0.2` is the recorded chassis id of `sw2`"];
    cases.push(case("an address", of_an_address, &[LINK], &why));
    check(cases).await;
}

#[tokio::test]
async fn a_chassis_mac_finds_the_device_that_carries_it_anywhere() {
    let m = "02:00:00:00:00:22";
    let heard = sw1(&lldp(mac(m), GI2));
    let on_port = |more: &Value| device("sw2", &[port(2, "Gi0/2", more)], &json!({}));
    let svi = with(&port(9, "Vlan1", &json!({ "mac_address": m })), &json!({ "if_type": 53 }));
    let own = device(
        "sw2",
        &[port(2, "Gi0/2", &json!({ "mac_address": "02:00:00:00:00:02" })), svi],
        &json!({}),
    );
    let of_address = with(
        &far("sw2", &json!({})),
        &json!({ "interfaces": [
            { "ip_address": "10.0.0.2", "prefix_length": 24, "mac_address": m, "if_name": "Gi0/2" },
        ] }),
    );
    let on_no_port = far("sw2", &json!({ "sys_name": "SW2" }));
    let named = with(&lldp(mac(m), GI2), &json!({ "lldp_sys_name": "sw2" }));
    let why = [
        "no device has the recorded chassis id `02:00:00:00:00:22`",
        "`02:00:00:00:00:22` is the MAC address of `sw2`",
    ];
    check(vec![
        case("on the port", json!([heard, on_port(&json!({ "mac_address": m }))]), &[LINK], &why),
        case("on an SVI", json!([heard, own]), &[LINK], &why),
        case("on an interface", json!([heard, of_address]), &[LINK], &why),
        case(
            "on no port, but the name is known",
            json!([sw1(&named), on_no_port]),
            &[LINK],
            &["no device has the MAC address `02:00:00:00:00:22`", "`sw2` is the name of `sw2`"],
        ),
        case(
            "on no port, and nothing else said",
            json!([heard, far("sw2", &json!({}))]),
            &[],
            &[
                "no device has the MAC address `02:00:00:00:00:22`",
                "Add the device to this network",
            ],
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_chassis_address_finds_the_device_however_it_is_written() {
    let here = address("10.0.0.2");
    let there = json!({ "interfaces": [
        { "ip_address": "2001:db8::2", "prefix_length": 64, "if_name": "Gi0/2" },
    ] });
    let managed = json!({ "management_address": "10.0.0.2" });
    let page = json!({ "management_url": "https://10.0.0.2:8443/login" });
    let is4 = ["`10.0.0.2` is the network address of `sw2`"];
    let is6 = ["`2001:db8::2` is the network address of `sw2`"];
    let rows = [
        ("text", "10.0.0.2", &here, &is4),
        ("of an IPv4 address mapped into IPv6", "::ffff:10.0.0.2", &here, &is4),
        ("hexadecimal octets", "01:0a:00:00:02", &here, &is4),
        ("IPv6 text", "2001:DB8:0::2", &there, &is6),
        ("IPv6 octets", "0220010db8000000000000000000000002", &there, &is6),
        ("IPv4 octets", "010a000002", &here, &is4),
        ("of management", "10.0.0.2", &managed, &is4),
        ("of the management page", "10.0.0.2", &page, &is4),
    ];
    let mut cases: Vec<Case> = rows
        .into_iter()
        .map(|(name, said, more, why)| {
            let heard = sw1(&lldp(["NetworkAddress", said], GI2));
            case(name, json!([heard, far("sw2", more)]), &[LINK], why)
        })
        .collect();
    let other = sw1(&lldp(["NetworkAddress", "10.0.0.3"], GI2));
    let why = ["no device has the network address `10.0.0.3`"];
    cases.push(case("of nobody", json!([other, far("sw2", &here)]), &[], &why));
    check(cases).await;
}

#[tokio::test]
async fn an_address_in_raw_octets_is_written_as_text_and_padding_is_dropped() {
    let wiring = Wiring::new().await;
    let six = "\u{2} \u{1}\r\u{b8}\0\0\0\0\0\0\0\0\0\0\0\u{2}";
    for (name, raw, text) in [("four", "\u{1}\n\0\0\u{2}", "10.0.0.2"), ("six", six, "2001:db8::2")]
    {
        let heard = sw1(&lldp(["NetworkAddress", raw], GI2));
        let net = wiring.fill(name, &json!([heard, far("sw2", &address(text))])).await;
        assert_eq!(net.links().await, [LINK], "{name}");
        assert_eq!(net.body("sw1:Gi0/1").await["lldp_chassis_id"]["value"], text);
    }
    let port = sw1(&lldp(["LocallyAssigned", "sw2"], ["NetworkAddress", "\u{1}\n\0\0\u{2}"]));
    let net = wiring.fill("port", &json!([port, far("sw2", &address("10.0.0.2"))])).await;
    assert_eq!(net.links().await, [LINK], "{}", net.why("sw1:Gi0/1").await);
    let short = sw1(&lldp(["NetworkAddress", "\u{2} \u{1}\r"], GI2));
    let net = wiring.fill("short", &json!([short])).await;
    let body = net.body("sw1:Gi0/1").await;
    assert_eq!(body["lldp_chassis_id"]["value"], "\\x02 \\x01\n", "as text, and nobody's");
    let why = net.why("sw1:Gi0/1").await;
    assert!(why.contains("is not a valid network address"), "{why}");
    let padded = with(&cdp("sw2\0\0", "Gi0/2\0"), &json!({ "lldp_mgmt_addr": "10.0.0.2\0" }));
    let net = wiring.fill("padded", &json!([sw1(&padded), far("sw2", &address("10.0.0.2"))])).await;
    assert_eq!(net.evidence().await, ["sw1:Gi0/1 -- sw2:Gi0/2 LLDP by LLDP+CDP"]);
}

#[tokio::test]
async fn a_chassis_name_finds_the_device_that_is_called_so() {
    let mut cases = Vec::new();
    for (name, subtype) in [
        ("local", "LocallyAssigned"),
        ("component", "ChassisComponent"),
        ("interface", "InterfaceName"),
    ] {
        let hosts = json!([sw1(&lldp([subtype, "SW2.example.com"], GI2)), far("sw2", &json!({}))]);
        let why = [
            "no device has the recorded chassis id `sw2.example.com`",
            "`sw2`, the first label of `sw2.example.com`, is the name of `sw2`",
        ];
        cases.push(case(name, hosts, &[LINK], &why));
    }
    let hosts = json!([
        sw1(&lldp(["LocallyAssigned", "edge"], GI2)),
        far("sw2", &json!({ "hostname": "edge.example.com" })),
    ]);
    cases.push(case("the DNS name", hosts, &[LINK], &["`edge` is the name of `sw2`"]));
    let hosts = json!([sw1(&lldp(["InterfaceAlias", "sw2"], GI2)), far("sw2", &json!({}))]);
    let why = ["no device has the recorded chassis id `sw2`"];
    cases.push(case("an alias of an interface names no device", hosts, &[], &why));
    check(cases).await;
}

#[tokio::test]
async fn an_address_of_management_finds_the_device_unless_several_have_it() {
    let heard = |address: &str| {
        let unknown = lldp(mac("02:00:00:00:00:99"), GI2);
        sw1(&with(&unknown, &json!({ "lldp_mgmt_addr": address })))
    };
    let by_cdp = json!({ "cdp_address": "10.0.0.2", "cdp_port_id": "GigabitEthernet0/2" });
    let two = |more: &Value| {
        json!([heard("10.0.0.2"), far("sw2", &address("10.0.0.2")), far("sw3", more)])
    };
    let vrrp = json!([
        sw1(&lldp(mac("00:00:5E:00:01:0A"), GI2)),
        device(
            "sw2",
            &[port(2, "Gi0/2", &json!({ "mac_address": "00:00:5E:00:01:0A" }))],
            &json!({})
        ),
        device(
            "sw3",
            &[port(2, "Gi0/2", &json!({ "mac_address": "00:00:5E:00:01:0A" }))],
            &json!({})
        ),
    ]);
    let is = ["`10.0.0.2` is the management address of `sw2`"];
    check(vec![
        case(
            "an interface",
            json!([heard("10.0.0.2"), far("sw2", &address("10.0.0.2"))]),
            &[LINK],
            &is,
        ),
        case(
            "recorded",
            json!([heard("10.0.0.2"), far("sw2", &json!({ "management_address": "10.0.0.2" }))]),
            &[LINK],
            &is,
        ),
        case(
            "by CDP",
            json!([sw1(&by_cdp), far("sw2", &address("10.0.0.2"))]),
            &["sw1:Gi0/1 -- sw2:Gi0/2 CDP"],
            &is,
        ),
        case(
            "shared by two",
            two(&address("10.0.0.2")),
            &[],
            &[
                "2 devices have the management address `10.0.0.2`",
                "`sw2`",
                "`sw3`",
                "nothing is guessed",
            ],
        ),
        case(
            "link-local",
            json!([heard("fe80::1"), far("sw2", &json!({ "management_address": "fe80::1" }))]),
            &[],
            &["`fe80::1` names no single device"],
        ),
        case(
            "loopback",
            json!([heard("127.0.0.1"), far("sw2", &json!({ "management_address": "127.0.0.1" }))]),
            &[],
            &["`127.0.0.1` names no single device"],
        ),
        case("a VRRP pair", vrrp, &[], &["`00:00:5E:00:01:0A` names no single device"]),
    ])
    .await;
}

#[tokio::test]
async fn a_system_name_finds_the_device_in_every_usual_form() {
    let mut cases = Vec::new();
    for (name, said, known) in [
        ("a domain behind it", "sw2.example.com", json!({})),
        ("capitals", "SW2", json!({})),
        ("a serial number behind it", "sw2(FOC1234X0YZ)", json!({})),
        ("only the DNS name has a domain", "sw2.example.com", json!({ "hostname": "sw2.lan" })),
        ("blanks", " sw2 ", json!({})),
    ] {
        let hosts = json!([sw1(&cdp(said, "GigabitEthernet0/2")), far("sw2", &known)]);
        cases.push(case(
            name,
            hosts,
            &["sw1:Gi0/1 -- sw2:Gi0/2 CDP"],
            &["is the name of `sw2`", "CDP heard"],
        ));
    }
    let telephone = json!([
        sw1(&cdp("SEP0CD0F8F5D688", "Port 1")),
        device(
            "phone",
            &[port(1, "Port 1", &json!({ "mac_address": "0CD0F8F5D688" }))],
            &json!({})
        ),
    ]);
    cases.push(case(
        "a telephone",
        telephone,
        &["phone:Port 1 -- sw1:Gi0/1 CDP"],
        &["`0C:D0:F8:F5:D6:88` is the MAC address of `phone`"],
    ));
    let whole = json!([
        sw1(&cdp("sw2.one.example", "Gi0/2")),
        far("sw2.one.example", &json!({})),
        far("sw2.two.example", &json!({})),
    ]);
    cases.push(case(
        "two with one first label, one as a whole",
        whole,
        &["sw1:Gi0/1 -- sw2.one.example:Gi0/2 CDP"],
        &["`sw2.one.example` is the name of `sw2.one.example`"],
    ));
    let labels = json!([
        sw1(&cdp("sw2", "Gi0/2")),
        far("sw2.one.example", &json!({})),
        far("sw2.two.example", &json!({})),
    ]);
    let why = ["2 devices have the name `sw2`: ", "`sw2.one.example`", "`sw2.two.example`"];
    cases.push(case("two with one first label", labels, &[], &why));
    let unknown = json!([sw1(&cdp("sw9.example.com", "Gi0/2")), far("sw2", &json!({}))]);
    let why = ["no device has the name `sw9.example.com`", "no device has the name `sw9`"];
    cases.push(case("an unknown device with a known port", unknown, &[], &why));
    check(cases).await;
}
