//! The keys of a body that mean nothing, so that who sends them sees that they are lost.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use serde_json::Value;
use utoipa::ToSchema;

/// The most that are told.
const MOST: usize = 100;

/// What is left of the places of keys without those that answers show: clients send back what they got.
pub(super) fn unknown<T: ToSchema>(mut places: Vec<String>) -> Vec<String> {
    if places.is_empty() {
        return places;
    }
    let shown = shown::<T>();
    places.retain(|place| {
        let key = place.rsplit('.').next().unwrap_or(place);
        key != "expected_updated_at" && !shown.contains(key)
    });
    places.truncate(MOST);
    places
}

/// The keys that an answer shows, at any depth.
fn shown<T: ToSchema>() -> Arc<HashSet<String>> {
    static SHOWN: LazyLock<Mutex<BTreeMap<String, Arc<HashSet<String>>>>> =
        LazyLock::new(Mutex::default);
    let mut known = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let keys = known.entry(T::name().into_owned()).or_insert_with(|| {
        let mut schemas = Vec::new();
        T::schemas(&mut schemas);
        let mut keys = HashSet::new();
        for schema in schemas.into_iter().map(|(_, schema)| schema).chain([T::schema()]) {
            collect(&serde_json::to_value(schema).unwrap_or_default(), &mut keys);
        }
        Arc::new(keys)
    });
    Arc::clone(keys)
}

fn collect(schema: &Value, keys: &mut HashSet<String>) {
    match schema {
        Value::Object(map) => {
            let properties = map.get("properties").and_then(Value::as_object);
            keys.extend(properties.into_iter().flatten().map(|(key, _)| key.clone()));
            map.values().for_each(|value| collect(value, keys));
        }
        Value::Array(all) => all.iter().for_each(|value| collect(value, keys)),
        _ => {}
    }
}
