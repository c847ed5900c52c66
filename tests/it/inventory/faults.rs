//! Documents that are wrong: where the complaint says so, and that nothing is written.

use serde_json::{Value, json};

use crate::inventory::{Importer, entry, merge, with};

/// A second host of a document, so that its place is not the first.
fn second(more: Value) -> Value {
    let mut host = json!({ "name": "a" });
    merge(&mut host, more);
    with(json!([{ "name": "first" }, host]))
}

/// Documents that are wrong as a whole or in an entry, and how the complaint begins.
fn faulty_entries() -> Vec<(Value, &'static str)> {
    let in_entry =
        |more: Value| second(json!({ "if_entries": [entry(1, json!({})), entry(2, more)] }));
    vec![
        (json!({ "format": "toposcope.inventory/2" }), "`format` is not valid"),
        (json!({ "format": "toposcope.inventory/1" }), "`network.name` is required"),
        (json!({}), "`format` is required"),
        (json!([]), "`document` is not valid"),
        (
            in_entry(json!({ "mac_address": "x" })),
            "`hosts[1].if_entries[1].mac_address` is not valid",
        ),
        (in_entry(json!({ "if_descr": null })), "`hosts[1].if_entries[1].if_descr` is required"),
        (
            in_entry(json!({ "if_descr": "" })),
            "`hosts[1].if_entries[1].if_descr` must have at least 1",
        ),
        (in_entry(json!({ "if_index": 0 })), "`hosts[1].if_entries[1].if_index` must be between"),
        (in_entry(json!({ "if_index": 1 })), "`hosts[1].if_entries[1].if_index` repeats"),
        (
            in_entry(json!({ "speed_bps": -1 })),
            "`hosts[1].if_entries[1].speed_bps` must be between",
        ),
        (
            in_entry(json!({ "admin_status": "On" })),
            "`hosts[1].if_entries[1].admin_status` is not valid",
        ),
        (
            in_entry(json!({ "ip_address": "10.1.1.1" })),
            "`hosts[1].if_entries[1].ip_address` is not valid",
        ),
        (
            in_entry(json!({ "fdb_macs": ["00:11:22:33:44:55", "?"] })),
            "`hosts[1].if_entries[1].fdb_macs[1]` is not valid",
        ),
        (
            in_entry(json!({ "neighbors_heard": [{ "protocol": "LLDP", "port_id": "Gi1" }] })),
            "`hosts[1].if_entries[1].neighbors_heard[0].port_id` is not valid",
        ),
        (
            in_entry(
                json!({ "neighbors_heard": [{ "protocol": "LLDP", "port_id": { "subtype": "Mac", "value": "" } }] }),
            ),
            "`hosts[1].if_entries[1].neighbors_heard[0].port_id.subtype` is not valid",
        ),
        (
            in_entry(json!({ "if_alias": "a\u{1}" })),
            "`hosts[1].if_entries[1].if_alias` is not valid",
        ),
    ]
}

/// Documents that are wrong in other parts of a host or in a group.
fn faulty_hosts() -> Vec<(Value, &'static str)> {
    let service = |more: Value| {
        let mut service = json!({ "name": "s", "service_definition": "S" });
        merge(&mut service, more);
        second(
            json!({ "interfaces": [{ "ip_address": "10.0.0.1", "prefix_length": 24 }], "services": [service] }),
        )
    };
    let group = |binding: Value| {
        let mut document =
            service(json!({ "bindings": [{ "type": "Port", "number": 1, "protocol": "Tcp" }] }));
        merge(
            &mut document,
            json!({ "groups": [{ "name": "g", "group_type": "HubAndSpoke", "bindings": [binding] }] }),
        );
        document
    };
    vec![
        (second(json!({ "name": "first" })), "`hosts[1].name` repeats"),
        (second(json!({ "name": "" })), "`hosts[1].name` must have at least 1"),
        (second(json!({ "hostname": "a\u{7}" })), "`hosts[1].hostname` is not valid"),
        (second(json!({ "tags": ["a", "b", "a"] })), "`hosts[1].tags[2]` repeats"),
        (second(json!({ "tags": [""] })), "`hosts[1].tags[0]` must have at least 1"),
        (
            second(json!({ "interfaces": [{ "ip_address": "10.0.0.1" }] })),
            "`hosts[1].interfaces[0].prefix_length` is required",
        ),
        (
            second(json!({ "interfaces": [{ "ip_address": "10.0.0.1", "prefix_length": 33 }] })),
            "`hosts[1].interfaces[0].prefix_length` must be between 0 and 32",
        ),
        (
            second(json!({ "ports": [{ "number": 0, "protocol": "Tcp" }] })),
            "`hosts[1].ports[0].number` must be between",
        ),
        (
            second(
                json!({ "ports": [{ "number": 1, "protocol": "Tcp" }, { "number": 1, "protocol": "Tcp" }] }),
            ),
            "`hosts[1].ports[1].number` repeats",
        ),
        (
            service(json!({ "bindings": [{ "type": "Port", "number": 1 }] })),
            "`hosts[1].services[0].bindings[0].protocol` is required",
        ),
        (
            service(json!({ "bindings": [{ "type": "Interface" }] })),
            "`hosts[1].services[0].bindings[0].ip_address` is required",
        ),
        (
            service(json!({ "bindings": [{ "type": "Interface", "ip_address": "10.0.0.2" }] })),
            "`hosts[1].services[0].bindings[0].ip_address` is not valid: the host has no interface",
        ),
        (service(json!({ "position": -1 })), "`hosts[1].services[0].position` must be between"),
        (
            group(json!({ "host": "b", "service": "s", "number": 1 })),
            "`groups[0].bindings[0].host` is not valid: there is no host",
        ),
        (
            group(json!({ "host": "a", "service": "t", "number": 1 })),
            "`groups[0].bindings[0].service` is not valid",
        ),
        (
            group(json!({ "host": "a", "service": "s", "number": 2, "protocol": "Tcp" })),
            "`groups[0].bindings[0]` is not valid: the service has no such binding",
        ),
    ]
}

