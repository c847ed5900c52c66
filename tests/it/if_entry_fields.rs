//! What the standards say of an interface beyond the first fields, and of the hardware of a device:
//! on every face, kept if omitted, cleared by null, filtered by, and followed.

use serde_json::{Value, json};
use toposcope::if_entries;
use toposcope_types::{Id, VlanSet};

use crate::{
    inventory::{self, merge},
    support::{
        app::{Answer, TestApp},
        bodies::with,
        introspection::{camel_case, text},
        plenty,
        world::{SampleNetwork, World, if_entry},
    },
};

/// A value of every field of an entry.
fn said() -> Value {
    json!({ "lag_if_index": 1000, "parent_if_index": 7, "mtu": 9216, "duplex": "Full",
        "native_vlan": 30, "tagged_vlans": [10, 11, 12, 20], "stp_state": "Forwarding" })
}

/// The same fields, cleared.
fn nulls(fields: &Value) -> Value {
    fields.as_object().unwrap().keys().map(|key| (key.clone(), Value::Null)).collect()
}

/// A value of every field of a host.
fn hardware() -> Value {
    json!({
        "manufacturer": "Example Networks", "model": "EN-48", "serial_number": "EN1",
        "software_version": "17.9.4",
        "stack_members": [
            { "number": 1, "serial_number": "EN1", "model": "EN-48",
              "mac_address": "02:00:00:00:00:0A", "software_version": "17.9.4" },
            { "number": null, "serial_number": "EN2", "model": null, "mac_address": null,
              "software_version": null },
        ],
    })
}

#[track_caller]
fn assert_has(found: &Value, fields: &Value) {
    for (key, value) in fields.as_object().unwrap() {
        assert_eq!(found[key], *value, "{key}");
    }
}

async fn put(world: &World, place: &SampleNetwork, change: &Value) -> Answer {
    let put = world.test.put(&place.entry_path(0), &with(&place.entry_body(0), change));
    put.credential(&world.ours.admin.key).send().await
}

async fn graphql(world: &World, query: &str, variables: Value) -> Value {
    let answer = world.test.graphql(&world.ours.admin.key, query, variables).await;
    assert_eq!(answer["errors"], Value::Null, "{answer}");
    answer["data"].clone()
}

const ASKED: &str = "lagIfIndex parentIfIndex mtu duplex nativeVlan taggedVlans stpState";

/// The fields as GraphQL spells them.
fn in_graphql(fields: &Value) -> Value {
    let fields = fields.as_object().unwrap().iter().map(|(key, value)| {
        let is_enum = ["duplex", "stp_state"].contains(&key.as_str());
        let value = value
            .as_str()
            .filter(|_| is_enum)
            .map_or(value.clone(), |text| json!(text.to_uppercase()));
        (camel_case(key), value)
    });
    fields.collect()
}

