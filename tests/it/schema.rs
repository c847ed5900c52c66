//! The schema: the file that clients read, its descriptions, its names, and the shape of answers.

use serde_json::{Value, json};
use toposcope::schema;

use crate::support::{
    introspection::{Types, named, text},
    world::World,
};

/// Types and the fields, values or members that the sketch promises under just these names.
const SKETCH: &[(&str, &str)] = &[
    (
        "Query",
        "viewer network networks host hosts ifEntry ifEntries service services group groups subnet \
         subnets interface interfaces port ports binding bindings tag tags apiKey apiKeys",
    ),
    ("Mutation", "updateIfEntry updateGroup createApiKey"),
    ("Network", "id createdAt updatedAt name revision hosts services groups subnets"),
    (
        "Host",
        "id createdAt updatedAt name hostname description sysName sysDescr chassisId \
         managementAddress network ifEntries interfaces ports services tags",
    ),
    (
        "IfEntry",
        "id createdAt updatedAt ifIndex ifDescr ifName ifAlias ifType adminStatus operStatus \
         macAddress speedBps fdbMacs lldpChassisId lldpPortId lldpPortDesc lldpSysName lldpSysDesc \
         lldpMgmtAddr cdpDeviceId cdpPortId cdpPlatform cdpAddress host network interface neighbor \
         observations",
    ),
    ("Neighbor", "IfEntry Host"),
    (
        "Service",
        "id createdAt updatedAt name position serviceDefinition category source virtualization \
         host network tags bindings groups",
    ),
    ("Binding", "id createdAt updatedAt service network"),
    ("PortBinding", "id createdAt updatedAt service network port interface"),
    ("InterfaceBinding", "id createdAt updatedAt service network interface"),
    (
        "Group",
        "id createdAt updatedAt name description groupType color edgeStyle source network tags \
         bindings edges",
    ),
    ("CreatedApiKey", "apiKey key"),
    ("ServiceFilter", "id networkId hostId tagId name serviceDefinition category and or not"),
    ("IdFilter", "eq in"),
    ("TextFilter", "eq in contains startsWith"),
    ("ServiceOrder", "field direction"),
    ("ServiceOrderField", "CREATED_AT NAME UPDATED_AT HOST NETWORK_ID POSITION"),
    ("OrderDirection", "ASC DESC"),
    (
        "UpdateIfEntryInput",
        "hostId networkId ifIndex ifDescr ifType adminStatus operStatus speedBps",
    ),
    ("UpdateGroupInput", "name networkId description groupType color edgeStyle bindingIds tags"),
    ("CreateApiKeyInput", "name permissions networkIds expiresAt isEnabled tags"),
    ("PermissionLevel", "VIEWER MEMBER ADMIN OWNER"),
    ("HostFilter", "id networkId name and or not"),
    ("IfEntryFilter", "id networkId hostId and or not"),
    ("GroupFilter", "id networkId name and or not"),
    ("NetworkFilter", "id name and or not"),
    ("BigInt", ""),
    ("DateTime", ""),
];

/// Arguments and fields with the types that the sketch gives them.
const SIGNATURES: &[&str] = &[
    "viewer: Viewer!",
    "host(\n\t\t\"The id.\"\n\t\tid: ID!\n\t): Host\n",
    "orderBy: [HostOrder!],",
    "): HostConnection!\n",
    "): IfEntryConnection!\n",
    "speedBps: BigInt\n",
    "union Neighbor = IfEntry | Host\n",
    "type PortBinding implements Binding & Node {",
    "type InterfaceBinding implements Binding & Node {",
    "bindings: [Binding!]! @deprecated(",
    "interfaces: [Interface!]! @deprecated(",
    "ports: [Port!]! @deprecated(",
    "groups: [Group!]! @deprecated(",
    "tags: [Tag!]! @deprecated(",
    "networks: [Network!]! @deprecated(",
    "source: Source! @deprecated(",
    "virtualization: HostVirtualization @deprecated(",
    "virtualization: ServiceVirtualization @deprecated(",
    "scalar DateTime @specifiedBy(url: ",
    "scalar MacAddress @specifiedBy(url: ",
    "edges: [GroupEdge!]!\n",
    "input: UpdateIfEntryInput!,\n\t\t\"The `updatedAt`",
    "input: UpdateGroupInput!,\n\t\t\"The `updatedAt`",
    "input: CreateApiKeyInput!\n\t): CreatedApiKey!\n",
    "direction: OrderDirection! = ASC\n",
    "permissions: PermissionLevel = VIEWER\n",
    "isEnabled: Boolean = true\n",
    "networkIds: [ID!]\n",
    "adminStatus: IfAdminStatus!\n",
    "operStatus: IfOperStatus!\n",
];

#[test]
fn the_file_schema_graphql_is_the_schema() {
    let file = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/schema.graphql"));
    assert!(
        file.unwrap() == schema::sdl(),
        "schema.graphql is out of date; refresh it with: cargo run -- schema > schema.graphql"
    );
}

