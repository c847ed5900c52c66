//! Connections: every list, in every order, walked in both directions, at the root and in parents.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use toposcope_types::natural::natural_key;

use crate::support::{
    introspection::{Connection, Types, camel_case, text},
    plenty,
    world::World,
};

/// A world with many ties: rows written at one moment, of one name.
pub(crate) async fn world() -> World {
    let world = World::new().await;
    let networks = &world.ours.networks;
    plenty::ring(&world.test, &world.ours, &networks[0], 4).await;
    plenty::ring(&world.test, &world.ours, &networks[1], 3).await;
    let more: Vec<_> =
        (0..13).map(|_| plenty::service(networks[0].id, networks[0].hosts[1].id)).collect();
    plenty::insert::<toposcope::services::Entity, _>(&world.test, more).await;
    toposcope::networks::recount(world.test.app.db.writer(), networks[0].id).await.unwrap();
    world
}

pub(crate) async fn ask(world: &World, query: &str, variables: Value) -> Value {
    let answer = world.test.graphql(&world.ours.owner.session, query, variables).await;
    assert_eq!(answer["errors"], json!(null), "{query}: {answer}");
    answer["data"].clone()
}

/// Returns the selection on a node that shows what it is ordered by.
fn selection(connection: &Connection, order: &str) -> String {
    match (connection.node.as_str(), order) {
        (_, "HOST") => "host { name }".to_owned(),
        ("Binding", "NETWORK_ID") => "network { id }".to_owned(),
        (_, order) => camel_case(order),
    }
}

/// The value that a node is ordered by, in a form that orders as a plain sort does.
fn key(node: &Value, order: &str) -> String {
    let value = match order {
        "HOST" => &node["host"]["name"],
        "NETWORK_ID" if node["networkId"].is_null() => &node["network"]["id"],
        order => &node[camel_case(order)],
    };
    let text = || match order {
        "HOST" | "NAME" | "IF_DESCR" => natural_key(text(value)),
        _ => text(value).to_owned(),
    };
    value.as_i64().map_or_else(text, |number| format!("{number:020}"))
}

pub(crate) fn ids(nodes: &[Value]) -> Vec<String> {
    nodes.iter().map(|node| text(&node["id"]).to_owned()).collect()
}

/// The nodes as a plain sort puts them: by the keys, then by creation, then by id.
pub(crate) fn sorted(mut nodes: Vec<Value>, keys: &[(&str, &str)]) -> Vec<Value> {
    nodes.sort_by(|a, b| {
        for (order, direction) in keys {
            let ordering = key(a, order).cmp(&key(b, order));
            let ordering = if *direction == "DESC" { ordering.reverse() } else { ordering };
            if ordering.is_ne() {
                return ordering;
            }
        }
        let last = |node: &Value| (key(node, "CREATED_AT"), key(node, "ID"));
        last(a).cmp(&last(b))
    });
    nodes
}

/// Walks a whole connection by pages of `size`; `at` gives the connection out of an answer.
async fn walk(
    world: &World,
    query: &str,
    base: &Value,
    size: usize,
    backwards: bool,
    at: impl Fn(&Value) -> Value,
) -> Vec<String> {
    let (mut seen, mut cursor) = (Vec::new(), Value::Null);
    for page in 0.. {
        let mut variables = base.clone();
        variables[if backwards { "last" } else { "first" }] = json!(size);
        variables[if backwards { "before" } else { "after" }] = cursor.clone();
        let found = at(&ask(world, query, variables).await);
        let nodes = found["nodes"].as_array().unwrap();
        let edges = found["edges"].as_array().unwrap();
        let info = &found["pageInfo"];
        assert_eq!(
            ids(nodes),
            edges.iter().map(|edge| text(&edge["node"]["id"]).to_owned()).collect::<Vec<_>>()
        );
        assert_eq!(
            info["startCursor"],
            edges.first().map_or(json!(null), |edge| edge["cursor"].clone())
        );
        assert_eq!(
            info["endCursor"],
            edges.last().map_or(json!(null), |edge| edge["cursor"].clone())
        );
        let (more, behind) = if backwards {
            ("hasPreviousPage", "hasNextPage")
        } else {
            ("hasNextPage", "hasPreviousPage")
        };
        assert_eq!(info[behind], page > 0);
        if backwards {
            seen.splice(0..0, ids(nodes));
        } else {
            seen.extend(ids(nodes));
        }
        if info[more] == false {
            break;
        }
        assert_eq!(nodes.len(), size, "a page that is not the last is full");
        cursor = info[if backwards { "startCursor" } else { "endCursor" }].clone();
    }
    seen
}

