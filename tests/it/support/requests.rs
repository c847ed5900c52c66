//! A right request to every route of the document.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use toposcope::users;
use toposcope_types::{Id, PermissionLevel};

use crate::support::{
    introspection::text,
    world::{Person, Tenant, World},
};

/// A person who asks, and the network whose things they ask for.
#[derive(Clone, Copy)]
pub(crate) struct Home<'a> {
    pub(crate) tenant: &'a Tenant,
    pub(crate) network_index: usize,
    pub(crate) person: &'a Person,
    pub(crate) credential: &'a str,
    pub(crate) level: PermissionLevel,
}

impl<'a> Home<'a> {
    /// The owner in the first network.
    pub(crate) fn of_owner(tenant: &'a Tenant, credential: &'a str) -> Self {
        let (person, level) = (&tenant.owner, PermissionLevel::Owner);
        Self { tenant, network_index: 0, person, credential, level }
    }

    /// The thing of this network that a query parameter names.
    pub(crate) fn named(&self, parameter: &str) -> Id {
        let network = &self.tenant.networks[self.network_index];
        let host = &network.hosts[0];
        match parameter {
            "network_id" => network.id,
            "host_id" | "entity_id" | "root" => host.id,
            "subnet_id" => network.subnet,
            "service_id" => host.services[0],
            "port_id" => host.ports[0],
            "interface_id" => host.interface,
            "user_id" => self.person.id,
            "api_key_id" => self.person.key_id,
            other => panic!("say here what of a network the query parameter {other} names"),
        }
    }
}

/// The ids of a path and a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Call {
    pub(crate) ids: Vec<Id>,
    pub(crate) body: Option<Value>,
}

/// Numbers that no two requests share.
fn fresh() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Makes something, so that there is one to be changed or deleted; answers its id.
async fn made(world: &World, path: &str, body: &Value, credential: &str) -> Id {
    let answer = world.test.post(path, body).credential(credential).send().await;
    let data = answer.data();
    let id = if data["api_key"].is_null() { &data["id"] } else { &data["api_key"]["id"] };
    text(id).parse().unwrap()
}

/// Returns the request that does at home what the operation with this id does. It makes the things
/// that the request needs, each with a name of its own.
pub(crate) async fn call(world: &World, operation: &str, home: &Home<'_>) -> Call {
    let of_network = [
        "get_topology",
        "get_topology_of_network",
        "get_topology_data",
        "list_unresolved_neighbors",
        "export_mermaid",
    ];
    if of_network.contains(&operation) {
        return Call { ids: vec![home.tenant.networks[home.network_index].id], body: None };
    }
    if operation.starts_with("list_") || operation.starts_with("export_") {
        return Call::default();
    }
    let id = |id: Id| Call { ids: vec![id], body: None };
    let (network, owner) = (&home.tenant.networks[home.network_index], &*home.tenant.owner.session);
    let host = &network.hosts[0];
    match operation {
        "get_all_hosts" | "get_current_user" | "get_own_organization" => Call::default(),
        "update_own_organization" => Call { ids: vec![], body: Some(body(operation, home)) },
        "get_host" | "delete_host" => id(host.id),
        "get_interface" | "delete_interface" => id(host.interface),
        "get_if_entry" | "delete_if_entry" => id(host.if_entries[0]),
        "get_port" | "delete_port" => id(host.ports[0]),
        "get_service" | "delete_service" => id(host.services[1]),
        "get_binding" | "delete_binding" => id(host.bindings[0]),
        "get_group" | "delete_group" => id(network.group),
        "get_subnet" => id(network.subnet),
        "delete_subnet" => {
            let body = body("create_subnet", home);
            id(made(world, "/api/v1/subnets", &body, owner).await)
        }
        "get_network" | "delete_network" => id(network.id),
        "get_tag" | "delete_tag" => id(home.tenant.tags[1]),
        "get_organization" => id(home.tenant.organization),
        "get_user" => id(home.person.id),
        "delete_user" => id(home.tenant.viewer.id),
        "get_user_api_key" | "delete_user_api_key" => id(home.person.key_id),
        "rotate_user_api_key" => id(new_key(world, home).await),
        "get_change" => id(change(world, home).await),
        "consolidate_hosts" => {
            let body = body("create_host", home);
            let other = made(world, "/api/v1/hosts", &body, owner).await;
            Call { ids: vec![host.id, other], body: None }
        }
        bulk if bulk.starts_with("bulk_delete_") => {
            Call { ids: vec![], body: Some(json!([doomed(world, bulk, home).await])) }
        }
        "create_binding" => {
            let mut body = body(operation, home);
            let port = self::body("create_port", home);
            body["port_id"] = json!(made(world, "/api/v1/ports", &port, owner).await);
            Call { ids: vec![], body: Some(body) }
        }
        update if update.starts_with("update_") => {
            let of = match update {
                "update_host" => host.id,
                "update_interface" => host.interface,
                "update_if_entry" => host.if_entries[1],
                "update_port" => host.ports[2],
                "update_service" => host.services[1],
                "update_binding" => host.bindings[1],
                "update_group" => network.group,
                "update_subnet" => network.subnet,
                "update_network" => network.id,
                "update_tag" => home.tenant.tags[1],
                "update_organization" => home.tenant.organization,
                "update_user_as_admin" => home.tenant.viewer.id,
                "update_user" if home.level >= PermissionLevel::Admin => home.tenant.viewer.id,
                "update_user" => home.person.id,
                "update_user_api_key" => new_key(world, home).await,
                other => panic!("the route {other} is new: say here what it may change"),
            };
            Call { ids: vec![of], body: Some(body(update, home)) }
        }
        other => Call { ids: vec![], body: Some(body(other, home)) },
    }
}

