//! Free-form JSON in responses.

use async_graphql::{InputValueResult, Scalar, ScalarType, Value};

/// A JSON value whose structure this API does not define.
#[derive(Clone, Debug)]
pub struct Json(pub serde_json::Value);

/// Any JSON value.
#[Scalar(name = "JSON", specified_by_url = "https://datatracker.ietf.org/doc/html/rfc8259")]
impl ScalarType for Json {
    fn parse(value: Value) -> InputValueResult<Self> {
        Ok(Self(value.into_json()?))
    }

    fn to_value(&self) -> Value {
        async_graphql::to_value(&self.0).expect("it is JSON already")
    }
}
