//! The same walls at every mutation: at every id that it takes, however deep in its input.

use axum::http::Method;
use serde_json::{Value, json};
use toposcope_types::Id;

use crate::{
    support::{
        introspection::{Types, named, text},
        world::{SampleNetwork, Tenant, World},
    },
    tenancy::{Attack, attacks, blank, marks, world},
};

/// An input of a resource that is right, for the tenant who attacks; a new resource needs one here.
pub(crate) fn input(resource: &str, tenant: &Tenant) -> Value {
    let network = &tenant.networks[0];
    let host = &network.hosts[0];
    match resource {
        "Host" => json!({ "networkId": network.id, "name": "x", "tags": [] }),
        "Interface" => json!({
            "networkId": network.id, "hostId": host.id, "subnetId": network.subnet,
            "ipAddress": "10.0.0.77",
        }),
        "IfEntry" => json!({
            "hostId": host.id, "networkId": network.id, "ifIndex": 7, "ifDescr": "x", "ifType": 6,
            "adminStatus": "UP", "operStatus": "UP",
        }),
        "Port" => json!({
            "hostId": host.id, "networkId": network.id, "number": 7777, "protocol": "UDP",
        }),
        "Service" => json!({
            "hostId": host.id, "networkId": network.id, "name": "x", "serviceDefinition": "x",
        }),
        "Binding" => json!({
            "serviceId": host.services[1], "networkId": network.id, "type": "PORT",
            "portId": host.ports[0], "interfaceId": null,
        }),
        "Group" => json!({
            "name": "x", "networkId": network.id, "groupType": "REQUEST_PATH", "color": "RED",
            "edgeStyle": "STEP", "bindingIds": [host.bindings[1]], "tags": [],
        }),
        "Subnet" => json!({
            "cidr": "10.0.0.0/24", "networkId": network.id, "name": "x", "subnetType": "LAN",
            "tags": [],
        }),
        "Network" => json!({ "name": "x", "organizationId": tenant.organization, "tags": [] }),
        "Tag" => json!({ "name": "x", "color": "RED", "organizationId": tenant.organization }),
        "AssignTags" => json!({
            "entityType": "HOST", "entityId": host.id, "tagIds": [tenant.tags[0]],
        }),
        "BulkTag" => json!({
            "entityType": "HOST", "entityIds": [host.id], "tagId": tenant.tags[0],
        }),
        "ApiKey" => json!({ "name": "x", "tags": [] }),
        "User" => json!({}),
        "Organization" => json!({ "name": "x" }),
        other => panic!("say here what a valid input of {other} is"),
    }
}

/// Returns a part of an input that is more than an id. New parts of inputs need one here.
fn part(name: &str, network: &SampleNetwork) -> Value {
    let host = &network.hosts[0];
    match name {
        "interfaces" => json!({ "subnetId": network.subnet, "ipAddress": "10.0.0.78" }),
        "ports" => json!({ "number": 7778, "protocol": "TCP" }),
        "services" => json!({ "name": "y", "serviceDefinition": "y" }),
        "bindings" => json!({ "type": "PORT", "portId": host.ports[0] }),
        "ifEntries" => json!({
            "ifIndex": 8, "ifDescr": "y", "ifType": 6, "adminStatus": "UP", "operStatus": "UP",
        }),
        "neighbor" => json!({ "type": "IF_ENTRY" }),
        "virtualization" => json!({ "details": {} }),
        other => panic!("say here what a valid {other} is"),
    }
}

/// One of its own things that a mutation of this tenant is about.
fn own(argument: &str, resource: &str, tenant: &Tenant) -> Id {
    let network = &tenant.networks[0];
    let host = &network.hosts[0];
    match (argument, resource) {
        ("other", "Host") => network.hosts[1].id,
        (_, "Host") => host.id,
        (_, "Interface") => host.interface,
        (_, "IfEntry") => host.if_entries[0],
        (_, "Port") => host.ports[0],
        (_, "Service") => host.services[1],
        (_, "Binding") => host.bindings[1],
        (_, "Group") => network.group,
        (_, "Subnet") => network.subnet,
        (_, "Network") => network.id,
        (_, "Tag") => tenant.tags[0],
        (_, "ApiKey") => tenant.owner.key_id,
        (_, "User") => tenant.owner.id,
        (_, "Organization") => tenant.organization,
        (argument, other) => panic!("say here what the {argument} of {other} is"),
    }
}

