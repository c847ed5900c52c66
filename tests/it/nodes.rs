//! Things found by nothing but their ids, as Relay does it.

use serde_json::{Value, json};
use toposcope_types::Id;

use crate::{
    connections::{ask, ids},
    support::{
        introspection::{Types, text},
        plenty,
        world::World,
    },
    tenancy::tenant_ids,
};

const NODES: &str = "query Q($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }";

/// Types that have an id and are no nodes, since nothing finds them by it.
const NO_NODES: &[(&str, &str)] = &[
    ("Deleted", "the id is that of a thing that is gone"),
    ("Link", "it is worked out, and belongs to the topology of a network"),
    ("PictureLink", "it is drawn, and belongs to a picture"),
    ("PictureMember", "it is drawn, and belongs to a picture"),
    ("PictureNode", "it is drawn, and belongs to a picture"),
    ("TopologyNode", "it stands for a thing in one topology, and has the id of that thing"),
];

/// Things of the world, each with the type that it has.
fn things(world: &World) -> Vec<(Id, &'static str)> {
    let network = &world.ours.networks[0];
    let host = &network.hosts[0];
    vec![
        (network.id, "Network"),
        (host.id, "Host"),
        (host.if_entries[0], "IfEntry"),
        (host.interface, "Interface"),
        (host.ports[0], "Port"),
        (network.subnet, "Subnet"),
        (host.services[0], "Service"),
        (host.bindings[0], "PortBinding"),
        (network.group, "Group"),
        (world.ours.tags[0], "Tag"),
        (world.ours.owner.key_id, "ApiKey"),
        (world.ours.owner.id, "User"),
        (world.ours.organization, "Organization"),
    ]
}

#[tokio::test]
async fn every_thing_is_found_by_its_id_at_the_place_of_that() {
    let world = World::new().await;
    let things = things(&world);
    let expected: Vec<Value> =
        things.iter().map(|(id, of)| json!({ "__typename": of, "id": id })).collect();
    for expected in &expected {
        let query = "query Q($id: ID!) { node(id: $id) { __typename id } }";
        let found = ask(&world, query, json!({ "id": expected["id"] })).await;
        assert_eq!(&found["node"], expected);
    }
    let none = Id::new();
    let mut asked: Vec<Id> = things.iter().rev().map(|(id, _)| *id).collect();
    asked.insert(3, none);
    asked.push(asked[0]);
    let mut all: Vec<Value> = expected.into_iter().rev().collect();
    all.insert(3, Value::Null);
    all.push(all[0].clone());
    assert_eq!(ask(&world, NODES, json!({ "ids": asked })).await["nodes"], json!(all));
    let nobody = ask(&world, NODES, json!({ "ids": [] })).await;
    assert_eq!(nobody["nodes"], json!([]));
}

#[tokio::test]
async fn what_lists_hold_is_found_again_by_its_id_with_the_same_fields() {
    let world = World::new().await;
    let types = Types::read(&world.test, &world.ours.owner.key).await;
    world
        .test
        .graphql(
            &world.ours.owner.key,
            "mutation Q($i: ID!) { deleteHost(id: $i) { id } }",
            json!({ "i": world.ours.networks[1].hosts[1].id }),
        )
        .await;
    let mut kinds = 0;
    for root in types.connections("Query") {
        let field = &root.field;
        let query = format!("{{ {field}(first: 3) {{ nodes {{ __typename id createdAt }} }} }}");
        let listed = ask(&world, &query, json!({})).await[field]["nodes"].clone();
        let listed = listed.as_array().unwrap();
        assert!(!listed.is_empty(), "{field}");
        let on = format!("... on {} {{ createdAt }}", root.node);
        let query =
            format!("query Q($ids: [ID!]!) {{ nodes(ids: $ids) {{ __typename id {on} }} }}");
        let found = ask(&world, &query, json!({ "ids": ids(listed) })).await;
        assert_eq!(found["nodes"].as_array().unwrap(), listed, "{field}");
        kinds += 1;
    }
    assert!(kinds >= 13, "{kinds}");
}

#[tokio::test]
async fn a_neighbor_that_was_heard_is_a_node() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let mut entry = network.entry_body(0);
    entry["lldp_sys_name"] = json!("far");
    let key = &world.ours.owner.key;
    world.test.put(&network.entry_path(0), &entry).credential(key).send().await.data();
    let query = "query Q($id: ID!) { node(id: $id) { ... on IfEntry { observations { id } } ... on Observation { id sysName } } }";
    let of = json!({ "id": network.hosts[0].if_entries[0] });
    let heard = ask(&world, query, of).await["node"]["observations"][0]["id"].clone();
    let found = ask(&world, query, json!({ "id": heard })).await;
    assert_eq!(found["node"], json!({ "id": heard, "sysName": "far" }));
}

