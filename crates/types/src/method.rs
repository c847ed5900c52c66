//! The methods by which neighbors are heard.

#[cfg(feature = "graphql")]
use async_graphql::Enum;
#[cfg(feature = "sql")]
use sea_orm::{DeriveActiveEnum, EnumIter};

use super::NeighborProtocol;

/// The protocol through which a neighbor was heard, in order of authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "sql", sea_orm(rs_type = "i32", db_type = "Integer"))]
pub enum Method {
    /// A user pinned the neighbor.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 0))]
    Pinned,
    /// Link Layer Discovery Protocol (IEEE 802.1AB).
    #[cfg_attr(feature = "sql", sea_orm(num_value = 1))]
    Lldp,
    /// Cisco Discovery Protocol.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 2))]
    Cdp,
    /// The only usable MAC address in the port's forwarding table (dot1dTpFdbTable, RFC 4188).
    #[cfg_attr(feature = "sql", sea_orm(num_value = 3))]
    Fdb,
}

impl Method {
    /// Returns the method of a protocol.
    pub const fn of(protocol: NeighborProtocol) -> Self {
        match protocol {
            NeighborProtocol::Lldp => Self::Lldp,
            NeighborProtocol::Cdp => Self::Cdp,
        }
    }

    /// Returns whether it is a protocol through which neighbors announce themselves.
    pub const fn is_heard(self) -> bool {
        matches!(self, Self::Lldp | Self::Cdp)
    }

    /// Returns the spelling in exports and sentences.
    pub const fn spelled(self) -> &'static str {
        match self {
            Self::Pinned => "pinned",
            Self::Lldp => "LLDP",
            Self::Cdp => "CDP",
            Self::Fdb => "FDB",
        }
    }

    /// Returns the word for what joined a link, as in "joined by LLDP" or "joined by hand".
    pub const fn by(self) -> &'static str {
        match self {
            Self::Pinned => "hand",
            other => other.spelled(),
        }
    }
}
