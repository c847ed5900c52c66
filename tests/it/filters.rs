//! Filters: every field of every filter against a plain reading of the same rows, then what
//! combining them means.

use std::collections::BTreeMap;

use axum::http::Method;
use serde_json::{Map, Value, json};
use toposcope::{
    bindings, hosts, networks, subnets,
    tags::{self, TagOwner},
};
use toposcope_types::{BindingType, Id, SubnetType};

use crate::support::{
    bodies::with,
    introspection::{Connection, Types, named, text},
    plenty,
    world::{Tenant, World},
};

/// A world whose rows differ in everything that can be filtered by.
async fn world() -> World {
    let world = World::new().await;
    let (test, ours) = (&world.test, &world.ours);
    for network in &ours.networks {
        let mut odd = plenty::host(network.id, "100%_Beta\\");
        odd.hostname = Some("Odd.lan".to_owned());
        odd.chassis_id = Some("00:11:22:33:44:55".to_owned());
        odd.management_address = Some("10.9.9.9".to_owned());
        let mut plain = plenty::host(network.id, "100xxBETA");
        plain.description = Some("ÄÖ".to_owned());
        let service = plenty::service(network.id, odd.id);
        let whole = bindings::Model {
            id: Id::new(),
            created_at: odd.created_at,
            updated_at: odd.updated_at,
            service_id: service.id,
            network_id: network.id,
            binding_type: BindingType::Interface,
            port_id: None,
            interface_id: Some(network.hosts[0].interface),
        };
        let hosts = vec![odd.clone(), plain];
        plenty::insert::<hosts::Entity, _>(test, hosts).await;
        plenty::insert::<toposcope::services::Entity, _>(test, vec![service]).await;
        plenty::insert::<bindings::Entity, _>(test, vec![whole]).await;
        let subnet = subnets::Subnet {
            id: Id::new(),
            created_at: odd.created_at,
            updated_at: odd.updated_at,
            cidr: "2001:db8::/64".parse().unwrap(),
            network_id: network.id,
            name: "guests".to_owned(),
            description: None,
            subnet_type: SubnetType::Guest,
            source: odd.source.clone(),
        };
        let subnet_id = subnet.id;
        plenty::insert::<subnets::Entity, _>(test, vec![subnet]).await;
        let db = test.app.db.writer();
        for (owner, id) in [
            (TagOwner::Host, odd.id),
            (TagOwner::Subnet, subnet_id),
            (TagOwner::Network, network.id),
        ] {
            tags::assign(db, owner, &[(id, ours.tags[1])]).await.unwrap();
        }
        networks::recount(db, network.id).await.unwrap();
    }
    plenty::ring(test, ours, &ours.networks[1], 3).await;
    for place in &ours.networks {
        let said = json!({ "lag_if_index": 7, "parent_if_index": 1, "mtu": 1500, "duplex": "Half",
            "native_vlan": 10, "tagged_vlans": [20], "stp_state": "Learning", "if_index": 9 });
        let body = with(&place.entry_body(1), &said);
        let put = test.put(&place.entry_path(1), &body).credential(&ours.admin.key);
        put.send().await.data();
    }
    log_changes(&world).await;
    world
}

/// Makes, changes and deletes something in each network and in the organization, by session and
/// by key.
async fn log_changes(world: &World) {
    let (test, ours) = (&world.test, &world.ours);
    for network in &ours.networks {
        for credential in [&ours.owner.session, &ours.admin.key] {
            let body = json!({ "name": "spare", "network_id": network.id, "tags": [] });
            let made = test.post("/api/v1/hosts", &body).credential(credential).send().await;
            let path = format!("/api/v1/hosts/{}", text(&made.data()["id"]));
            test.put(&path, &body).credential(credential).send().await.data();
            test.ask(Method::DELETE, &path).credential(credential).send().await.data();
        }
    }
    let body = json!({ "name": "green", "color": "Green", "organization_id": ours.organization });
    test.post("/api/v1/tags", &body).credential(&ours.admin.session).send().await.data();
}

