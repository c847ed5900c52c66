//! One statement for each relation and level, whatever the number of rows.

use serde_json::{Value, json};

use crate::support::{plenty, world::World};

/// Lists, selections on their rows, and the number of statements that the answers take.
const QUERIES: &[(&str, &str, u64)] = &[
    ("hosts", "id", 1),
    ("hosts", "network { id }", 2),
    ("hosts", "ifEntries(first: 2) { nodes { id } }", 2),
    ("hosts", "ifEntries(first: 2) { totalCount }", 2),
    ("hosts", "ifEntries(first: 2) { totalCount nodes { id } }", 3),
    ("hosts", "interfaces { id }", 2),
    ("hosts", "interfaces { bindings { id } ifEntries { id } subnet { id } host { id } }", 6),
    ("hosts", "ports { id bindings { id } host { id } network { id } }", 5),
    ("hosts", "services { nodes { id } }", 2),
    ("hosts", "services { nodes { bindings { id } groups { id } tags { id } host { id } } }", 6),
    (
        "hosts",
        "services { nodes { groups { bindings { id } edges { source { id } } tags { id } } } }",
        5,
    ),
    (
        "hosts",
        "services { nodes { bindings { id ... on PortBinding { port { id } interface { id } } service { id } network { id } } } }",
        7,
    ),
    ("hosts", "tags { name }", 2),
    ("hosts", "tags { name } services { nodes { tags { name } } }", 4),
    (
        "hosts",
        "a: network { id } b: network { name } c: ifEntries(first: 1) { nodes { id } } d: ifEntries(first: 1) { nodes { ifName } }",
        3,
    ),
    ("hosts", "a: ifEntries(first: 1) { nodes { id } } b: ifEntries(first: 2) { nodes { id } }", 3),
    (
        "hosts",
        "ifEntries(first: 2) { nodes { neighbor { ... on IfEntry { id } ... on Host { id } } interface { id } } } services { nodes { bindings { id } } }",
        6,
    ),
    ("ifEntries", "host { id } network { id } interface { id } neighbor { __typename }", 5),
    (
        "ifEntries",
        "observations { id } lldpSysName lldpChassisId { value } lldpPortId { value } lldpMgmtAddr lldpPortDesc lldpSysDesc cdpAddress cdpDeviceId cdpPlatform cdpPortId",
        2,
    ),
    ("ifEntries", "lagMembers { id } subinterfaces { id }", 3),
    // Two branches of unequal latency that meet in the same relation.
    ("ifEntries", "host { network { id } } interface { network { id } }", 4),
    (
        "ifEntries",
        "host { tags { id } network { id } } interface { subnet { network { id } } network { id } }",
        7,
    ),
    (
        "services",
        "host { id } network { id } bindings { id } groups { id } tags { id } category",
        6,
    ),
    ("groups", "bindings { id service { id } }", 3),
    ("groups", "edges { target { id service { id } } }", 3),
    ("groups", "bindings { id } edges { target { id } }", 2),
    (
        "groups",
        "network { id } tags { id } bindings { id service { id } } edges { target { id service { id } } }",
        5,
    ),
    ("bindings", "service { id host { id } } network { id }", 4),
    ("interfaces", "host { id } subnet { id } network { id } bindings { id } ifEntries { id }", 6),
    ("ports", "host { id } network { id } bindings { id }", 4),
    ("hosts", "interfacesConnection { nodes { id } }", 2),
    ("hosts", "portsConnection(first: 2) { totalCount nodes { id } }", 3),
    ("hosts", "portsConnection(first: 2) { nodes { bindingsConnection { nodes { id } } } }", 3),
    ("hosts", "tagsConnection(last: 1) { nodes { name } }", 2),
    (
        "services",
        "bindingsConnection { nodes { id } } groupsConnection { nodes { id } } tagsConnection(last: 1) { totalCount nodes { id } }",
        5,
    ),
    (
        "groups",
        "bindingsConnection(first: 2) { totalCount nodes { id } } tagsConnection { nodes { id } }",
        4,
    ),
    ("interfaces", "bindingsConnection { nodes { id } } ifEntriesConnection { nodes { id } }", 3),
    ("ifEntries", "observationsConnection(first: 1) { totalCount nodes { id } }", 3),
];

/// Counts the statements that a query takes once the caller is known.
async fn statements(world: &World, query: &str) -> (Value, u64) {
    let key = &world.ours.owner.key;
    known(world, key).await;
    let (answer, count) = world.test.statements(world.test.graphql(key, query, json!({}))).await;
    assert_eq!(answer["errors"], json!(null), "{query}: {answer}");
    (answer, count)
}

/// Has the key looked up, which is remembered for seconds, and its use noted in the background.
async fn known(world: &World, key: &str) {
    world.test.app.credentials.forget();
    world.test.graphql(key, "{ __typename }", json!({})).await;
    world.test.app.tasks.close();
    world.test.app.tasks.wait().await;
}

