//! JSON objects: `serde` would also accept a list of the fields in their order, which no client
//! means.

use std::{
    fmt::{self, Formatter},
    marker::PhantomData,
};

use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer,
};

/// Reads an object.
pub fn required<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_map(Keys(PhantomData))
}

/// Reads an object or `null`.
pub fn optional<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let object = Option::<Object<T>>::deserialize(deserializer)?;
    Ok(object.map(|Object(object)| object))
}

/// A value that is read from an object only.
pub struct Object<T>(pub T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        required(deserializer).map(Self)
    }
}

struct Keys<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for Keys<T> {
    type Value = T;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<T, M::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}
