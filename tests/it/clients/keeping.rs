//! Bodies of clients that know less than this version: what they do not name stays.

use axum::http::Method;
use serde_json::{Value, json};
use toposcope_types::Id;

use super::{get, post, put};
use crate::support::{bodies::with, introspection::text, world::World};

/// A host of which everything is said that can be said, but its neighbors.
fn host(world: &World) -> Value {
    let network = &world.ours.networks[0];
    let said = json!({
        "name": "gamma", "network_id": network.id, "tags": [world.ours.tags[1]], "hidden": true,
        "hostname": "gamma.lan", "description": "in the attic", "sys_name": "GAMMA",
        "sys_descr": "an OS", "sys_object_id": "1.3.6.1.4.1.9", "sys_location": "attic",
        "sys_contact": "somebody", "management_url": "https://gamma.lan", "model": "M1",
        "management_address": "10.0.0.77", "chassis_id": "02:00:00:00:00:99",
        "manufacturer": "Vendor", "serial_number": "S1",
        "virtualization": { "type": "Proxmox", "details": { "vm_name": "gamma", "vm_id": "101",
            "service_id": network.hosts[0].services[0] } },
    });
    with(&said, &lists(world))
}

/// Returns the lists of that host.
fn lists(world: &World) -> Value {
    let network = &world.ours.networks[0];
    let (interface, port) = (Id::new(), Id::new());
    let entry = json!({
        "if_index": 1, "if_descr": "eth0", "if_type": 6, "admin_status": "Up",
            "oper_status": "Up", "if_name": "e0", "if_alias": "uplink", "speed_bps": 1000,
            "mac_address": "02:00:00:00:00:99", "interface_id": interface,
            "neighbor": { "type": "Host", "id": network.hosts[1].id },
            "lldp_chassis_id": { "subtype": "MacAddress", "value": "02:00:00:00:00:01" },
            "lldp_port_id": { "subtype": "InterfaceName", "value": "Gi0/1" },
            "lldp_port_desc": "to the attic", "lldp_sys_name": "core", "lldp_sys_desc": "a switch",
            "lldp_mgmt_addr": "10.0.0.1", "cdp_device_id": "core", "cdp_port_id": "Gi0/1",
            "cdp_platform": "P1", "cdp_address": "10.0.0.1", "fdb_macs": ["02:00:00:00:00:01"]
    });
    json!({
        "interfaces": [{ "id": interface, "subnet_id": network.subnet, "ip_address": "10.0.0.77",
            "name": "eth0", "mac_address": "02:00:00:00:00:99" }],
        "ports": [{ "id": port, "number": 443, "protocol": "Tcp" }],
        "services": [{ "service_definition": "Nginx", "name": "Web", "tags": [world.ours.tags[0]],
            "virtualization": { "type": "Docker", "details": { "container_name": "web",
                "container_id": "c1", "service_id": network.hosts[0].services[1] } },
            "bindings": [{ "type": "Port", "port_id": port, "interface_id": interface }] }],
        "if_entries": [entry],
    })
}

#[tokio::test]
async fn a_variable_that_is_not_set_changes_nothing() {
    let world = World::new().await;
    let (network, key) = (&world.ours.networks[0], &world.ours.owner.key);
    let id = network.hosts[0].id;
    let path = format!("/api/v1/hosts/{id}");
    put(&world, &path, &json!({ "description": "cold", "hostname": "alpha.lan" })).await.data();
    let query = "mutation M($id: ID!, $name: String, $description: String, $hidden: Boolean) {
        updateHost(id: $id, input: {name: $name, description: $description, hidden: $hidden}) { id } }";
    for (given, description) in [
        (json!({ "id": id, "name": "other" }), json!("cold")),
        (json!({ "id": id }), json!("cold")),
        (json!({ "id": id, "description": null }), json!(null)),
    ] {
        let answer = world.test.graphql(key, query, given).await;
        assert_eq!(answer["errors"], json!(null), "{answer}");
        let after = get(&world, &path).await.data().clone();
        assert_eq!((&after["name"], &after["description"]), (&json!("other"), &description));
        assert_eq!(after["hostname"], "alpha.lan");
    }
    // The same of an argument: as if it were not there.
    let query = "query Q($filter: HostFilter, $first: Int, $order: [HostOrder!]) {
        hosts(filter: $filter, first: $first, orderBy: $order) { totalCount } }";
    let answer = world.test.graphql(key, query, json!({})).await;
    assert_eq!(answer["data"]["hosts"]["totalCount"], 4, "{answer}");
}

fn owned(id: &Value) -> String {
    text(id).to_owned()
}