async fn new_key(world: &World, home: &Home<'_>) -> Id {
    let body = body("create_user_api_key", home);
    made(world, "/api/v1/auth/keys", &body, home.credential).await
}

/// A change in the log of the network.
async fn change(world: &World, home: &Home<'_>) -> Id {
    let owner = &home.tenant.owner.session;
    let port = made(world, "/api/v1/ports", &body("create_port", home), owner).await;
    let path = format!("/api/v1/changes?entity_id={port}");
    let found = world.test.get(&path).credential(owner).send().await;
    text(&found.data()[0]["id"]).parse().unwrap()
}

/// Something that a bulk delete may take away.
async fn doomed(world: &World, operation: &str, home: &Home<'_>) -> Id {
    let (path, create) = match operation {
        "bulk_delete_hosts" => ("hosts", "create_host"),
        "bulk_delete_interfaces" => ("interfaces", "create_interface"),
        "bulk_delete_if_entries" => ("if-entries", "create_if_entry"),
        "bulk_delete_ports" => ("ports", "create_port"),
        "bulk_delete_services" => ("services", "create_service"),
        "bulk_delete_bindings" => ("bindings", "create_binding"),
        "bulk_delete_groups" => ("groups", "create_group"),
        "bulk_delete_subnets" => ("subnets", "create_subnet"),
        "bulk_delete_networks" => ("networks", "create_network"),
        "bulk_delete_tags" => ("tags", "create_tag"),
        "bulk_delete_user_api_keys" => return new_key(world, home).await,
        "bulk_delete_users" => {
            let new = users::NewUser {
                organization_id: home.tenant.organization,
                email: format!("new{}@example.com", fresh()),
                permissions: PermissionLevel::Viewer,
                hash: String::new(),
                terms_accepted_at: None,
            };
            return users::add(world.test.app.db.writer(), new).await.unwrap().id;
        }
        other => panic!("the route {other} is new: say here what it may delete"),
    };
    let call = Box::pin(call(world, create, home)).await;
    // A key reaches the networks that it makes.
    made(world, &format!("/api/v1/{path}"), &call.body.unwrap(), home.credential).await
}

