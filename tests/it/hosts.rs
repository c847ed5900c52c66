//! Hosts with all that belongs to them, over REST: made, changed, merged and deleted as one.

use axum::http::Method;
use serde_json::{Value, json};
use toposcope_types::Id;

use crate::support::{
    app::Answer,
    bodies::with,
    introspection::text,
    world::{SampleNetwork, World},
};

async fn send(world: &World, method: Method, path: &str, body: &Value) -> Answer {
    world.test.ask(method, path).json(body).credential(&world.ours.member.key).send().await
}

async fn get(world: &World, host: &Value) -> Value {
    let path = format!("/api/v1/hosts/{}", text(&host["id"]));
    send(world, Method::GET, &path, &json!(null)).await.data().clone()
}

async fn put(world: &World, host: &Value, body: &Value) -> Answer {
    send(world, Method::PUT, &format!("/api/v1/hosts/{}", text(&host["id"])), body).await
}

/// A host with an address, two ports, two services and two rows of its interface table, whose parts
/// refer to each other by ids that the client made.
fn whole(world: &World, network: &SampleNetwork) -> Value {
    let ids: Vec<String> = (0..8).map(|_| Id::new().to_string()).collect();
    json!({
        "name": "gamma", "network_id": network.id, "hostname": "gamma.lan", "tags": [world.ours.tags[1]],
        "hidden": false, "virtualization": null, "sys_name": "gamma", "chassis_id": "02:00:00:00:00:99",
        "interfaces": [{
            "id": ids[0], "subnet_id": network.subnet, "ip_address": "10.0.0.77", "name": "eth0",
            "mac_address": "02-00-00-00-00-99",
        }],
        "ports": [
            { "id": ids[1], "number": 22, "protocol": "Tcp" },
            { "id": ids[2], "number": 443, "protocol": "Tcp" },
        ],
        "services": [
            { "id": ids[3], "service_definition": "SSH", "name": "SSH", "tags": [], "virtualization": null,
              "bindings": [{ "id": ids[4], "type": "Port", "port_id": ids[1], "interface_id": ids[0] }] },
            { "service_definition": "Nginx", "name": "Web", "tags": [world.ours.tags[0]],
              "bindings": [{ "type": "Port", "port_id": ids[2], "interface_id": null }] },
            { "service_definition": "Agent", "name": "Agent", "tags": [],
              "bindings": [{ "type": "Interface", "interface_id": ids[0] }] },
        ],
        "if_entries": [
            { "id": ids[6], "if_index": 1, "if_descr": "eth0", "if_type": 6, "admin_status": "Up",
              "oper_status": "Up", "interface_id": ids[0], "mac_address": "02:00:00:00:00:99",
              "lldp_sys_name": "core", "lldp_port_id": { "subtype": "InterfaceName", "value": "Gi0/1" } },
            { "if_index": 2, "if_descr": "eth1", "if_type": 6, "admin_status": "Down", "oper_status": "Down",
              "neighbor": { "type": "IfEntry", "id": ids[6] } },
        ],
    })
}

#[tokio::test]
async fn a_host_is_made_with_all_that_belongs_to_it_by_one_request() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let body = whole(&world, network);
    let made = send(&world, Method::POST, "/api/v1/hosts", &body).await;
    let version = format!("\"{}\"", text(&made.data()["updated_at"]));
    assert_eq!(made.header("etag"), Some(version.as_str()));
    let made = made.data().clone();
    assert_eq!(get(&world, &made).await, made, "what was answered is what is stored");
    for (list, keys) in [
        ("interfaces", ["id", "subnet_id", "ip_address", "name"].as_slice()),
        ("ports", &["id", "number", "protocol"]),
        ("services", &["name", "service_definition", "tags"]),
        ("if_entries", &["if_index", "if_descr", "oper_status"]),
    ] {
        let (given, got) = (body[list].as_array().unwrap(), made[list].as_array().unwrap());
        assert_eq!(given.len(), got.len(), "{list}");
        for (nth, (given, got)) in given.iter().zip(got).enumerate() {
            for key in keys {
                assert_eq!(given[key], got[key], "{list} {key}");
            }
            assert_eq!(got["host_id"], made["id"]);
            assert_eq!(got["network_id"], made["network_id"]);
            if list == "services" || list == "interfaces" {
                assert_eq!(got["position"], nth);
            }
        }
    }
    assert_eq!(made["interfaces"][0]["mac_address"], "02:00:00:00:00:99");
    assert_eq!(made["ports"][0]["type"], "Ssh");
    assert_eq!(made["services"][0]["id"], body["services"][0]["id"]);
    assert_eq!(made["services"][0]["bindings"][0]["id"], body["services"][0]["bindings"][0]["id"]);
    assert_eq!(made["services"][2]["bindings"][0]["type"], "Interface");
    assert_eq!(made["if_entries"][0]["interface_id"], made["interfaces"][0]["id"]);
    assert_eq!(made["if_entries"][0]["lldp_sys_name"], "core");
    assert_eq!(made["if_entries"][1]["neighbor"]["id"], made["if_entries"][0]["id"]);
    assert_eq!(made["source"], json!({ "type": "Manual" }));
    assert_eq!(made["tags"], body["tags"]);
    // The same ids cannot be had twice.
    let again = send(&world, Method::POST, "/api/v1/hosts", &body).await;
    let (status, code, params) = again.failure();
    assert_eq!((status, code, &params["field"]), (409, "entity_already_exists", &json!("id")));
}

