//! Forwarding tables: what they say of wiring, and what they must not be taken to say.

use serde_json::{Value, json};

use crate::{
    support::{
        bodies::with,
        wiring::{Wiring, device, lldp, port},
    },
    topology::hosts::{case, check, sw1},
};

const NEAR: &str = "02:00:00:00:01:01";
const FAR: &str = "02:00:00:00:02:02";
const LINK: &str = "sw1:Gi0/1 -- sw2:Gi0/2 FDB";

fn learned(macs: &[&str]) -> Value {
    sw1(&json!({ "mac_address": NEAR, "fdb_macs": macs }))
}

fn of_type(number: i32, name: &str, if_type: i32, mac: &str) -> Value {
    port(number, name, &json!({ "if_type": if_type, "mac_address": mac }))
}

fn sw2() -> Value {
    device("sw2", &[of_type(2, "Gi0/2", 6, FAR)], &json!({}))
}

#[tokio::test]
async fn the_one_usable_mac_of_a_table_names_who_is_there() {
    let other = device("sw3", &[of_type(2, "Gi0/2", 6, "02:00:00:00:03:02")], &json!({}));
    let pc = device(
        "pc",
        &[],
        &json!({ "interfaces": [
            { "ip_address": "10.0.0.9", "prefix_length": 24, "mac_address": "02:00:00:00:09:01" },
        ] }),
    );
    let is = [
        "The forwarding table of this port has one usable MAC address",
        "`02:00:00:00:02:02` is the MAC address of `sw2`",
        "`02:00:00:00:02:02` is the MAC address of `Gi0/2`",
    ];
    let tunnel = sw1(&json!({ "if_type": 131, "fdb_macs": [FAR] }));
    let vlan = sw1(&json!({ "if_type": 53, "fdb_macs": [FAR] }));
    let lag = sw1(&json!({ "if_type": 161, "fdb_macs": [FAR] }));
    check(vec![
        case("one", json!([learned(&[FAR]), sw2()]), &[LINK], &is),
        case("twice, in two VLANs", json!([learned(&[FAR, FAR]), sw2()]), &[LINK], &is),
        case("own", json!([learned(&[NEAR, FAR]), sw2()]), &[LINK], &is),
        case(
            "groups and virtual routers",
            json!([
                learned(&["01:00:5E:00:00:FB", "FF:FF:FF:FF:FF:FF", "00:00:5E:00:01:0A", FAR]),
                sw2(),
            ]),
            &[LINK],
            &is,
        ),
        case("only own", json!([learned(&[NEAR]), sw2()]), &[], &[]),
        case("an uplink", json!([learned(&[FAR, "02:00:00:00:03:02"]), sw2(), other]), &[], &[]),
        case(
            "of nobody",
            json!([learned(&["02:00:00:00:08:08"]), sw2()]),
            &[],
            &["no device has the MAC address `02:00:00:00:08:08`"],
        ),
        case(
            "of an interface without a port",
            json!([learned(&["02:00:00:00:09:01"]), pc]),
            &["pc -- sw1:Gi0/1 FDB"],
            &[
                "`02:00:00:00:09:01` is the MAC address of `pc`",
                "Its port is not known: no ports of `pc` are recorded",
            ],
        ),
        case("of a tunnel", json!([tunnel, sw2()]), &[], &[]),
        case("of a VLAN", json!([vlan, sw2()]), &[], &[]),
        case("of a group of ports", json!([lag, sw2()]), &[LINK], &is),
    ])
    .await;
}

