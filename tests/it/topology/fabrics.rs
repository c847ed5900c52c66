//! Five real networks, held against the cables that really are there.

use std::{collections::BTreeSet, path::PathBuf};

use serde_json::Value;
use toposcope_topology::network::Snapshot;
use toposcope_types::{Method, MiscablingKind};

use crate::support::wiring::{Port, Wiring, ends};

const FABRICS: [&str; 5] = ["dual-evpn", "junos", "mixed", "nxos", "ospf-single"];

/// The fabrics by name, each with what is true of it; none where they are not beside this folder.
pub(crate) fn fabrics() -> Vec<(&'static str, String, Value)> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/fabrics");
    let folder = std::env::var_os("TOPOSCOPE_FABRICS").map_or_else(|| beside.into(), PathBuf::from);
    if !folder.is_dir() {
        println!("skipped: there is no folder {}", folder.display());
        return Vec::new();
    }
    let read = |name: String| std::fs::read_to_string(folder.join(name)).unwrap();
    FABRICS
        .into_iter()
        .map(|name| {
            let truth = read(format!("{name}.expected-links.json"));
            (name, read(format!("{name}.json")), serde_json::from_str(&truth).unwrap())
        })
        .collect()
}

fn named(port: &Value) -> Port {
    (port[0].as_str().unwrap().to_owned(), port[1].as_str().map(str::to_owned))
}

#[tokio::test]
async fn every_real_fabric_has_its_cables_and_no_others() {
    for (name, text, truth) in fabrics() {
        let wiring = Wiring::new().await;
        wiring.import_text(&text).await;
        let snapshot = wiring.snapshot().await;
        check(name, &snapshot, &truth);
        // Every link is right, so none excludes another.
        let excluded = snapshot.miscablings(|_| true).into_iter();
        let excluded: Vec<String> = excluded
            .filter(|one| one.kind == MiscablingKind::SeveralLinks)
            .map(|one| one.sentence)
            .collect();
        assert_eq!(excluded, [""; 0], "{name}");
    }
}

fn check(name: &str, snapshot: &Snapshot, truth: &Value) {
    let links: Vec<([Port; 2], Method)> =
        snapshot.links.iter().map(|link| (ends(snapshot, link), link.method)).collect();
    let mut right: BTreeSet<[Port; 2]> = BTreeSet::new();
    let mut missing = Vec::new();
    for link in truth["heard"].as_array().unwrap() {
        let (one, other) = (named(&link[0]), named(&link[1]));
        let both = [[one.clone(), other.clone()], [other, one]];
        let found =
            links.iter().find(|(ends, method)| both.contains(ends) && *method != Method::Fdb);
        match found {
            Some((ends, _)) => drop(right.insert(ends.clone())),
            None => missing.push(format!("heard: {link}")),
        }
    }
    for entry in truth["forwarding_table"].as_array().unwrap() {
        let near = named(&entry["near"]);
        let far = entry["far"].as_str().unwrap();
        let acceptable = |port: &Option<String>| {
            let far_ports = entry["far_port"].as_array().unwrap();
            far_ports.iter().any(|wanted| wanted.as_str() == port.as_deref())
        };
        let found: Vec<_> = links
            .iter()
            .filter(|([one, other], method)| {
                let fits = |a: &Port, b: &Port| *a == near && b.0 == far && acceptable(&b.1);
                *method == Method::Fdb && (fits(one, other) || fits(other, one))
            })
            .collect();
        if found.is_empty() && entry["required"].as_bool().unwrap() {
            missing.push(format!("forwarding table: {entry}"));
        }
        right.extend(found.into_iter().map(|(ends, _)| ends.clone()));
    }
    let wrong: Vec<_> = links.iter().filter(|(ends, _)| !right.contains(ends)).collect();
    assert!(
        missing.is_empty() && wrong.is_empty(),
        "{name}: missing {missing:#?}, wrong {wrong:#?}"
    );
}
