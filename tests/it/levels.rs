//! Every level at every endpoint, over both faces, by session and by key.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::world::{Person, SampleNetwork, World};

/// The expected answer of an endpoint to a level: status and code.
type Expected = (u16, &'static str);

const OK: Expected = (200, "");
const DENIED: Expected = (403, "auth_permission_denied");
const MISSING: Expected = (404, "entity_not_found");
const NEEDS_SESSION: Expected = (403, "auth_user_context_required");
const NOBODY: Expected = (401, "auth_not_authenticated");

fn if_entry(network: &SampleNetwork) -> Value {
    json!({
        "host_id": network.hosts[0].id, "network_id": network.id, "if_index": 1, "if_descr": "eth0",
        "if_type": 6, "admin_status": "Up", "oper_status": "Down",
    })
}

fn group(network: &SampleNetwork) -> Value {
    json!({
        "name": "renamed", "network_id": network.id, "group_type": "HubAndSpoke", "color": "Red",
        "edge_style": "Bezier", "binding_ids": [network.hosts[0].bindings[0]], "tags": [],
    })
}

/// The changes of a network over REST.
fn changes(network: &SampleNetwork) -> [(String, Value); 2] {
    [
        (format!("/api/v1/if-entries/{}", network.hosts[0].if_entries[0]), if_entry(network)),
        (format!("/api/v1/groups/{}", network.group), group(network)),
    ]
}

/// The same over GraphQL.
fn mutations(network: &SampleNetwork) -> [(&'static str, Value); 2] {
    [
        (
            "mutation ($id: ID!, $input: UpdateIfEntryInput!) {
                updateIfEntry(id: $id, input: $input) { id } }",
            json!({ "id": network.hosts[0].if_entries[0], "input": {
                "hostId": network.hosts[0].id, "networkId": network.id, "ifIndex": 1,
                "ifDescr": "eth0", "ifType": 6, "adminStatus": "UP", "operStatus": "DOWN",
            } }),
        ),
        (
            "mutation ($id: ID!, $input: UpdateGroupInput!) {
                updateGroup(id: $id, input: $input) { id } }",
            json!({ "id": network.group, "input": {
                "name": "renamed", "networkId": network.id, "groupType": "HUB_AND_SPOKE",
                "color": "RED", "edgeStyle": "BEZIER",
                "bindingIds": [network.hosts[0].bindings[0]], "tags": [],
            } }),
        ),
    ]
}

async fn rest(world: &World, method: Method, path: &str, body: &Value, by: &str) -> (u16, String) {
    let ask = world.test.ask(method, path).json(body);
    let answer = if by.is_empty() { ask } else { ask.credential(by) }.send().await;
    (answer.status.as_u16(), answer.body["code"].as_str().unwrap_or_default().to_owned())
}

async fn code_of_graphql(world: &World, query: &str, variables: Value, by: &str) -> String {
    let answer = world.test.graphql(by, query, variables).await;
    let code = answer["errors"][0]["extensions"]["code"].as_str();
    code.unwrap_or_default().to_owned()
}