/// A thing without the moments of its parts' last change.
fn still(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let kept = map.iter().filter(|(key, _)| *key != "updated_at" && *key != "last_used");
            Value::Object(kept.map(|(key, value)| (key.clone(), still(value))).collect())
        }
        Value::Array(all) => Value::Array(all.iter().map(still).collect()),
        value => value.clone(),
    }
}

/// One of each resource that can be changed but the two that are replaced, with all that can be said of it.
async fn one_of_each(world: &World) -> Vec<(&'static str, String)> {
    let (network, tag) = (&world.ours.networks[0], world.ours.tags[0]);
    let made = post(world, "/api/v1/hosts", &host(world)).await.data().clone();
    let (host, network_id) = (owned(&made["id"]), network.id);
    let subnet = json!({ "cidr": "10.9.0.0/24", "network_id": network_id, "name": "attic",
        "description": "cold", "subnet_type": "Storage", "tags": [tag] });
    let tag_body = json!({ "name": "attic", "description": "cold", "color": "Red",
        "organization_id": world.ours.organization });
    let named =
        json!({ "name": "three", "organization_id": world.ours.organization, "tags": [tag] });
    let key = json!({ "name": "lamp", "organization_id": world.ours.organization,
        "user_id": world.ours.owner.id, "tags": [tag], "permissions": "Member", "is_enabled": false,
        "network_ids": [network_id], "expires_at": "2099-01-01T00:00:00Z" });
    let id = async |path: &str, body: &Value| owned(&post(world, path, body).await.data()["id"]);
    let key = world.test.post("/api/v1/auth/keys", &key).credential(&world.ours.owner.session);
    let key = owned(&key.send().await.data()["api_key"]["id"]);
    vec![
        ("/hosts", host),
        ("/interfaces", owned(&made["interfaces"][0]["id"])),
        ("/ports", owned(&made["ports"][0]["id"])),
        ("/services", owned(&made["services"][0]["id"])),
        ("/bindings", owned(&made["services"][0]["bindings"][0]["id"])),
        ("/subnets", id("/api/v1/subnets", &subnet).await),
        ("/tags", id("/api/v1/tags", &tag_body).await),
        ("/networks", id("/api/v1/networks", &named).await),
        ("/organizations", world.ours.organization.to_string()),
        ("/users", world.ours.member.id.to_string()),
        ("/auth/keys", key),
    ]
}

#[tokio::test]
async fn what_a_body_does_not_name_stays_whatever_it_names() {
    let world = World::new().await;
    for (resource, id) in one_of_each(&world).await {
        let path = format!("/api/v1{resource}/{id}");
        let before = get(&world, &path).await.data().clone();
        let unchanged = put(&world, &path, &json!({})).await.data().clone();
        assert_eq!(still(&unchanged), still(&before), "PUT {resource} of nothing");
        // Nor does each of the keys take another with it.
        for (key, value) in before.as_object().unwrap() {
            if key == "email" {
                continue;
            }
            let body = json!({ key.as_str(): value });
            let changed = put(&world, &path, &body).await.data().clone();
            assert_eq!(still(&changed), still(&before), "PUT {resource} of {key}");
        }
        assert_eq!(still(get(&world, &path).await.data()), still(&before), "{resource} is stored");
    }
}

#[tokio::test]
async fn the_elements_of_a_list_keep_what_is_not_said_of_them() {
    let world = World::new().await;
    let made = post(&world, "/api/v1/hosts", &host(&world)).await.data().clone();
    let path = format!("/api/v1/hosts/{}", text(&made["id"]));
    let network = &world.ours.networks[0];
    let lists = json!({
        "interfaces": [{ "subnet_id": network.subnet, "ip_address": "10.0.0.77" }],
        "services": [{ "name": "Web", "service_definition": "Nginx" }],
        "if_entries": [{ "if_index": 1, "if_descr": "eth0" }],
        "ports": [{ "number": 443, "protocol": "Tcp" }],
    });
    for (list, elements) in lists.as_object().unwrap() {
        let changed = put(&world, &path, &json!({ list.as_str(): elements })).await.data().clone();
        assert_eq!(still(&changed), still(&made), "{list}");
    }
    assert_eq!(still(get(&world, &path).await.data()), still(&made));
}

