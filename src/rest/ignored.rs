//! The ignored keys of a body, so that clients see that the values are lost.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use serde_json::Value;
use utoipa::ToSchema;

/// The maximum number of reported keys.
const MOST: usize = 100;

/// Additional names of parts in responses, which the document omits.
const ALIASES: [(&str, &str); 1] = [("ip_addresses", "interfaces")];

/// Returns the paths of the keys that responses do not contain either: clients send back what they
/// received.
pub(super) fn unknown<T: ToSchema>(mut places: Vec<String>) -> Vec<String> {
    if places.is_empty() {
        return places;
    }
    let shown = shown::<T>();
    places.retain(|place| {
        let key = place.rsplit('.').next().unwrap_or(place);
        key != "expected_updated_at" && !shown.contains(&everywhere(place))
    });
    places.truncate(MOST);
    places
}

/// Removes the indexes from a path, so that it covers every element of its lists.
fn everywhere(place: &str) -> String {
    let mut parts = place.split('[');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        whole.push('[');
        whole.push_str(part.trim_start_matches(|one: char| one.is_ascii_digit()));
    }
    let alias = ALIASES.iter().find_map(|(alias, name)| {
        let rest = whole.strip_prefix(alias).filter(|rest| rest.starts_with('['))?;
        Some(format!("{name}{rest}"))
    });
    alias.unwrap_or(whole)
}

/// Returns the paths in a response.
fn shown<T: ToSchema>() -> Arc<HashSet<String>> {
    static SHOWN: LazyLock<Mutex<BTreeMap<String, Arc<HashSet<String>>>>> =
        LazyLock::new(Mutex::default);
    let mut known = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let places = known.entry(T::name().into_owned()).or_insert_with(|| {
        let mut schemas = Vec::new();
        T::schemas(&mut schemas);
        let json = |schema| serde_json::to_value(schema).unwrap_or_default();
        let named = schemas.into_iter().map(|(name, schema)| (name, json(schema))).collect();
        let mut places = HashSet::new();
        collect(&json(T::schema()), &named, "", 0, &mut places);
        Arc::new(places)
    });
    Arc::clone(places)
}

/// The maximum nesting of objects in responses.
const DEPTH: usize = 12;

fn collect(
    schema: &Value,
    named: &BTreeMap<String, Value>,
    place: &str,
    depth: usize,
    places: &mut HashSet<String>,
) {
    if depth > DEPTH {
        return;
    }
    let reference = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    if let Some(schema) = reference.and_then(|name| named.get(name)) {
        collect(schema, named, place, depth + 1, places);
    }
    for either in ["allOf", "oneOf", "anyOf"] {
        for one in schema[either].as_array().into_iter().flatten() {
            collect(one, named, place, depth + 1, places);
        }
    }
    if schema.get("items").is_some() {
        collect(&schema["items"], named, &format!("{place}[]"), depth + 1, places);
    }
    for (key, schema) in schema["properties"].as_object().into_iter().flatten() {
        let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
        collect(schema, named, &place, depth + 1, places);
        places.insert(place);
    }
}
