//! What a contradiction between ports is.

#[cfg(feature = "graphql")]
use async_graphql::Enum;
use serde::Serialize;

/// What a contradiction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum MiscablingKind {
    /// A port hears another, which itself hears a third.
    FarEnd,
    /// A weaker protocol says otherwise than a stronger one.
    Contradiction,
    /// The ports of a link have different speeds.
    Speed,
    /// Several links end at a port that has one cable.
    SeveralLinks,
}