#[tokio::test]
async fn null_clears_what_may_be_empty_and_is_refused_elsewhere() {
    let world = World::new().await;
    let made = post(&world, "/api/v1/hosts", &host(&world)).await.data().clone();
    let path = format!("/api/v1/hosts/{}", text(&made["id"]));
    let cleared = json!({ "hostname": null, "sys_name": null, "virtualization": null,
        "management_address": null, "chassis_id": null });
    let after = put(&world, &path, &cleared).await.data().clone();
    assert_eq!(still(&after), still(&with(&made, &cleared)));
    let entry = &made["if_entries"][0];
    let heard = json!({ "if_index": 1, "if_descr": "eth0", "lldp_sys_name": null, "fdb_macs": null,
        "neighbor": null, "cdp_device_id": null, "speed_bps": null });
    let after = put(&world, &path, &json!({ "if_entries": [heard] })).await.data().clone();
    let after = &after["if_entries"][0];
    for key in ["lldp_sys_name", "fdb_macs", "cdp_device_id", "speed_bps"] {
        assert_eq!(after[key], json!(null), "{key}");
    }
    assert_eq!(
        (&after["cdp_port_id"], &after["if_alias"]),
        (&entry["cdp_port_id"], &entry["if_alias"])
    );
    for (resource, id) in one_of_each(&world).await.into_iter().filter(|(of, _)| *of != "/hosts") {
        let path = format!("/api/v1{resource}/{id}");
        for key in [
            "name",
            "network_id",
            "host_id",
            "subnet_id",
            "cidr",
            "color",
            "number",
            "tags",
            "type",
        ] {
            let body = json!({ key: null });
            let before = get(&world, &path).await.data().clone();
            if before.get(key).is_none() || (resource == "/interfaces" && key == "name") {
                continue;
            }
            if resource == "/ports" && key == "type" {
                continue;
            }
            let answer = put(&world, &path, &body).await;
            let (status, code, params) = answer.failure();
            assert_eq!((status, code), (400, "validation_required"), "{resource} {key}");
            assert_eq!(params["field"], key);
        }
    }
}

#[tokio::test]
async fn the_two_that_are_replaced_want_what_the_contract_says_and_keep_what_is_not_theirs() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    for (path, body) in [
        (network.entry_path(0), network.entry_body(0)),
        (network.group_path(), network.group_body()),
    ] {
        for key in body.as_object().unwrap().keys() {
            let mut less = body.clone();
            less.as_object_mut().unwrap().remove(key);
            let answer = put(&world, &path, &less).await;
            let (status, code, params) = answer.failure();
            assert_eq!((status, code, &params["field"]), (400, "validation_required", &json!(key)));
        }
    }
    let whole =
        with(&network.entry_body(0), &json!({ "lldp_sys_name": "core", "if_alias": "uplink" }));
    put(&world, &network.entry_path(0), &whole).await.data();
    let after = put(&world, &network.entry_path(0), &network.entry_body(0)).await.data().clone();
    assert_eq!((&after["lldp_sys_name"], &after["if_alias"]), (&json!(null), &json!(null)));
}

#[tokio::test]
async fn the_version_that_was_seen_guards_a_body_of_one_key() {
    let world = World::new().await;
    let made = post(&world, "/api/v1/hosts", &host(&world)).await.data().clone();
    let path = format!("/api/v1/hosts/{}", text(&made["id"]));
    let body = json!({ "name": "delta", "expected_updated_at": made["updated_at"] });
    let after = put(&world, &path, &body).await.data().clone();
    assert_eq!(still(&after), still(&with(&made, &json!({ "name": "delta" }))));
    let again = put(&world, &path, &body).await;
    assert_eq!((again.failure().0, again.failure().1), (409, "entity_changed"));
}

#[tokio::test]
async fn graphql_keeps_what_an_input_does_not_name_as_well() {
    let world = World::new().await;
    let made = post(&world, "/api/v1/hosts", &host(&world)).await.data().clone();
    let query = "mutation($id: ID!, $input: UpdateHostInput!) { updateHost(id: $id, input: $input) { name } }";
    let variables = json!({ "id": made["id"], "input": { "name": "delta", "sysName": null } });
    let answer = world.test.graphql(&world.ours.member.key, query, variables).await;
    assert_eq!(answer["data"]["updateHost"]["name"], "delta", "{answer}");
    let path = format!("/api/v1/hosts/{}", text(&made["id"]));
    let after = get(&world, &path).await.data().clone();
    let expected = with(&made, &json!({ "name": "delta", "sys_name": null }));
    assert_eq!(still(&after), still(&expected));
    // What is made still says what it must.
    let query = "mutation($input: CreateHostInput!) { createHost(input: $input) { id } }";
    let input = json!({ "input": { "networkId": world.ours.networks[0].id, "tags": [] } });
    let answer = world.test.graphql(&world.ours.member.key, query, input).await;
    assert!(text(&answer["errors"][0]["message"]).contains("name"), "{answer}");
    let missing = json!({ "network_id": world.ours.networks[0].id, "tags": [] });
    let missing = world.test.ask(Method::POST, "/api/v1/hosts").json(&missing);
    let answer = missing.credential(&world.ours.member.key).send().await;
    assert_eq!(answer.failure().2["field"], "name");
}
