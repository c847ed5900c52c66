//! The layers of a network.

use std::str::FromStr;

#[cfg(feature = "graphql")]
use async_graphql::Enum;
use serde::Serialize;

/// A layer of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "UPPERCASE")]
#[cfg_attr(feature = "graphql", graphql(name = "TopologyLayer"))]
#[cfg_attr(feature = "openapi", schema(as = TopologyLayer))]
pub enum Layer {
    /// Devices, and the links between their ports.
    L2,
    /// Devices, and the subnets that contain their addresses.
    L3,
    /// Services, and their dependencies by the order of groups.
    Application,
}

impl Layer {
    /// Returns the name used in requests and file names.
    pub const fn name(self) -> &'static str {
        match self {
            Self::L2 => "l2",
            Self::L3 => "l3",
            Self::Application => "application",
        }
    }

    /// Returns the display title.
    pub const fn title(self) -> &'static str {
        match self {
            Self::L2 => "Layer 2",
            Self::L3 => "Layer 3",
            Self::Application => "Applications",
        }
    }
}

impl FromStr for Layer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::L2, Self::L3, Self::Application]
            .into_iter()
            .find(|layer| layer.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| "use one of L2, L3, APPLICATION".to_owned())
    }
}
