//! The number of the rules tells whether stored resolutions are those that the rules give today.

use std::path::Path;

use proptest::{
    strategy::{Strategy as _, ValueTree as _},
    test_runner::TestRunner,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toposcope::topology::reresolve::RULES;

use super::laws::named;
use crate::support::{collisions::facts, wiring::Wiring};

/// How many networks are recorded beside the sample campus.
const NETWORKS: usize = 40;

/// What the rules of one number find.
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

/// The sample campus, and networks full of names and addresses that collide.
fn networks() -> Vec<Value> {
    let campus: Value =
        serde_json::from_str(include_str!("../../../src/inventory/campus.json")).unwrap();
    let mut runner = TestRunner::deterministic();
    let generated = std::iter::from_fn(|| {
        Some(facts().new_tree(&mut runner).unwrap().current().as_documents())
    });
    std::iter::once(campus["hosts"].clone()).chain(generated.flatten().take(NETWORKS)).collect()
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
        let mut record = Record { rules: RULES, networks: Vec::new() };
        for hosts in networks() {
            let found = found(&wiring, &hosts).await;
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
