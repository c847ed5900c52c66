//! The document of the REST side: the file that clients read, its names and its descriptions.

use std::collections::BTreeSet;

use serde_json::Value;
use toposcope::router;

fn document() -> Value {
    serde_json::from_str(&router::document()).unwrap()
}

/// The operations of the document, each with its method and path.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            operations.push((format!("{method} {path}"), operation));
        }
    }
    operations
}

/// Returns the names of the things without a description. A reference has that of its target.
fn undescribed<'a>(things: impl Iterator<Item = (String, &'a Value)>) -> Vec<String> {
    let lacks = |thing: &Value| thing["description"].as_str().is_none_or(str::is_empty);
    things.filter(|(_, thing)| lacks(thing)).map(|(name, _)| name).collect()
}

#[test]
fn the_file_is_the_document() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
    let file = std::fs::read_to_string(path).unwrap_or_default();
    let same = file == router::document();
    assert!(same, "write it anew: cargo run -- openapi > openapi.json");
}

#[test]
fn operations_have_unique_names_in_snake_case() {
    let document = document();
    let mut seen = BTreeSet::new();
    for (place, operation) in operations(&document) {
        let name = operation["operationId"].as_str().unwrap();
        let snake = name
            .split('_')
            .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()));
        assert!(snake, "{place}: `{name}`");
        assert!(seen.insert(name), "`{name}` is the name of two operations");
    }
    assert!(seen.len() > 100, "{}", seen.len());
}

#[test]
fn every_operation_says_what_it_does_and_answers() {
    let document = document();
    for (place, operation) in operations(&document) {
        assert!(operation["summary"].as_str().is_some_and(|text| text.ends_with('.')), "{place}");
        let answers: BTreeSet<&str> =
            operation["responses"].as_object().unwrap().keys().map(String::as_str).collect();
        // An unknown query parameter is refused everywhere, and so is one request too many.
        let mut least = BTreeSet::from(["200", "400", "429", "500", "503"]);
        if operation["security"].as_array().is_some_and(|schemes| !schemes.is_empty()) {
            least.extend(["401", "403"]);
        }
        if operation.get("requestBody").is_some() {
            least.extend(["413", "415"]);
        }
        if place.contains('{') {
            least.insert("404");
        }
        assert!(answers.is_superset(&least), "{place} lacks some of {least:?}: {answers:?}");
    }
}

#[test]
fn every_operation_has_a_description_of_its_own_and_examples() {
    let document = document();
    let tags: Vec<(String, &Value)> = document["tags"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tag| (tag["name"].as_str().unwrap().to_owned(), tag))
        .collect();
    assert_eq!(undescribed(tags.iter().map(|(name, tag)| (name.clone(), *tag))), [""; 0]);
    for (place, operation) in operations(&document) {
        let description = operation["description"].as_str().unwrap_or_default();
        assert!(description.ends_with('.'), "{place}: {description}");
        assert_ne!(operation["description"], operation["summary"], "{place}");
        let tag = operation["tags"][0].as_str().unwrap();
        assert!(tags.iter().any(|(name, _)| name == tag), "{place}: `{tag}` is in no chapter");
        for content in ["/requestBody/content", "/responses/200/content"] {
            let types = operation.pointer(content).and_then(Value::as_object);
            for (media_type, it) in types.into_iter().flatten() {
                assert!(it.get("example").is_some(), "{place} {content} {media_type}");
            }
        }
        let example = &operation["responses"]["200"]["content"]["application/json"]["example"];
        assert!(example.is_null() || example["success"] == true, "{place}: {example}");
    }
}

#[test]
fn every_parameter_is_described() {
    let document = document();
    let parameters = operations(&document).into_iter().flat_map(|(place, operation)| {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        parameters.map(move |parameter| (format!("{place} {}", parameter["name"]), parameter))
    });
    assert_eq!(undescribed(parameters), [""; 0]);
}

#[test]
fn every_schema_and_property_is_described() {
    let document = document();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut things: Vec<(String, &Value)> = Vec::new();
    for (name, schema) in schemas {
        things.push((name.clone(), schema));
        let variants = schema["oneOf"].as_array().into_iter().flatten();
        for part in std::iter::once(schema).chain(variants) {
            let properties = part["properties"].as_object().into_iter().flatten();
            things.extend(properties.map(|(key, property)| (format!("{name}.{key}"), property)));
        }
    }
    assert_eq!(undescribed(things.into_iter()), [""; 0]);
}

#[test]
fn every_header_and_answer_is_described() {
    let document = document();
    for kind in ["headers", "responses", "securitySchemes"] {
        let things = document["components"][kind].as_object().unwrap();
        assert_eq!(undescribed(things.iter().map(|(name, it)| (name.clone(), it))), [""; 0]);
    }
}
