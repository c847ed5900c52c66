//! The lists of both faces: every filter and order that REST has selects the same over GraphQL.

use serde_json::{Value, json};

use crate::support::{
    bodies::with,
    faces::{FACES, Face, Faces, only},
    introspection::{camel_case, named, text},
    requests::{Home, call},
    world::World,
};

/// A world in which everything that can be filtered by has a value somewhere.
async fn world() -> World {
    let world = World::new().await;
    let owner = &world.ours.owner;
    for credential in [&owner.session, &owner.key] {
        for face in FACES {
            let by_key = credential.starts_with("scp_u_");
            let made = !["user", "organization", "change"].contains(&face.operation);
            if made && !(by_key && face.operation == "user_api_key") {
                let home = Home::of_owner(&world.ours, credential);
                let call = call(&world, &format!("create_{}", face.operation), &home).await;
                let ask = world.test.post(face.path, &call.body.unwrap());
                ask.credential(credential).send().await.data();
            }
        }
    }
    let network = &world.ours.networks[0];
    let host = &network.hosts[1];
    let whole = json!({
        "host_id": host.id, "network_id": network.id, "name": "agent", "service_definition": "Agent",
        "tags": [], "bindings": [{ "type": "Interface", "interface_id": host.interface }],
    });
    world.test.post("/api/v1/services", &whole).credential(&owner.key).send().await.data();
    // One of each kind is another, and carries no tag.
    let other = &world.ours.networks[1];
    let hub = with(&other.group_body(), &json!({ "group_type": "HubAndSpoke" }));
    world.test.put(&other.group_path(), &hub).credential(&owner.key).send().await.data();
    let guests = json!({
        "cidr": "2001:db8::/64", "network_id": other.id, "name": "guests", "subnet_type": "Guest",
        "tags": [],
    });
    world.test.post("/api/v1/subnets", &guests).credential(&owner.key).send().await.data();
    for (kind, id) in [
        ("Group", other.group),
        ("Subnet", other.subnet),
        ("Host", other.hosts[1].id),
        ("Service", other.hosts[1].services[1]),
    ] {
        let none = json!({ "entity_type": kind, "entity_id": id, "tag_ids": [] });
        world.test.put("/api/v1/tags/assign", &none).credential(&owner.key).send().await.data();
    }
    world
}

async fn rest(world: &World, path: &str) -> Value {
    world.test.get(path).credential(&world.ours.owner.session).send().await.body
}

/// The list of GraphQL that has these arguments.
async fn graphql(world: &World, faces: &Faces, face: &Face, arguments: &Value) -> Value {
    let connections = faces.types.connections("Query");
    let connection = connections.iter().find(|one| one.field == face.many).unwrap();
    let query = format!(
        "query Q($filter: {}, $orderBy: [{}!], $first: Int) {{
            {}(filter: $filter, orderBy: $orderBy, first: $first) {{
                totalCount nodes {{ {} }} pageInfo {{ hasNextPage }} }} }}",
        connection.filter,
        connection.order,
        face.many,
        faces.selection(face.schema)
    );
    let answer = world.test.graphql(&world.ours.owner.session, &query, arguments.clone()).await;
    only(&answer).clone()
}

/// More than there are; a query of hosts asks for much with each of them.
const ALL: u32 = 40;

/// Asks both faces and compares all that they show; answers how many there are.
async fn same(
    world: &World,
    faces: &Faces,
    face: &Face,
    query: &str,
    arguments: Value,
) -> (usize, Value) {
    let list = rest(world, &format!("{}?{query}", face.path)).await;
    let found = graphql(world, faces, face, &arguments).await;
    let rows = list["data"].as_array().unwrap_or_else(|| panic!("{query}: {list}"));
    let shown: Vec<Value> = rows.iter().map(|row| faces.shown(face.schema, row)).collect();
    let nodes = found["nodes"].as_array().unwrap();
    let told: Vec<Value> = nodes.iter().map(|node| faces.told(face.schema, node)).collect();
    assert_eq!(json!(shown), json!(told), "{}?{query} and {arguments}", face.path);
    let pagination = &list["meta"]["pagination"];
    assert_eq!(pagination["total_count"], found["totalCount"], "{}?{query}", face.path);
    assert_eq!(pagination["has_more"], found["pageInfo"]["hasNextPage"], "{}?{query}", face.path);
    (rows.len(), list["data"].clone())
}

