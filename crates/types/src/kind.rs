//! The kinds of entity, as clients know them.

#[cfg(feature = "graphql")]
use async_graphql::Enum;
#[cfg(feature = "sql")]
use sea_orm::{DeriveActiveEnum, EnumIter};
use serde::{Deserialize, Serialize};

/// The kind of entity that an error or a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
#[cfg_attr(feature = "graphql", graphql(name = "EntityKind"))]
#[cfg_attr(feature = "openapi", schema(as = EntityKind))]
pub enum Kind {
    /// An entry in the interface table of a device.
    IfEntry,
    /// A group of bindings that belong together.
    Group,
    /// A service that a host runs.
    Service,
    /// An endpoint that a service listens on.
    Binding,
    /// An API key of a user.
    UserApiKey,
    /// A device.
    Host,
    /// A network.
    Network,
    /// The organization.
    Organization,
    /// An address of a host in a subnet.
    Interface,
    /// A TCP or UDP port of a host.
    Port,
    /// A range of addresses.
    Subnet,
    /// A label.
    Tag,
    /// A person who can log in.
    User,
    /// An entry in the change log.
    Change,
    /// An alias that a user taught for a heard neighbor.
    Alias,
    /// A neighbor that a port heard.
    Observation,
}

impl Kind {
    /// Returns the name that clients see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::IfEntry => "IfEntry",
            Self::Group => "Group",
            Self::Service => "Service",
            Self::Binding => "Binding",
            Self::UserApiKey => "UserApiKey",
            Self::Host => "Host",
            Self::Network => "Network",
            Self::Organization => "Organization",
            Self::Interface => "Interface",
            Self::Port => "Port",
            Self::Subnet => "Subnet",
            Self::Tag => "Tag",
            Self::User => "User",
            Self::Change => "Change",
            Self::Alias => "Alias",
            Self::Observation => "Observation",
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
