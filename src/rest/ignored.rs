//! The ignored keys of a body, so that clients see that the values are lost.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use serde_json::Value;
use toposcope_types::json_path;
use utoipa::ToSchema;

/// The maximum number of reported keys.
const MOST: usize = 100;

/// Additional names of parts in responses, which the document omits.
const ALIASES: [(&str, &str); 1] = [("ip_addresses", "interfaces")];

/// Returns the paths of the keys that responses do not contain either: clients send back what they
/// received.
pub(super) fn unknown<T: ToSchema>(mut paths: Vec<String>) -> Vec<String> {
    if paths.is_empty() {
        return paths;
    }
    let shown = shown::<T>();
    paths.retain(|path| {
        let key = path.rsplit('.').next().unwrap_or(path);
        key != "expected_updated_at" && !shown.contains(&everywhere(path))
    });
    paths.truncate(MOST);
    paths
}

/// Removes the indexes from a path, so that it covers every element of its lists.
fn everywhere(path: &str) -> String {
    let mut parts = path.split('[');
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
    let paths = known.entry(T::name().into_owned()).or_insert_with(|| {
        let mut schemas = Vec::new();
        T::schemas(&mut schemas);
        let json = |schema| serde_json::to_value(schema).unwrap_or_default();
        let named = schemas.into_iter().map(|(name, schema)| (name, json(schema))).collect();
        let mut paths = HashSet::new();
        collect(&json(T::schema()), &named, "", 0, &mut paths);
        Arc::new(paths)
    });
    Arc::clone(paths)
}

/// The maximum nesting of objects in responses.
const DEPTH: usize = 12;

fn collect(
    schema: &Value,
    named: &BTreeMap<String, Value>,
    path: &str,
    depth: usize,
    paths: &mut HashSet<String>,
) {
    if depth > DEPTH {
        return;
    }
    let reference = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next());
    if let Some(schema) = reference.and_then(|name| named.get(name)) {
        collect(schema, named, path, depth + 1, paths);
    }
    for either in ["allOf", "oneOf", "anyOf"] {
        for one in schema[either].as_array().into_iter().flatten() {
            collect(one, named, path, depth + 1, paths);
        }
    }
    if schema.get("items").is_some() {
        collect(&schema["items"], named, &format!("{path}[]"), depth + 1, paths);
    }
    for (key, schema) in schema["properties"].as_object().into_iter().flatten() {
        let path = json_path::of_key(path, key);
        collect(schema, named, &path, depth + 1, paths);
        paths.insert(path);
    }
}
