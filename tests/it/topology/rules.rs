//! The number of the rules tells whether stored resolutions are those that the rules give today.

use std::path::Path;

use proptest::{
    strategy::{Strategy as _, ValueTree as _},
    test_runner::TestRunner,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toposcope::topology::reresolve::RULES;

use super::laws::named;
use crate::support::{
    bodies::with,
    collisions::facts,
    wiring::{Wiring, cdp, device, lldp, port},
};

/// The number of networks that are recorded beside the sample campus.
const NETWORKS: usize = 25;

/// The evidence by which ports are found, but for what people say.
const PORT_TIERS: [&str; 9] = [
    "Name",
    "Description",
    "AliasText",
    "NormalisedName",
    "IfIndex",
    "PortDescription",
    "Mac",
    "Address",
    "Number",
];

/// The findings by the rules of one number.
#[derive(Serialize, Deserialize)]
struct Record {
    rules: i32,
    networks: Vec<Recorded>,
}

/// The hosts of a network, and what is found of their neighbors.
#[derive(Serialize, Deserialize)]
struct Recorded {
    hosts: Value,
    found: Vec<String>,
}

/// A switch that identifies the ports of another one by each kind of evidence.
fn each_kind_of_evidence() -> Value {
    let far = [
        port(1, "GigabitEthernet0/1", &json!({ "if_name": "Gi0/1" })),
        port(2, "description two", &json!({ "if_name": "Gi0/2" })),
        port(3, "Gi0/3", &json!({ "if_alias": "written on three" })),
        port(4, "TenGigabitEthernet0/4", &json!({})),
        port(50, "Gi0/5", &json!({})),
        port(6, "Gi0/6", &json!({ "if_alias": "said of six" })),
        port(7, "Gi0/7", &json!({ "mac_address": "02:00:00:00:00:07" })),
        port(8, "Gi0/8", &json!({})),
        port(90, "Gi0/99", &json!({})),
        port(10, "Gi0/10", &lldp(["LocallyAssigned", "near"], ["InterfaceName", "e10"])),
        port(11, "Gi0/11", &json!({ "mac_address": "02:00:00:00:00:0B" })),
        port(12, "Gi0/12", &json!({ "mac_address": "02:00:00:00:00:0B" })),
    ];
    let address = json!([{ "ip_address": "10.0.0.8", "prefix_length": 24, "if_name": "Gi0/8" }]);
    let far =
        device("far", &far, &json!({ "chassis_id": "02:00:00:00:00:FF", "interfaces": address }));
    let chassis = ["MacAddress", "02:00:00:00:00:FF"];
    let hears =
        |number: i32, id: [&str; 2]| port(number, &format!("e{number}"), &lldp(chassis, id));
    let near = [
        hears(1, ["InterfaceName", "Gi0/1"]),
        hears(2, ["InterfaceName", "description two"]),
        hears(3, ["InterfaceAlias", "written on three"]),
        hears(4, ["InterfaceName", "Te0/4"]),
        hears(5, ["LocallyAssigned", "50"]),
        port(
            6,
            "e6",
            &with(
                &lldp(chassis, ["LocallyAssigned", "x"]),
                &json!({ "lldp_port_desc": "said of six" }),
            ),
        ),
        hears(7, ["MacAddress", "02:00:00:00:00:07"]),
        hears(8, ["NetworkAddress", "10.0.0.8"]),
        hears(9, ["LocallyAssigned", "99"]),
        hears(10, ["LocallyAssigned", "y"]),
        hears(11, ["MacAddress", "02:00:00:00:00:0B"]),
        port(12, "e12", &json!({ "fdb_macs": ["02:00:00:00:00:07"] })),
        port(13, "e13", &cdp("far", "Gi0/1")),
    ];
    let by_name = lldp(["LocallyAssigned", "far"], ["InterfaceName", "Gi0/1"]);
    let by_address = lldp(["NetworkAddress", "10.0.0.8"], ["InterfaceName", "Gi0/2"]);
    let managed = json!({ "lldp_mgmt_addr": "10.0.0.8" });
    let other = [
        port(1, "e1", &by_name),
        port(2, "e2", &by_address),
        port(3, "e3", &with(&lldp(["LocallyAssigned", "z"], ["LocallyAssigned", "z"]), &managed)),
    ];
    json!([far, device("near", &near, &json!({})), device("other", &other, &json!({}))])
}

/// The sample campus, each kind of evidence, and networks full of names and addresses that collide.
fn networks() -> Vec<Value> {
    let campus: Value =
        serde_json::from_str(include_str!("../../../src/inventory/campus.json")).unwrap();
    let mut runner = TestRunner::deterministic();
    let generated = std::iter::from_fn(|| {
        Some(facts().new_tree(&mut runner).unwrap().current().as_documents())
    });
    let by_hand = [campus["hosts"].clone(), each_kind_of_evidence()];
    by_hand.into_iter().chain(generated.flatten().take(NETWORKS)).collect()
}

async fn found(wiring: &Wiring, hosts: &Value) -> Vec<String> {
    let net = wiring.fill("recorded", hosts).await;
    let found = named(wiring, net.id).await;
    net.clear().await;
    found
}

#[tokio::test]
async fn the_number_of_the_rules_is_raised_when_the_same_facts_give_something_else() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/topology/rules.json");
    let wiring = Wiring::new().await;
    if std::env::var_os("TOPOSCOPE_RECORD_RULES").is_some() {
        let old = std::fs::read_to_string(&file).ok();
        let old: Option<Record> = old.and_then(|text| serde_json::from_str(&text).ok());
        let mut record = Record { rules: RULES, networks: Vec::new() };
        for hosts in networks() {
            let found = found(&wiring, &hosts).await;
            let before = old.iter().filter(|old| old.rules == RULES).flat_map(|old| &old.networks);
            let mut before = before.filter(|one| one.hosts == hosts);
            assert!(
                before.all(|one| one.found == found),
                "the same facts give other resolutions: raise RULES first"
            );
            record.networks.push(Recorded { hosts, found });
        }
        let text = serde_json::to_string(&record).unwrap().replace("{\"hosts\"", "\n{\"hosts\"");
        std::fs::write(&file, text + "\n").unwrap();
    }
    let record: Record = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let record_anew = "then record them: TOPOSCOPE_RECORD_RULES=1 cargo test --test it rules";
    assert_eq!(
        record.rules, RULES,
        "the rules have a new number: look at what differs, {record_anew}"
    );
    assert!(record.networks.len() > NETWORKS && record.networks[0].found.len() > 100);
    let all: String = record.networks.iter().map(|one| one.found.join("\n")).collect();
    for tier in PORT_TIERS {
        assert!(all.contains(&format!("Some({tier})")), "no port is found by {tier}");
    }
    for Recorded { hosts, found: before } in record.networks {
        let now = found(&wiring, &hosts).await;
        let gone: Vec<_> = before.iter().filter(|line| !now.contains(line)).collect();
        let new: Vec<_> = now.iter().filter(|line| !before.contains(line)).collect();
        assert!(
            now == before,
            "the same facts give other resolutions: raise RULES in src/topology/reresolve.rs, {record_anew}\
             \nbefore: {gone:#?}\nnow: {new:#?}\nof: {hosts}"
        );
    }
}
