//! REST and GraphQL are two faces of the same operations: what one answers, the other does.

mod faults;
mod life;
mod lists;

use serde_json::{Map, Value, json};

use crate::support::{
    app::Answer,
    introspection::{camel_case, text},
    world::World,
};

/// The keys of inputs and answers whose values are of an enumeration.
const ENUMS: &[&str] = &[
    "admin_status",
    "oper_status",
    "duplex",
    "stp_state",
    "group_type",
    "color",
    "edge_style",
    "permissions",
    "type",
    "subtype",
];

fn screaming(pascal: &str) -> String {
    let mut name = String::new();
    for character in pascal.chars() {
        if character.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(character.to_uppercase());
    }
    name
}

fn pascal(screaming: &str) -> String {
    screaming.split('_').map(|word| word[..1].to_owned() + &word[1..].to_lowercase()).collect()
}

/// A body of REST as an input of GraphQL.
pub(crate) fn input(body: &Value) -> Value {
    let fields = body.as_object().unwrap().iter().map(|(key, value)| {
        let value = match value {
            Value::String(name) if ENUMS.contains(&key.as_str()) => json!(screaming(name)),
            Value::Object(_) => input(value),
            value => value.clone(),
        };
        (camel_case(key), value)
    });
    Value::Object(fields.collect())
}

/// An answer of GraphQL as REST would write it.
fn rest(answer: &Value) -> Value {
    match answer {
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(key, value)| {
                    let key = screaming(key).to_lowercase();
                    let value = match value {
                        Value::String(name) if ENUMS.contains(&key.as_str()) => json!(pascal(name)),
                        value => rest(value),
                    };
                    (key, value)
                })
                .collect::<Map<_, _>>(),
        ),
        Value::Array(elements) => elements.iter().map(rest).collect(),
        value => value.clone(),
    }
}

fn ids(things: &Value) -> Value {
    things.as_array().unwrap().iter().map(|thing| thing["id"].clone()).collect()
}

const SERVICE: &str = "id createdAt updatedAt hostId networkId name position serviceDefinition source virtualization
    tags { id } bindings { id createdAt updatedAt service { id } network { id } __typename
        ... on PortBinding { port { id } interface { id } } ... on InterfaceBinding { interface { id } } }";

fn service(node: &Value) -> Value {
    let mut service = rest(node);
    service["source"] = node["source"].clone();
    service["virtualization"] = node["virtualization"].clone();
    service["tags"] = ids(&service["tags"]);
    for binding in service["bindings"].as_array_mut().unwrap() {
        for reference in ["service", "network", "port", "interface"] {
            let Some(one) = binding.as_object_mut().unwrap().remove(reference) else { continue };
            binding[format!("{reference}_id")] = one["id"].clone();
        }
        let typename = binding.as_object_mut().unwrap().remove("__typename").unwrap();
        binding["type"] = json!(text(&typename).trim_end_matches("Binding"));
    }
    service
}

#[tokio::test]
async fn a_page_of_services_is_the_same() {
    let world = World::new().await;
    let (ours, network) = (&world.ours, &world.ours.networks[0]);
    let (network_id, host, tag) = (network.id, network.hosts[1].id, ours.tags[0]);
    let some = [
        network.hosts[0].services[0],
        network.hosts[1].services[1],
        world.theirs.networks[0].hosts[0].services[0],
    ];
    let joined = some.map(|id| id.to_string()).join(",");
    for (query, arguments) in [
        (String::new(), String::new()),
        (
            format!("network_id={network_id}"),
            format!("filter: {{networkId: {{eq: \"{network_id}\"}}}}"),
        ),
        (format!("host_id={host}"), format!("filter: {{hostId: {{eq: \"{host}\"}}}}")),
        (format!("tag_ids={tag}"), format!("filter: {{tagId: {{in: [\"{tag}\"]}}}}")),
        (format!("ids={joined}"), format!("filter: {{id: {{in: {}}}}}", json!(some))),
        (
            "order_by=name&order_direction=desc".to_owned(),
            "orderBy: [{field: NAME, direction: DESC}]".to_owned(),
        ),
        (
            "group_by=host&order_by=position&order_direction=desc".to_owned(),
            "orderBy: [{field: HOST}, {field: POSITION, direction: DESC}]".to_owned(),
        ),
        ("limit=3".to_owned(), "first: 3".to_owned()),
        ("limit=0".to_owned(), "first: 1000".to_owned()),
        (
            "exclude_categories=ReverseProxy".to_owned(),
            "filter: {not: {category: {in: [REVERSE_PROXY]}}}".to_owned(),
        ),
        (
            format!("network_id={}", world.theirs.networks[0].id),
            format!("filter: {{networkId: {{eq: \"{}\"}}}}", world.theirs.networks[0].id),
        ),
    ] {
        for person in [&ours.owner, &ours.viewer] {
            let list = world
                .test
                .get(&format!("/api/v1/services?{query}"))
                .credential(&person.key)
                .send()
                .await;
            let arguments =
                if arguments.is_empty() { String::new() } else { format!("({arguments})") };
            let asked = format!(
                "{{ services{arguments} {{ totalCount nodes {{ {SERVICE} }} pageInfo {{ hasNextPage }} }} }}"
            );
            let answer = world.test.graphql(&person.key, &asked, json!({})).await;
            let found = &answer["data"]["services"];
            let nodes: Vec<Value> = found["nodes"]
                .as_array()
                .unwrap_or_else(|| panic!("{answer}"))
                .iter()
                .map(service)
                .collect();
            assert_eq!(json!(nodes), *list.data(), "{query}");
            let pagination = &list.body["meta"]["pagination"];
            assert_eq!(pagination["total_count"], found["totalCount"], "{query}");
            assert_eq!(pagination["has_more"], found["pageInfo"]["hasNextPage"], "{query}");
        }
    }
}