/// A body that is right.
fn body(operation: &str, home: &Home<'_>) -> Value {
    let (tenant, network) = (home.tenant, &home.tenant.networks[home.network_index]);
    let (host, other, tag) = (&network.hosts[0], &network.hosts[1], tenant.tags[0]);
    let number = fresh();
    let name = format!("new {number}");
    match operation {
        "create_host" => json!({
            "network_id": network.id, "name": name, "tags": [tag],
            "interfaces": [{ "subnet_id": network.subnet, "ip_address": "10.0.0.9" }],
            "software_version": "17.9.4",
            "stack_members": [{ "number": 1, "serial_number": "S1", "model": "EN-48",
                "mac_address": "02:00:00:00:00:0A", "software_version": "17.9.4" }, {}],
            "virtualization":
                { "type": "Proxmox", "details": { "service_id": other.services[0] } },
        }),
        "update_host" => json!({
            "network_id": network.id, "name": name, "tags": [tag],
            "virtualization":
                { "type": "Proxmox", "details": { "service_id": other.services[0] } },
        }),
        "create_interface" | "update_interface" => json!({
            "network_id": network.id, "host_id": host.id, "subnet_id": network.subnet,
            "ip_address": format!("10.0.0.{}", 10 + number % 240),
        }),
        "create_if_entry" | "update_if_entry" => json!({
            "host_id": host.id, "network_id": network.id, "if_index": number, "if_descr": name,
            "if_type": 6, "admin_status": "Up", "oper_status": "Up",
            "mac_address": "02:00:00:00:00:01", "interface_id": host.interface, "neighbor": { "type": "Host", "id": other.id },
            "lag_if_index": 900_001, "parent_if_index": 900_002, "mtu": 9216, "duplex": "Full",
            "native_vlan": 30, "tagged_vlans": [10, 11, 12, 20], "stp_state": "Forwarding",
        }),
        "create_port" | "update_port" => json!({
            "host_id": host.id, "network_id": network.id, "number": 1000 + number,
            "protocol": "Udp",
        }),
        "create_service" | "update_service" => json!({
            "host_id": host.id, "network_id": network.id, "name": name,
            "service_definition": "Docker", "tags": [tag],
            "virtualization":
                { "type": "Docker", "details": { "service_id": host.services[0] } },
        }),
        "create_binding" | "update_binding" => json!({
            "service_id": host.services[1], "network_id": network.id, "type": "Port",
            "port_id": host.ports[1], "interface_id": host.interface,
        }),
        "create_group" | "update_group" => json!({
            "name": name, "network_id": network.id, "group_type": "RequestPath", "color": "Red",
            "edge_style": "Step", "binding_ids": [other.bindings[1]], "tags": [tag],
        }),
        "create_subnet" | "update_subnet" => json!({
            "cidr": "10.0.0.0/24", "network_id": network.id, "name": name, "subnet_type": "Lan",
            "tags": [tag], "allow_overlap": true,
        }),
        "create_network" | "update_network" => json!({
            "name": name, "organization_id": tenant.organization, "tags": [tag],
        }),
        "create_tag" | "update_tag" => json!({
            "name": name, "color": "Red", "organization_id": tenant.organization,
        }),
        "assign_tags" => json!({
            "entity_type": "Host", "entity_id": host.id, "tag_ids": [tag],
        }),
        "bulk_add_tag" | "bulk_remove_tag" => json!({
            "entity_type": "Host", "entity_ids": [host.id], "tag_id": tag,
        }),
        "create_user_api_key" => json!({
            "name": name, "organization_id": tenant.organization, "user_id": home.person.id,
            "tags": [tag], "network_ids": [network.id],
        }),
        "update_user_api_key" => {
            json!({ "name": name, "tags": [tag], "network_ids": [network.id] })
        }
        "update_user_as_admin" | "update_user" if home.level >= PermissionLevel::Admin => {
            json!({ "network_ids": [network.id] })
        }
        "update_user_as_admin" | "update_user" => json!({}),
        "update_own_organization" | "update_organization" => json!({ "name": name }),
        other => panic!("the route {other} is new: say in this file what a right request to it is"),
    }
}