#[tokio::test]
async fn a_list_that_is_left_out_stays_and_one_that_is_given_is_all_there_is() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let body = whole(&world, network);
    let made = send(&world, Method::POST, "/api/v1/hosts", &body).await.data().clone();
    let bare = json!({ "name": "delta", "network_id": network.id, "tags": [] });
    let renamed = put(&world, &made, &bare).await.data().clone();
    assert_eq!((&renamed["name"], &renamed["sys_name"]), (&json!("delta"), &json!("gamma")));
    for list in ["interfaces", "ports", "services", "if_entries"] {
        assert_eq!(renamed[list], made[list], "{list}");
    }
    // Sent back as it was answered, nothing but the version moves.
    let same = put(&world, &made, &renamed).await.data().clone();
    assert_eq!(with(&same, &json!({ "updated_at": renamed["updated_at"] })), renamed);

    // A port is found by its number, and what is bound to one that goes goes with it.
    let ports = json!([{ "number": 443, "protocol": "Tcp" }, { "number": 53, "protocol": "Udp" }]);
    let changed = put(&world, &made, &with(&bare, &json!({ "ports": ports }))).await.data().clone();
    assert_eq!(changed["ports"][0], made["ports"][1]);
    assert_eq!(changed["ports"][1]["type"], "Dns");
    assert_eq!(changed["services"][0]["bindings"], json!([]));
    assert_eq!(changed["services"][1]["bindings"], made["services"][1]["bindings"]);

    // Bindings of a service that are left out stay, too.
    let services = json!([{ "name": "Web", "service_definition": "Apache", "tags": [] }]);
    let changed = with(&bare, &json!({ "services": services }));
    let changed = put(&world, &made, &changed).await.data().clone();
    assert_eq!(changed["services"].as_array().unwrap().len(), 1);
    assert_eq!(changed["services"][0]["id"], made["services"][1]["id"]);
    assert_eq!(changed["services"][0]["bindings"], made["services"][1]["bindings"]);
    assert_eq!(changed["services"][0]["service_definition"], "Apache");

    // An address that goes takes what is bound to it, and entries let it go.
    let empty = with(&bare, &json!({ "interfaces": [] }));
    let changed = put(&world, &made, &empty).await.data().clone();
    assert_eq!(changed["interfaces"], json!([]));
    assert_eq!(changed["services"][0]["bindings"].as_array().unwrap().len(), 1);
    assert_eq!(changed["if_entries"][0]["interface_id"], json!(null));
    assert_eq!(changed["if_entries"][0]["lldp_sys_name"], "core");
    assert_ne!(changed["if_entries"][0]["updated_at"], made["if_entries"][0]["updated_at"]);

    let entries =
        with(&made["if_entries"][1], &json!({ "neighbor": null, "cdp_device_id": "far" }));
    let changed = put(&world, &made, &with(&bare, &json!({ "if_entries": [entries] }))).await;
    let changed = changed.data().clone();
    assert_eq!(changed["if_entries"].as_array().unwrap().len(), 1);
    assert_eq!(changed["if_entries"][0]["id"], made["if_entries"][1]["id"]);
    assert_eq!(changed["if_entries"][0]["cdp_device_id"], "far");
    assert_eq!(get(&world, &made).await, changed);
}

