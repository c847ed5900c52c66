//! Simplifies schemas composed of other schemas, for readers and generators.

use serde_json::{Map, Value, json};

/// Replaces a choice that may get more variants later with its only variant: a choice of one is
/// none.
pub(super) fn hoist(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object_mut();
    for (_, schema) in schemas.into_iter().flatten() {
        let Some([variant]) = schema["oneOf"].as_array().map(Vec::as_slice) else { continue };
        let (mut only, description) = (variant.clone(), schema["description"].clone());
        only["description"] = description;
        *schema = only;
    }
}

/// Merges a schema composed of parts, such as a row and its related data, into one object.
pub(super) fn flatten(document: &mut Value) {
    let names: Vec<String> = document["components"]["schemas"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect();
    for name in names {
        let schema = document["components"]["schemas"][&name].clone();
        let Some(parts) = schema["allOf"].as_array() else { continue };
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for part in parts {
            let part = resolved(document, part);
            properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
            required.extend(part["required"].as_array().cloned().unwrap_or_default());
        }
        document["components"]["schemas"][&name] = json!({
            "type": "object",
            "description": schema["description"],
            "required": required,
            "properties": properties,
        });
    }
}

fn resolved(document: &Value, schema: &Value) -> Value {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    name.map_or_else(|| schema.clone(), |name| document["components"]["schemas"][name].clone())
}

/// Inlines schemas that are neither objects nor enumerations, such as ids, and removes the names
/// that nothing references.
pub(super) fn inline(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
    let plain: Map<String, Value> = schemas
        .iter()
        .filter(|(_, schema)| {
            ["properties", "enum", "oneOf", "allOf"].iter().all(|key| schema.get(*key).is_none())
        })
        .map(|(name, schema)| (name.clone(), schema.clone()))
        .collect();
    replace(document, &plain);
    loop {
        let text = document.to_string();
        let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
        let before = schemas.len();
        schemas.retain(|name, _| text.contains(&format!("\"#/components/schemas/{name}\"")));
        if schemas.len() == before {
            return;
        }
    }
}

fn replace(value: &mut Value, plain: &Map<String, Value>) {
    if let Value::Object(fields) = value {
        let name = fields.get("$ref").and_then(|path| path.as_str()?.rsplit('/').next());
        if let Some(schema) = name.and_then(|name| plain.get(name)).cloned() {
            let description = fields.get("description").cloned();
            *value = schema;
            if let (Some(description), Value::Object(fields)) = (description, &mut *value) {
                fields.insert("description".to_owned(), description);
            }
        }
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|field| replace(field, plain)),
        Value::Array(elements) => elements.iter_mut().for_each(|element| replace(element, plain)),
        _ => {}
    }
}