/// Returns the selection on a node that shows what a filter field compares.
fn selection(connection: &Connection, field: &str) -> String {
    match (connection.node.as_str(), field) {
        (_, "tagId") => "tags { id }".to_owned(),
        ("Binding", "bindingType") => "__typename".to_owned(),
        ("Binding", "portId") => "... on PortBinding { port { id } }".to_owned(),
        ("Binding", "interfaceId") => {
            "... on PortBinding { interface { id } } ... on InterfaceBinding { interface { id } }"
                .to_owned()
        }
        ("Binding", "networkId") => "network { id }".to_owned(),
        ("Binding", "serviceId") => "service { id }".to_owned(),
        (_, field) => field.to_owned(),
    }
}

/// The values of a node that a filter field compares: none, one, or those of its tags.
fn values(node: &Value, field: &str) -> Vec<Value> {
    let key = field.strip_suffix("Id").unwrap_or(field);
    let found = match field {
        "tagId" => {
            return node["tags"].as_array().unwrap().iter().map(|tag| tag["id"].clone()).collect();
        }
        "bindingType" if node["__typename"] == "PortBinding" => json!("PORT"),
        "bindingType" => json!("INTERFACE"),
        field if node.get(field).is_some() => node[field].clone(),
        _ => node[key]["id"].clone(),
    };
    if found.is_null() { vec![] } else { vec![found] }
}

fn fold(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_ascii_lowercase)
}

/// Returns whether a comparison holds for one of the values of a row.
fn holds(comparison: &Value, values: &[Value]) -> bool {
    if comparison == &json!({ "eq": null }) {
        return values.is_empty();
    }
    values.iter().any(|value| {
        comparison.as_object().unwrap().iter().all(|(operator, wanted)| match operator.as_str() {
            "eq" => fold(value) == fold(wanted),
            "in" => wanted.as_array().unwrap().iter().any(|wanted| fold(value) == fold(wanted)),
            "contains" => fold(value).contains(&fold(wanted)),
            "startsWith" => fold(value).starts_with(&fold(wanted)),
            other => panic!("the test does not know the operator {other}"),
        })
    })
}

/// Comparisons to try with the values that occur.
fn comparisons(types: &Types, filter_type: &str, occurring: &[Value]) -> Vec<Value> {
    let operators = types.fields(filter_type).iter().map(|field| text(&field["name"]));
    let mut tried = vec![json!({ "in": [] }), json!({ "eq": null })];
    let some: Vec<&Value> = occurring.iter().take(6).collect();
    for operator in operators {
        for value in &some {
            let value = (*value).clone();
            tried.push(match operator {
                "in" => json!({ "in": [value, occurring[0]] }),
                "eq" => json!({ "eq": value, "in": [value] }),
                "contains" => json!({ "contains": text(&value).chars().skip(1).take(4).collect::<String>() }),
                "startsWith" => json!({ "startsWith": text(&value).to_uppercase().chars().take(3).collect::<String>() }),
                other => panic!("the test does not know the operator {other}"),
            });
        }
        if filter_type == "TextFilter" {
            for odd in ["%", "_", "\\", "100%_", "%beta", "", "\u{0}", "ä", "'; --", "*"] {
                tried.push(match operator {
                    "in" => json!({ "in": [odd] }),
                    operator => json!({ operator: odd }),
                });
            }
        }
    }
    if let (Some(first), Some(last)) = (occurring.first(), occurring.last())
        && first != last
    {
        tried.push(json!({ "eq": first, "in": [last] }));
    }
    tried
}

/// The nodes that a filter selects, with the total.
async fn select(
    world: &World,
    connection: &Connection,
    selection: &str,
    filter: &Value,
) -> Vec<Value> {
    let (field, input) = (&connection.field, &connection.filter);
    let query = format!(
        "query Q($filter: {input}) {{ {field}(filter: $filter, first: 1000) {{ totalCount nodes {{ id {selection} }} }} }}"
    );
    let variables = json!({ "filter": filter });
    let answer = world.test.graphql(&world.ours.owner.session, &query, variables).await;
    assert_eq!(answer["errors"], json!(null), "{filter}: {answer}");
    let found = &answer["data"][field];
    let nodes = found["nodes"].as_array().unwrap().clone();
    assert_eq!(found["totalCount"], nodes.len(), "{field} {filter}");
    nodes
}

fn ids(nodes: &[Value]) -> Vec<&str> {
    nodes.iter().map(|node| text(&node["id"])).collect()
}