#[tokio::test]
async fn an_entry_is_written_and_read_on_every_face_and_keeps_what_is_omitted() {
    let world = World::new().await;
    let place = &world.ours.networks[0];
    let key = &world.ours.admin.key;
    let path = place.entry_path(0);

    assert_has(put(&world, place, &said()).await.data(), &said());
    assert_has(put(&world, place, &json!({})).await.data(), &said());
    assert_has(world.test.get(&path).credential(key).send().await.data(), &said());
    let id = place.hosts[0].if_entries[0];
    let one = format!("query($id: ID!) {{ ifEntry(id: $id) {{ {ASKED} }} }}");
    let found = graphql(&world, &one, json!({ "id": id })).await;
    assert_eq!(found["ifEntry"], in_graphql(&said()));

    // Zero is the number of no interface.
    let zero = put(&world, place, &json!({ "lag_if_index": 0, "parent_if_index": 0.0 })).await;
    assert_has(zero.data(), &json!({ "lag_if_index": null, "parent_if_index": null, "mtu": 9216 }));
    let cleared = put(&world, place, &nulls(&said())).await;
    assert_has(cleared.data(), &nulls(&said()));

    let bare = json!({ "hostId": place.hosts[0].id, "networkId": place.id, "ifIndex": 1,
        "ifDescr": "e1", "ifType": 6, "adminStatus": "UP", "operStatus": "UP" });
    let update = format!(
        "mutation($id: ID!, $input: UpdateIfEntryInput!) {{
            updateIfEntry(id: $id, input: $input) {{ {ASKED} }} }}"
    );
    for (change, expected) in [
        (in_graphql(&said()), said()),
        (json!({}), said()),
        (in_graphql(&nulls(&said())), nulls(&said())),
    ] {
        let variables = json!({ "id": id, "input": with(&bare, &change) });
        let found = graphql(&world, &update, variables).await;
        assert_eq!(found["updateIfEntry"], in_graphql(&expected), "{change}");
    }
    let create = format!(
        "mutation($input: CreateIfEntryInput!) {{ createIfEntry(input: $input) {{ id {ASKED} }} }}"
    );
    let new = with(&with(&bare, &in_graphql(&said())), &json!({ "ifIndex": 50 }));
    let made = graphql(&world, &create, json!({ "input": new })).await["createIfEntry"].clone();
    assert_has(&made, &in_graphql(&said()));
    let made = format!("/api/v1/if-entries/{}", text(&made["id"]));
    assert_has(world.test.get(&made).credential(key).send().await.data(), &said());
}

#[tokio::test]
async fn a_list_of_a_host_keeps_what_it_omits_and_the_log_and_the_table_show_it() {
    let world = World::new().await;
    let place = &world.ours.networks[0];
    let key = &world.ours.admin.key;
    let path = format!("/api/v1/hosts/{}", place.hosts[0].id);
    let upload = async |change: Value| {
        let entry = with(&json!({ "if_index": 1, "if_descr": "e1" }), &change);
        let body = json!({ "if_entries": [entry] });
        world.test.put(&path, &body).credential(key).send().await.data()["if_entries"][0].clone()
    };
    let entry = upload(said()).await;
    for (change, expected) in
        [(json!({}), said()), (nulls(&said()), nulls(&said())), (said(), said())]
    {
        assert_has(&upload(change).await, &expected);
    }

    let log = format!("/api/v1/changes?entity_id={}", text(&entry["id"]));
    let log = world.test.get(&log).credential(key).send().await.data().to_string();
    assert!(
        log.contains("\"tagged_vlans\":[10,11,12,20]") && log.contains("\"lag_if_index\":1000")
    );

    let table = world.test.get("/api/v1/if-entries/export/csv").credential(key).send().await;
    let mut reader = csv::Reader::from_reader(table.bytes.as_slice());
    let columns = reader.headers().unwrap().clone();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let row = rows.iter().find(|row| row[0] == *text(&entry["id"])).unwrap();
    let cell = |name: &str| &row[columns.iter().position(|column| column == name).unwrap()];
    for (name, value) in [
        ("lag_if_index", "1000"),
        ("parent_if_index", "7"),
        ("mtu", "9216"),
        ("duplex", "Full"),
        ("native_vlan", "30"),
        ("stp_state", "Forwarding"),
    ] {
        assert_eq!(cell(name), value, "{name}");
    }
    assert!(cell("tagged_vlans").contains("12"), "{}", cell("tagged_vlans"));
}