#[expect(clippy::too_many_lines, reason = "it is a table of cases")]
#[tokio::test]
async fn a_fault_anywhere_names_its_place_and_nothing_is_written() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let good = whole(&world, network);
    let count = async || {
        let all = world.test.get("/api/v1/hosts?limit=0").credential(&world.ours.owner.key);
        all.send().await.body["meta"]["pagination"]["total_count"].clone()
    };
    let before = count().await;
    let other = network.hosts[0].ports[0];
    for (pointer, value, code, params) in [
        ("/name", json!(""), "validation_min_length", json!({ "field": "name", "min": 1 })),
        (
            "/interfaces/0/ip_address",
            json!("192.0.2.1"),
            "interface_ip_out_of_range",
            json!({ "ip": "192.0.2.1", "subnet": "10.0.0.0/24" }),
        ),
        (
            "/interfaces/0/ip_address",
            json!("10.0.0"),
            "validation_invalid_format",
            json!({ "field": "interfaces[0].ip_address" }),
        ),
        (
            "/interfaces/0/subnet_id",
            json!(world.theirs.networks[0].subnet),
            "entity_reference_invalid",
            json!({ "entity": "Subnet", "field": "interfaces[0].subnet_id", "id": world.theirs.networks[0].subnet }),
        ),
        (
            "/ports/1/number",
            json!(0),
            "validation_out_of_range",
            json!({ "field": "ports[1].number", "min": 1, "max": 65535 }),
        ),
        (
            "/ports/1/number",
            json!(22),
            "validation_duplicate",
            json!({ "field": "ports[1].number" }),
        ),
        (
            "/ports/0/protocol",
            json!("Icmp"),
            "validation_invalid_format",
            json!({ "field": "ports[0].protocol" }),
        ),
        (
            "/services/0/bindings/0/port_id",
            json!(other),
            "validation_invalid_format",
            json!({ "field": "services[0].bindings[0].port_id" }),
        ),
        (
            "/services/0/bindings/0/port_id",
            json!(world.theirs.networks[0].hosts[0].ports[0]),
            "entity_reference_invalid",
            json!({
                "entity": "Port", "field": "services[0].bindings[0].port_id",
                "id": world.theirs.networks[0].hosts[0].ports[0],
            }),
        ),
        (
            "/services/1/bindings/0/port_id",
            good["ports"][0]["id"].clone(),
            "entity_in_use",
            json!({ "entity": "Port", "used_by": "Binding" }),
        ),
        (
            "/services/1/name",
            json!(null),
            "validation_required",
            json!({ "field": "services[1].name" }),
        ),
        (
            "/services/1/tags/0",
            json!(network.id),
            "entity_reference_invalid",
            json!({ "entity": "Tag", "field": "services[1].tags[0]", "id": network.id }),
        ),
        (
            "/if_entries/0/lldp_port_id/subtype",
            json!("Odd"),
            "validation_invalid_format",
            json!({ "field": "if_entries[0].lldp_port_id.subtype" }),
        ),
        (
            "/if_entries/0/mac_address",
            json!("02:00:00:00:00:98"),
            "validation_invalid_format",
            json!({ "field": "if_entries[0].interface_id" }),
        ),
        (
            "/if_entries/1/if_index",
            json!(1),
            "validation_duplicate",
            json!({ "field": "if_entries[1].if_index" }),
        ),
        (
            "/if_entries/1/speed_bps",
            json!(-1),
            "validation_out_of_range",
            json!({ "field": "if_entries[1].speed_bps", "min": 0, "max": i64::MAX }),
        ),
        (
            "/tags/0",
            json!(network.id),
            "entity_reference_invalid",
            json!({ "entity": "Tag", "field": "tags[0]", "id": network.id }),
        ),
        (
            "/virtualization",
            json!({ "type": "Proxmox", "details": { "service_id": network.id } }),
            "entity_reference_invalid",
            json!({ "entity": "Service", "field": "virtualization.details.service_id", "id": network.id }),
        ),
        (
            "/network_id",
            json!(world.ours.networks[1].id),
            "entity_reference_invalid",
            json!({ "entity": "Network", "field": "network_id", "id": world.ours.networks[1].id }),
        ),
    ] {
        let mut body = good.clone();
        if let Some(found) = body.pointer_mut(pointer) {
            *found = value;
        } else {
            body["if_entries"][1]["speed_bps"] = value;
        }
        let answer = send(&world, Method::POST, "/api/v1/hosts", &body).await;
        let (_, got, got_params) = answer.failure();
        assert_eq!((got, got_params), (code, &params), "{pointer}: {}", answer.body);
    }
    assert_eq!(count().await, before);
}

