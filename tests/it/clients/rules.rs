//! Rules of the contract that programs of others count on.

use axum::http::Method;
use serde_json::{Value, json};
use toposcope::{inventory, networks};

use super::{get, post, put};
use crate::support::{bodies::with, introspection::text, world::World};

#[tokio::test]
async fn a_service_says_nothing_twice() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let host = &network.hosts[0];
    let service = json!({ "host_id": host.id, "network_id": network.id, "name": "Web",
        "service_definition": "Nginx", "tags": [] });
    let port = async |number: u16| {
        let new = json!({ "host_id": host.id, "network_id": network.id, "number": number,
            "protocol": "Tcp" });
        post(&world, "/api/v1/ports", &new).await.data()["id"].clone()
    };
    let ports = [port(8001).await, port(8002).await];
    let at_port = |port: &Value, interface: Value| json!({ "type": "Port", "port_id": port, "interface_id": interface });
    let whole = json!({ "type": "Interface", "interface_id": host.interface });
    let (all, one) = (at_port(&ports[0], Value::Null), at_port(&ports[0], json!(host.interface)));
    let other = at_port(&ports[1], json!(host.interface));
    // Each pair in both orders: the first is made, the second is refused.
    for (first, second) in [
        (&whole, &all),
        (&all, &whole),
        (&whole, &one),
        (&one, &whole),
        (&whole, &whole),
        (&one, &one),
        (&all, &all),
    ] {
        let made = post(&world, "/api/v1/services", &service).await.data()["id"].clone();
        let of = json!({ "service_id": made, "network_id": network.id });
        post(&world, "/api/v1/bindings", &with(first, &of)).await.data();
        let refused = post(&world, "/api/v1/bindings", &with(second, &of)).await;
        let (status, code, params) = refused.failure();
        assert_eq!((status, code), (409, "entity_already_exists"), "{first} {second}");
        assert_eq!(params["entity"], "Binding");
        // The same of a service with its list, of which nothing stays.
        let path = format!("/api/v1/services/{}", text(&made));
        let before = get(&world, &path).await.data().clone();
        let answer =
            put(&world, &path, &with(&service, &json!({ "bindings": [first, second] }))).await;
        assert_eq!(answer.failure().1, "entity_already_exists", "{first} {second}");
        assert_eq!(get(&world, &path).await.data(), &before);
        // And of one that is changed to it.
        let third = post(&world, "/api/v1/bindings", &with(&other, &of)).await;
        if first == &whole {
            assert_eq!(third.failure().1, "entity_already_exists");
        } else {
            let path = format!("/api/v1/bindings/{}", text(&third.data()["id"]));
            let into =
                with(&with(second, &of), &json!({ "port_id": second.get("port_id").cloned() }));
            let answer = put(&world, &path, &into).await;
            assert_eq!(answer.failure().1, "entity_already_exists", "{into}");
        }
        let gone = world.test.ask(Method::DELETE, &path).credential(&world.ours.owner.key).send();
        assert_eq!(gone.await.status, 200);
    }
    // Two services may have one interface, and one service several ports.
    for _ in 0..2 {
        post(&world, "/api/v1/services", &with(&service, &json!({ "bindings": [whole] })))
            .await
            .data();
    }
    let both =
        json!({ "bindings": [at_port(&ports[0], Value::Null), at_port(&ports[1], Value::Null)] });
    post(&world, "/api/v1/services", &with(&service, &both)).await.data();
}