/// The filter of GraphQL that a query parameter stands for, and its value among the rows.
fn filter(faces: &Faces, face: &Face, parameter: &str, rows: &[Value]) -> (String, Value) {
    let key = match parameter {
        "ids" => "id",
        "tag_ids" => "tags",
        "since" => "created_at",
        "after_sequence" => "sequence",
        "exclude_categories" => {
            let filter = json!({ "not": { "category": { "in": ["REVERSE_PROXY"] } } });
            return ("ReverseProxy".to_owned(), filter);
        }
        "vlan" => return ("20".to_owned(), json!({ "vlan": 20 })),
        name => name,
    };
    let mut values = rows
        .iter()
        .rev()
        .map(|row| if key == "tags" { row[key][0].clone() } else { row[key].clone() });
    let value = values.find(|value| !value.is_null());
    let value = value.unwrap_or_else(|| panic!("nothing at {} has a {key}", face.path));
    let written = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let name = match (face.of, parameter) {
        (_, "ids") => "id".to_owned(),
        (_, "tag_ids") => "tagId".to_owned(),
        ("Binding", "type") => "bindingType".to_owned(),
        ("Group", "dependency_type") => "groupType".to_owned(),
        (_, name) => camel_case(name),
    };
    let connections = faces.types.connections("Query");
    let connection = connections.iter().find(|one| one.field == face.many).unwrap();
    let fields = faces.types.fields(&connection.filter);
    let field = fields.iter().find(|field| field["name"] == name.as_str()).unwrap();
    let of = named(&field["type"]);
    let filter = match of {
        "DateTime" | "BigInt" => json!({ &name: value }),
        of if value.is_string() => json!({ &name: { "eq": faces.enum_value(of, &written) } }),
        _ => json!({ &name: { "eq": value } }),
    };
    (form_urlencoded::byte_serialize(written.as_bytes()).collect(), filter)
}

#[tokio::test]
async fn every_list_of_rest_is_a_list_of_graphql() {
    let faces = Faces::read(&World::new().await).await;
    let paths = faces.document["paths"].as_object().unwrap().iter();
    let lists = paths.filter(|(path, operations)| {
        // What is worked out of one thing is a part of that thing in GraphQL.
        let of_all = !path.contains('{');
        let parameters = operations["get"]["parameters"].as_array().into_iter().flatten();
        of_all && parameters.clone().any(|one| one["name"] == "limit")
    });
    let mut lists: Vec<&str> = lists.map(|(path, _)| path.as_str()).collect();
    let mut known = FACES.map(|face| face.path).to_vec();
    // Of organizations there is one, and a topology is a field of its network.
    known.retain(|path| *path != "/api/v1/organizations");
    known.push("/api/v1/topology");
    lists.retain(|path| !path.ends_with("/export/csv"));
    lists.sort_unstable();
    known.sort_unstable();
    assert_eq!(lists, known, "say in `FACES` how GraphQL calls what is new");
}

