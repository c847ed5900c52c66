//! Enumerations of the API contract that belong to no single feature.

use std::str::FromStr;

#[cfg(feature = "graphql")]
use async_graphql::Enum;
#[cfg(feature = "sql")]
use sea_orm::{DeriveActiveEnum, EnumIter};
use serde::{Deserialize, Serialize};

/// The permissions of a user or an API key. Each level includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
pub enum PermissionLevel {
    /// Reads the granted networks. REST also accepts the former name `Visualizer`.
    #[serde(alias = "Visualizer")]
    Viewer,
    /// Also manages hosts, interfaces, ports, services, bindings, subnets and groups.
    Member,
    /// Also manages networks, tags and users, and has access to every network of the organization.
    Admin,
    /// Also manages the organization itself.
    Owner,
}

/// The relationship between the bindings of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
pub enum GroupType {
    /// A request passes through the bindings in order.
    RequestPath,
    /// The first binding communicates with each of the others.
    HubAndSpoke,
}

/// The color in which a group or a tag is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
pub enum Color {
    /// Pink.
    Pink,
    /// Rose.
    Rose,
    /// Red.
    Red,
    /// Orange.
    Orange,
    /// Green.
    Green,
    /// Emerald.
    Emerald,
    /// Teal.
    Teal,
    /// Cyan.
    Cyan,
    /// Blue.
    Blue,
    /// Indigo.
    Indigo,
    /// Purple.
    Purple,
    /// Gray.
    Gray,
    /// Yellow.
    Yellow,
}

/// The shape in which the edges of a group are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
pub enum EdgeStyle {
    /// A straight line.
    Straight,
    /// Right angles with round corners.
    SmoothStep,
    /// Right angles with sharp corners.
    Step,
    /// A curve that leaves and arrives at right angles to the nodes.
    Bezier,
    /// A curve with a plain bend.
    SimpleBezier,
}

/// The transport protocol of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
pub enum TransportProtocol {
    /// User Datagram Protocol.
    Udp,
    /// Transmission Control Protocol.
    Tcp,
}

/// The purpose of a subnet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
pub enum SubnetType {
    /// The public internet.
    Internet,
    /// A network at another site.
    Remote,
    /// The network between a router and its provider.
    Gateway,
    /// The inside of a VPN tunnel.
    VpnTunnel,
    /// Servers that are reachable from the internet.
    Dmz,
    /// A wired local network.
    Lan,
    /// A wireless local network.
    #[cfg_attr(feature = "graphql", graphql(name = "WIFI"))]
    WiFi,
    /// Internet of Things devices.
    #[cfg_attr(feature = "graphql", graphql(name = "IOT"))]
    IoT,
    /// Guests, isolated from the rest.
    Guest,
    /// A bridge network of a Docker engine.
    DockerBridge,
    /// A macvlan network: containers with MAC addresses of their own.
    #[cfg_attr(feature = "graphql", graphql(name = "MACVLAN"))]
    MacVlan,
    /// An ipvlan network: containers that share the MAC address of their host.
    #[cfg_attr(feature = "graphql", graphql(name = "IPVLAN"))]
    IpVlan,
    /// The management interfaces of devices.
    Management,
    /// Storage traffic, such as iSCSI and NFS.
    Storage,
    /// The purpose is unknown.
    Unknown,
    /// No subnet at all: for services that are not bound to any address in the network.
    None,
}

/// The discovery protocol through which a port hears its neighbor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "sql", sea_orm(rs_type = "String", db_type = "Text"))]
pub enum NeighborProtocol {
    /// Link Layer Discovery Protocol (IEEE 802.1AB).
    #[serde(rename = "LLDP")]
    #[cfg_attr(feature = "sql", sea_orm(string_value = "LLDP"))]
    Lldp,
    /// Cisco Discovery Protocol.
    #[serde(rename = "CDP")]
    #[cfg_attr(feature = "sql", sea_orm(string_value = "CDP"))]
    Cdp,
}

