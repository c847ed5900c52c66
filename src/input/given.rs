//! Fields of an update: a value, `null` for none, or undefined, which keeps the stored value.

use async_graphql::MaybeUndefined;
use serde::{Deserialize, Deserializer};
use toposcope_types::{object::Object, whole};

use super::text;
use crate::error::{Error, Result};

/// Returns a given field: a value, or `null` for none.
pub(crate) fn said<T>(value: Option<T>) -> MaybeUndefined<T> {
    value.map_or(MaybeUndefined::Null, MaybeUndefined::Value)
}

/// Returns the given value of a field, or the stored one if the field is omitted.
pub(crate) fn or_stored<T: Clone>(given: &MaybeUndefined<T>, stored: Option<T>) -> Option<T> {
    match given {
        MaybeUndefined::Undefined => stored,
        MaybeUndefined::Null => None,
        MaybeUndefined::Value(value) => Some(value.clone()),
    }
}

/// Returns the given text of a field, or the stored one if the field is omitted. Checks its length
/// in characters; an empty text counts as none.
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

/// Returns the value given by one of two names. If they differ, the one that is not `stored`
/// counts: clients send fields that they do not know back unchanged.
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

/// Returns a value that a new row must have.
pub(crate) fn required<T>(field: &str, given: Option<T>) -> Result<T> {
    given.ok_or_else(|| Error::Required { field: field.to_owned() })
}

/// Reads a value that may be omitted, but not `null`.
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

/// Reads a whole number or `null`.
pub(crate) fn number<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<MaybeUndefined<i64>, D::Error> {
    whole::optional(deserializer).map(said)
}

/// Reads a list of whole numbers or `null`.
pub(crate) fn numbers<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<MaybeUndefined<Vec<i64>>, D::Error> {
    whole::optional_list(deserializer).map(said)
}