#[tokio::test]
async fn a_new_network_has_an_outside_that_no_picture_shows_without_anybody_in_it() {
    let world = World::new().await;
    let new = json!({ "name": "three", "organization_id": world.ours.organization, "tags": [] });
    let network = post(&world, "/api/v1/networks", &new).await.data()["id"].clone();
    let of = format!("/api/v1/subnets?network_id={}&order_by=name", text(&network));
    let outside = get(&world, &of).await.data().clone();
    let shown: Vec<[&Value; 4]> = outside
        .as_array()
        .unwrap()
        .iter()
        .map(|one| [&one["name"], &one["cidr"], &one["subnet_type"], &one["source"]["type"]])
        .collect();
    assert_eq!(
        json!(shown),
        json!([
            ["Internet", "0.0.0.0/0", "Internet", "System"],
            ["Remote Network", "0.0.0.0/0", "Remote", "System"]
        ])
    );
    let picture = async || {
        let path = format!("/api/v1/networks/{}/topology?layer=L3", text(&network));
        let drawn = get(&world, &path).await.data()["nodes"].clone();
        let mut names: Vec<String> =
            drawn.as_array().unwrap().iter().map(|node| text(&node["label"]).to_owned()).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(picture().await, <[&str; 0]>::default());
    let host = json!({ "name": "far", "network_id": network, "tags": [],
        "interfaces": [{ "subnet_id": outside[1]["id"], "ip_address": "198.51.100.7" }] });
    let far = post(&world, "/api/v1/hosts", &host).await;
    far.data();
    assert_eq!(picture().await, ["Remote Network", "far"]);
    // Whoever is outside stays where they are, however often they are exported and imported.
    let inside = json!({ "name": "near", "network_id": network, "tags": [],
        "interfaces": [{ "subnet_id": outside[0]["id"], "ip_address": "203.0.113.9" }] });
    let inside = post(&world, "/api/v1/hosts", &inside).await.data()["id"].clone();
    let of_network =
        format!("/api/v1/interfaces?network_id={}&order_by=ip_address", text(&network));
    let before = get(&world, &of_network).await.data().clone();
    let id = text(&network).parse().unwrap();
    let app = &world.test.app;
    let target =
        inventory::Target { organization_id: world.ours.organization, network_id: Some(id) };
    let row = networks::find(app.db.reader(), None, &id.to_string()).await.unwrap();
    let document = inventory::export(app, &row).await.unwrap();
    let options = inventory::Options::default();
    for _ in 0..2 {
        let bar = inventory::progress_bar();
        Box::pin(inventory::import(app, &target, &document, options, &bar)).await.unwrap();
        assert_eq!(get(&world, &of_network).await.data(), &before);
        assert_eq!(get(&world, &of).await.data().as_array().unwrap().len(), 2);
    }
    // They are subnets as others are.
    let path = format!("/api/v1/hosts/{}", text(&inside));
    let gone = world.test.ask(Method::DELETE, &path).credential(&world.ours.owner.key).send().await;
    gone.data();
    let path = format!("/api/v1/subnets/{}", text(&outside[0]["id"]));
    let gone = world.test.ask(Method::DELETE, &path).credential(&world.ours.owner.key).send().await;
    gone.data();
    assert_eq!(get(&world, &of).await.data().as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_range_that_a_network_has_is_given_back_unless_an_overlap_is_asked_for() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let again = json!({ "cidr": "10.0.0.0/24", "network_id": network.id, "name": "again",
        "subnet_type": "Guest", "tags": [] });
    let count = async || {
        let path = format!("/api/v1/subnets?network_id={}", network.id);
        get(&world, &path).await.body["meta"]["pagination"]["total_count"].clone()
    };
    let path = format!("/api/v1/subnets/{}", network.subnet);
    let before = get(&world, &path).await.data().clone();
    let given = post(&world, "/api/v1/subnets", &again).await;
    assert_eq!((given.status.as_u16(), given.data()), (200, &before));
    assert_eq!(count().await, 1);
    let by_query = post(&world, "/api/v1/subnets?allow_overlap=true", &again).await.data().clone();
    let by_body = with(&again, &json!({ "allow_overlap": true }));
    let by_body = post(&world, "/api/v1/subnets", &by_body).await;
    assert_eq!(by_body.body["meta"].get("ignored"), None);
    let by_body = by_body.data().clone();
    assert_eq!((&by_query["name"], &by_body["name"]), (&json!("again"), &json!("again")));
    assert_eq!(count().await, 3);
    // Of several, one for the same purpose.
    assert_eq!(post(&world, "/api/v1/subnets", &again).await.data()["id"], by_query["id"]);
    // Another network has ranges of its own.
    let there = with(&again, &json!({ "network_id": world.ours.networks[1].id }));
    let elsewhere = post(&world, "/api/v1/subnets", &there).await.data().clone();
    assert_eq!(elsewhere["id"], json!(world.ours.networks[1].subnet));
    // Two who ask at once for a new range get one.
    let new = with(&again, &json!({ "cidr": "10.77.0.0/24" }));
    let (one, other) =
        tokio::join!(post(&world, "/api/v1/subnets", &new), post(&world, "/api/v1/subnets", &new));
    assert_eq!(one.data()["id"], other.data()["id"]);
    let answer = post(&world, "/api/v1/subnets?allow_overlap=maybe", &again).await;
    assert_eq!(answer.failure().2["field"], "allow_overlap");
}

#[tokio::test]
async fn line_ends_of_other_systems_become_those_of_this_one() {
    let world = World::new().await;
    let path = format!("/api/v1/hosts/{}", world.ours.networks[0].hosts[0].id);
    let body = json!({ "description": "one\r\ntwo\rthree", "sys_descr": "IOS\r\nCompiled\r\n" });
    let after = put(&world, &path, &body).await.data().clone();
    assert_eq!(after["description"], "one\ntwo\nthree");
    assert_eq!(after["sys_descr"], "IOS\nCompiled\n");
    let answer = put(&world, &path, &json!({ "description": "a\u{7}" })).await;
    assert_eq!(answer.failure().2["field"], "description");
}

#[tokio::test]
async fn nonsense_of_a_neighbor_is_kept_and_refuses_no_port() {
    let world = World::new().await;
    let host = &world.ours.networks[0].hosts[0];
    let path = format!("/api/v1/if-entries/{}", host.if_entries[0]);
    let entry = get(&world, &path).await.data().clone();
    // Of a port, where its device is known.
    let far = world.ours.networks[0].hosts[1].id;
    let named = json!({ "sys_name": "far-side" });
    put(&world, &format!("/api/v1/hosts/{far}"), &named).await.data();
    for (subtype, value, why) in [
        ("MacAddress", "Gi0/1", "`Gi0/1` is not a valid MAC address, so no port is known by it"),
        ("NetworkAddress", "here", "`here` is not a valid address"),
        ("InterfaceName", "", "is empty, so no port is known by it"),
    ] {
        let said = json!({ "neighbor": null, "lldp_sys_name": "far-side",
            "lldp_port_id": { "subtype": subtype, "value": value } });
        let answer = put(&world, &path, &with(&entry, &said)).await;
        assert_eq!(answer.data()["neighbor"], json!({ "type": "Host", "id": far }));
        let query = "query ($id: ID!) { host(id: $id) { neighbors { link { explanation { sentence } } } } }";
        let variables = json!({ "id": host.id });
        let told = world.test.graphql(&world.ours.owner.key, query, variables).await.to_string();
        assert!(told.contains(why), "{subtype} {value}: {told}");
    }
    for (chassis, value, why) in [
        ("MacAddress", "00:11:22:33:44:55:66:77", "is not a valid MAC address"),
        ("MacAddress", "Not Advertised", "is not a valid MAC address"),
        ("MacAddress", "", "MAC address is empty"),
        ("NetworkAddress", "nowhere", "is not a valid network address"),
        ("LocallyAssigned", "", "chassis id is empty"),
    ] {
        let said = json!({ "neighbor": null,
            "lldp_chassis_id": { "subtype": chassis, "value": value },
            "lldp_port_id": { "subtype": "MacAddress", "value": "Gi0/1" },
            "lldp_mgmt_addr": "not configured", "lldp_sys_name": null, "cdp_address": "0x0" });
        let answer = put(&world, &path, &with(&entry, &said)).await;
        let data = answer.data();
        assert_eq!(data["lldp_chassis_id"]["value"], value);
        assert_eq!(data["lldp_port_id"]["value"], "Gi0/1");
        assert_eq!(data["lldp_mgmt_addr"], "not configured");
        assert_eq!(data["neighbor"], Value::Null);
        let path = format!("/api/v1/networks/{}/unresolved", world.ours.networks[0].id);
        let told = get(&world, &path).await.data().to_string();
        assert!(told.contains(why), "{chassis} {value}: {told}");
        assert!(told.contains("is not a valid management address"), "{chassis} {value}: {told}");
    }
}