fn levels(world: &World) -> [(&'static str, &Person); 4] {
    let ours = &world.ours;
    [
        ("Owner", &ours.owner),
        ("Admin", &ours.admin),
        ("Member", &ours.member),
        ("Viewer", &ours.viewer),
    ]
}

#[tokio::test]
async fn a_member_writes_and_a_viewer_reads() {
    let world = World::new().await;
    for (level, person) in levels(&world) {
        // The first network is within the reach of all, the second of owners and admins only.
        let far = if matches!(level, "Owner" | "Admin") { OK } else { MISSING };
        let (near, far) = if level == "Viewer" { (DENIED, DENIED) } else { (OK, far) };
        for (network, (status, code)) in world.ours.networks.iter().zip([near, far]) {
            for credential in [&person.session, &person.key] {
                for (path, body) in changes(network) {
                    let answer = rest(&world, Method::PUT, &path, &body, credential).await;
                    assert_eq!(answer, (status, code.to_owned()), "{level} {path}");
                }
                for (query, variables) in mutations(network) {
                    let answer = code_of_graphql(&world, query, variables, credential).await;
                    assert_eq!(answer, code, "{level} {query}");
                }
            }
        }
        // What belongs to another organization does not exist, whatever the level.
        let expected = if level == "Viewer" { DENIED } else { MISSING };
        for credential in [&person.session, &person.key] {
            for (path, body) in changes(&world.theirs.networks[0]) {
                let answer = rest(&world, Method::PUT, &path, &body, credential).await;
                assert_eq!(answer, (expected.0, expected.1.to_owned()), "{level} {path}");
            }
            for (query, variables) in mutations(&world.theirs.networks[0]) {
                let answer = code_of_graphql(&world, query, variables, credential).await;
                assert_eq!(answer, expected.1, "{level} {query}");
            }
        }
    }
}

#[tokio::test]
async fn a_key_of_a_lower_level_does_what_that_level_does() {
    let world = World::new().await;
    let owner = &world.ours.owner;
    for (level, expected) in [("Owner", OK), ("Admin", OK), ("Member", OK), ("Viewer", DENIED)] {
        let sql = "UPDATE api_key SET permissions = $1 WHERE id = $2";
        world.test.sql(sql, [level.into(), owner.key_id.into()]).await;
        for (path, body) in changes(&world.ours.networks[1]) {
            let answer = rest(&world, Method::PUT, &path, &body, &owner.key).await;
            assert_eq!(answer, (expected.0, expected.1.to_owned()), "{level} {path}");
        }
        for (query, variables) in mutations(&world.ours.networks[1]) {
            let answer = code_of_graphql(&world, query, variables, &owner.key).await;
            assert_eq!(answer, expected.1, "{level} {query}");
        }
        let answer = rest(&world, Method::GET, "/api/v1/services", &Value::Null, &owner.key).await;
        assert_eq!(answer, (200, String::new()), "all levels read");
    }
}

#[tokio::test]
async fn every_level_reads_what_it_reaches() {
    let world = World::new().await;
    for (level, person) in levels(&world) {
        let all = matches!(level, "Owner" | "Admin");
        for credential in [&person.session, &person.key] {
            let answer = world.test.get("/api/v1/services").credential(credential).send().await;
            let count = answer.data().as_array().unwrap().len();
            assert_eq!(count, if all { 8 } else { 4 }, "{level}");
            let query = "{ networks { nodes { id } } hosts { totalCount }
                viewer { permissions user { id } networks { id } } }";
            let answer = world.test.graphql(credential, query, json!({})).await;
            let data = &answer["data"];
            let networks = if all { 2 } else { 1 };
            assert_eq!(data["networks"]["nodes"].as_array().unwrap().len(), networks, "{level}");
            assert_eq!(data["viewer"]["networks"].as_array().unwrap().len(), networks);
            assert_eq!(data["hosts"]["totalCount"], networks * 2);
            assert_eq!(data["viewer"]["permissions"], level.to_uppercase());
            assert_eq!(data["viewer"]["user"]["id"], json!(person.id));
        }
    }
}

#[tokio::test]
async fn every_level_has_keys_of_its_own() {
    let world = World::new().await;
    for (level, person) in levels(&world) {
        let body = json!({
            "name": "own", "organization_id": world.ours.organization, "user_id": person.id,
            "tags": [], "permissions": level,
        });
        let (path, one) = ("/api/v1/auth/keys", format!("/api/v1/auth/keys/{}", person.key_id));
        for (credential, expected) in
            [(person.session.as_str(), OK), (&person.key, NEEDS_SESSION), ("", NOBODY)]
        {
            for (method, path) in
                [(Method::POST, path), (Method::GET, &one), (Method::POST, "/api/auth/me")]
            {
                let answer = rest(&world, method, path, &body, credential).await;
                assert_eq!(answer, (expected.0, expected.1.to_owned()), "{level} {path}");
            }
        }
        let query = "mutation ($level: PermissionLevel!) {
            createApiKey(input: { name: \"own\", permissions: $level }) { key } }";
        let variables = json!({ "level": level.to_uppercase() });
        let answer = code_of_graphql(&world, query, variables.clone(), &person.session).await;
        assert_eq!(answer, "", "{level}");
        let answer = code_of_graphql(&world, query, variables, &person.key).await;
        assert_eq!(answer, NEEDS_SESSION.1, "{level}");
    }
}

#[tokio::test]
async fn nobody_gets_nothing_but_the_version_and_the_health() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let [(entry, _), (group, _)] = changes(network);
    let key = format!("/api/v1/auth/keys/{}", world.ours.owner.key_id);
    for (method, path) in [
        (Method::GET, "/api/v1/services?limit=x"),
        (Method::PUT, entry.as_str()),
        (Method::PUT, "/api/v1/if-entries/none"),
        (Method::PUT, &group),
        (Method::POST, "/api/v1/auth/keys"),
        (Method::GET, &key),
        (Method::POST, "/api/auth/me"),
    ] {
        let answer = world.test.ask(method, path).body("{").send().await;
        assert_eq!(answer.failure(), (401, "auth_not_authenticated", &Value::Null), "{path}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{path}");
    }
    let answer = world.test.post("/graphql", &json!({ "query": "{ __typename }" })).send().await;
    assert_eq!(answer.status, 401);
    assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    for path in ["/api/version", "/api/health"] {
        world.test.get(path).send().await.data();
    }
}

#[tokio::test]
async fn a_caller_without_permission_learns_nothing_of_the_request() {
    let world = World::new().await;
    for credential in [&world.ours.viewer.session, &world.ours.viewer.key] {
        for path in [
            "/api/v1/if-entries/none?x=1".to_owned(),
            "/api/v1/groups/none?x=1".to_owned(),
            format!("/api/v1/groups/{}", world.theirs.networks[0].group),
        ] {
            let answer =
                world.test.ask(Method::PUT, &path).credential(credential).body("{").send().await;
            assert_eq!(answer.failure(), (403, DENIED.1, &Value::Null), "{path}");
        }
    }
}
