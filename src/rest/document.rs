//! The document that describes the REST API: OpenAPI 3.1.

use axum::http::Method;
use serde_json::{Map, Value, json};

use super::{
    chapters, composition,
    endpoint::Schemas,
    envelope::SERVER_VERSION,
    responses::{common_headers, response_name},
    sample,
};

/// The meaning of each error status for clients.
const FAILURES: [(u16, &str); 10] = [
    (400, "Something in the path, the query or the body is wrong; `params` names it."),
    (401, "No credential, or one that means nothing."),
    (403, "The level or reach is too low, the key is disabled or expired, or a session is needed."),
    (404, "There is none with this id, or not within reach."),
    (409, "A rule of uniqueness, a version that is no longer the stored one, or something in use."),
    (413, "The body is larger than 2 MiB."),
    (415, "The body is not JSON by its content type."),
    (429, "The budget of requests is used up for a moment."),
    (500, "Something went wrong on the server; its log has the cause under the request id."),
    (503, "The database cannot be reached or is overloaded; try again in a moment."),
];

/// The pattern of a text: no control characters except tabs and line ends. Trailing NULs, with
/// which devices pad, are stripped and do no harm, but nobody has to know.
const TEXT: &str = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f]*$";

/// Lists that may contain an id twice; in all other lists of ids each id is unique.
const REPEATING: [(&str, &str); 1] = [("BulkTagInput", "entity_ids")];

/// Builds the document of these operations, as text.
pub fn build(operations: Vec<(String, Method, Value)>, schemas: Schemas) -> String {
    let tags = chapters::of(operations.iter().map(|(_, _, operation)| operation));
    let mut paths: Map<String, Value> = Map::new();
    for (path, method, operation) in operations {
        let path = paths.entry(path).or_insert_with(|| json!({}));
        if let Some(path) = path.as_object_mut() {
            path.insert(method.as_str().to_ascii_lowercase(), operation);
        }
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Toposcope",
            "version": SERVER_VERSION,
            "description": "Network topology: what devices hear of each other, and what runs on them.",
            "contact": { "name": "Whoever runs this server" },
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "tags": tags,
        "servers": [{ "url": "/", "description": "This server." }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "headers": headers(),
            "responses": responses(),
            "securitySchemes": {
                "api_key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An API key: `scp_u_` and 32 characters.",
                },
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "session_id",
                    "description": "A session, as `POST /api/auth/login` begins it.",
                },
            },
        },
    });
    add_shared(&mut document);
    composition::flatten(&mut document);
    composition::inline(&mut document);
    describe(&mut document);
    composition::hoist(&mut document);
    restrict(&mut document);
    depend(&mut document);
    complete(&mut document);
    sample::add(&mut document);
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn headers() -> Value {
    json!({
        "RequestId": {
            "description": "The id of the request: the client's own, or one that was made for it.",
            "required": true,
            "schema": { "type": "string" },
        },
        "ETag": {
            "description": "The version of the thing, for `If-Match`.",
            "required": true,
            "schema": { "type": "string" },
        },
        "RateLimitLimit": {
            "description": "The requests allowed per minute; absent if requests are not limited.",
            "schema": { "type": "integer", "minimum": 1 },
        },
        "RateLimitRemaining": {
            "description": "The whole requests that are left at this moment.",
            "schema": { "type": "integer", "minimum": 0 },
        },
        "RateLimitReset": {
            "description": "The whole seconds until all of the burst is there again.",
            "schema": { "type": "integer", "minimum": 0 },
        },
        "SetCookie": {
            "description": "The cookie `session_id`: begun, prolonged or taken away.",
            "required": true,
            "schema": { "type": "string" },
        },
        "ContentDisposition": {
            "description": "The name of the file.",
            "required": true,
            "schema": { "type": "string" },
        },
        "WwwAuthenticate": {
            "description": "How to authenticate; absent if a login failed.",
            "schema": { "type": "string", "const": "Bearer" },
        },
        "RetryAfter": {
            "description": "Seconds after which to try again.",
            "required": true,
            "schema": { "type": "integer", "minimum": 1 },
        },
    })
}

fn responses() -> Value {
    let mut responses = Map::new();
    for (status, description) in FAILURES {
        let mut headers = common_headers();
        if status == 401 {
            headers["WWW-Authenticate"] = json!({ "$ref": "#/components/headers/WwwAuthenticate" });
        }
        if status == 429 || status == 503 {
            headers["Retry-After"] = json!({ "$ref": "#/components/headers/RetryAfter" });
        }
        let schema = json!({ "$ref": "#/components/schemas/Failure" });
        let content = json!({ "application/json": { "schema": schema } });
        let response =
            json!({ "description": description, "headers": headers, "content": content });
        responses.insert(response_name(status).to_owned(), response);
    }
    Value::Object(responses)
}

