//! What a change says of a field: a value, that there is none, or nothing, which leaves what is stored.

use async_graphql::MaybeUndefined;
use serde::{Deserialize, Deserializer};
use toposcope_types::object::Object;

use super::text;
use crate::error::{Error, Result};

/// All that there is to say of a field: a value, or that there is none.
pub(crate) fn said<T>(value: Option<T>) -> MaybeUndefined<T> {
    value.map_or(MaybeUndefined::Null, MaybeUndefined::Value)
}

/// What of a field is said, or else what is stored.
pub(crate) fn or_stored<T: Clone>(given: &MaybeUndefined<T>, stored: Option<T>) -> Option<T> {
    match given {
        MaybeUndefined::Undefined => stored,
        MaybeUndefined::Null => None,
        MaybeUndefined::Value(value) => Some(value.clone()),
    }
}

/// The same of a text within its length in characters, of which an empty one is none.
pub(crate) fn text_or_stored(
    field: &str,
    given: &MaybeUndefined<String>,
    stored: Option<String>,
    max: usize,
) -> Result<Option<String>> {
    match given {
        MaybeUndefined::Undefined => Ok(stored),
        MaybeUndefined::Null => Ok(None),
        MaybeUndefined::Value(value) => {
            let text = text::required(field, value.clone(), 0, max)?;
            Ok(Some(text).filter(|text| !text.is_empty()))
        }
    }
}

/// What is said by one of two names. Of two that differ, the one is meant that is not what is `stored`:
/// clients send back what they do not know as they got it.
pub(crate) fn either<T: PartialEq>(
    (name, one): (&str, Option<T>),
    (alias, other): (&str, Option<T>),
    stored: impl Fn(&T) -> bool,
) -> Result<Option<T>> {
    match (one, other) {
        (Some(one), Some(other)) if one == other || stored(&other) => Ok(Some(one)),
        (Some(one), Some(other)) if stored(&one) => Ok(Some(other)),
        (Some(_), Some(_)) => {
            Err(Error::invalid(alias, format!("it says otherwise than `{name}`; send one of them")))
        }
        (one, other) => Ok(one.or(other)),
    }
}

/// A value that something new must have.
pub(crate) fn required<T>(field: &str, given: Option<T>) -> Result<T> {
    given.ok_or_else(|| Error::Required { field: field.to_owned() })
}

/// Reads a value that is left out or given, but not `null`.
pub(crate) fn value<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> std::result::Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Reads an object or `null`.
pub(crate) fn object<'de, D: Deserializer<'de>, T: serde::de::DeserializeOwned>(
    deserializer: D,
) -> std::result::Result<MaybeUndefined<T>, D::Error> {
    let object = Option::<Object<T>>::deserialize(deserializer)?;
    Ok(said(object.map(|Object(object)| object)))
}