#[tokio::test]
async fn a_mac_on_several_interfaces_names_the_device_and_of_a_group_the_group() {
    let host = |ports: &[Value]| json!([learned(&[FAR]), device("sw2", ports, &json!({}))]);
    let at_host = ["sw1:Gi0/1 -- sw2 FDB"];
    let member = of_type(2, "Gi0/2", 6, FAR);
    let second = of_type(3, "Gi0/3", 6, FAR);
    check(vec![
        case(
            "an SVI and its first member",
            host(&[member.clone(), of_type(90, "Vlan1", 53, FAR)]),
            &at_host,
            &["`02:00:00:00:02:02` is the MAC address of `Gi0/2`, `Vlan1`: a VLAN or bridge"],
        ),
        case(
            "an SVI alone",
            host(&[of_type(2, "Gi0/2", 6, "02:00:00:00:02:01"), of_type(90, "Vlan1", 136, FAR)]),
            &at_host,
            &["The link ends at `sw2`. Its port is not known"],
        ),
        case(
            "two sockets",
            host(&[member.clone(), second.clone()]),
            &at_host,
            &["2 ports have the MAC address"],
        ),
        case(
            "a group and its members",
            host(&[member, second, of_type(100, "Po1", 161, FAR)]),
            &["sw1:Gi0/1 -- sw2:Po1 FDB"],
            &["`02:00:00:00:02:02` is the MAC address of `Po1`"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn beside_a_protocol_a_table_adds_evidence_and_no_link() {
    let wiring = Wiring::new().await;
    let by_lldp = lldp(["LocallyAssigned", "sw2"], ["InterfaceName", "Gi0/2"]);
    let ports = |first: &Value, second: &Value| {
        device("sw1", &[port(1, "Gi0/1", first), port(2, "Gi0/9", second)], &json!({}))
    };
    // The port that hears a protocol is not looked into; another is, and adds to what is known.
    let own = ports(&with(&by_lldp, &json!({ "fdb_macs": [FAR] })), &json!({}));
    let net = wiring.fill("own", &json!([own, sw2()])).await;
    assert_eq!(net.evidence().await, ["sw1:Gi0/1 -- sw2:Gi0/2 LLDP by LLDP"]);
    let other = ports(&by_lldp, &json!({ "fdb_macs": [FAR] }));
    let net = wiring.fill("other", &json!([other, sw2()])).await;
    assert_eq!(net.evidence().await, ["sw1:Gi0/1 -- sw2:Gi0/2 LLDP by LLDP+FDB"]);
    assert!(net.why("sw1:Gi0/9").await.contains("joins the two devices already"));
    assert_eq!(net.neighbor("sw1:Gi0/9").await, None);
    // From the other side, with parallel cables: the table speaks for each of them.
    let far = device(
        "sw2",
        &[
            of_type(2, "Gi0/2", 6, FAR),
            port(3, "Gi0/3", &json!({})),
            port(4, "Gi0/4", &json!({ "fdb_macs": [NEAR] })),
        ],
        &json!({}),
    );
    let second = lldp(["LocallyAssigned", "sw2"], ["InterfaceName", "Gi0/3"]);
    let near = ports(&with(&by_lldp, &json!({ "mac_address": NEAR })), &second);
    let net = wiring.fill("parallel", &json!([near, far])).await;
    let links = ["sw1:Gi0/1 -- sw2:Gi0/2 LLDP by LLDP+FDB", "sw1:Gi0/9 -- sw2:Gi0/3 LLDP by LLDP"];
    assert_eq!(net.evidence().await, links, "it names a port, so it speaks for the link of that");
    // Without the protocol, the table is a link of its own.
    net.put("sw1:Gi0/1", &json!({ "lldp_chassis_id": null, "lldp_port_id": null })).await;
    net.put("sw1:Gi0/9", &json!({ "lldp_chassis_id": null, "lldp_port_id": null })).await;
    assert_eq!(net.evidence().await, ["sw1:Gi0/1 -- sw2:Gi0/4 FDB by FDB"]);
}

#[tokio::test]
async fn a_group_of_ports_and_its_members_are_links_of_their_own() {
    let wiring = Wiring::new().await;
    let member = |nth: i32, far: &str| {
        let heard = lldp(["LocallyAssigned", far], ["InterfaceName", &format!("Gi0/{nth}")]);
        port(nth, &format!("Gi0/{nth}"), &heard)
    };
    let group = |macs: &[&str]| {
        port(100, "Po1", &json!({ "if_type": 161, "mac_address": NEAR, "fdb_macs": macs }))
    };
    let near = device("sw1", &[member(1, "sw2"), member(2, "sw2"), group(&[FAR])], &json!({}));
    let far_group = port(100, "Po1", &json!({ "if_type": 161, "mac_address": FAR }));
    let far = device("sw2", &[member(1, "sw1"), member(2, "sw1"), far_group], &json!({}));
    let net = wiring.fill("lag", &json!([near, far])).await;
    let links = net.evidence().await;
    assert_eq!(
        links,
        [
            "sw1:Gi0/1 -- sw2:Gi0/1 LLDP by LLDP+LLDP+FDB",
            "sw1:Gi0/2 -- sw2:Gi0/2 LLDP by LLDP+LLDP+FDB",
        ],
        "the table of the group speaks for its members, and makes no third cable"
    );
}
