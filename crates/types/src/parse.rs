//! Reading types with a text form from JSON and GraphQL: one way for all.

use std::fmt::{self, Display, Formatter};
use std::marker::PhantomData;
use std::str::FromStr;

#[cfg(feature = "graphql")]
use async_graphql::{InputType, InputValueError, InputValueResult, Value};
use serde::de::{Deserializer, Error, Visitor};
#[cfg(feature = "openapi")]
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, SchemaFormat, Type};

/// Reads a GraphQL string as a `T`.
#[cfg(feature = "graphql")]
pub(super) fn graphql_string<T>(value: &Value) -> InputValueResult<T>
where
    T: InputType + FromStr<Err: Display>,
{
    match value {
        Value::String(text) => text.parse().map_err(invalid_format),
        other => Err(unexpected(other)),
    }
}

/// Creates a GraphQL input error with the code `validation_invalid_format`.
#[cfg(feature = "graphql")]
pub(super) fn invalid_format<T: InputType>(error: impl Display) -> InputValueError<T> {
    InputValueError::custom(error).with_extension("code", "validation_invalid_format")
}

/// Creates the error for a GraphQL value whose kind the scalar does not accept.
#[cfg(feature = "graphql")]
pub(super) fn unexpected<T: InputType>(value: &Value) -> InputValueError<T> {
    InputValueError::expected_type(value.clone())
        .with_extension("code", "validation_invalid_format")
}

/// Reads a string of any serde format as a `T`, without copying it.
pub(super) fn serde_string<'de, D, T>(
    deserializer: D,
    expecting: &'static str,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    deserializer.deserialize_str(FromString { expecting, parsed: PhantomData })
}

struct FromString<T> {
    expecting: &'static str,
    parsed: PhantomData<T>,
}

impl<T: FromStr<Err: Display>> Visitor<'_> for FromString<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.expecting)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// Creates the schema of a type that is written as text.
#[cfg(feature = "openapi")]
pub(super) fn text_schema(
    format: Option<&str>,
    pattern: Option<&str>,
    description: &str,
    example: &str,
) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(format.map(|format| SchemaFormat::Custom(format.to_owned())))
        .pattern(pattern)
        .description(Some(description))
        .examples([example])
        .into()
}
