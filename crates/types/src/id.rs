//! Row identifiers: `UUIDv7`, so that ids sort by creation time.

use std::fmt::{self, Debug, Display, Formatter};
use std::str::FromStr;

#[cfg(feature = "graphql")]
use async_graphql::{InputValueResult, Scalar, ScalarType, Value};
#[cfg(feature = "sql")]
use sea_orm::{DbErr, DeriveValueType, TryFromU64};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "openapi")]
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;
use uuid::fmt::Hyphenated;

use super::parse;

/// The id of a row, the built-in `ID` of GraphQL.
///
/// # Examples
///
/// ```ignore
/// let id: Id = "0197F6E4-5C3B-7A10-8B6E-2F1D3C4B5A69".parse()?;
/// assert_eq!(id.to_string(), "0197f6e4-5c3b-7a10-8b6e-2f1d3c4b5a69");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "sql", derive(DeriveValueType))]
pub struct Id(Uuid);

/// An error for text that is not an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an id: expected a UUID of 36 characters with hyphens or of 32 hexadecimal digits")]
pub struct IdError;

impl Id {
    /// Creates an id that sorts after all earlier ids of this process.
    pub fn new() -> Self {
        Self(Uuid::now_v7())
    }

    /// Returns the nil id, all zeros, which identifies nothing.
    pub const fn nil() -> Self {
        Self(Uuid::nil())
    }

    /// Returns whether this is the nil id.
    pub const fn is_nil(self) -> bool {
        self.0.is_nil()
    }

    /// Creates an id from 16 octets that are derived from something else, such as a digest (version
    /// 8, RFC 9562).
    pub const fn of_octets(octets: [u8; 16]) -> Self {
        Self(uuid::Builder::from_custom_bytes(octets).into_uuid())
    }

    /// Returns the underlying UUID.
    pub const fn uuid(self) -> Uuid {
        self.0
    }

    fn encode(self, buffer: &mut [u8; Hyphenated::LENGTH]) -> &str {
        self.0.hyphenated().encode_lower(buffer)
    }
}

impl Default for Id {
    fn default() -> Self {
        Self::new()
    }
}

/// GraphQL interfaces pass on the references that the fields of their objects return.
impl From<&Self> for Id {
    fn from(id: &Self) -> Self {
        *id
    }
}

impl From<Uuid> for Id {
    fn from(uuid: Uuid) -> Self {
        Self(uuid)
    }
}

impl From<Id> for Uuid {
    fn from(id: Id) -> Self {
        id.0
    }
}

impl FromStr for Id {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        // Uuid also parses braces and URNs; both differ in length from the two forms accepted here.
        match text.len() {
            Hyphenated::LENGTH | 32 => Uuid::try_parse(text).map(Self).map_err(|_| IdError),
            _ => Err(IdError),
        }
    }
}

impl Display for Id {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.pad(self.encode(&mut [0; Hyphenated::LENGTH]))
    }
}

impl Debug for Id {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, formatter)
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.encode(&mut [0; Hyphenated::LENGTH]))
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parse::serde_string(deserializer, "a UUID")
    }
}

#[cfg(feature = "sql")]
impl TryFromU64 for Id {
    /// Returns an error: ids are created here, never numbered by the database.
    fn try_from_u64(_: u64) -> Result<Self, DbErr> {
        Err(DbErr::ConvertFromU64("Id"))
    }
}

/// A UUID. Output is lowercase with hyphens; input may also be uppercase and without hyphens.
#[cfg(feature = "graphql")]
#[Scalar(name = "ID")]
impl ScalarType for Id {
    fn parse(value: Value) -> InputValueResult<Self> {
        parse::graphql_string(&value)
    }