#[tokio::test]
async fn a_host_tells_its_hardware_on_every_face() {
    let world = World::new().await;
    let place = &world.ours.networks[0];
    let key = &world.ours.admin.key;
    let path = format!("/api/v1/hosts/{}", place.hosts[0].id);
    for (change, expected) in [
        (hardware(), hardware()),
        (json!({}), hardware()),
        (nulls(&hardware()), nulls(&hardware())),
        (hardware(), hardware()),
    ] {
        let answer = world.test.put(&path, &change).credential(key).send().await;
        assert_has(answer.data(), &expected);
    }
    let asked = "manufacturer model serialNumber softwareVersion
        stackMembers { number serialNumber model macAddress softwareVersion }";
    let update = format!(
        "mutation($id: ID!, $input: UpdateHostInput!) {{
            updateHost(id: $id, input: $input) {{ {asked} }} }}"
    );
    let id = place.hosts[0].id;
    let members = json!([{ "number": 2, "macAddress": "0011.2233.4455" }]);
    let input = json!({ "softwareVersion": "18", "stackMembers": members });
    let found = graphql(&world, &update, json!({ "id": id, "input": input })).await;
    let found = &found["updateHost"];
    assert_eq!(found["manufacturer"], "Example Networks");
    assert_eq!(found["softwareVersion"], "18");
    assert_eq!(
        found["stackMembers"],
        json!([{ "number": 2, "serialNumber": null, "model": null,
            "macAddress": "00:11:22:33:44:55", "softwareVersion": null }])
    );
    let table = world.test.get("/api/v1/hosts/export/csv").credential(key).send().await;
    let table = String::from_utf8(table.bytes.clone()).unwrap();
    assert!(table.contains("software_version,stack_members") && table.contains("Example Networks"));

    for (change, code, field) in [
        (json!({ "stack_members": [{ "number": 0 }] }), "out_of_range", "stack_members[0].number"),
        (
            json!({ "stack_members": [{ "number": 256 }] }),
            "out_of_range",
            "stack_members[0].number",
        ),
        (json!({ "stack_members": vec![json!({}); 65] }), "max_length", "stack_members"),
        (
            json!({ "stack_members": [{ "model": "x".repeat(4097) }] }),
            "max_length",
            "stack_members[0].model",
        ),
        (json!({ "software_version": "x".repeat(4097) }), "max_length", "software_version"),
        (json!({ "stack_members": [["1"]] }), "invalid_format", "stack_members[0]"),
    ] {
        let answer = world.test.put(&path, &change).credential(key).send().await;
        let (status, found, params) = answer.failure();
        assert_eq!((status, found), (400, format!("validation_{code}").as_str()), "{change}");
        assert_eq!(params["field"], field, "{}", answer.body);
    }
}

#[tokio::test]
async fn a_wrong_value_is_named_with_its_field_and_the_remedy() {
    let world = World::new().await;
    let place = &world.ours.networks[0];
    let range = |min: i64, max: i64| json!({ "min": min, "max": max });
    let highest = i64::from(i32::MAX);
    for (field, value, named, bounds) in [
        ("lag_if_index", json!(-1), "lag_if_index", range(0, highest)),
        ("lag_if_index", json!(highest + 1), "lag_if_index", range(0, highest)),
        ("parent_if_index", json!(-1), "parent_if_index", range(0, highest)),
        ("mtu", json!(-1), "mtu", range(0, highest)),
        ("native_vlan", json!(0), "native_vlan", range(1, 4094)),
        ("native_vlan", json!(4095), "native_vlan", range(1, 4094)),
        ("tagged_vlans", json!([1, 0]), "tagged_vlans[1]", range(1, 4094)),
        ("tagged_vlans", json!([4095]), "tagged_vlans[0]", range(1, 4094)),
    ] {
        let answer = put(&world, place, &json!({ field: value })).await;
        let params = with(&bounds, &json!({ "field": named }));
        assert_eq!(answer.failure(), (400, "validation_out_of_range", &params), "{value}");
    }
    for (change, field, remedy) in [
        (json!({ "lag_if_index": 1 }), "lag_if_index", "give that of the aggregate, or null"),
        (json!({ "parent_if_index": 1 }), "parent_if_index", "runs over, or null"),
        (json!({ "duplex": "Unknown" }), "duplex", "`Half`"),
        (json!({ "stp_state": "up" }), "stp_state", "`Forwarding`"),
        (json!({ "mtu": 1.5 }), "mtu", "whole number"),
        (json!({ "tagged_vlans": ["1"] }), "tagged_vlans[0]", "whole number"),
        (json!({ "tagged_vlans": "1-20" }), "tagged_vlans", "sequence"),
    ] {
        let answer = put(&world, place, &change).await;
        let params = json!({ "field": field });
        assert_eq!(answer.failure(), (400, "validation_invalid_format", &params), "{change}");
        assert!(answer.body.to_string().contains(remedy), "{}", answer.body);
    }
    // Nor may an entry take the number that its stored reference has.
    put(&world, place, &json!({ "lag_if_index": 9 })).await.data();
    let answer = put(&world, place, &json!({ "if_index": 9 })).await;
    assert_eq!(answer.failure().2, &json!({ "field": "lag_if_index" }));
    // The extremes are right, in any order and however often.
    let vlans: Vec<i32> = (1..=4094).rev().chain([7, 7]).collect();
    let extreme = json!({ "lag_if_index": highest, "mtu": 0, "native_vlan": 4094,
        "tagged_vlans": vlans });
    let answer = put(&world, place, &extreme).await;
    assert_eq!(answer.data()["tagged_vlans"], json!((1..=4094).collect::<Vec<_>>()));
    let answer = put(&world, place, &json!({ "tagged_vlans": [] })).await;
    assert_eq!(answer.data()["tagged_vlans"], json!([]));
}

