//! The origin of a row as a GraphQL object.

use async_graphql::{Enum, SimpleObject};
use serde_json::Value;

use super::{Json, Source};

/// The type of a row's origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum SourceType {
    /// A person entered it.
    Manual,
    /// This product created it.
    System,
    /// Nobody recorded the origin.
    Unknown,
    /// A scan found it.
    Discovery,
    /// A scan found it and recognized it.
    DiscoveryWithMatch,
}

/// The origin of a row.
#[derive(Clone, Debug, SimpleObject)]
pub struct SourceDetails {
    /// The type of the origin.
    #[graphql(name = "type")]
    source_type: SourceType,
    /// The scans that found the row; empty unless a scan did.
    scans: Vec<SourceScan>,
    /// The details by which a scan recognized the row.
    matched: Option<Json>,
}

/// A scan that found a row.
#[derive(Clone, Debug, SimpleObject)]
pub struct SourceScan {
    /// The kind of scan, as the scan reports it.
    #[graphql(name = "type")]
    scan_type: Option<String>,
    /// The date of the scan, as the scan reports it.
    date: Option<String>,
    /// All details that the scan recorded.
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
