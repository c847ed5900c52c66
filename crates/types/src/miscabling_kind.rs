//! The kinds of contradiction between ports.

#[cfg(feature = "graphql")]
use async_graphql::Enum;
use serde::Serialize;

/// The kind of a contradiction between ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum MiscablingKind {
    /// A port hears another port, which itself hears a third.
    FarEnd,
    /// A weaker protocol disagrees with a stronger one.
    Contradiction,
    /// The ports of a link have different speeds.
    Speed,
    /// Several links end at a port that has one cable.
    SeveralLinks,
    /// The ports of a link have different native VLANs.
    NativeVlan,
    /// One port of a link carries VLANs that the other does not.
    Vlans,
    /// One port of a link is full duplex, and the other half duplex.
    Duplex,
    /// The ports of a link have different MTUs.
    Mtu,
    /// One device bundles cables that the other does not.
    OneSidedAggregate,
}