#[tokio::test]
async fn a_document_tells_and_keeps_the_same_and_comes_back_alike() {
    let place = inventory::Importer::new().await;
    let document = |of_host: Value, of_entry: Value| {
        let entries = [inventory::entry(1, of_entry), inventory::entry(7, json!({}))];
        let mut host = json!({ "name": "sw1", "if_entries": entries });
        merge(&mut host, of_host);
        inventory::with([host])
    };
    let full = document(hardware(), said());
    let report = place.import(&full).await;
    assert!(report.unknown_keys.is_empty(), "{report}");
    assert!(place.import(&full).await.is_unchanged());
    let exported: Value = serde_json::from_str(&place.export().await).unwrap();
    assert_has(&exported["hosts"][0], &hardware());
    assert_has(&exported["hosts"][0]["if_entries"][0], &said());
    let elsewhere = inventory::Importer::new().await;
    elsewhere.import(&exported).await;
    assert_eq!(elsewhere.export().await, place.export().await);

    assert!(place.import(&document(json!({}), json!({}))).await.is_unchanged(), "omitted keeps");
    assert_eq!(place.entry(1).await.tagged_vlans, Some(VlanSet::new([10, 11, 12, 20]).unwrap()));
    place.import(&document(nulls(&hardware()), nulls(&said()))).await;
    let cleared = place.entry(1).await;
    assert_eq!((cleared.lag_if_index, cleared.tagged_vlans, cleared.duplex), (None, None, None));
    let fault = place.fault(&document(json!({}), json!({ "native_vlan": 0 }))).await;
    assert!(fault.contains("hosts[0].if_entries[0].native_vlan"), "{fault}");
    let fault = place.fault(&document(json!({}), json!({ "parent_if_index": 1 }))).await;
    assert!(fault.contains("hosts[0].if_entries[0].parent_if_index"), "{fault}");
    let odd = document(json!({ "stack_members": [{ "colour": "red" }] }), json!({ "vlan": 1 }));
    let odd = place.import(&odd).await.unknown_keys;
    assert_eq!(odd, ["hosts[0].if_entries[0].vlan", "hosts[0].stack_members[0].colour"]);
}

#[tokio::test]
async fn references_that_a_document_omits_follow_renumbered_interfaces() {
    let place = inventory::Importer::new().await;
    let document = |numbers: [i64; 3], lag: Value, parent: Value| {
        let [port, aggregate, unit] = numbers;
        let entry = |number: i64, name: &str, more: Value| {
            let mut entry = inventory::entry(number, json!({ "if_name": name, "if_descr": name }));
            merge(&mut entry, more);
            entry
        };
        let entries = json!([
            entry(port, "xe0", lag),
            entry(aggregate, "ae0", json!({})),
            entry(unit, "ae0.1", parent)
        ]);
        inventory::with([json!({ "name": "sw1", "if_entries": entries })])
    };
    let (lag, parent) = (json!({ "lag_if_index": 2 }), json!({ "parent_if_index": 2 }));
    place.import(&document([1, 2, 3], lag, parent)).await;
    place.import(&document([2, 3, 1], json!({}), json!({}))).await;
    assert_eq!(place.entry(2).await.lag_if_index, Some(3));
    assert_eq!(place.entry(1).await.parent_if_index, Some(3));
}

