//! The same faults are told alike over both faces: in the same codes, about the same fields.
//!
//! The possible faults are read from the document, so a new key of a body is tried by itself.

use axum::http::Method;
use serde_json::{Value, json};
use toposcope_types::Id;

use crate::{
    support::{
        app::Answer,
        bodies::with,
        faces::{FACES, Face},
        introspection::text,
    },
    two_faces::life::Both,
};

/// The code and params of a refusal; none if there is none.
type Fault = Option<(String, Value)>;

fn rest_fault(answer: &Answer) -> Fault {
    let code = answer.body["code"].as_str()?;
    Some((code.to_owned(), answer.body["params"].clone()))
}

/// The same of GraphQL, with names as REST writes them.
fn graphql_fault(answer: &Value) -> Fault {
    let extensions = &answer["errors"].get(0)?["extensions"];
    let mut params = extensions["params"].clone();
    if let Some(field) = params["field"].as_str().map(snake) {
        params["field"] = json!(field.strip_prefix("input.").unwrap_or(&field));
    }
    Some((text(&extensions["code"]).to_owned(), params))
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

/// Returns whether both faces tell the same, as far as GraphQL can: what its own validation finds,
/// before anything of ours runs, has the code of a wrong format, and names a field only for some
/// types.
fn alike(what: &str, by_rest: &Fault, by_graphql: &Fault) -> bool {
    let (Some((rest, of_rest)), Some((graphql, of_graphql))) = (by_rest, by_graphql) else {
        return by_rest == by_graphql;
    };
    let by_its_own = graphql == "validation_invalid_format";
    let same_code = rest == graphql
        || (by_its_own && rest == "validation_required" && what.ends_with("is null"))
        // The whole of it is one scalar.
        || (by_its_own && what.starts_with("virtualization"));
    same_code && (of_rest == of_graphql || (by_its_own && of_graphql.is_null()))
}

/// Returns wrong values for a key, each with what is wrong. A required key may also be missing.
fn wrong(both: &Both, property: &Value, right: &Value) -> Vec<(&'static str, Value)> {
    let schema = both.faces.resolved(property);
    let of = |name: &str| {
        let of = &schema["type"];
        *of == name || of.as_array().is_some_and(|some| some.contains(&json!(name)))
    };
    let mut wrong = vec![("of no such type", json!([[]]))];
    if of("array") {
        // To GraphQL, one element is a list of one.
        wrong.push(("of no such type", json!("x")));
    } else {
        wrong.push(("of no such type", json!({ "odd": [1] })));
    }
    if schema["enum"].is_array() {
        wrong.push(("no such value", json!("Nonsense")));
    } else if schema["format"] == "uuid" {
        wrong.push(("no id", json!("no-id")));
        wrong.push(("unknown", json!(Id::new())));
    } else if schema["format"] == "date-time" {
        wrong.push(("no moment", json!("yesterday")));
        wrong.push(("long ago", json!("1999-01-01T00:00:00Z")));
    } else if of("string") {
        wrong.push(("empty", json!("")));
        wrong.push(("too long", json!("x".repeat(5000))));
        wrong.push(("control characters", json!("x\u{1}y")));
        wrong.push(("a number", json!(17)));
    } else if of("integer") {
        for number in [-1_i64, 0, 65_536, 2_147_483_648, i64::MAX] {
            wrong.push(("out of range", json!(number)));
        }
        if schema["format"] != "int64" {
            // GraphQL takes a `BigInt` also as text.
            wrong.push(("a text", json!("17")));
        }
        wrong.push(("a fraction", json!(1.5)));
    } else if of("boolean") {
        wrong.push(("a text", json!("true")));
    } else if schema["items"]["format"] == "uuid" {
        wrong.push(("no ids", json!(["no-id"])));
        wrong.push(("unknown", json!([Id::new()])));
        if let Some(id) = right.get(0) {
            wrong.push(("repeated", json!([id, id])));
        }
    }
    wrong
}

/// All bodies of an operation that are wrong in one way, with what is wrong.
fn wrong_bodies(both: &Both, face: &Face, update: bool, right: &Value) -> Vec<(String, Value)> {
    let path = if update { format!("{}/{{id}}", face.path) } else { face.path.to_owned() };
    let method = if update { "put" } else { "post" };
    let body = &both.faces.document["paths"][&path][method]["requestBody"];
    let schema = both.faces.resolved(&body["content"]["application/json"]["schema"]);
    let empty = Vec::new();
    let required = schema["required"].as_array().unwrap_or(&empty);
    let mut bodies = Vec::new();
    for (key, property) in schema["properties"].as_object().unwrap() {
        for (what, value) in wrong(both, property, &right[key]) {
            let shown: String = value.to_string().chars().take(30).collect();
            bodies.push((format!("{key} is {what}: {shown}"), with(right, &json!({ key: value }))));
        }
        // Over GraphQL these may be left out.
        let settled = face.of == "ApiKey" && key.ends_with("_id") || key == "tags";
        if required.contains(&json!(key)) && !settled {
            let mut body = right.clone();
            body.as_object_mut().unwrap().remove(key);
            bodies.push((format!("{key} is missing"), body));
            bodies.push((format!("{key} is null"), with(right, &json!({ key: null }))));
        }
    }
    bodies
}

#[tokio::test]
async fn what_cannot_be_made_is_refused_alike() {
    let both = Both::new().await;
    let (mut tried, mut differ) = (0, Vec::new());
    for face in FACES.iter().filter(|face| !["User", "Organization", "Change"].contains(&face.of)) {
        let right = both.call(&format!("create_{}", face.operation)).await.body.unwrap();
        for (what, body) in wrong_bodies(&both, face, false, &right) {
            let answer = both.rest(Method::POST, face.path, &body).await;
            if answer.status == 200 {
                // It is not wrong after all; make room for it to be made again.
                let data = &answer.body["data"];
                let id = if face.of == "ApiKey" { &data["api_key"]["id"] } else { &data["id"] };
                let path = format!("{}/{}", face.path, text(id));
                both.rest(Method::DELETE, &path, &Value::Null).await.data();
            }
            let by_rest = rest_fault(&answer);
            let answer = both.graphql_put(face, None, &body).await;
            let by_graphql = graphql_fault(&answer);
            if by_graphql.is_none() {
                let made = &answer["data"][format!("create{}", face.of)];
                let id = if face.of == "ApiKey" { &made["apiKey"]["id"] } else { &made["id"] };
                let path = format!("{}/{}", face.path, text(id));
                both.rest(Method::DELETE, &path, &Value::Null).await.data();
            }
            if !alike(&what, &by_rest, &by_graphql) {
                differ.push(format!("{}: {what}\n  {by_rest:?}\n  {by_graphql:?}", face.path));
            }
            tried += 1;
        }
    }
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
    assert!(tried > 400, "{tried}");
}

#[tokio::test]
async fn what_cannot_be_changed_is_refused_alike() {
    let both = Both::new().await;
    let (mut tried, mut differ) = (0, Vec::new());
    for face in FACES.iter().filter(|face| face.of != "Change") {
        let call = both.call(&format!("update_{}", face.operation)).await;
        let (id, right) = (call.ids[0].to_string(), call.body.unwrap());
        let path = format!("{}/{id}", face.path);
        for (what, body) in wrong_bodies(&both, face, true, &right) {
            let by_rest = rest_fault(&both.rest(Method::PUT, &path, &body).await);
            let by_graphql = graphql_fault(&both.graphql_put(face, Some(&id), &body).await);
            if !alike(&what, &by_rest, &by_graphql) {
                differ.push(format!("{}: {what}\n  {by_rest:?}\n  {by_graphql:?}", face.path));
            }
            tried += 1;
        }
    }
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
    assert!(tried > 400, "{tried}");
}

#[tokio::test]
async fn what_is_there_already_is_refused_alike() {
    let both = Both::new().await;
    for (of, code, field) in [
        ("Interface", "entity_already_exists", "ip_address"),
        ("IfEntry", "entity_already_exists", "if_index"),
        ("Port", "entity_already_exists", "number"),
        ("Tag", "entity_already_exists", "name"),
        ("Binding", "entity_already_exists", "port_id"),
    ] {
        let face = FACES.iter().find(|face| face.of == of).unwrap();
        let call = both.call(&format!("create_{}", face.operation)).await;
        let body = call.body.unwrap();
        let made = both.rest(Method::POST, face.path, &body).await;
        made.data();
        let again = both.rest(Method::POST, face.path, &body).await;
        assert_eq!(again.status, 409, "{of}: {}", again.body);
        let by_rest = rest_fault(&again);
        assert_eq!(by_rest, graphql_fault(&both.graphql_put(face, None, &body).await), "{of}");
        let (told, params) = by_rest.unwrap();
        assert_eq!(told, code, "{of}");
        assert!(field.is_empty() || params == json!({ "entity": of, "field": field }), "{params}");

        // Nor can another become the same.
        let other = both.call(&format!("create_{}", face.operation)).await.body.unwrap();
        let other = both.rest(Method::POST, face.path, &other).await;
        let id = text(&other.data()["id"]);
        let path = format!("{}/{id}", face.path);
        let by_rest = rest_fault(&both.rest(Method::PUT, &path, &body).await);
        assert_eq!(by_rest.as_ref().map(|(code, _)| code.as_str()), Some(code), "{of}");
        let by_graphql = graphql_fault(&both.graphql_put(face, Some(id), &body).await);
        assert_eq!(by_rest, by_graphql, "{of}");
    }
}

#[tokio::test]
async fn what_has_changed_in_the_meantime_is_neither_changed_nor_deleted() {
    let both = Both::new().await;
    for face in FACES.iter().filter(|face| face.of != "Change") {
        let call = both.call(&format!("update_{}", face.operation)).await;
        let (id, body) = (call.ids[0].to_string(), call.body.unwrap());
        let path = format!("{}/{id}", face.path);
        let get = both.rest(Method::GET, &path, &Value::Null).await;
        let (now, tag) = (get.data()["updated_at"].clone(), get.header("etag").unwrap());
        let (old, of) = (json!("2001-01-01T00:00:00.000000Z"), face.of);
        let update = format!(
            "mutation M($id: ID!, $input: Update{of}Input!, $seen: DateTime) {{
                update{of}(id: $id, input: $input, expectedUpdatedAt: $seen) {{ id }} }}"
        );
        let delete = format!(
            "mutation M($id: ID!, $seen: DateTime) {{
                delete{of}(id: $id, expectedUpdatedAt: $seen, dryRun: true) {{ id }} }}"
        );
        let input = both.faces.input(&format!("Update{of}Input"), &body);
        let owner = &both.world.ours.owner.session;
        let mut asks = vec![(Method::PUT, path.clone(), update)];
        if of != "Organization" {
            asks.push((Method::DELETE, format!("{path}?dry_run=true"), delete));
        }
        // The delete is tried first: the update makes another version.
        for (method, path, query) in asks.iter().rev() {
            for (seen, tag) in [(&old, format!("\"{}\"", text(&old))), (&now, tag.to_owned())] {
                let ask = both.world.test.ask(method.clone(), path).json(&body);
                let ask = ask.header("if-match", &tag).credential(owner);
                let variables = json!({ "id": id, "input": input, "seen": seen });
                if seen == &now && *method == Method::PUT {
                    // The first of two such updates is right, whichever face it comes through.
                    let answer = both.graphql(query, variables).await;
                    assert_eq!(graphql_fault(&answer), None, "{path}");
                    if of != "Service" {
                        assert_eq!(ask.send().await.failure().1, "entity_changed", "{path}");
                    }
                    continue;
                }
                let by_rest = rest_fault(&ask.send().await);
                let by_graphql = graphql_fault(&both.graphql(query, variables).await);
                assert_eq!(by_rest, by_graphql, "{method} {path} {seen}");
                let changed = by_rest.is_some_and(|(code, _)| code == "entity_changed");
                assert_eq!(changed, seen == &old, "{method} {path}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_not_there_is_missed_alike() {
    let both = Both::new().await;
    for face in FACES.iter().filter(|face| face.of != "Change") {
        let (id, of) = (Id::new().to_string(), face.of);
        let body = both.call(&format!("update_{}", face.operation)).await.body.unwrap();
        let path = format!("{}/{id}", face.path);
        let by_rest = rest_fault(&both.rest(Method::PUT, &path, &body).await);
        let by_graphql = graphql_fault(&both.graphql_put(face, Some(&id), &body).await);
        assert_eq!(by_rest, by_graphql, "{path}");
        assert_eq!(by_rest.unwrap().0, "entity_not_found", "{path}");

        let get = both.rest(Method::GET, &path, &Value::Null).await;
        assert_eq!(get.failure().1, "entity_not_found", "{path}");
        let query = format!("query Q($id: ID!) {{ {}(id: $id) {{ id }} }}", face.one);
        let answer = both.graphql(&query, json!({ "id": id })).await;
        assert_eq!(answer, json!({ "data": { face.one: null } }), "{path}");

        if of == "Organization" {
            continue;
        }
        let by_rest = rest_fault(&both.rest(Method::DELETE, &path, &Value::Null).await);
        let query = format!("mutation M($id: ID!) {{ delete{of}(id: $id) {{ id }} }}");
        let by_graphql = graphql_fault(&both.graphql(&query, json!({ "id": id })).await);
        assert_eq!(by_rest, by_graphql, "{path}");
        assert_eq!(by_rest.unwrap().0, "entity_not_found", "{path}");
    }
}