#[tokio::test]
async fn every_field_of_every_filter_selects_what_a_plain_reading_of_it_does() {
    let world = world().await;
    let types = Types::read(&world.test, &world.ours.owner.key).await;
    let mut tried = BTreeMap::<String, usize>::new();
    for connection in types.connections("Query") {
        for field in types.fields(&connection.filter) {
            let (name, filter_type) = (text(&field["name"]), named(&field["type"]));
            // What does not compare a column is tested below, the VLAN with the fields of entries.
            if ["and", "or", "not", "category", "since", "afterSequence", "vlan"].contains(&name) {
                continue;
            }
            let selection = selection(&connection, name);
            let all = select(&world, &connection, &selection, &json!(null)).await;
            assert!(!all.is_empty(), "{} is empty", connection.field);
            let mut occurring: Vec<Value> =
                all.iter().flat_map(|node| values(node, name)).collect();
            occurring.sort_by_key(ToString::to_string);
            occurring.dedup();
            for comparison in comparisons(&types, filter_type, &occurring) {
                let one = json!({ name: comparison });
                let found = select(&world, &connection, "", &one).await;
                let (pass, fail): (Vec<&Value>, Vec<&Value>) =
                    all.iter().partition(|node| holds(&comparison, &values(node, name)));
                let wanted: Vec<_> = pass.iter().map(|node| text(&node["id"])).collect();
                assert_eq!(ids(&found), wanted, "{} {one}", connection.field);

                let found = select(&world, &connection, "", &json!({ "not": one })).await;
                let wanted: Vec<_> = fail.iter().map(|node| text(&node["id"])).collect();
                assert_eq!(ids(&found), wanted, "{} not {one}", connection.field);
                *tried.entry(format!("{}.{name}", connection.filter)).or_default() += 1;
            }
        }
    }
    assert!(tried.len() >= 60, "{tried:?}");
}

#[tokio::test]
async fn changes_are_selected_by_the_moment_and_the_number_from_which_on_they_are_wanted() {
    let world = world().await;
    let types = Types::read(&world.test, &world.ours.owner.key).await;
    let changes =
        &types.connections("Query").into_iter().find(|one| one.field == "changes").unwrap();
    let all = select(&world, changes, "createdAt sequence", &json!(null)).await;
    for change in &all {
        for (filter, passes) in [
            (
                json!({ "since": change["createdAt"] }),
                Box::new(|one: &Value| text(&one["createdAt"]) >= text(&change["createdAt"]))
                    as Box<dyn Fn(&Value) -> bool>,
            ),
            (
                json!({ "afterSequence": change["sequence"] }),
                Box::new(|one: &Value| one["sequence"].as_i64() > change["sequence"].as_i64()),
            ),
        ] {
            let wanted: Vec<Value> = all.iter().filter(|one| passes(one)).cloned().collect();
            let found = select(&world, changes, "createdAt sequence", &filter).await;
            assert_eq!(found, wanted, "{filter}");
            let wanted: Vec<Value> = all.iter().filter(|one| !passes(one)).cloned().collect();
            let not = json!({ "not": filter });
            assert_eq!(select(&world, changes, "createdAt sequence", &not).await, wanted, "{not}");
        }
    }
    let (first, last) = (&all[0], all.last().unwrap());
    assert!(text(&first["createdAt"]) < text(&last["createdAt"]));
    assert!(all.iter().any(|change| change["sequence"].as_i64() > Some(1)), "{all:?}");
}

#[tokio::test]
async fn a_category_selects_the_services_that_are_shown_with_it() {
    let world = world().await;
    let types = Types::read(&world.test, &world.ours.owner.key).await;
    let services =
        &types.connections("Query").into_iter().find(|one| one.field == "services").unwrap();
    let all = select(&world, services, "category", &json!(null)).await;
    for category in types.enum_values("ServiceCategory") {
        for filter in [
            json!({ "eq": category }),
            json!({ "in": [category] }),
            json!({ "in": [category, "UNKNOWN"] }),
        ] {
            let found = select(&world, services, "category", &json!({ "category": filter })).await;
            let wanted: Vec<_> = all
                .iter()
                .filter(|node| holds(&filter, &[node["category"].clone()]))
                .cloned()
                .collect();
            assert_eq!(found, wanted, "{filter}");
        }
    }
}