#[tokio::test]
async fn entries_are_found_by_what_they_carry_on_both_faces() {
    let world = World::new().await;
    let place = &world.ours.networks[0];
    put(&world, place, &said()).await.data();
    let id = json!(place.hosts[0].if_entries[0]);
    for (field, hit, miss) in [
        ("lag_if_index", json!(1000), json!(1)),
        ("parent_if_index", json!(7), json!(70)),
        ("mtu", json!(9216), json!(1500)),
        ("duplex", json!("Full"), json!("Half")),
        ("native_vlan", json!(30), json!(10)),
        ("stp_state", json!("Forwarding"), json!("Blocking")),
        ("vlan", json!(10), json!(9)),
        ("vlan", json!(11), json!(13)),
        ("vlan", json!(12), json!(1)),
        ("vlan", json!(20), json!(2)),
        ("vlan", json!(30), json!(-30)),
    ] {
        for (value, expected) in [(hit, json!([id])), (miss, json!([]))] {
            let plain = value.to_string().replace('"', "");
            let list = format!("/api/v1/if-entries?network_id={}&{field}={plain}", place.id);
            let list = world.test.get(&list).credential(&world.ours.admin.key).send().await;
            let ids: Value =
                list.data().as_array().unwrap().iter().map(|row| row["id"].clone()).collect();
            assert_eq!(ids, expected, "{field} {value}");

            let compared = in_graphql(&json!({ field: value }));
            let name = camel_case(field);
            let compared = if field == "vlan" {
                compared
            } else {
                json!({ &*name: { "eq": compared[&name] } })
            };
            let query =
                "query($filter: IfEntryFilter) { ifEntries(filter: $filter) { nodes { id } } }";
            let of_network = json!({ "networkId": { "eq": place.id } });
            let filter = with(&of_network, &compared);
            let found = graphql(&world, query, json!({ "filter": filter })).await;
            let ids: Value = found["ifEntries"]["nodes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|node| node["id"].clone())
                .collect();
            assert_eq!(ids, expected, "{compared}");
            let rest = with(&of_network, &json!({ "not": compared }));
            let query = query.replace("nodes { id }", "totalCount");
            let others = graphql(&world, &query, json!({ "filter": rest })).await;
            let count = 4 - expected.as_array().unwrap().len();
            assert_eq!(others["ifEntries"]["totalCount"], count, "not {compared}");
        }
    }
    // Every VLAN of odd ranges against a plain reading of them.
    let vlans = VlanSet::new([1, 2, 9, 10, 11, 99, 100, 1000, 4093, 4094]).unwrap();
    put(&world, place, &json!({ "tagged_vlans": vlans, "native_vlan": null })).await.data();
    for vlan in
        [0, 1, 3, 8, 9, 10, 11, 12, 98, 99, 100, 101, 400, 999, 1000, 4092, 4093, 4094, 4095]
    {
        let query = format!("{{ ifEntries(filter: {{vlan: {vlan}}}) {{ totalCount }} }}");
        let found = graphql(&world, &query, json!({})).await;
        assert_eq!(found["ifEntries"]["totalCount"], u8::from(vlans.contains(vlan)), "{vlan}");
    }
}

/// A device with an aggregate of all but two ports, which a subinterface runs over.
async fn aggregate(test: &TestApp, place: &SampleNetwork, ports: i32) -> Id {
    let host = plenty::host(place.id, "aggregate");
    let id = host.id;
    let mut entries = vec![if_entry(place.id, id, 1000), if_entry(place.id, id, 1001)];
    entries[1].parent_if_index = Some(1000);
    // Some name what is not recorded.
    entries.extend((1..=ports).map(|number| if_entries::IfEntry {
        lag_if_index: Some(if number == ports { 5000 } else { 1000 }),
        ..if_entry(place.id, id, number)
    }));
    plenty::insert::<toposcope::hosts::Entity, _>(test, vec![host]).await;
    plenty::insert::<if_entries::Entity, _>(test, entries).await;
    id
}

#[tokio::test]
async fn aggregates_and_subinterfaces_are_followed_in_a_constant_number_of_statements() {
    let world = World::new().await;
    let place = &world.ours.networks[0];
    let key = &world.ours.viewer.key;
    let mut counts = Vec::new();
    for ports in [3, 100] {
        let host = aggregate(&world.test, place, ports).await;
        let query = format!(
            "{{ ifEntries(first: 200, orderBy: [{{field: IF_INDEX}}], filter: {{hostId: {{eq: \
             \"{host}\"}}}}) {{ nodes {{ ifIndex lag {{ ifIndex host {{ id }} }} lagMembers {{ \
             ifIndex }} parent {{ ifIndex }} subinterfaces {{ ifIndex }} }} }} }}"
        );
        world.test.graphql(key, "{ __typename }", json!({})).await;
        let asked = world.test.graphql(key, &query, json!({}));
        let (answer, count) = world.test.statements(asked).await;
        counts.push(count);
        let nodes = answer["data"]["ifEntries"]["nodes"].as_array().unwrap();
        assert_eq!(nodes.len(), usize::try_from(ports).unwrap() + 2, "{answer}");
        for node in nodes {
            let number = node["ifIndex"].as_i64().unwrap();
            let (is_port, is_stray) = (number < 1000, number == i64::from(ports));
            let lag = json!({ "ifIndex": 1000, "host": { "id": host } });
            assert_eq!(node["lag"], if is_port && !is_stray { lag } else { Value::Null });
            let members: Vec<Value> = if number == 1000 {
                (1..ports).map(|number| json!({ "ifIndex": number })).collect()
            } else {
                vec![]
            };
            assert_eq!(node["lagMembers"], json!(members));
            let number_1000 = json!({ "ifIndex": 1000 });
            assert_eq!(node["parent"], if number == 1001 { number_1000 } else { Value::Null });
            let units = if number == 1000 { json!([{ "ifIndex": 1001 }]) } else { json!([]) };
            assert_eq!(node["subinterfaces"], units);
        }
    }
    assert_eq!(counts, [5, 5], "the list, by number, members, subinterfaces, and hosts");
}

#[tokio::test]
async fn trunks_of_all_vlans_are_listed_by_rest_and_counted_by_graphql() {
    let world = World::new().await;
    let place = &world.ours.networks[0];
    let key = &world.ours.viewer.key;
    let all = VlanSet::new(1..=4094_u16).unwrap();
    let host = plenty::host(place.id, "trunks");
    let id = host.id;
    let trunk = |number| if_entries::IfEntry {
        tagged_vlans: Some(all.clone()),
        ..if_entry(place.id, id, number)
    };
    plenty::insert::<toposcope::hosts::Entity, _>(&world.test, vec![host]).await;
    let trunks = (1..=500).map(trunk).collect();
    plenty::insert::<if_entries::Entity, _>(&world.test, trunks).await;
    for (count, limit) in [(500, 1000), (500, 0), (20, 20)] {
        let list = format!("/api/v1/if-entries?host_id={id}&limit={limit}&order_by=if_index");
        let list = world.test.get(&list).credential(key).send().await;
        let rows = list.data().as_array().unwrap();
        assert_eq!(rows.len(), count);
        let whole = json!(all);
        assert!(rows.iter().all(|row| row["tagged_vlans"] == whole));
        assert!(rows.is_sorted_by_key(|row| row["if_index"].as_i64()));
    }
    let query =
        "query($id: ID!, $first: Int) { ifEntries(filter: {hostId: {eq: $id}}, first: $first)
        { nodes { taggedVlans } } }";
    let few = world.test.graphql(key, query, json!({ "id": id, "first": 100 })).await;
    assert_eq!(few["errors"], Value::Null);
    let many = world.test.graphql(key, query, json!({ "id": id, "first": 500 })).await;
    let message = many["errors"][0]["message"].to_string();
    assert!(message.contains("ask for fewer at a time"), "{message}");
}