const PAGE: &str = "totalCount nodes { id SELECTION } edges { cursor node { id } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";
const ARGUMENTS: &str =
    "orderBy: $order, first: $first, after: $after, last: $last, before: $before";
const VARIABLES: &str = "$first: Int, $after: String, $last: Int, $before: String";

#[tokio::test]
async fn every_connection_at_the_root_is_walked_once_in_every_order_and_direction() {
    let world = world().await;
    let types = Types::read(&world.test, &world.ours.owner.key).await;
    let connections = types.connections("Query");
    assert!(connections.len() >= 11);
    for connection in connections {
        for order in types.order_fields(&connection) {
            let page =
                PAGE.replace("SELECTION", &format!("createdAt {}", selection(&connection, &order)));
            let field = &connection.field;
            let query = format!(
                "query Q($order: [{}!], {VARIABLES}) {{ {field}({ARGUMENTS}) {{ {page} }} }}",
                connection.order
            );
            for direction in ["ASC", "DESC"] {
                let base = json!({ "order": [{ "field": order, "direction": direction }] });
                let mut whole = base.clone();
                whole["first"] = json!(1000);
                let all = ask(&world, &query, whole).await[field].clone();
                let nodes = all["nodes"].as_array().unwrap().clone();
                assert_eq!(all["totalCount"], nodes.len(), "{field}");
                assert_eq!(all["pageInfo"]["hasNextPage"], false);
                let expected = ids(&sorted(nodes.clone(), &[(&order, direction)]));
                assert_eq!(ids(&nodes), expected, "{field} by {order} {direction}");
                let size = (nodes.len() / 3).max(1);
                for backwards in [false, true] {
                    let seen =
                        walk(&world, &query, &base, size, backwards, |data| data[field].clone())
                            .await;
                    assert_eq!(
                        seen, expected,
                        "{field} by {order} {direction}, backwards: {backwards}"
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn every_connection_in_a_parent_is_walked_once_in_every_order_and_direction() {
    let world = world().await;
    let types = Types::read(&world.test, &world.ours.owner.key).await;
    let mut walked = 0;
    for root in types.connections("Query") {
        if types.kind(&root.node) != "OBJECT" {
            continue;
        }
        for connection in types.connections(&root.node) {
            let (field, parents) = (&connection.field, &root.field);
            for order in types.order_fields(&connection) {
                let page = PAGE
                    .replace("SELECTION", &format!("createdAt {}", selection(&connection, &order)));
                let query = format!(
                    "query Q($parents: [ID!], $order: [{}!], {VARIABLES}) {{
                        {parents}(filter: {{id: {{in: $parents}}}}, first: 30) {{ nodes {{ id {field}({ARGUMENTS}) {{ {page} }} }} }} }}",
                    connection.order
                );
                for direction in ["ASC", "DESC"] {
                    let base = json!({ "order": [{ "field": order, "direction": direction }], "parents": null });
                    let mut whole = base.clone();
                    whole["first"] = json!(1000);
                    let all = ask(&world, &query, whole).await;
                    for parent in all[parents]["nodes"].as_array().unwrap() {
                        let nodes =
                            parent[field].as_object().unwrap()["nodes"].as_array().unwrap().clone();
                        assert_eq!(parent[field]["totalCount"], nodes.len());
                        let expected = ids(&sorted(nodes.clone(), &[(&order, direction)]));
                        assert_eq!(
                            ids(&nodes),
                            expected,
                            "{parents}.{field} by {order} {direction}"
                        );
                        if nodes.len() < 3 && walked > 200 {
                            continue;
                        }
                        let mut base = base.clone();
                        base["parents"] = json!([parent["id"]]);
                        for backwards in [false, true] {
                            let at = |data: &Value| data[parents]["nodes"][0][field].clone();
                            let seen = walk(
                                &world,
                                &query,
                                &base,
                                (nodes.len() / 2).max(1),
                                backwards,
                                at,
                            )
                            .await;
                            assert_eq!(
                                seen, expected,
                                "{parents}.{field} by {order} {direction}, backwards: {backwards}"
                            );
                        }
                        walked += 1;
                    }
                }
            }
        }
    }
    assert!(walked > 100, "{walked}");
}

#[tokio::test]
async fn a_page_in_a_list_is_a_page_of_each_parent() {
    let world = world().await;
    let query = "{ hosts(first: 100) { nodes { id
        head: services(first: 2, orderBy: [{field: POSITION, direction: DESC}]) { totalCount nodes { id } pageInfo { hasNextPage } }
        tail: services(last: 1) { nodes { id } pageInfo { hasPreviousPage } }
        none: services(first: 0) { totalCount nodes { id } pageInfo { hasNextPage } }
        all: services(first: 1000) { nodes { id createdAt position } } } } }";
    let data = ask(&world, query, json!({})).await;
    let hosts = data["hosts"]["nodes"].as_array().unwrap();
    assert_eq!(hosts.len(), 11);
    for host in hosts {
        let all = host["all"]["nodes"].as_array().unwrap().clone();
        let count = all.len();
        let head = ids(&sorted(all.clone(), &[("POSITION", "DESC")]))[..count.min(2)].to_vec();
        assert_eq!(ids(host["head"]["nodes"].as_array().unwrap()), head);
        assert_eq!(host["head"]["totalCount"], count);
        assert_eq!(host["head"]["pageInfo"]["hasNextPage"], count > 2);
        assert_eq!(ids(host["tail"]["nodes"].as_array().unwrap()), ids(&all)[count - 1..].to_vec());
        assert_eq!(host["tail"]["pageInfo"]["hasPreviousPage"], count > 1);
        assert_eq!(
            host["none"],
            json!({ "totalCount": count, "nodes": [], "pageInfo": { "hasNextPage": true } })
        );
    }
}

/// Lists in objects that came before their connections, and still hold the same.
const LISTS: &[(&str, &[&str])] = &[
    ("hosts", &["interfaces", "ports", "tags"]),
    ("interfaces", &["bindings", "ifEntries"]),
    ("ports", &["bindings"]),
    ("services", &["bindings", "groups", "tags"]),
    ("groups", &["bindings", "tags"]),
    ("subnets", &["tags"]),
    ("networks", &["tags"]),
    ("ifEntries", &["observations"]),
    ("apiKeys", &["networks", "tags"]),
];

#[tokio::test]
async fn a_connection_holds_what_the_list_before_it_did_in_the_same_order() {
    let world = world().await;
    let key = &world.ours.owner.key;
    let network = &world.ours.networks[0];
    let (mut entry, mut group) = (network.entry_body(0), network.group_body());
    entry["lldp_sys_name"] = json!("far");
    entry["cdp_device_id"] = json!("far");
    // Neither in the order of their creation nor of their ids.
    let mut members = [network.hosts[0].bindings, network.hosts[1].bindings].concat();
    members.swap(0, 4);
    members.reverse();
    group["binding_ids"] = json!(members);
    group["tags"] = json!([world.ours.tags[1], world.ours.tags[0]]);
    world.test.put(&network.entry_path(0), &entry).credential(key).send().await.data();
    world.test.put(&network.group_path(), &group).credential(key).send().await.data();
    for (list, fields) in LISTS {
        for field in *fields {
            let query = format!(
                "query Q($parents: [ID!], {VARIABLES}) {{ {list}(filter: {{id: {{in: $parents}}}}, first: 30) {{ nodes {{ id {field} {{ id }}
                    {field}Connection(first: $first, after: $after, last: $last, before: $before) {{ {} }} }} }} }}",
                PAGE.replace("SELECTION", "")
            );
            let all = ask(&world, &query, json!({ "first": 1000, "parents": null })).await;
            let parents = all[list]["nodes"].as_array().unwrap();
            let length = |parent: &Value| parent[*field].as_array().unwrap().len();
            for parent in parents {
                let connection = &parent[format!("{field}Connection")];
                let nodes = connection["nodes"].as_array().unwrap();
                assert_eq!(ids(nodes), ids(parent[*field].as_array().unwrap()), "{list}.{field}");
                assert_eq!(connection["totalCount"], nodes.len());
            }
            let Some(longest) = parents.iter().max_by_key(|parent| length(parent)) else {
                panic!("there are no {list}");
            };
            for backwards in [false, true] {
                let base = json!({ "parents": [longest["id"]] });
                let at =
                    |data: &Value| data[list]["nodes"][0][format!("{field}Connection")].clone();
                let seen = walk(&world, &query, &base, 1, backwards, at).await;
                assert_eq!(seen, ids(longest[*field].as_array().unwrap()), "{list}.{field}");
            }
        }
    }
    let query = "{ viewer { networks { id } networksConnection(orderBy: [{ field: NAME }]) { totalCount nodes { id } } } }";
    let viewer = ask(&world, query, json!({})).await["viewer"].clone();
    assert_eq!(viewer["networksConnection"]["nodes"], viewer["networks"]);
    assert_eq!(viewer["networksConnection"]["totalCount"], 2);
}

