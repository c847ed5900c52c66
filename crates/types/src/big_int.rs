//! 64-bit integers, for values that do not fit GraphQL's 32-bit `Int`: speeds, counters, sizes.

use std::fmt::{self, Display, Formatter};

#[cfg(feature = "graphql")]
use async_graphql::{InputValueResult, Scalar, ScalarType, Value};
#[cfg(feature = "sql")]
use sea_orm::DeriveValueType;
use serde::{Deserialize, Serialize};

#[cfg(feature = "graphql")]
use super::parse;
use super::whole;

/// A signed 64-bit integer.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "sql", derive(DeriveValueType))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct BigInt(#[serde(deserialize_with = "whole::required")] pub i64);

impl From<i64> for BigInt {
    fn from(number: i64) -> Self {
        Self(number)
    }
}

impl From<BigInt> for i64 {
    fn from(number: BigInt) -> Self {
        number.0
    }
}

impl Display for BigInt {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, formatter)
    }
}

/// A 64-bit integer, written as a JSON number. A string of digits is accepted as well, for clients
/// whose numbers lose precision above 2^53.
#[cfg(feature = "graphql")]
#[Scalar(
    name = "BigInt",
    specified_by_url = "https://datatracker.ietf.org/doc/html/rfc8259#section-6"
)]
impl ScalarType for BigInt {
    fn parse(value: Value) -> InputValueResult<Self> {
        let number = match &value {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => text.parse().ok(),
            other => return Err(parse::unexpected(other)),
        };
        number
            .map(Self)
            .ok_or_else(|| parse::invalid_format("expected a whole number of at most 64 bits"))
    }

    fn is_valid(value: &Value) -> bool {
        Self::parse(value.clone()).is_ok()
    }

    fn to_value(&self) -> Value {
        Value::Number(self.0.into())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_and_digits_are_read_and_nothing_else() {
        for value in [Value::from(i64::MAX), Value::from(i64::MAX.to_string())] {
            assert_eq!(BigInt::parse(value).unwrap(), BigInt(i64::MAX));
        }
        for value in [
            Value::from(1.5),
            Value::from(u64::MAX),
            Value::from("1e3"),
            Value::from(true),
            Value::Null,
        ] {
            assert!(BigInt::parse(value).is_err());
        }
    }

    proptest! {
        #[test]
        fn every_number_survives(number: i64) {
            prop_assert_eq!(BigInt::parse(BigInt(number).to_value()).unwrap(), BigInt(number));
            prop_assert_eq!(serde_json::to_string(&BigInt(number)).unwrap(), number.to_string());
        }
    }
}
