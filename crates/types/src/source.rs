//! The origin of a row: a person, this product, or a scan.

#[cfg(feature = "graphql")]
use async_graphql::{InputValueResult, Scalar, ScalarType};
#[cfg(feature = "sql")]
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[cfg(feature = "graphql")]
use super::parse;

/// The origin of a row, stored as its JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "sql", derive(FromJsonQueryResult))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type")]
pub enum Source {
    /// A person entered it.
    #[default]
    Manual,
    /// This product created it.
    System,
    /// Nobody recorded the origin.
    Unknown,
    /// A scan found it.
    Discovery {
        /// One entry per scan, with its `type`, its `date` and any other details.
        #[serde(default)]
        metadata: Vec<Value>,
    },
    /// A scan found it and recognized it.
    DiscoveryWithMatch {
        /// One entry per scan, with its `type`, its `date` and any other details.
        #[serde(default)]
        metadata: Vec<Value>,
        /// The details by which the scan recognized it.
        #[serde(default)]
        details: Value,
    },
}

/// The origin of a row, as JSON: `{"type": "Manual"}`, `System`, `Unknown`, `Discovery` with
/// `metadata`, or `DiscoveryWithMatch` with `metadata` and `details`.
#[cfg(feature = "graphql")]
#[Scalar(
    name = "Source",
    specified_by_url = "https://datatracker.ietf.org/doc/html/rfc8259#section-4"
)]
impl ScalarType for Source {
    fn parse(value: async_graphql::Value) -> InputValueResult<Self> {
        async_graphql::from_value(value).map_err(parse::invalid_format)
    }

    fn to_value(&self) -> async_graphql::Value {
        async_graphql::to_value(self).expect("it has only string keys and no failing part")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_source_is_written_as_the_contract_says() {
        for value in [
            json!({"type": "Manual"}),
            json!({"type": "System"}),
            json!({"type": "Unknown"}),
            json!({"type": "Discovery", "metadata": [{"type": "Network", "date": "2026-01-01"}]}),
            json!({"type": "DiscoveryWithMatch", "metadata": [], "details": {"a": [1, null]}}),
        ] {
            let source: Source = serde_json::from_value(value.clone()).unwrap();
            assert_eq!(serde_json::to_value(&source).unwrap(), value);
            assert_eq!(Source::parse(source.to_value()).unwrap(), source);
        }
        assert!(serde_json::from_value::<Source>(json!({"type": "Guess"})).is_err());
    }
}
