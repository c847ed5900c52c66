//! Devices that have another name in the document, and those that must be kept apart.

use serde_json::{Value, json};
use toposcope::hosts;

use crate::inventory::{Importer, entry, merge, with};

const SYSTEM: &str = "00:11:22:33:44:55";

/// A host with ports that have these MAC addresses.
fn host(name: &str, macs: &[&str], more: Value) -> Value {
    let entries: Vec<Value> =
        (1..).zip(macs).map(|(nth, mac)| entry(nth, json!({ "mac_address": mac }))).collect();
    let mut host = json!({ "name": name, "if_entries": entries });
    merge(&mut host, more);
    host
}

fn bare(name: &str) -> Value {
    json!({ "name": name })
}

fn chassis(name: &str, id: &str) -> Value {
    json!({ "name": name, "chassis_id": id })
}

/// Imports hosts, then those that are said of them next; returns the names and what was noted. A dry
/// run notes the same, and a second import nothing.
async fn next(stored: Value, given: Value) -> (Vec<String>, Vec<String>) {
    let importer = Importer::new().await;
    importer.import(&with(stored)).await;
    let before = importer.all::<hosts::Entity>().await;
    let document = with(given);
    let tried = importer.try_text(&document.to_string(), true).await.unwrap();
    assert_eq!(importer.all::<hosts::Entity>().await, before);
    let report = importer.import(&document).await;
    assert_eq!((&report.notes, &report.counts), (&tried.notes, &tried.counts));
    let hosts = importer.all::<hosts::Entity>().await;
    assert!(before.iter().zip(&hosts).all(|(before, after)| before.id == after.id));
    let again = importer.import(&document).await;
    assert!(again.is_unchanged() && again.notes.is_empty(), "{again}");
    (hosts.into_iter().map(|host| host.name).collect(), report.notes)
}

#[tokio::test]
async fn a_device_with_another_name_is_the_stored_one_and_that_is_told() {
    let virtual_mac = "00:00:5e:00:01:0a";
    for (stored, given, told) in [
        (
            json!([bare("sw1"), bare("other")]),
            json!([bare("SW1")]),
            "hosts[0] `SW1` is taken for `sw1`, whose name differs in case only",
        ),
        (
            json!([chassis("old", "0211.22aa.bbcc")]),
            json!([chassis("new", "02-11-22-AA-BB-CC")]),
            "hosts[0] `new` is taken for `old`, which has the same chassis id 02:11:22:AA:BB:CC",
        ),
        (
            json!([chassis("old", "Rack 7")]),
            json!([chassis("new", "rack 7")]),
            "hosts[0] `new` is taken for `old`, which has the same chassis id rack 7",
        ),
        (
            json!([host("old", &["00:11:22:33:44:01", "00:11:22:33:44:02"], json!({}))]),
            json!([
                bare("first"),
                host(
                    "new",
                    &["0011.2233.4401", "0011.2233.4402", "00:11:22:33:44:03", virtual_mac],
                    json!({})
                ),
            ]),
            "hosts[1] `new` is taken for `old`, which has the same MAC address 00:11:22:33:44:01 \
             and 1 more",
        ),
        (
            json!([{ "name": "old", "interfaces": [
                { "ip_address": "10.0.0.1", "prefix_length": 24, "mac_address": SYSTEM }] }]),
            json!([host("new", &[SYSTEM], json!({}))]),
            "hosts[0] `new` is taken for `old`, which has the same MAC address 00:11:22:33:44:55",
        ),
    ] {
        let (names, notes) = next(stored.clone(), given.clone()).await;
        assert_eq!(notes, [told], "{given}");
        let (stored, given) = (stored.as_array().unwrap(), given.as_array().unwrap());
        assert_eq!(names.len(), stored.len().max(given.len()), "{names:?}");
        assert!(!names.contains(&"old".to_owned()), "{names:?}");
    }
}