#[tokio::test]
async fn two_hosts_that_are_one_device_become_one() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let [alpha, beta] = [network.hosts[0].id, network.hosts[1].id].map(|id| json!({ "id": id }));
    let (one, two) = (get(&world, &alpha).await, get(&world, &beta).await);
    let path = format!("/api/v1/hosts/{}/consolidate/{}", text(&one["id"]), text(&two["id"]));
    let merged = send(&world, Method::PUT, &path, &json!(null)).await.data().clone();
    assert_eq!(merged["name"], one["name"]);
    // Both had the same ports and the same rows of the interface table, and different addresses.
    assert_eq!(merged["ports"], one["ports"]);
    assert_eq!(merged["if_entries"].as_array().unwrap().len(), 2);
    assert_eq!(merged["interfaces"].as_array().unwrap().len(), 2);
    // Nginx listened on the same ports of all addresses, so the other's is the same one.
    let names: Vec<&str> =
        merged["services"].as_array().unwrap().iter().map(|one| text(&one["name"])).collect();
    assert_eq!(names, ["SSH on alpha", "Nginx on alpha", "SSH on beta"]);
    for service in merged["services"].as_array().unwrap() {
        assert_eq!(service["host_id"], one["id"]);
        for binding in service["bindings"].as_array().unwrap() {
            let port = &binding["port_id"];
            assert!(one["ports"].as_array().unwrap().iter().any(|one| one["id"] == *port));
        }
    }
    assert_eq!(get(&world, &merged).await, merged);
    let gone = format!("/api/v1/hosts/{}", text(&two["id"]));
    assert_eq!(send(&world, Method::GET, &gone, &json!(null)).await.status, 404);
    let itself = format!("/api/v1/hosts/{0}/consolidate/{0}", text(&one["id"]));
    assert_eq!(send(&world, Method::PUT, &itself, &json!(null)).await.status, 400);
    let far = world.ours.networks[1].hosts[0].id;
    let path = format!("/api/v1/hosts/{}/consolidate/{far}", text(&one["id"]));
    let ask = world.test.ask(Method::PUT, &path).credential(&world.ours.owner.key).send().await;
    assert_eq!(ask.failure().1, "entity_network_mismatch");
}

#[tokio::test]
async fn what_something_else_needs_stays() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let refused = async |path: String, entity: &str, used_by: &str| {
        for method in [Method::DELETE, Method::POST] {
            let (path, body) = if method == Method::POST {
                let (list, id) = path.rsplit_once('/').unwrap();
                (format!("{list}/bulk-delete"), json!([id]))
            } else {
                (path.clone(), json!(null))
            };
            let answer = send(&world, method, &path, &body).await;
            let expected = json!({ "entity": entity, "used_by": used_by });
            assert_eq!(answer.failure(), (409, "entity_in_use", &expected), "{path}");
        }
    };
    refused(format!("/api/v1/subnets/{}", network.subnet), "Subnet", "Interface").await;
    // A hypervisor, and a host that runs on it.
    let hypervisor = network.hosts[0].services[0];
    let body = json!({
        "name": "vm", "network_id": network.id, "tags": [],
        "virtualization": { "type": "Proxmox", "details": { "vm_id": "101", "service_id": hypervisor } },
    });
    let vm = send(&world, Method::POST, "/api/v1/hosts", &body).await.data().clone();
    refused(format!("/api/v1/services/{hypervisor}"), "Service", "Host").await;
    refused(format!("/api/v1/hosts/{}", network.hosts[0].id), "Service", "Host").await;
    // Both at once may go.
    let both =
        json!([vm["id"], network.hosts[0].id, network.hosts[0].id, world.theirs.organization]);
    let gone = send(&world, Method::POST, "/api/v1/hosts/bulk-delete", &both).await;
    assert_eq!(*gone.data(), json!({ "deleted_count": 2, "requested_count": 3 }));
}

