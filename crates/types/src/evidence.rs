//! The evidence that identifies devices and ports.

#[cfg(feature = "graphql")]
use async_graphql::Enum;
#[cfg(feature = "sql")]
use sea_orm::{DeriveActiveEnum, EnumIter};

/// The evidence that identified a device, from strongest to weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "sql", sea_orm(rs_type = "i32", db_type = "Integer"))]
pub enum HostTier {
    /// A user pinned the neighbor.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 0))]
    Pin,
    /// The neighbor matches an alias that a user taught.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 1))]
    Alias,
    /// The chassis id is the one recorded for the device.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 2))]
    ChassisId,
    /// The MAC address in the chassis id belongs to an interface or a port of the device.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 3))]
    ChassisMac,
    /// The network address in the chassis id belongs to the device.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 4))]
    ChassisAddress,
    /// The chassis id is the name of the device.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 5))]
    ChassisName,
    /// The neighbor's management address belongs to the device.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 6))]
    ManagementAddress,
    /// The neighbor's system name is the name of the device.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 7))]
    SystemName,
    /// The MAC address in the forwarding table belongs to an interface or a port of the device.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 8))]
    ForwardingTable,
}

/// An identifier that a neighbor announces for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Its chassis id.
    Chassis,
    /// Its management address.
    Address,
    /// Its name.
    Name,
}

impl HostTier {
    /// Returns the identifier of the neighbor that this evidence is about.
    pub const fn said(self) -> Said {
        match self {
            Self::ManagementAddress => Said::Address,
            Self::SystemName => Said::Name,
            _ => Said::Chassis,
        }
    }
}

/// The evidence that identified a port, from strongest to weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "sql", sea_orm(rs_type = "i32", db_type = "Integer"))]
pub enum PortTier {
    /// A user pinned the neighbor.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 0))]
    Pin,
    /// The neighbor matches an alias that a user taught.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 1))]
    Alias,
    /// The port id is the name of the port (ifName).
    #[cfg_attr(feature = "sql", sea_orm(num_value = 2))]
    Name,
    /// The port id is the description of the port (ifDescr).
    #[cfg_attr(feature = "sql", sea_orm(num_value = 3))]
    Description,
    /// The port id is the label that people gave the port (ifAlias).
    #[cfg_attr(feature = "sql", sea_orm(num_value = 4))]
    AliasText,
    /// The port id is a longer or shorter form of the port's name.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 5))]
    NormalisedName,
    /// The port id is the index of the port (ifIndex).
    #[cfg_attr(feature = "sql", sea_orm(num_value = 6))]
    IfIndex,
    /// The port description that the neighbor announces matches a label of the port.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 7))]
    PortDescription,
    /// The port id is a MAC address that only this port has.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 8))]
    Mac,
    /// The port id is the network address that is reached through the port.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 9))]
    Address,
    /// The port id is the number at the end of this port's name, and of no other's.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 10))]
    Number,
    /// The port itself hears the other side.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 11))]
    Reciprocal,
}
