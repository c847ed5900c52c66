//! The keys of a body that mean nothing, so that who sends them sees that they are lost.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use serde_json::Value;
use utoipa::ToSchema;

/// The most that are told.
const MOST: usize = 100;

/// Names that answers have for their parts besides, which the document leaves out.
const ALIASES: [(&str, &str); 1] = [("ip_addresses", "interfaces")];

/// What is left of the places of keys without those that answers show: clients send back what they got.
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

/// A place in every element of the lists that it is in.
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

/// The places that an answer shows.
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

/// How deep things are shown in each other at most.
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
