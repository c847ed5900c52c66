//! How a neighbor was heard.

#[cfg(feature = "graphql")]
use async_graphql::Enum;
#[cfg(feature = "sql")]
use sea_orm::{DeriveActiveEnum, EnumIter};

use super::NeighborProtocol;

/// By which protocol a neighbor was heard, in the order of their authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "sql", sea_orm(rs_type = "i32", db_type = "Integer"))]
pub enum Method {
    /// A person said so.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 0))]
    Pinned,
    /// Link Layer Discovery Protocol (IEEE 802.1AB).
    #[cfg_attr(feature = "sql", sea_orm(num_value = 1))]
    Lldp,
    /// Cisco Discovery Protocol.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 2))]
    Cdp,
    /// The one usable MAC address of the forwarding table of the port (dot1dTpFdbTable, RFC 4188).
    #[cfg_attr(feature = "sql", sea_orm(num_value = 3))]
    Fdb,
}

impl Method {
    /// That of a protocol.
    pub const fn of(protocol: NeighborProtocol) -> Self {
        match protocol {
            NeighborProtocol::Lldp => Self::Lldp,
            NeighborProtocol::Cdp => Self::Cdp,
        }
    }

    /// Whether it is a protocol by which neighbors tell of themselves.
    pub const fn is_heard(self) -> bool {
        matches!(self, Self::Lldp | Self::Cdp)
    }

    /// How exports and sentences spell it.
    pub const fn spelled(self) -> &'static str {
        match self {
            Self::Pinned => "pinned",
            Self::Lldp => "LLDP",
            Self::Cdp => "CDP",
            Self::Fdb => "FDB",
        }
    }

    /// By what or whom links are made so.
    pub const fn by(self) -> &'static str {
        match self {
            Self::Pinned => "hand",
            other => other.spelled(),
        }
    }
}
