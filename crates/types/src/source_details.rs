//! Where a row comes from, as GraphQL gives it field by field.

use async_graphql::{Enum, SimpleObject};
use serde_json::Value;

use super::{Json, Source};

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
