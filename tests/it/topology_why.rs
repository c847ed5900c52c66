//! Why something is missing from the graph of a network, or is doubtful.

use serde_json::{Value, json};

use crate::{
    topology_answers::{Place, device, hears},
    wiring::{self, document},
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
    let place = Place::new(&document).await;
    let sw = place.host("sw").await;
    let query =
        "query($id: ID!) { host(id: $id) { ifEntries(orderBy: [{ field: IF_INDEX }]) { edges {
        node { unlinked { reason sentence } } } } } }";
    let before = place.wiring.test.app.db.statements();
    let answer = place.ask(query, json!({ "id": sw })).await;
    let statements = place.wiring.test.app.db.statements() - before;
    let edges = answer["data"]["host"]["ifEntries"]["edges"].as_array().unwrap();
    let told = |number: usize| &edges[number - 1]["node"]["unlinked"];
    for (number, reason, words) in [
        (1, "NOTHING_HEARD", "Switch LLDP on"),
        (2, "NO_USABLE_ADDRESS", "of groups"),
        (3, "SEVERAL_ADDRESSES", "has 2 MAC addresses"),
        (4, "NOT_A_PORT", "ifType 136"),
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
    let both = |number: i32, far: &str, others: &[Value]| {
        let mut observations = vec![json!({ "protocol": "LLDP",
            "chassis_id": { "subtype": "LocallyAssigned", "value": far },
            "port_id": { "subtype": "InterfaceName", "value": "eth1" } })];
        observations.extend_from_slice(others);
        wiring::port(number, &format!("eth{number}"), &json!({ "neighbors_heard": observations }))
    };
    let cdp = |far: &str| {
        json!({ "protocol": "CDP", "sys_name": far,
        "port_id": { "subtype": "InterfaceName", "value": "eth1" } })
    };
    let lldp = json!({ "protocol": "LLDP",
        "chassis_id": { "subtype": "LocallyAssigned", "value": "pc" },
        "port_id": { "subtype": "InterfaceName", "value": "eth1" } });
    let port = || wiring::port(1, "eth1", &json!({}));
    let document = document(
        "lab",
        &json!([
            device("sw", &[both(1, "a", &[cdp("b")]), both(2, "phone", &[lldp, cdp("phone")])],),
            device("a", &[port()]),
            device("b", &[port()]),
            device("phone", &[port()]),
            device("pc", &[port()]),
        ]),
    );
    let place = Place::new(&document).await;
    let topology = place.topology("links { method } miscablings { kind sentence }").await;
    assert_eq!(topology["links"].as_array().unwrap().len(), 4);
    let miscablings = topology["miscablings"].as_array().unwrap();
    assert_eq!(miscablings.len(), 1, "{topology}");
    assert_eq!(miscablings[0]["kind"], "CONTRADICTION");
    let sentence = miscablings[0]["sentence"].as_str().unwrap();
    assert!(sentence.contains("CDP says that `eth1` of `sw` hears `eth1` of `b`"), "{sentence}");
}