pub(crate) fn entry(world: &World) -> (String, Value) {
    let network = &world.ours.networks[0];
    let host = &network.hosts[0];
    let body = json!({
        "host_id": host.id, "network_id": network.id, "if_index": 7, "if_descr": "uplink", "if_type": 161,
        "admin_status": "Testing", "oper_status": "LowerLayerDown", "if_name": "Po7", "if_alias": "to core",
        "mac_address": "02:00:00:00:00:01", "speed_bps": 9_007_199_254_740_993_i64, "interface_id": host.interface,
        "neighbor": { "type": "IfEntry", "id": network.hosts[1].if_entries[0] },
        "lldp_chassis_id": { "subtype": "MacAddress", "value": "00:11:22:33:44:55" },
        "lldp_port_id": { "subtype": "InterfaceName", "value": "Po1" },
        "lldp_port_desc": "Port 1", "lldp_sys_name": "core", "lldp_sys_desc": "a switch", "lldp_mgmt_addr": "10.0.0.9",
        "cdp_device_id": "core.lan", "cdp_port_id": "Po1", "cdp_platform": "N9K", "cdp_address": "10.0.0.9",
        "fdb_macs": ["AA:BB:CC:DD:EE:FF", "00:00:00:00:00:01"], "lag_if_index": 17, "parent_if_index": 4, "mtu": 9216,
        "duplex": "Full", "native_vlan": 30, "tagged_vlans": [1, 10, 11, 4094], "stp_state": "Blocking",
    });
    (host.if_entries[0].to_string(), body)
}

pub(crate) const UPDATE_ENTRY: &str = "mutation M($id: ID!, $input: UpdateIfEntryInput!) { updateIfEntry(id: $id, input: $input) {
    id createdAt updatedAt hostId networkId ifIndex ifDescr ifName ifAlias ifType speedBps adminStatus operStatus macAddress
    interfaceId fdbMacs neighbor { __typename ... on IfEntry { id } ... on Host { id } } lldpChassisId { subtype value } lldpPortId { subtype value } lldpPortDesc
    lldpSysName lldpSysDesc lldpMgmtAddr cdpDeviceId cdpPortId cdpPlatform cdpAddress lagIfIndex parentIfIndex mtu duplex
    nativeVlan taggedVlans stpState } }";
pub(crate) const UPDATE_GROUP: &str = "mutation M($id: ID!, $input: UpdateGroupInput!) { updateGroup(id: $id, input: $input) {
    id createdAt updatedAt name networkId description groupType source color edgeStyle bindings { id } tags { id } } }";
pub(crate) const CREATE_KEY: &str = "mutation M($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey {
    id createdAt updatedAt name organizationId userId permissions lastUsed expiresAt isEnabled allNetworks networks { id } tags { id } } } }";

pub(crate) fn group(world: &World) -> (String, Value) {
    let network = &world.ours.networks[0];
    let bindings = &network.hosts[1].bindings;
    let body = json!({
        "name": "way", "network_id": network.id, "description": "from here to there", "group_type": "HubAndSpoke",
        "color": "Rose", "edge_style": "SmoothStep", "binding_ids": [bindings[2], bindings[0]], "tags": [world.ours.tags[1], world.ours.tags[0]],
    });
    (network.group.to_string(), body)
}

pub(crate) async fn graphql(
    world: &World,
    credential: &str,
    mutation: &str,
    id: &str,
    body: &Value,
) -> Value {
    world.test.graphql(credential, mutation, json!({ "id": id, "input": input(body) })).await
}