#[tokio::test]
async fn values_that_must_be_unique_can_be_swapped() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let made =
        send(&world, Method::POST, "/api/v1/hosts", &whole(&world, network)).await.data().clone();
    let second = json!({ "subnet_id": network.subnet, "ip_address": "10.0.0.78" });
    let mut body = made.clone();
    body["interfaces"].as_array_mut().unwrap().push(second);
    let made = put(&world, &made, &body).await.data().clone();
    let mut body = made.clone();
    for (list, key) in
        [("ports", "number"), ("interfaces", "ip_address"), ("if_entries", "if_index")]
    {
        body[list][0][key] = made[list][1][key].clone();
        body[list][1][key] = made[list][0][key].clone();
    }
    let swapped = put(&world, &made, &body).await.data().clone();
    for (list, key) in
        [("ports", "number"), ("interfaces", "ip_address"), ("if_entries", "if_index")]
    {
        for row in swapped[list].as_array().unwrap() {
            let before = made[list].as_array().unwrap().iter().find(|one| one["id"] == row["id"]);
            assert_ne!(row[key], before.unwrap()[key], "{list}");
        }
    }
    assert_eq!(get(&world, &made).await, swapped);
}

#[tokio::test]
async fn an_id_stands_once_in_a_list_and_the_id_of_nothing_is_none() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let id = Id::new();
    let body = |second: Id| {
        json!({
            "name": "twice", "network_id": network.id, "tags": [],
            "ports": [{ "id": id, "number": 1000, "protocol": "Tcp" },
                      { "id": second, "number": 1001, "protocol": "Tcp" }],
        })
    };
    let answer = send(&world, Method::POST, "/api/v1/hosts", &body(id)).await;
    assert_eq!(answer.failure(), (400, "validation_duplicate", &json!({ "field": "ports[1].id" })));
    let made = send(&world, Method::POST, "/api/v1/hosts", &body(Id::nil())).await;
    assert_ne!(made.data()["ports"][1]["id"], json!(Id::nil()));
}

#[tokio::test]
async fn entries_point_to_what_is_made_with_them_and_never_to_what_goes() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let made =
        send(&world, Method::POST, "/api/v1/hosts", &whole(&world, network)).await.data().clone();
    let entries = |list: Value| json!({ "name": "gamma", "network_id": network.id, "tags": [], "if_entries": list });
    let [first, second] = [0, 1].map(|nth| made["if_entries"][nth].clone());
    // One that is there points to one that is made by the same request.
    let id = Id::new();
    let new = json!({
        "id": id, "if_index": 9, "if_descr": "eth9", "if_type": 6, "admin_status": "Up", "oper_status": "Up",
    });
    let far = json!({ "type": "IfEntry", "id": id });
    let pointing = with(&first, &json!({ "neighbor": far }));
    let changed = put(&world, &made, &entries(json!([pointing, second, new]))).await;
    assert_eq!(changed.data()["if_entries"][0]["neighbor"], far);
    // One that goes is no neighbor of what stays.
    let answer = put(&world, &made, &entries(json!([pointing, second]))).await;
    let (status, code, params) = answer.failure();
    assert_eq!((status, code), (400, "entity_reference_invalid"));
    assert_eq!(params["field"], "if_entries[0].neighbor.id");
    let unsaid = with(&first, &json!({ "neighbor": null }));
    let changed = put(&world, &made, &entries(json!([unsaid]))).await.data().clone();
    assert_eq!(changed["if_entries"].as_array().unwrap().len(), 1);
    assert_eq!(changed["if_entries"][0]["neighbor"], json!(null));
}

#[tokio::test]
async fn the_rule_of_mac_addresses_holds_through_the_host_too() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let made =
        send(&world, Method::POST, "/api/v1/hosts", &whole(&world, network)).await.data().clone();
    let interface = with(&made["interfaces"][0], &json!({ "mac_address": "02:00:00:00:00:98" }));
    let body =
        json!({ "name": "gamma", "network_id": network.id, "tags": [], "interfaces": [interface] });
    let answer = put(&world, &made, &body).await;
    assert_eq!(answer.failure().2["field"], "mac_address");
    let entry = with(&made["if_entries"][0], &json!({ "mac_address": "02:00:00:00:00:97" }));
    let body =
        json!({ "name": "gamma", "network_id": network.id, "tags": [], "if_entries": [entry] });
    let answer = put(&world, &made, &body).await;
    let expected = json!({ "field": "if_entries[0].mac_address" });
    assert_eq!(answer.failure(), (409, "field_immutable", &expected));
}