#[tokio::test]
async fn a_connection_in_an_object_counts_like_any_other() {
    let world = World::new().await;
    for field in ["interfacesConnection", "portsConnection", "tagsConnection"] {
        let query = |first: u32| {
            format!(
                "{{ hosts(first: 1000) {{ nodes {{ {field}(first: {first}) {{ nodes {{ id createdAt }} }} }} }} }}"
            )
        };
        let key = &world.ours.owner.key;
        assert_eq!(world.test.graphql(key, &query(10), json!({})).await["errors"], json!(null));
        let answer = world.test.graphql(key, &query(1000), json!({})).await;
        assert!(text(&answer["errors"][0]["message"]).contains("complex"), "{answer}");
    }
}

#[tokio::test]
async fn fifty_rows_are_the_default_and_more_than_a_thousand_an_error() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let hosts: Vec<_> = (0..1010).map(|nth| plenty::host(network.id, &format!("h{nth}"))).collect();
    plenty::insert::<toposcope::hosts::Entity, _>(&world.test, hosts).await;
    for (arguments, rows, next) in [
        ("", 50, true),
        ("first: null, last: null", 50, true),
        ("first: 0", 0, true),
        ("first: 1", 1, true),
        ("first: 1000", 1000, true),
        ("last: 0", 0, false),
        ("last: 1", 1, false),
        ("last: 1000", 1000, false),
    ] {
        let arguments = if arguments.is_empty() { String::new() } else { format!("({arguments})") };
        let query = format!(
            "{{ hosts{arguments} {{ nodes {{ id }} pageInfo {{ hasNextPage }} }} network(id: \"{}\") {{ hosts{arguments} {{ nodes {{ id }} pageInfo {{ hasNextPage }} }} }} }}",
            network.id
        );
        let data = ask(&world, &query, json!({})).await;
        for found in [&data["hosts"], &data["network"]["hosts"]] {
            assert_eq!(found["nodes"].as_array().unwrap().len(), rows, "{arguments}");
            assert_eq!(found["pageInfo"]["hasNextPage"], next, "{arguments}");
        }
    }
}