    fn to_value(&self) -> Value {
        Value::String(self.encode(&mut [0; Hyphenated::LENGTH]).to_owned())
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Id {
    fn schema() -> RefOr<Schema> {
        parse::text_schema(
            Some("uuid"),
            None,
            "A UUID: in lower case with hyphens on the way out; on the way in also in capitals and without hyphens.",
            "0197f6e4-5c3b-7a10-8b6e-2f1d3c4b5a69",
        )
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Id {}

#[cfg(test)]
mod tests {
    use async_graphql::{EmptyMutation, EmptySubscription, InputObject, Object, Schema};
    use proptest::prelude::*;

    use super::*;

    struct Query;

    #[derive(InputObject)]
    struct Wanted {
        ids: Vec<Id>,
    }

    #[Object]
    impl Query {
        async fn echo(&self, id: Id) -> Id {
            id
        }

        async fn first(&self, wanted: Wanted) -> Option<Id> {
            wanted.ids.first().copied()
        }

        async fn own(&self) -> async_graphql::ID {
            "x".into()
        }
    }

    #[test]
    fn only_the_two_plain_spellings_are_ids() {
        let expected = "0197f6e4-5c3b-7a10-8b6e-2f1d3c4b5a69";
        for text in [
            expected,
            "0197F6E4-5C3B-7A10-8B6E-2F1D3C4B5A69",
            "0197f6e45c3b7a108b6e2f1d3c4b5a69",
            "0197F6e45c3b7a108B6E2f1d3c4b5a69",
        ] {
            assert_eq!(text.parse::<Id>().map(|id| id.to_string()), Ok(expected.to_owned()));
        }
        for text in [
            "",
            " 0197f6e4-5c3b-7a10-8b6e-2f1d3c4b5a69",
            "{0197f6e4-5c3b-7a10-8b6e-2f1d3c4b5a69}",
            "{0197f6e45c3b7a108b6e2f1d3c4b5a69}",
            "urn:uuid:0197f6e4-5c3b-7a10-8b6e-2f1d3c4b5a69",
            "0197f6e4-5c3b-7a10-8b6e2f1d3c4b5a69",
            "0197f6e45-c3b-7a10-8b6e-2f1d3c4b5a69",
            "0197f6e4-5c3b-7a10-8b6e-2f1d3c4b5a6g",
            "0197f6e45c3b7a108b6e2f1d3c4b5a6é",
        ] {
            assert_eq!(text.parse::<Id>(), Err(IdError), "{text}");
        }
    }

    #[test]
    fn new_ids_rise() {
        let ids: Vec<Id> = (0..1_000).map(|_| Id::new()).collect();
        assert!(ids.is_sorted_by(|earlier, later| earlier < later));
    }

    #[tokio::test]
    async fn graphql_knows_it_as_the_built_in_id() {
        let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
        assert!(schema.sdl().contains("echo(id: ID!): ID!"), "{}", schema.sdl());
        assert!(!schema.sdl().contains("scalar ID"));
        let answer =
            schema.execute(r#"{ echo(id: "0197F6E45C3B7A108B6E2F1D3C4B5A69") own }"#).await;
        assert_eq!(
            answer.data.to_string(),
            r#"{echo: "0197f6e4-5c3b-7a10-8b6e-2f1d3c4b5a69", own: "x"}"#
        );
    }

    #[tokio::test]
    async fn graphql_refuses_a_malformed_id_with_a_code() {
        let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
        for query in
            [r#"{ echo(id: "17") }"#, "{ echo(id: 17) }", r#"{ first(wanted: {ids: ["17"]}) }"#]
        {
            let errors = schema.execute(query).await.errors;
            let code = errors[0].extensions.as_ref().and_then(|values| values.get("code"));
            assert_eq!(code, Some(&Value::from("validation_invalid_format")), "{errors:?}");
        }
    }

    proptest! {
        #[test]
        fn every_id_survives_text_and_json(bits: u128) {
            let id = Id::from(Uuid::from_u128(bits));
            prop_assert_eq!(id.to_string().parse::<Id>(), Ok(id));
            let json = serde_json::to_string(&id).unwrap();
            prop_assert_eq!(serde_json::from_str::<Id>(&json).unwrap(), id);
        }

        #[test]
        fn no_text_panics(text: String) {
            let _ = text.parse::<Id>();
        }
    }
}