/// A filter of hosts and which of the names it selects in the first network.
fn combinations() -> Vec<(Value, &'static [&'static str])> {
    const ALL: &[&str] = &["alpha", "beta", "100%_Beta\\", "100xxBETA"];
    let alpha = json!({ "name": { "eq": "alpha" } });
    let beta = json!({ "name": { "contains": "beta" } });
    vec![
        (json!(null), ALL),
        (json!({}), ALL),
        (json!({ "and": [] }), ALL),
        (json!({ "or": [] }), &[]),
        (json!({ "not": {} }), &[]),
        (json!({ "not": { "not": {} } }), ALL),
        (json!({ "not": { "or": [] } }), ALL),
        (json!({ "not": { "and": [] } }), &[]),
        (json!({ "or": [{}] }), ALL),
        (json!({ "or": [{}, alpha] }), ALL),
        (json!({ "and": [{}, alpha] }), &["alpha"]),
        (json!({ "or": [alpha, beta] }), ALL),
        (json!({ "and": [alpha, beta] }), &[]),
        (json!({ "or": [alpha, { "or": [] }] }), &["alpha"]),
        (json!({ "and": [beta, { "or": [] }] }), &[]),
        (json!({ "not": alpha }), &["beta", "100%_Beta\\", "100xxBETA"]),
        (json!({ "not": { "or": [alpha, beta] } }), &[]),
        (json!({ "not": { "and": [alpha, beta] } }), ALL),
        (
            json!({ "name": { "contains": "BETA" }, "or": [alpha, { "not": { "name": { "eq": "beta" } } }] }),
            &["100%_Beta\\", "100xxBETA"],
        ),
        (
            json!({ "name": { "contains": "a" }, "and": [beta], "or": [beta], "not": { "name": { "startsWith": "100" } } }),
            &["beta"],
        ),
        (json!({ "name": { "contains": "%" } }), &["100%_Beta\\"]),
        (json!({ "name": { "contains": "_" } }), &["100%_Beta\\"]),
        (json!({ "name": { "startsWith": "100%_" } }), &["100%_Beta\\"]),
        (json!({ "name": { "contains": "\\" } }), &["100%_Beta\\"]),
        (json!({ "name": { "contains": "" } }), ALL),
        (json!({ "name": { "in": ["ALPHA", "nobody"] } }), &["alpha"]),
        (json!({ "name": { "in": [] } }), &[]),
        (json!({ "name": { "eq": null } }), &[]),
        (json!({ "not": { "name": { "eq": null } } }), ALL),
        (json!({ "name": { "eq": null, "in": ["alpha"] } }), &[]),
        (json!({ "name": { "in": null } }), ALL),
        (json!({ "name": {} }), ALL),
        (json!({ "not": { "name": { "in": [] } } }), ALL),
        (json!({ "name": null, "not": null, "and": null, "or": null }), ALL),
        // A host without a DNS name is not one with this DNS name.
        (
            json!({ "not": { "hostname": { "eq": "alpha.lan" } } }),
            &["beta", "100%_Beta\\", "100xxBETA"],
        ),
        (json!({ "not": { "not": { "hostname": { "eq": "alpha.lan" } } } }), &["alpha"]),
        (
            json!({ "or": [{ "hostname": { "eq": "alpha.lan" } }, { "not": { "hostname": { "contains": "" } } }] }),
            &["alpha", "100xxBETA"],
        ),
    ]
}

#[tokio::test]
async fn filters_combine_as_the_schema_says_at_the_root_and_in_a_parent() {
    let world = world().await;
    let network = world.ours.networks[0].id;
    let query = "query Q($at_root: HostFilter, $in_parent: HostFilter, $network: ID!) {
        hosts(filter: $at_root) { totalCount nodes { name } }
        network(id: $network) { hosts(filter: $in_parent) { totalCount nodes { name } } } }";
    for (filter, names) in combinations() {
        let variables = json!({
            "network": network,
            "at_root": { "and": [{ "networkId": { "eq": network } }, filter.as_object().unwrap_or(&Map::new())] },
            "in_parent": filter,
        });
        let answer = world.test.graphql(&world.ours.owner.key, query, variables).await;
        assert_eq!(answer["errors"], json!(null), "{filter}: {answer}");
        for found in [&answer["data"]["hosts"], &answer["data"]["network"]["hosts"]] {
            let found_names: Vec<&str> =
                found["nodes"].as_array().unwrap().iter().map(|node| text(&node["name"])).collect();
            assert_eq!(found_names, names, "{filter}");
            assert_eq!(found["totalCount"], names.len(), "{filter}");
        }
    }
}