/// A position of an id in an input. In a path, `*` is the one element of a list of objects.
#[derive(Clone, Debug)]
struct Slot {
    path: Vec<String>,
    list: bool,
}

fn slots(types: &Types, fields: &[Value]) -> Vec<Slot> {
    let mut found = Vec::new();
    for field in fields {
        let (name, of) = (text(&field["name"]).to_owned(), named(&field["type"]));
        let list = field["type"].to_string().contains("\"LIST\"");
        if of == "ID" {
            found.push(Slot { path: vec![name], list });
        } else if of.ends_with("Virtualization") {
            let path = [name.as_str(), "details", "service_id"].map(str::to_owned).to_vec();
            found.push(Slot { path, list: false });
        } else if types.kind(of) == "INPUT_OBJECT" {
            for mut slot in slots(types, types.fields(of)) {
                // Whoever makes a thing may choose its id, so one that is not known is right.
                if list && slot.path == ["id"] {
                    continue;
                }
                if list {
                    slot.path.insert(0, "*".to_owned());
                }
                slot.path.insert(0, name.clone());
                found.push(slot);
            }
        }
    }
    found
}

/// The variables with an id in a slot.
fn put(variables: &Value, slot: &Slot, network: &SampleNetwork, host: bool, id: Id) -> Value {
    let mut variables = variables.clone();
    let mut at = &mut variables;
    let mut before = "";
    for name in &slot.path {
        at = if name == "*" {
            *at = json!([part(before, network)]);
            &mut at[0]
        } else {
            at = &mut at[name];
            if at.is_null() && ["neighbor", "virtualization"].contains(&name.as_str()) {
                *at = part(name, network);
            }
            at
        };
        if before == "virtualization" || name == "virtualization" {
            let in_service = !host || slot.path.iter().any(|name| name == "services");
            if name == "virtualization" {
                at["type"] = json!(if in_service { "Docker" } else { "Proxmox" });
            }
        }
        before = name;
    }
    *at = if slot.list { json!([id]) } else { json!(id) };
    variables
}

/// A mutation as it is asked: its text, its right variables without ids, and where it takes ids.
struct Mutation {
    name: String,
    resource: String,
    query: String,
    slots: Vec<Slot>,
    takes_input: bool,
}

impl Mutation {
    fn of(types: &Types, field: &Value) -> Self {
        let name = text(&field["name"]).to_owned();
        let arguments = field["args"].as_array().unwrap();
        let arguments: Vec<&Value> =
            arguments.iter().filter(|one| one["name"] != "expectedUpdatedAt").collect();
        let declared: Vec<String> = arguments
            .iter()
            .map(|one| format!("${}: {}", text(&one["name"]), sdl(&one["type"])))
            .collect();
        let passed: Vec<String> =
            arguments.iter().map(|one| format!("{0}: ${0}", text(&one["name"]))).collect();
        let answer = types.fields(named(&field["type"]));
        let counts = answer
            .iter()
            .map(|field| text(&field["name"]))
            .filter(|name| ["deletedCount", "affectedCount"].contains(name));
        let counts: String = counts.collect();
        let query = format!(
            "mutation M({}) {{ {name}({}) {{ __typename {counts} }} }}",
            declared.join(", "),
            passed.join(", ")
        );
        let input = arguments.iter().find(|one| one["name"] == "input");
        let resource = match input.map(|one| named(&one["type"]).trim_end_matches("Input")) {
            Some(of) => of.trim_start_matches("Create").trim_start_matches("Update").to_owned(),
            None => named(&field["type"]).to_owned(),
        };
        let resource = match name.as_str() {
            "rotateApiKey" => "ApiKey".to_owned(),
            _ => name.strip_prefix("delete").map_or(resource, str::to_owned),
        };
        let takes_input = input.is_some();
        let arguments: Vec<Value> = arguments.into_iter().cloned().collect();
        let slots = slots(types, &arguments);
        Self { name, resource, query, slots, takes_input }
    }

    /// Variables that are right.
    fn variables(&self, tenant: &Tenant) -> Value {
        let mut variables = json!({});
        if self.takes_input {
            variables["input"] = input(&self.resource, tenant);
        }
        if self.query.contains("$dryRun") {
            variables["dryRun"] = json!(true);
        }
        for slot in &self.slots {
            if let ([argument], false) = (slot.path.as_slice(), slot.list) {
                variables[argument] = json!(own(argument, &self.resource, tenant));
            }
        }
        variables
    }
}