pub(crate) async fn put(world: &World, credential: &str, path: &str, body: &Value) -> Answer {
    world.test.put(path, body).credential(credential).send().await
}

#[tokio::test]
async fn an_interface_entry_is_updated_alike() {
    let world = World::new().await;
    let key = &world.ours.member.key;
    let (id, full) = entry(&world);
    let mut bare = full.clone();
    for field in full.as_object().unwrap().keys().filter(|key| {
        key.contains("lldp_")
            || key.contains("cdp_")
            || ["neighbor", "speed_bps", "if_alias", "if_name", "fdb_macs", "interface_id"]
                .contains(&key.as_str())
    }) {
        bare.as_object_mut().unwrap().remove(field);
    }
    let mut to_host = bare.clone();
    to_host["neighbor"] = json!({ "type": "Host", "id": world.ours.networks[0].hosts[1].id });
    for body in [full, bare, to_host] {
        let updated =
            put(&world, key, &format!("/api/v1/if-entries/{id}"), &body).await.data().clone();
        let answer = graphql(&world, key, UPDATE_ENTRY, &id, &body).await;
        assert_eq!(answer["errors"], json!(null), "{answer}");
        let mut again = rest(&answer["data"]["updateIfEntry"]);
        if let Some(typename) =
            again["neighbor"].as_object_mut().and_then(|neighbor| neighbor.remove("__typename"))
        {
            again["neighbor"]["type"] = typename;
        }
        assert!(text(&again["updated_at"]) > text(&updated["updated_at"]));
        again["updated_at"] = updated["updated_at"].clone();
        assert_eq!(again, updated);
        for (field, value) in body.as_object().unwrap() {
            assert_eq!(updated[field], *value, "{field}");
        }
    }
}

#[tokio::test]
async fn a_group_is_updated_alike() {
    let world = World::new().await;
    let key = &world.ours.member.key;
    let (id, mut body) = group(&world);
    for _ in 0..2 {
        let updated = put(&world, key, &format!("/api/v1/groups/{id}"), &body).await.data().clone();
        let answer = graphql(&world, key, UPDATE_GROUP, &id, &body).await;
        assert_eq!(answer["errors"], json!(null), "{answer}");
        let mut again = rest(&answer["data"]["updateGroup"]);
        again["source"] = answer["data"]["updateGroup"]["source"].clone();
        again["tags"] = ids(&again["tags"]);
        again["binding_ids"] = ids(&again["bindings"]);
        again.as_object_mut().unwrap().remove("bindings");
        again["updated_at"] = updated["updated_at"].clone();
        again["dependency_type"] = again["group_type"].clone();
        assert_eq!(again, updated);
        assert_eq!(updated["binding_ids"], body["binding_ids"]);
        body["tags"] = json!([]);
        body["binding_ids"] = json!([]);
        body["description"] = json!("");
    }
}

#[tokio::test]
async fn a_key_is_made_alike() {
    let world = World::new().await;
    let ours = &world.ours;
    let session = &ours.admin.session;
    for body in [
        json!({ "name": "all", "organization_id": ours.organization, "user_id": ours.admin.id, "tags": [ours.tags[1]], "permissions": "Member", "network_ids": [ours.networks[1].id], "expires_at": "2999-01-01T00:00:00Z", "is_enabled": false }),
        json!({ "name": "few", "organization_id": "00000000-0000-0000-0000-000000000000", "user_id": "00000000-0000-0000-0000-000000000000", "tags": [] }),
        json!({ "name": "none", "organization_id": ours.organization, "user_id": ours.admin.id, "tags": [], "network_ids": [] }),
    ] {
        let made = world
            .test
            .post("/api/v1/auth/keys", &body)
            .credential(session)
            .send()
            .await
            .data()
            .clone();
        let answer = graphql(&world, session, CREATE_KEY, "", &body).await;
        assert_eq!(answer["errors"], json!(null), "{answer}");
        let mut again = rest(&answer["data"]["createApiKey"]);
        again["api_key"]["network_ids"] = ids(&again["api_key"]["networks"]);
        again["api_key"].as_object_mut().unwrap().remove("networks");
        again["api_key"]["tags"] = ids(&again["api_key"]["tags"]);
        again["api_key"]["key"] = json!("**********");
        assert_ne!(again["key"], made["key"]);
        for (path, of) in [
            ("/key", &made),
            ("/api_key/id", &made),
            ("/api_key/created_at", &made),
            ("/api_key/updated_at", &made),
        ] {
            *again.pointer_mut(path).unwrap() = of.pointer(path).unwrap().clone();
        }
        assert_eq!(again, made);
    }
}