/// The kind of endpoint that a service listens on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
pub enum BindingType {
    /// A port, on one interface of the host or on all of them.
    Port,
    /// An interface as a whole, such as a firewall's.
    Interface,
}

/// The sort direction of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum OrderDirection {
    /// Ascending: the smallest value first.
    #[default]
    Asc,
    /// Descending: the greatest value first.
    Desc,
}

#[cfg(feature = "sql")]
impl From<OrderDirection> for sea_orm::Order {
    fn from(direction: OrderDirection) -> Self {
        match direction {
            OrderDirection::Asc => Self::Asc,
            OrderDirection::Desc => Self::Desc,
        }
    }
}

/// An error for text that is neither direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected `asc` or `desc`")]
pub struct OrderDirectionError;

impl FromStr for OrderDirection {
    type Err = OrderDirectionError;

    fn from_str(text: &str) -> Result<Self, OrderDirectionError> {
        match text {
            "asc" => Ok(Self::Asc),
            "desc" => Ok(Self::Desc),
            _ => Err(OrderDirectionError),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use sea_orm::{ActiveEnum, Iterable};
    use serde::de::DeserializeOwned;
    use serde_json::json;

    use super::*;

    /// The spellings of JSON, after checking that the database uses the same.
    fn spellings<T>() -> String
    where
        T: ActiveEnum<Value = String> + Iterable + Serialize + DeserializeOwned + PartialEq + Debug,
    {
        let mut spellings = Vec::new();
        for value in T::iter() {
            let stored = value.to_value();
            assert_eq!(json!(value), json!(stored));
            assert_eq!(serde_json::from_value::<T>(json!(stored)).unwrap(), value);
            assert_eq!(T::try_from_value(&stored).unwrap(), value);
            spellings.push(stored);
        }
        spellings.join(" ")
    }

    fn graphql_names<T: async_graphql::resolver_utils::EnumType>() -> String {
        T::items().iter().map(|item| item.name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn values_are_stored_and_written_as_the_contract_spells_them() {
        assert_eq!(spellings::<PermissionLevel>(), "Viewer Member Admin Owner");
        assert_eq!(spellings::<GroupType>(), "RequestPath HubAndSpoke");
        assert_eq!(
            spellings::<Color>(),
            "Pink Rose Red Orange Green Emerald Teal Cyan Blue Indigo Purple Gray Yellow"
        );
        assert_eq!(spellings::<EdgeStyle>(), "Straight SmoothStep Step Bezier SimpleBezier");
        assert_eq!(spellings::<TransportProtocol>(), "Udp Tcp");
        assert_eq!(
            spellings::<SubnetType>(),
            "Internet Remote Gateway VpnTunnel Dmz Lan WiFi IoT Guest DockerBridge MacVlan IpVlan \
             Management Storage Unknown None"
        );
        assert_eq!(spellings::<NeighborProtocol>(), "LLDP CDP");
        assert_eq!(spellings::<BindingType>(), "Port Interface");
    }

    #[test]
    fn graphql_names_break_no_abbreviation() {
        assert_eq!(
            graphql_names::<SubnetType>(),
            "INTERNET REMOTE GATEWAY VPN_TUNNEL DMZ LAN WIFI IOT GUEST DOCKER_BRIDGE MACVLAN IPVLAN \
             MANAGEMENT STORAGE UNKNOWN NONE"
        );
        assert_eq!(graphql_names::<NeighborProtocol>(), "LLDP CDP");
        assert_eq!(graphql_names::<OrderDirection>(), "ASC DESC");
    }

    #[test]
    fn levels_are_ordered() {
        assert!(PermissionLevel::iter().is_sorted_by(|lower, higher| lower < higher));
    }

    #[test]
    fn a_direction_has_one_spelling() {
        for direction in [OrderDirection::Asc, OrderDirection::Desc] {
            let text: String = serde_json::from_value(json!(direction)).unwrap();
            assert_eq!(text.parse(), Ok(direction));
        }
        assert_eq!("ASC".parse::<OrderDirection>(), Err(OrderDirectionError));
    }
}
