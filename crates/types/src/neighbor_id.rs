//! The neighbor that an interface is connected to.

#[cfg(feature = "graphql")]
use async_graphql::{Enum, InputObject};
use serde::{Deserialize, Serialize};
#[cfg(feature = "openapi")]
use utoipa::ToSchema;

use super::Id;

/// The kind of entity that a neighbor is known as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub enum NeighborType {
    /// The far port is known.
    IfEntry,
    /// Only the far device is known.
    Host,
}

/// The neighbor that an interface is connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(InputObject))]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[cfg_attr(feature = "graphql", graphql(name = "NeighborInput"))]
#[cfg_attr(feature = "openapi", schema(as = Neighbor))]
pub struct NeighborId {
    /// Whether `id` is that of a port or of a device.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "graphql", graphql(name = "type"))]
    pub neighbor_type: NeighborType,
    /// The id of the port or device.
    pub id: Id,
}

impl NeighborId {
    /// Creates a neighbor from two columns: the port if it is known, otherwise the device.
    pub fn of_columns(if_entry_id: Option<Id>, host_id: Option<Id>) -> Option<Self> {
        let of = |neighbor_type| move |id| Self { neighbor_type, id };
        if_entry_id.map(of(NeighborType::IfEntry)).or_else(|| host_id.map(of(NeighborType::Host)))
    }

    /// Splits a neighbor into two columns, at most one of which is filled: the port, and the
    /// device.
    pub fn columns(neighbor: Option<Self>) -> (Option<Id>, Option<Id>) {
        let of = |wanted| neighbor.filter(|far| far.neighbor_type == wanted).map(|far| far.id);
        (of(NeighborType::IfEntry), of(NeighborType::Host))
    }
}