/// Hosts of which none is a stored one, with what is said of them.
fn kept_apart() -> Vec<(Value, Value, &'static str)> {
    let virtual_mac = "00:00:5e:00:01:0a";
    let (a, b, c) = ("00:11:22:00:00:0a", "00:11:22:00:00:0b", "00:11:22:00:00:0c");
    let serial = |name: &str, serial: &str| {
        host(name, &[SYSTEM], json!({ "chassis_id": "C", "serial_number": serial }))
    };
    vec![
        (
            json!([bare("SW1"), bare("sw1")]),
            json!([bare("Sw1")]),
            "`Sw1` is kept apart from `SW1`, `sw1`, whose name differs in case only: several \
             stored hosts are called so",
        ),
        (
            json!([bare("sw1")]),
            json!([bare("SW1"), bare("Sw1")]),
            "`SW1` is kept apart from `sw1`, whose name differs in case only: several hosts of the \
             document are called so",
        ),
        (
            json!([bare("sw1")]),
            json!([bare("sw1"), bare("SW1")]),
            "whose name differs in case only: several hosts of the document are called so",
        ),
        (
            json!([bare("Switch")]),
            json!([bare("switch")]),
            "whose name differs in case only: devices are called so before they are given a name",
        ),
        (
            json!([chassis("one", "C"), chassis("two", "C")]),
            json!([bare("one"), chassis("three", "C")]),
            "`three` is kept apart from `one`, `two`, which has the same chassis id c: several \
             stored hosts have it",
        ),
        (
            json!([chassis("one", "C")]),
            json!([chassis("two", "C"), chassis("three", "C")]),
            "`two` is kept apart from `one`, which has the same chassis id c: several hosts of the \
             document have it",
        ),
        (
            json!([chassis("one", "C")]),
            json!([bare("one"), chassis("two", "C")]),
            "which has the same chassis id c: that is another host of the document",
        ),
        (json!([serial("one", "S1")]), json!([serial("two", "S2")]), "their serial numbers differ"),
        (
            json!([bare("other")]),
            json!([chassis("one", "C"), chassis("two", "c")]),
            "`two` has the chassis id c, which `one` has, too",
        ),
        (
            json!([host("one", &[SYSTEM, a], json!({}))]),
            json!([host("two", &[SYSTEM, b], json!({}))]),
            "`two` is kept apart from `one`, which has the same MAC address 00:11:22:33:44:55: most \
             of their other MAC addresses differ",
        ),
        (
            json!([host("one", &[SYSTEM], json!({}))]),
            json!([host("one", &[SYSTEM], json!({})), host("two", &[SYSTEM], json!({}))]),
            "which has the same MAC address 00:11:22:33:44:55: several hosts of the document have it",
        ),
        (
            json!([host("one", &[SYSTEM], json!({})), host("two", &[SYSTEM], json!({}))]),
            json!([host("three", &[SYSTEM], json!({}))]),
            "which has the same MAC address 00:11:22:33:44:55: several stored hosts have it",
        ),
        (
            json!([host("one", &[a, b], json!({}))]),
            json!([host("two", &[a], json!({})), host("three", &[b], json!({}))]),
            "which has the same MAC address 00:11:22:00:00:0A: other hosts of the document have \
             others of its",
        ),
        (
            json!([host("one", &[a], json!({})), host("two", &[b], json!({}))]),
            json!([host("three", &[a, b, c], json!({}))]),
            "another stored host has others of its",
        ),
        (
            json!([host("one", &[SYSTEM], json!({ "chassis_id": "C" }))]),
            json!([host("two", &[SYSTEM], json!({ "chassis_id": "D" }))]),
            "their chassis ids differ",
        ),
        (
            json!([host("one", &[a, "02:42:00:00:00:01", "52:54:00:00:00:01"], json!({}))]),
            json!([host("two", &[b, "02:42:00:00:00:01", "52:54:00:00:00:01"], json!({}))]),
            "most of their other MAC addresses differ",
        ),
        (
            json!([host("one", &[virtual_mac], json!({}))]),
            json!([host("two", &[virtual_mac], json!({}))]),
            "",
        ),
        (json!([chassis("one", virtual_mac)]), json!([chassis("two", virtual_mac)]), ""),
    ]
}

#[tokio::test]
async fn what_several_devices_share_makes_none_the_other() {
    for (stored, given, told) in kept_apart() {
        let (names, notes) = next(stored.clone(), given.clone()).await;
        let known = |name: &&Value| {
            stored.as_array().unwrap().iter().any(|host| host["name"] == name["name"])
        };
        let new = given.as_array().unwrap().iter().filter(|host| !known(host)).count();
        assert_eq!(names.len(), stored.as_array().unwrap().len() + new, "{given}");
        assert_eq!(notes.is_empty(), told.is_empty(), "{given}: {notes:?}");
        assert!(notes.is_empty() || notes.iter().any(|note| note.contains(told)), "{notes:?}");
        assert!(!notes.iter().any(|note| note.contains("is taken for")), "{notes:?}");
    }
}

#[tokio::test]
async fn the_name_of_a_port_is_compared_without_case_too() {
    let importer = Importer::new().await;
    let document = |if_index, name: &str| {
        with(json!([{ "name": "a", "if_entries": [entry(if_index, json!({ "if_descr": name }))] }]))
    };
    importer.import(&document(1, "GigabitEthernet0/1")).await;
    let before = importer.entry(1).await;
    importer.import(&document(7, "GIGABITETHERNET0/1")).await;
    assert_eq!(importer.entry(7).await.id, before.id);
}