#[tokio::test]
async fn every_filter_of_rest_selects_what_that_of_graphql_does() {
    let world = world().await;
    let faces = Faces::read(&world).await;
    let (mut tried, mut selecting_all) = (0, Vec::new());
    for face in FACES.iter().filter(|face| !face.many.is_empty()) {
        let (all, rows) =
            same(&world, &faces, face, &format!("limit={ALL}"), json!({ "first": ALL })).await;
        let rows = rows.as_array().unwrap();
        assert!(all > 1, "{} has only {all}", face.path);
        same(&world, &faces, face, "", json!({})).await;
        same(&world, &faces, face, "limit=1", json!({ "first": 1 })).await;
        for parameter in faces.document["paths"][face.path]["get"]["parameters"].as_array().unwrap()
        {
            let name = text(&parameter["name"]);
            if ["group_by", "order_by", "order_direction", "limit", "offset"].contains(&name) {
                continue;
            }
            let (value, filter) = filter(&faces, face, name, rows);
            let arguments = json!({ "filter": filter, "first": ALL });
            let query = format!("{name}={value}&limit={ALL}");
            let (found, _) = same(&world, &faces, face, &query, arguments).await;
            let (since, last) = (name == "since", name == "after_sequence");
            assert!(found > 0 || last, "{}?{query} selects nothing", face.path);
            let own = ["user_id", "entity_id"].contains(&name) && face.of == "Change";
            if found == all && !since && !own {
                selecting_all.push(format!("{}?{name}", face.path));
            }
            tried += 1;
        }
    }
    assert_eq!(selecting_all, [""; 0], "the fixture shows nothing of these");
    assert!(tried > 45, "{tried}");
}

#[tokio::test]
async fn every_order_of_rest_is_that_of_graphql() {
    let world = world().await;
    let faces = Faces::read(&world).await;
    let mut tried = 0;
    for face in FACES.iter().filter(|face| !face.many.is_empty()) {
        let parameters =
            faces.document["paths"][face.path]["get"]["parameters"].as_array().unwrap();
        let named = |name| parameters.iter().find(|one| one["name"] == name).unwrap();
        let mut values = Vec::new();
        for parameter in ["order_by", "group_by"] {
            let found = named(parameter)["schema"]["enum"].as_array().unwrap();
            values = found.iter().map(|value| text(value).to_owned()).collect();
            for value in &values {
                let field = value.to_uppercase();
                let order = json!([{ "field": field, "direction": "ASC" }]);
                let arguments = json!({ "orderBy": order, "first": ALL });
                let query = format!("{parameter}={value}&limit={ALL}");
                same(&world, &faces, face, &query, arguments).await;
                tried += 1;
            }
        }
        let last = values.last().unwrap();
        for value in &values {
            let order = json!([
                { "field": last.to_uppercase() },
                { "field": value.to_uppercase(), "direction": "DESC" },
            ]);
            let arguments = json!({ "orderBy": order, "first": ALL });
            let query =
                format!("group_by={last}&order_by={value}&order_direction=desc&limit={ALL}");
            same(&world, &faces, face, &query, arguments).await;
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
}

#[tokio::test]
async fn one_of_them_is_the_same_by_its_id_and_in_the_list() {
    let world = world().await;
    let faces = Faces::read(&world).await;
    for face in &FACES {
        let list = rest(&world, face.path).await;
        let data = &list["data"];
        // Of organizations there is one.
        let rows = data.as_array().map_or(std::slice::from_ref(data), Vec::as_slice);
        assert!(!rows.is_empty(), "{}", face.path);
        for row in rows.iter().rev().take(2) {
            let id = text(&row["id"]);
            let one = rest(&world, &format!("{}/{id}", face.path)).await;
            assert_eq!(one["data"], *row, "{}", face.path);
            let asked = match (face.one, face.many) {
                ("", many) => format!("{many}(filter: {{ id: {{ eq: \"{id}\" }} }}) {{ nodes"),
                (one, _) => format!("{one}(id: \"{id}\") {{ x: __typename ... on {}", face.of),
            };
            let query = format!("{{ {asked} {{ {} }} }} }}", faces.selection(face.schema));
            let answer = world.test.graphql(&world.ours.owner.session, &query, json!({})).await;
            let found = only(&answer);
            let node = if face.one.is_empty() { &found["nodes"][0] } else { found };
            let told = faces.told(face.schema, node);
            assert_eq!(told, faces.shown(face.schema, row), "{}", face.path);
        }
    }
}