#[tokio::test]
async fn totals_of_filtered_lists_follow_every_change() {
    let world = World::new().await;
    let Tenant { networks, owner, .. } = &world.ours;
    let network = &networks[0];
    let query = "{ groups(filter: {name: {eq: \"path\"}}) { totalCount } all: groups { totalCount }
        here: groups(filter: {networkId: {in: [$HERE, $HERE]}}) { totalCount } }";
    let query = query.replace("$HERE", &format!("\"{}\"", network.id));
    let mut group = json!({
        "name": "path", "network_id": network.id, "group_type": "RequestPath", "color": "Teal",
        "edge_style": "Step", "binding_ids": [], "tags": [],
    });
    for (name, network_id, totals) in [
        ("path", network.id, [2, 2, 1]),
        ("other", network.id, [1, 2, 1]),
        ("other", networks[1].id, [1, 2, 0]),
        ("path", network.id, [2, 2, 1]),
    ] {
        group["name"] = json!(name);
        group["network_id"] = json!(network_id);
        let path = format!("/api/v1/groups/{}", network.group);
        world.test.put(&path, &group).credential(&owner.key).send().await.data();
        for _ in 0..2 {
            let answer = world.test.graphql(&owner.key, &query, json!({})).await;
            let data = &answer["data"];
            let found = [
                &data["groups"]["totalCount"],
                &data["all"]["totalCount"],
                &data["here"]["totalCount"],
            ];
            assert_eq!(json!(found), json!(totals), "{name}");
        }
    }
}

#[tokio::test]
async fn an_unknown_argument_field_operator_or_value_is_an_error() {
    let world = World::new().await;
    for query in [
        "{ hosts(where: {}) { totalCount } }",
        "{ hosts(filter: {nam: {eq: \"x\"}}) { totalCount } }",
        "{ hosts(filter: {name: {equals: \"x\"}}) { totalCount } }",
        "{ hosts(filter: {name: \"x\"}) { totalCount } }",
        "{ hosts(filter: {networkId: {eq: \"x\"}}) { totalCount } }",
        "{ hosts(filter: {networkId: {in: [\"x\"]}}) { totalCount } }",
        "{ hosts(filter: {or: [null]}) { totalCount } }",
        "query ($x: String) { hosts(filter: {name: {eq: $x}}) { totalCount } }",
        "query ($x: [ID!]) { network(id: \"$HERE\") { hosts(filter: {not: {id: {in: $x}}}) { totalCount } } }",
        "{ hosts(orderBy: {field: SIZE}) { totalCount } }",
        "{ hosts(orderBy: [{direction: ASC}]) { totalCount } }",
        "query ($q: HostFilter) { hosts(fliter: $q) { totalCount } }",
        "{ hosts(first: \"1\") { totalCount } }",
        "{ hosts(first: 1.5) { totalCount } }",
        "{ ports(filter: {number: {eq: 99999999999}}) { totalCount } }",
        "{ services(filter: {category: {eq: NONSENSE}}) { totalCount } }",
        "{ host(id: \"x\") { id } }",
        "{ host { id } }",
        "{ host(id: null) { id } }",
    ] {
        let query = &query.replace("$HERE", &world.ours.networks[0].id.to_string());
        let answer = world.test.graphql(&world.ours.owner.key, query, json!({})).await;
        let missing = query.contains("[{direction");
        let code = if missing { "validation_required" } else { "validation_invalid_format" };
        assert_eq!(answer["errors"][0]["extensions"]["code"], code, "{query}: {answer}");
        assert!(answer.get("data").is_none_or(Value::is_null), "{query}: {answer}");
    }
}

#[tokio::test]
async fn a_text_longer_than_a_database_searches_for_is_refused() {
    let world = World::new().await;
    let query =
        "query Q($text: String!) { hosts(filter: {name: {contains: $text}}) { totalCount } }";
    for (length, code) in [(4096, json!(null)), (4097, json!("validation_max_length"))] {
        let text = "%".repeat(length);
        let answer =
            world.test.graphql(&world.ours.viewer.key, query, json!({ "text": text })).await;
        assert_eq!(answer["errors"][0]["extensions"]["code"], code, "{length}: {answer}");
    }
}