#[tokio::test]
async fn arguments_that_make_no_page_are_refused() {
    let world = World::new().await;
    let network = world.ours.networks[0].id;
    let name =
        ask(&world, "{ hosts(orderBy: [{field: NAME}]) { pageInfo { endCursor } } }", json!({}))
            .await;
    let by_name = text(&name["hosts"]["pageInfo"]["endCursor"]).to_owned();
    let base64 = |text: &str| URL_SAFE_NO_PAD.encode(text);
    let id = "0197f6e4-5c3b-7a10-8b6e-2f1d3c4b5a69";
    let mut cases = vec![
        ("first: -1".to_owned(), "validation_out_of_range", "first"),
        ("last: -1".to_owned(), "validation_out_of_range", "last"),
        ("first: 1001".to_owned(), "validation_out_of_range", "first"),
        ("first: 2147483647".to_owned(), "validation_out_of_range", "first"),
        ("last: 5000".to_owned(), "validation_out_of_range", "last"),
        ("first: 1, last: 1".to_owned(), "validation_invalid_format", "last"),
        ("first: 0, last: 0".to_owned(), "validation_invalid_format", "last"),
        (format!("orderBy: [{}]", "{field: NAME} ".repeat(11)), "validation_max_length", "orderBy"),
    ];
    for cursor in [
        String::new(),
        "x".to_owned(),
        "%%%".to_owned(),
        id.to_owned(),
        base64("[]"),
        base64("null"),
        base64("{}"),
        base64("[1,2]"),
        base64(&format!("[\"yesterday\",\"{id}\"]")),
        base64("[\"2026-01-01T00:00:00Z\",\"me\"]"),
        base64(&format!("[\"2026-01-01T00:00:00Z\",\"{id}\",1]")),
        base64(&"[".repeat(1000)),
        format!("{}=", base64(&format!("[\"2026-01-01T00:00:00Z\",\"{id}\"]"))),
        // Of another order of the same list.
        by_name,
    ] {
        cases.push((format!("after: \"{cursor}\""), "validation_invalid_format", "after"));
        cases.push((
            format!("before: \"{cursor}\", first: 0"),
            "validation_invalid_format",
            "before",
        ));
    }
    let nul = base64(&format!("[\"a\\u0000\",\"2026-01-01T00:00:00Z\",\"{id}\"]"));
    cases.push((
        format!("orderBy: [{{field: NAME}}], after: \"{nul}\""),
        "validation_invalid_format",
        "after",
    ));
    for (arguments, code, field) in cases {
        for query in [
            format!("{{ hosts({arguments}) {{ nodes {{ id }} }} }}"),
            format!(
                "{{ network(id: \"{network}\") {{ hosts({arguments}) {{ nodes {{ id }} }} }} }}"
            ),
        ] {
            let answer = world.test.graphql(&world.ours.owner.key, &query, json!({})).await;
            let extensions = &answer["errors"][0]["extensions"];
            assert_eq!(extensions["code"], code, "{query}: {answer}");
            assert_eq!(extensions["params"]["field"], field, "{query}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_cursor_of_a_row_that_is_gone_still_names_its_place() {
    use sea_orm::EntityTrait as _;
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let hosts: Vec<_> =
        (0..5).map(|nth| plenty::host(network.id, &format!("gone {nth}"))).collect();
    plenty::insert::<toposcope::hosts::Entity, _>(&world.test, hosts.clone()).await;
    let query = "query Q($after: String) { hosts(filter: {name: {startsWith: \"gone\"}}, orderBy: [{field: NAME}], after: $after, first: 2) { nodes { name } pageInfo { endCursor } } }";
    let page = ask(&world, query, json!({})).await;
    toposcope::hosts::Entity::delete_by_id(hosts[1].id)
        .exec(world.test.app.db.writer())
        .await
        .unwrap();
    let page = ask(&world, query, json!({ "after": page["hosts"]["pageInfo"]["endCursor"] })).await;
    assert_eq!(page["hosts"]["nodes"], json!([{ "name": "gone 2" }, { "name": "gone 3" }]));
}
