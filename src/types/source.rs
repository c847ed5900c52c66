//! Where a row comes from: a person, this product, or a scan.

use async_graphql::{Enum, InputValueResult, Scalar, ScalarType, SimpleObject};
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Json, parse};

/// Where a row comes from; stored as its JSON.
#[derive(
    Debug,
    Clone,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    FromJsonQueryResult,
    utoipa::ToSchema,
)]
#[serde(tag = "type")]
pub enum Source {
    /// A person entered it.
    #[default]
    Manual,
    /// This product made it.
    System,
    /// Nobody recorded it.
    Unknown,
    /// A scan found it.
    Discovery {
        /// One entry for each scan, with its `type`, its `date` and what else it noted.
        #[serde(default)]
        metadata: Vec<Value>,
    },
    /// A scan found it and recognized it.
    DiscoveryWithMatch {
        /// One entry for each scan, with its `type`, its `date` and what else it noted.
        #[serde(default)]
        metadata: Vec<Value>,
        /// What it was recognized by.
        #[serde(default)]
        details: Value,
    },
}

/// Where a row comes from, as JSON: `{"type": "Manual"}`, `System`, `Unknown`, `Discovery` with
/// `metadata`, or `DiscoveryWithMatch` with `metadata` and `details`.
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

/// The ways in which a row came to be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum SourceType {
    /// A person entered it.
    Manual,
    /// This product made it.
    System,
    /// Nobody recorded it.
    Unknown,
    /// A scan found it.
    Discovery,
    /// A scan found it and recognized it.
    DiscoveryWithMatch,
}

/// Where a row comes from.
#[derive(Clone, Debug, SimpleObject)]
pub struct SourceDetails {
    /// In which way it was recorded.
    #[graphql(name = "type")]
    source_type: SourceType,
    /// The scans that found it; none unless a scan did.
    scans: Vec<SourceScan>,
    /// What a scan recognized it by.
    matched: Option<Json>,
}

/// A scan that found a row.
#[derive(Clone, Debug, SimpleObject)]
pub struct SourceScan {
    /// The kind of scan, as it calls itself.
    #[graphql(name = "type")]
    scan_type: Option<String>,
    /// When it was, as it wrote that down.
    date: Option<String>,
    /// All that it noted.
    metadata: Json,
}

impl From<&Value> for SourceScan {
    fn from(metadata: &Value) -> Self {
        let text = |key: &str| metadata[key].as_str().map(str::to_owned);
        Self { scan_type: text("type"), date: text("date"), metadata: Json(metadata.clone()) }
    }
}

impl From<&Source> for SourceDetails {
    fn from(source: &Source) -> Self {
        let (source_type, scans, matched) = match source {
            Source::Manual => (SourceType::Manual, &[][..], None),
            Source::System => (SourceType::System, &[][..], None),
            Source::Unknown => (SourceType::Unknown, &[][..], None),
            Source::Discovery { metadata } => (SourceType::Discovery, &metadata[..], None),
            Source::DiscoveryWithMatch { metadata, details } => {
                (SourceType::DiscoveryWithMatch, &metadata[..], Some(Json(details.clone())))
            }
        };
        Self { source_type, scans: scans.iter().map(Into::into).collect(), matched }
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
