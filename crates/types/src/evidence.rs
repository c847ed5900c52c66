//! By which evidence devices and ports are found.

#[cfg(feature = "graphql")]
use async_graphql::Enum;
#[cfg(feature = "sql")]
use sea_orm::{DeriveActiveEnum, EnumIter};

/// By which evidence a device was found, from the strongest to the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "sql", sea_orm(rs_type = "i32", db_type = "Integer"))]
pub enum HostTier {
    /// A person said so.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 0))]
    Pin,
    /// A person taught who calls itself so.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 1))]
    Alias,
    /// The chassis id is the recorded one of the device.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 2))]
    ChassisId,
    /// The MAC address of the chassis id is on an interface or a port of the device.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 3))]
    ChassisMac,
    /// The network address of the chassis id is one of the device.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 4))]
    ChassisAddress,
    /// The chassis id is the name of the device.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 5))]
    ChassisName,
    /// The address by which the neighbor is managed is one of the device.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 6))]
    ManagementAddress,
    /// The neighbor calls itself as the device is called.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 7))]
    SystemName,
    /// The MAC address in the forwarding table is on an interface or a port of the device.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 8))]
    ForwardingTable,
}

/// What a neighbor says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Its chassis id.
    Chassis,
    /// The address by which it is managed.
    Address,
    /// Its name.
    Name,
}

impl HostTier {
    /// What of a neighbor it is about.
    pub const fn said(self) -> Said {
        match self {
            Self::ManagementAddress => Said::Address,
            Self::SystemName => Said::Name,
            _ => Said::Chassis,
        }
    }
}

/// By which evidence a port was found, from the strongest to the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "sql", sea_orm(rs_type = "i32", db_type = "Integer"))]
pub enum PortTier {
    /// A person said so.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 0))]
    Pin,
    /// A person taught who calls itself so.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 1))]
    Alias,
    /// The port id is the name of the port (ifName).
    #[cfg_attr(feature = "sql", sea_orm(num_value = 2))]
    Name,
    /// The port id is the description of the port (ifDescr).
    #[cfg_attr(feature = "sql", sea_orm(num_value = 3))]
    Description,
    /// The port id is what people wrote on the port (ifAlias).
    #[cfg_attr(feature = "sql", sea_orm(num_value = 4))]
    AliasText,
    /// The port id is the name in a longer or shorter form.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 5))]
    NormalisedName,
    /// The port id is the number of the port (ifIndex).
    #[cfg_attr(feature = "sql", sea_orm(num_value = 6))]
    IfIndex,
    /// What the neighbor says of its port is written on the port.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 7))]
    PortDescription,
    /// The port id is the MAC address of this port alone.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 8))]
    Mac,
    /// The port id is the address that is reached through the port.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 9))]
    Address,
    /// The port id is the number that the name of this port alone ends with.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 10))]
    Number,
    /// The port says itself that it hears the other side.
    #[cfg_attr(feature = "sql", sea_orm(num_value = 11))]
    Reciprocal,
}