#[test]
fn arguments_and_fields_have_the_types_of_the_sketch() {
    let sdl = schema::sdl();
    for signature in SIGNATURES {
        assert!(sdl.contains(signature), "the schema lacks `{signature}`");
    }
}

#[tokio::test]
async fn every_name_of_the_sketch_exists() {
    let world = World::new().await;
    let types = Types::read(&world.test, &world.ours.viewer.key).await;
    for (of, names) in SKETCH {
        let one = types.get(of);
        let mut known: Vec<&str> = Vec::new();
        for list in ["fields", "inputFields", "enumValues", "possibleTypes"] {
            let names = one[list].as_array().into_iter().flatten();
            known.extend(names.map(|name| text(&name["name"])));
        }
        for name in names.split_whitespace() {
            assert!(known.contains(&name), "{of} has no {name}; it has {known:?}");
        }
    }
}

#[tokio::test]
async fn everything_has_a_description() {
    let world = World::new().await;
    let types = Types::read(&world.test, &world.ours.viewer.key).await;
    let mut missing = Vec::new();
    let described = |of: &Value| of["description"].as_str().is_some_and(|text| !text.is_empty());
    for (name, one) in types.iter() {
        // The specification describes its own scalars.
        if !described(one) && name != "ID" {
            missing.push(name.clone());
        }
        for list in ["fields", "inputFields", "enumValues"] {
            for part in one[list].as_array().into_iter().flatten() {
                let part_name = format!("{name}.{}", text(&part["name"]));
                for argument in part["args"].as_array().into_iter().flatten() {
                    if !described(argument) {
                        missing.push(format!("{part_name}({})", text(&argument["name"])));
                    }
                }
                if !described(part) {
                    missing.push(part_name);
                }
            }
        }
    }
    assert!(missing.is_empty(), "without a description: {missing:#?}");
}

#[tokio::test]
async fn references_to_what_may_be_out_of_reach_can_be_null() {
    let world = World::new().await;
    let types = Types::read(&world.test, &world.ours.viewer.key).await;
    let resources = [
        "Network",
        "Host",
        "IfEntry",
        "Interface",
        "Port",
        "Subnet",
        "Service",
        "Binding",
        "Group",
        "Tag",
        "ApiKey",
        "Neighbor",
        "User",
        "Organization",
    ];
    // These hold what was loaded with them already.
    let inside = ["GroupEdge", "CreatedApiKey", "Mutation", "Topology"];
    for (name, one) in types.iter() {
        if inside.contains(&name.as_str()) || name.ends_with("Edge") {
            continue;
        }
        for field in one["fields"].as_array().into_iter().flatten() {
            let of = &field["type"];
            let reference = of["kind"] == "NON_NULL"
                && resources.contains(&named(of))
                && of["ofType"]["kind"] != "LIST";
            assert!(!reference, "{name}.{} must be nullable", field["name"]);
        }
    }
}

#[tokio::test]
async fn keys_of_an_answer_come_in_the_order_of_the_query() {
    let world = World::new().await;
    let query = "{ z: __typename services(first: 1) { totalCount nodes { updatedAt name id host { sysName name id }
        ...F bindings { id } createdAt } pageInfo { hasNextPage } } viewer { permissions user { email id } } a: __typename }
        fragment F on Service { position category }";
    let body = json!({ "query": query });
    let request = world.test.post("/graphql", &body).credential(&world.ours.owner.key);
    let text = String::from_utf8(request.send().await.bytes).unwrap();
    let mut at = 0;
    for key in [
        "z",
        "services",
        "totalCount",
        "nodes",
        "updatedAt",
        "name",
        "id",
        "host",
        "sysName",
        "name",
        "id",
        "position",
        "category",
        "bindings",
        "createdAt",
        "pageInfo",
        "viewer",
        "permissions",
        "user",
        "email",
        "id",
        "a",
    ] {
        let found = text[at..].find(&format!("\"{key}\":"));
        at += found.unwrap_or_else(|| panic!("{key} is not after {at} in {text}"));
    }
}

#[tokio::test]
async fn an_error_in_a_non_null_field_nulls_the_nearest_nullable_parent() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let query = "query Q($id: ID!) {
        network(id: $id) { name hosts(first: -1) { nodes { id } } }
        other: network(id: $id) { name }
    }";
    let request = world.test.graphql(&world.ours.viewer.key, query, json!({ "id": network.id }));
    let answer = request.await;
    assert_eq!(answer["data"], json!({ "network": null, "other": { "name": "one" } }), "{answer}");
    assert_eq!(answer["errors"].as_array().unwrap().len(), 1, "{answer}");
    assert_eq!(answer["errors"][0]["path"], json!(["network", "hosts"]));
    assert_eq!(answer["errors"][0]["extensions"]["code"], "validation_out_of_range");

    // Nothing above is nullable: all of `data` is null, and the key is there.
    let query = "{ viewer { permissions } hosts(first: -1) { totalCount } }";
    let answer = world.test.graphql(&world.ours.viewer.key, query, json!({})).await;
    assert_eq!(answer["data"], json!(null));
    assert!(answer.as_object().unwrap().contains_key("data"), "{answer}");
}