/// Adds the parts of the envelope, for which there is no type of their own.
fn add_shared(document: &mut Value) {
    let count = |description: &str| json!({ "type": "integer", "format": "int64", "minimum": 0, "description": description });
    let version = |description: &str| json!({ "type": "string", "description": description });
    let meta = json!({
        "api_version": { "type": "integer", "description": "The version of the API." },
        "server_version": version("The version of the application."),
    });
    let mut page_meta = meta.clone();
    page_meta["pagination"] = json!({
        "$ref": "#/components/schemas/Pagination",
        "description": "The position of this page in the list.",
    });
    let ignored = json!({ "type": "array", "items": { "type": "string" }, "description":
        "The paths of body keys that the server ignored; absent if there are none." });
    let object = |description: &str, properties: Value| {
        let keys = properties.as_object().into_iter().flatten();
        let required: Vec<&String> = keys.map(|(name, _)| name).collect();
        json!({ "type": "object", "description": description, "required": required,
            "properties": properties })
    };
    let mut failure = object(
        "The error.",
        json!({
            "success": { "type": "boolean", "const": false, "description": "Always false." },
            "error": version("A sentence for a person."),
            "code": version("The error code for programs, such as `entity_not_found`."),
            "meta": { "$ref": "#/components/schemas/Meta", "description": "The versions that answered." },
        }),
    );
    failure["properties"]["params"] =
        json!({ "type": "object", "description": "Parameters of the code, such as `field`." });
    let pagination = object(
        "The position of a page in a list.",
        json!({
            "total_count": count("All rows that match, whatever the page."),
            "limit": count("The limit that was applied; 0 is none."),
            "offset": count("The rows before this page."),
            "has_more": { "type": "boolean", "description": "Whether more rows follow." },
        }),
    );
    let schemas = &mut document["components"]["schemas"];
    schemas["Meta"] = object("The versions that answered.", meta);
    schemas["WriteMeta"] = schemas["Meta"].clone();
    schemas["WriteMeta"]["properties"]["ignored"] = ignored;
    schemas["PageMeta"] =
        object("The versions that answered, and the position in the list.", page_meta);
    schemas["Pagination"] = pagination;
    schemas["Failure"] = failure;
}

/// Puts the descriptions of nullable properties where readers look for them, and describes the keys
/// that distinguish variants.
fn describe(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object_mut();
    for (_, schema) in schemas.into_iter().flatten() {
        for variant in schema.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(tag) = variant.pointer_mut("/properties/type") {
                tag["description"] = json!("The kind.");
            }
        }
        let Some(properties) = schema.get_mut("properties") else { continue };
        for property in properties.as_object_mut().into_iter().flatten().map(|entry| entry.1) {
            let Some([some, _]) =
                property.get("oneOf").and_then(Value::as_array).map(Vec::as_slice)
            else {
                continue;
            };
            let mut some = some.clone();
            let description = some.get("description").cloned();
            if some.get("type").is_some() {
                some["type"] = json!([some["type"], "null"]);
                *property = some;
            } else if let (Some(description), Some(reference)) = (description, some.get("$ref")) {
                let either = json!([{ "$ref": reference }, { "type": "null" }]);
                *property = json!({ "description": description, "oneOf": either });
            }
        }
    }
}

/// Adds the constraints on inputs that types cannot express: the characters of a text, the bounds
/// of a number, and unique list elements.
fn restrict(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object_mut();
    for (name, schema) in schemas.into_iter().flatten() {
        let details = name.ends_with("Virtualization");
        if !name.ends_with("Input") && !details && name != "TagAssignment" {
            continue;
        }
        let Some(properties) = schema.get_mut("properties") else { continue };
        for (key, property) in properties.as_object_mut().into_iter().flatten() {
            let is = |wanted: &str| {
                let kind = &property["type"];
                kind == wanted
                    || kind.as_array().is_some_and(|kinds| kinds.contains(&json!(wanted)))
            };
            let free = ["pattern", "format", "enum", "const"]
                .iter()
                .all(|key| property.get(*key).is_none());
            // Values that other devices send are never rejected.
            let heard = ["lldp_", "cdp_"].iter().any(|by| key.starts_with(by));
            if name == "RegisterInput" && key == "terms_accepted" {
                property["const"] = json!(true);
            } else if is("string") && free && !heard {
                property["pattern"] = json!(TEXT);
            } else if is("integer") && property["format"] == "int32" {
                property["maximum"] = json!(i32::MAX);
            } else if is("array")
                && property["items"]["format"] == "uuid"
                && !REPEATING.contains(&(name, key))
            {
                property["uniqueItems"] = json!(true);
            }
        }
    }
}

/// Adds which keys depend on the value of another key.
fn depend(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object_mut();
    for (name, schema) in schemas.into_iter().flatten() {
        if !name.ends_with("BindingInput") {
            continue;
        }
        let (id, none) = (json!({ "type": "string" }), json!({ "type": "null" }));
        let otherwise = json!({
            "if": { "required": ["type"], "properties": { "type": { "const": "Interface" } } },
            "then": { "required": ["interface_id"], "properties": {
                "interface_id": id, "port_id": none,
            } },
        });
        // In an update, omitted fields keep their stored values, so their absence implies nothing.
        if name == "BindingInput" {
            schema["dependentRequired"] = json!({ "port_id": ["type"], "interface_id": ["type"] });
        }
        let port = json!({ "type": { "const": "Port" } });
        schema["if"] = json!({ "properties": port, "required": ["type"] });
        schema["then"] = json!({ "required": ["port_id"], "properties": { "port_id": id } });
        schema["else"] = otherwise;
    }
}

/// Declares that responses contain every key, with `null` for a missing value; a binding to an
/// interface has no port.
fn complete(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object_mut();
    for (name, schema) in schemas.into_iter().flatten() {
        let read = ["Input", "Virtualization", "StackMember"].iter().any(|end| name.ends_with(end));
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            continue;
        };
        if read || name == "Failure" || name == "WriteMeta" {
            continue;
        }
        let keys = properties.keys().filter(|key| name != "Binding" || *key != "port_id");
        schema["required"] = json!(keys.collect::<Vec<_>>());
    }
}