#[tokio::test]
async fn a_fault_names_its_place_and_nothing_is_written() {
    let importer = Importer::new().await;
    importer.import(&with(json!([{ "name": "kept" }]))).await;
    for (document, expected) in faulty_entries().into_iter().chain(faulty_hosts()) {
        let fault = importer.fault(&document).await;
        assert!(fault.starts_with(expected), "{fault}\n{document}");
    }
    let text = "{\"format\": \"toposcope.inventory/1\",\n \"network\": }";
    let fault = importer.try_text(text, false).await.unwrap_err().to_string();
    assert!(fault.contains("this is not JSON") && fault.contains("line 2"), "{fault}");
}

#[tokio::test]
async fn a_binding_of_a_group_must_be_the_only_one_that_is_meant() {
    let importer = Importer::new().await;
    let on = |address: &str| json!({ "type": "Port", "number": 80, "protocol": "Tcp", "ip_address": address });
    let document = |bindings: Value, member: Value| {
        let mut document = with(json!([{
            "name": "a",
            "interfaces": [{ "ip_address": "10.0.0.1", "prefix_length": 24 },
                           { "ip_address": "10.0.0.2", "prefix_length": 24 }],
            "services": [{ "name": "s", "service_definition": "S", "bindings": bindings }],
        }]));
        merge(
            &mut document,
            json!({ "groups": [{ "name": "g", "group_type": "HubAndSpoke", "bindings": [member] }] }),
        );
        document
    };
    let member = json!({ "host": "a", "service": "s", "number": 80, "protocol": "Tcp" });
    let fault =
        importer.fault(&document(json!([on("10.0.0.1"), on("10.0.0.2")]), member.clone())).await;
    assert!(fault.contains("`groups[0].bindings[0]`") && fault.contains("several"), "{fault}");
    importer.import(&document(json!([on("10.0.0.1")]), member.clone())).await;
    let mut exact = member;
    merge(&mut exact, json!({ "ip_address": "10.0.0.2" }));
    let report = importer.import(&document(json!([on("10.0.0.1"), on("10.0.0.2")]), exact)).await;
    assert_eq!(report.of("bindings"), [1, 0, 1, 0]);
    assert_eq!(report.of("groups"), [0, 1, 0, 0]);
}

#[tokio::test]
async fn unknown_keys_are_reported_with_their_place() {
    let importer = Importer::new().await;
    let mut document = with(json!([{ "name": "a", "colour": 1, "if_entries": [entry(1, json!({
        "vlan": 7, "neighbors_heard": [{ "protocol": "LLDP", "sys_name": "x", "ttl": 120 }] }))] }]));
    merge(&mut document, json!({ "comment": "hello" }));
    let report = importer.import(&document).await;
    let mut unknown = report.unknown_keys.clone();
    unknown.sort();
    assert_eq!(
        unknown,
        [
            "comment",
            "hosts[0].colour",
            "hosts[0].if_entries[0].neighbors_heard[0].ttl",
            "hosts[0].if_entries[0].vlan"
        ]
    );
    assert!(report.to_string().contains("unknown key, not imported: hosts[0].colour"), "{report}");
}
