//! How a port runs its line and takes part in the spanning tree, with the numbers that SNMP gives
//! the states.

#[cfg(feature = "graphql")]
use async_graphql::Enum;
#[cfg(feature = "sql")]
use sea_orm::{DeriveActiveEnum, EnumIter};
use serde::{Deserialize, Serialize};

/// The duplex mode of a port (dot3StatsDuplexStatus, EtherLike-MIB, RFC 3635); null stands for the
/// mode `unknown`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
pub enum Duplex {
    /// It sends and receives in turns (2).
    Half,
    /// It sends and receives at the same time (3).
    Full,
}

/// The state of a port in the spanning tree (dot1dStpPortState, BRIDGE-MIB, RFC 4188).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
pub enum StpState {
    /// Switched off (1).
    Disabled,
    /// Forwards nothing, since another path does: RSTP calls it discarding (2).
    Blocking,
    /// About to take part: forwards nothing and learns nothing yet (3).
    Listening,
    /// Learns addresses, but forwards nothing yet (4).
    Learning,
    /// Forwards (5).
    Forwarding,
    /// Out of order, and therefore kept out of the tree (6).
    Broken,
}

#[cfg(test)]
mod tests {
    use sea_orm::{ActiveEnum, Iterable};
    use serde_json::json;

    use super::*;

    #[test]
    fn states_are_stored_as_they_are_written_in_json() {
        let modes = Duplex::iter().map(|mode| (json!(mode), json!(mode.to_value())));
        let states = StpState::iter().map(|state| (json!(state), json!(state.to_value())));
        let (written, stored): (Vec<_>, Vec<_>) = modes.chain(states).unzip();
        assert_eq!(written, stored);
        assert_eq!(
            json!(written),
            json!([
                "Half",
                "Full",
                "Disabled",
                "Blocking",
                "Listening",
                "Learning",
                "Forwarding",
                "Broken"
            ])
        );
    }
}