#[tokio::test]
async fn what_is_out_of_reach_is_no_node() {
    let world = World::new().await;
    let theirs = tenant_ids(&world.theirs);
    let of_admins = [world.ours.owner.id, world.ours.owner.key_id, world.ours.networks[1].id];
    for (credential, foreign) in [
        (&world.ours.owner.session, theirs.clone()),
        (&world.ours.owner.key, theirs.clone()),
        (&world.ours.member.session, [&theirs[..], &of_admins].concat()),
        (&world.ours.member.key, [&theirs[..], &of_admins].concat()),
    ] {
        let answer = world.test.graphql(credential, NODES, json!({ "ids": foreign })).await;
        assert_eq!(answer["data"]["nodes"], json!(vec![Value::Null; foreign.len()]), "{answer}");
    }
    // A key sees no keys, not even itself.
    let own = world.ours.owner.key_id;
    let answer = world.test.graphql(&world.ours.owner.key, NODES, json!({ "ids": [own] })).await;
    assert_eq!(answer["data"]["nodes"], json!([null]), "{answer}");
}

#[tokio::test]
async fn one_statement_finds_the_kinds_and_one_reads_each_whatever_the_number() {
    let world = World::new().await;
    plenty::ring(&world.test, &world.ours, &world.ours.networks[0], 400).await;
    let all = "{ hosts(first: 400) { nodes { id } } ports(first: 400) { nodes { id } } tags { nodes { id } } }";
    let all = ask(&world, all, json!({})).await;
    let some = |list: &str, rows: usize| {
        let nodes = all[list]["nodes"].as_array().unwrap();
        ids(&nodes[..rows.min(nodes.len())])
    };
    let key = &world.ours.owner.key;
    world.test.graphql(key, "{ __typename }", json!({})).await;
    for rows in [1, 10, 400] {
        let hosts = some("hosts", rows);
        let three = [hosts.clone(), some("ports", rows), some("tags", rows)].concat();
        for (ids, expected) in [(hosts, 2), (three, 4), (vec![Id::new().to_string()], 1)] {
            let asked = world.test.graphql(key, NODES, json!({ "ids": ids }));
            let (answer, statements) = world.test.statements(asked).await;
            assert_eq!(answer["errors"], json!(null), "{answer}");
            assert_eq!(answer["data"]["nodes"].as_array().unwrap().len(), ids.len());
            assert_eq!(statements, expected, "{} ids", ids.len());
        }
    }
    let aliases: Vec<String> = some("hosts", 50)
        .iter()
        .enumerate()
        .map(|(nth, id)| {
            format!("n{nth}: node(id: \"{id}\") {{ ... on Host {{ tags {{ id }} }} }} ")
        })
        .collect();
    let query = format!("{{ {} }}", aliases.concat());
    let asked = world.test.graphql(key, &query, json!({}));
    let (answer, statements) = world.test.statements(asked).await;
    assert_eq!(answer["errors"], json!(null), "{answer}");
    assert_eq!(statements, 3, "kinds, hosts, tags");
}

#[tokio::test]
async fn nodes_are_limited_as_lists_are() {
    let world = World::new().await;
    let asked = |ids: Vec<Id>, query: &'static str| {
        world.test.graphql(&world.ours.owner.key, query, json!({ "ids": ids }))
    };
    let many = |rows: usize| (0..rows).map(|_| Id::new()).collect::<Vec<_>>();
    let most = asked(many(1000), NODES).await;
    assert_eq!(most["data"]["nodes"].as_array().unwrap().len(), 1000, "{most}");
    let answer = asked(many(1001), NODES).await;
    let extensions = &answer["errors"][0]["extensions"];
    assert_eq!(extensions["code"], "validation_max_length", "{answer}");
    assert_eq!(extensions["params"], json!({ "field": "ids", "max": 1000 }));
    let each = "query Q($ids: [ID!]!) { nodes(ids: $ids) { ... on Network { hosts(first: 1000) { nodes { id name } } } } }";
    assert_eq!(asked(many(10), each).await["errors"], json!(null));
    let answer = asked(many(1000), each).await;
    assert!(text(&answer["errors"][0]["message"]).contains("complex"), "{answer}");
}

#[tokio::test]
async fn every_type_that_is_found_by_its_id_is_a_node() {
    let world = World::new().await;
    let types = Types::read(&world.test, &world.ours.owner.key).await;
    let nodes = types.get("Node")["possibleTypes"].as_array().unwrap();
    let nodes: Vec<&str> = nodes.iter().map(|of| text(&of["name"])).collect();
    let mut others = Vec::new();
    for (name, one) in types.iter().filter(|(_, one)| one["kind"] == "OBJECT") {
        let has_id = types.fields(name).iter().any(|field| field["name"] == "id");
        let interfaces = one["interfaces"].as_array().unwrap();
        let is_node = interfaces.iter().any(|of| of["name"] == "Node");
        assert_eq!(is_node, nodes.contains(&name.as_str()), "{name}");
        if has_id && !is_node {
            others.push(name.as_str());
        }
    }
    let known: Vec<&str> = NO_NODES.iter().map(|(name, _)| *name).collect();
    assert_eq!(others, known);
    assert!(toposcope::schema::sdl().contains("interface Binding implements Node {"));
}