/// A type as it is written.
fn sdl(of: &Value) -> String {
    match text(&of["kind"]) {
        "NON_NULL" => format!("{}!", sdl(&of["ofType"])),
        "LIST" => format!("[{}]", sdl(&of["ofType"])),
        _ => text(&of["name"]).to_owned(),
    }
}

/// Returns whether an answer tells that nothing was done.
fn refused(answer: &Value, mutation: &str) -> bool {
    let done = &answer["data"][mutation];
    answer["errors"].is_array() || done["deletedCount"] == 0 || done["affectedCount"] == 0
}

/// One foreign id of each kind.
fn foreign(world: &World, attack: &Attack<'_>) -> Vec<Id> {
    let other = if attack.own.organization == world.ours.organization {
        &world.theirs
    } else {
        &world.ours
    };
    let (network, of_tenant) = if attack.who.contains("second") {
        (&world.ours.networks[1], vec![])
    } else {
        let person = &other.owner;
        (&other.networks[0], vec![other.organization, other.tags[0], person.id, person.key_id])
    };
    let host = &network.hosts[0];
    let mut ids = vec![
        network.id,
        network.subnet,
        network.group,
        host.id,
        host.interface,
        host.ports[0],
        host.if_entries[0],
        host.services[1],
        host.bindings[0],
    ];
    ids.extend(of_tenant);
    assert!(ids.iter().all(|id| attack.foreign.contains(id)), "{}", attack.who);
    ids
}

/// Walks the mutations whose name begins so; answers how many slots there were.
async fn walk(wanted: impl Fn(&str) -> bool) -> usize {
    let world = world().await;
    let types = Types::read(&world.test, &world.ours.owner.key).await;
    let mut walked = 0;
    for field in types.fields("Mutation") {
        let mutation = Mutation::of(&types, field);
        if !wanted(&mutation.name) {
            continue;
        }
        for attack in attacks(&world) {
            let base = mutation.variables(attack.own);
            let network = &attack.own.networks[0];
            let foreign = foreign(&world, &attack);
            for slot in &mutation.slots {
                let ask = async |id: Id| {
                    let variables = put(&base, slot, network, mutation.resource == "Host", id);
                    let answer =
                        world.test.graphql(attack.credential, &mutation.query, variables).await;
                    assert!(
                        refused(&answer, &mutation.name),
                        "{}: {} took {id} at {:?}: {answer}",
                        attack.who,
                        mutation.name,
                        slot.path
                    );
                    blank(&answer, id)
                };
                let known = ask(Id::new()).await;
                for mark in marks(&attack, &world) {
                    assert!(
                        !known.contains(&mark),
                        "{}: {} told {mark}",
                        attack.who,
                        mutation.name
                    );
                }
                for id in &foreign {
                    let (who, name, path) = (attack.who, &mutation.name, &slot.path);
                    assert_eq!(ask(*id).await, known, "{who}: {name} at {path:?} with {id}");
                }
                walked += 1;
            }
        }
    }
    walked
}

#[tokio::test]
async fn every_mutation_that_makes_something_is_blind_to_what_is_out_of_reach() {
    let walked = walk(|name| name.starts_with("create")).await;
    assert!(walked >= 200, "{walked}");
}

#[tokio::test]
async fn every_mutation_that_changes_something_is_blind_to_what_is_out_of_reach() {
    let walked = walk(|name| name.starts_with("update")).await;
    assert!(walked >= 200, "{walked}");
}

#[tokio::test]
async fn every_other_mutation_is_blind_to_what_is_out_of_reach() {
    let walked = walk(|name| !name.starts_with("create") && !name.starts_with("update")).await;
    assert!(walked >= 150, "{walked}");
}

#[tokio::test]
async fn the_mutations_that_are_refused_for_an_id_are_right_without_it() {
    let world = World::new().await;
    let types = Types::read(&world.test, &world.ours.owner.key).await;
    for field in types.fields("Mutation") {
        let mutation = Mutation::of(&types, field);
        if !mutation.takes_input {
            continue;
        }
        let world = World::new().await;
        let variables = mutation.variables(&world.ours);
        let owner = &world.ours.owner.session;
        // What listens on port 22 makes room for the binding that is right.
        let path = format!("/api/v1/services/{}", world.ours.networks[0].hosts[0].services[0]);
        world.test.ask(Method::DELETE, &path).credential(owner).send().await.data();
        let answer = world.test.graphql(owner, &mutation.query, variables.clone()).await;
        let name = &mutation.name;
        assert!(answer["errors"].is_null(), "{name} with {variables}: {answer}");
    }
}