async fn ring(hosts: usize) -> World {
    let world = World::new().await;
    plenty::ring(&world.test, &world.ours, &world.ours.networks[0], hosts).await;
    world
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_relation_takes_one_statement_for_ten_rows_and_for_a_thousand() {
    let world = ring(1000).await;
    for (list, selection, expected) in QUERIES {
        for rows in [10, 1000] {
            let query = format!("{{ {list}(first: {rows}) {{ nodes {{ {selection} }} }} }}");
            let (answer, count) = statements(&world, &query).await;
            assert_eq!(answer["data"][list]["nodes"].as_array().unwrap().len(), rows, "{query}");
            assert_eq!(count, *expected, "{query}");
        }
    }
}

#[tokio::test]
async fn relations_of_single_objects_take_one_statement_each() {
    let world = ring(3).await;
    let network = &world.ours.networks[0];
    let of_network = format!(
        "network(id: \"{}\") {{ hosts {{ totalCount nodes {{ id }} }} services {{ nodes {{ id }} }} \
         groups {{ nodes {{ id }} }} subnets {{ nodes {{ interfaces {{ nodes {{ id }} }} tags {{ id }} }} }} tags {{ id }} }}",
        network.id
    );
    let viewer = "viewer { permissions user { id } organization { id } networks { id } apiKey { id networks { id } tags { id } } }";
    let aliases = "a: hosts(first: 1) { nodes { id } } b: hosts(last: 1) { nodes { id } } c: services { totalCount }";
    let one = format!(
        "a: host(id: \"{0}\") {{ id }} b: host(id: \"{0}\") {{ name }} c: host(id: \"{1}\") {{ id }}",
        network.hosts[0].id, network.hosts[1].id
    );
    for (query, expected) in [(&*of_network, 9), (viewer, 7), (aliases, 3), (&*one, 1)] {
        let (_, count) = statements(&world, &format!("{{ {query} }}")).await;
        assert_eq!(count, expected, "{query}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_in_lists_are_one_statement_a_level() {
    let world = ring(60).await;
    // 60 networks' worth of parents would yield early; 50 hosts with 40 children each do the same.
    let network = &world.ours.networks[0];
    let hosts: Vec<_> =
        (0..50).map(|nth| plenty::host(network.id, &format!("wide {nth}"))).collect();
    let services: Vec<_> = hosts
        .iter()
        .flat_map(|host| (0..40).map(|_| plenty::service(network.id, host.id)))
        .collect();
    plenty::insert::<toposcope::hosts::Entity, _>(&world.test, hosts).await;
    plenty::insert::<toposcope::services::Entity, _>(&world.test, services).await;
    let query = "{ hosts(first: 50, filter: {name: {startsWith: \"wide\"}}) { nodes { services(first: 40) { nodes {
        host { network { id } } network { id } bindings { id } groups { id } tags { id } } } } } }";
    for _ in 0..5 {
        let (answer, count) = statements(&world, query).await;
        let nodes = answer["data"]["hosts"]["nodes"].as_array().unwrap();
        assert_eq!(nodes.len(), 50);
        for node in nodes {
            assert_eq!(node["services"]["nodes"].as_array().unwrap().len(), 40);
        }
        // hosts, services, host, network, bindings, groups, tags, and the network of the host.
        assert_eq!(count, 8);
    }
}

#[tokio::test]
async fn eight_hops_around_the_ring_take_three_statements_each_and_circles_end() {
    let world = ring(5).await;
    let mut query = "id".to_owned();
    for _ in 0..8 {
        query = format!(
            "id neighbor {{ ... on IfEntry {{ host {{ name ifEntries(last: 1) {{ nodes {{ {query} }} }} }} }} }}"
        );
    }
    let filter = "filter: {ifIndex: {eq: 2}, hostId: {in: $hosts}}";
    let hosts = {
        let query = "{ hosts(filter: {name: {startsWith: \"ring\"}}) { nodes { id name } } }";
        let (answer, _) = statements(&world, query).await;
        let nodes = answer["data"]["hosts"]["nodes"].as_array().unwrap().clone();
        nodes.into_iter().map(|node| node["id"].clone()).collect::<Vec<_>>()
    };
    let query =
        format!("query Q($hosts: [ID!]) {{ ifEntries({filter}) {{ nodes {{ {query} }} }} }}");
    known(&world, &world.ours.owner.key).await;
    let request = world.test.graphql(&world.ours.owner.key, &query, json!({ "hosts": hosts }));
    let (answer, count) = world.test.statements(request).await;
    assert_eq!(answer["errors"], json!(null), "{answer}");
    assert_eq!(count, 1 + 8 * 3);
    for (nth, start) in answer["data"]["ifEntries"]["nodes"].as_array().unwrap().iter().enumerate()
    {
        let mut at = start;
        for hop in 1..=8 {
            let host = &at["neighbor"]["host"];
            assert_eq!(host["name"], format!("ring {:04}", (nth + hop) % 5), "hop {hop}");
            at = &host["ifEntries"]["nodes"][0];
        }
        assert!(at["id"].is_string());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_at_the_same_time_do_not_share_loads() {
    let world = ring(50).await;
    let query = "{ hosts(first: 50) { nodes { network { id } ifEntries(first: 2) { nodes { host { id } } } } } }";
    let (_, alone) = statements(&world, query).await;
    let (ours, theirs) = (&world.ours.owner.key, &world.theirs.owner.key);
    known(&world, ours).await;
    known(&world, theirs).await;
    world.test.graphql(ours, "{ __typename }", json!({})).await;
    let all =
        futures_util::future::join_all((0..8).map(|nth| {
            world.test.graphql(if nth % 2 == 0 { ours } else { theirs }, query, json!({}))
        }));
    let (answers, count) = world.test.statements(all).await;
    assert_eq!(count, 8 * alone);
    for (nth, answer) in answers.iter().enumerate() {
        let rows = answer["data"]["hosts"]["nodes"].as_array().unwrap();
        assert_eq!(rows.len(), if nth % 2 == 0 { 50 } else { 4 }, "{answer}");
    }
}
