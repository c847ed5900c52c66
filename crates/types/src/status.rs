//! The two states of an interface, with the numbers that SNMP gives them (RFC 2863).

#[cfg(feature = "graphql")]
use async_graphql::Enum;
#[cfg(feature = "sql")]
use sea_orm::{DeriveActiveEnum, EnumIter};
use serde::{Deserialize, Serialize};

/// The administratively desired state of an interface (RFC 2863, `ifAdminStatus`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "graphql", graphql(name = "IfAdminStatus"))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
pub enum AdminStatus {
    /// Ready to pass packets (1).
    Up,
    /// Switched off (2).
    Down,
    /// In some test mode: no operational packets pass (3).
    Testing,
}

/// The operational state of an interface (RFC 2863, `ifOperStatus`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "graphql", graphql(name = "IfOperStatus"))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
pub enum OperStatus {
    /// Ready to pass packets (1).
    Up,
    /// Not passing packets (2).
    Down,
    /// In some test mode (3).
    Testing,
    /// The state cannot be determined (4).
    Unknown,
    /// Waiting for an external event, such as a call (5).
    Dormant,
    /// A component, usually hardware, is missing (6).
    NotPresent,
    /// Down because an interface that it runs over is down (7).
    LowerLayerDown,
}

/// An error for a number that stands for no state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a state of an interface")]
pub struct UnknownStatus(pub i32);

impl TryFrom<i32> for AdminStatus {
    type Error = UnknownStatus;

    fn try_from(code: i32) -> Result<Self, UnknownStatus> {
        Ok(match code {
            1 => Self::Up,
            2 => Self::Down,
            3 => Self::Testing,
            _ => return Err(UnknownStatus(code)),
        })
    }
}

impl From<AdminStatus> for i32 {
    fn from(status: AdminStatus) -> Self {
        match status {
            AdminStatus::Up => 1,
            AdminStatus::Down => 2,
            AdminStatus::Testing => 3,
        }
    }
}

impl TryFrom<i32> for OperStatus {
    type Error = UnknownStatus;

    fn try_from(code: i32) -> Result<Self, UnknownStatus> {
        Ok(match code {
            1 => Self::Up,
            2 => Self::Down,
            3 => Self::Testing,
            4 => Self::Unknown,
            5 => Self::Dormant,
            6 => Self::NotPresent,
            7 => Self::LowerLayerDown,
            _ => return Err(UnknownStatus(code)),
        })
    }
}

impl From<OperStatus> for i32 {
    fn from(status: OperStatus) -> Self {
        match status {
            OperStatus::Up => 1,
            OperStatus::Down => 2,
            OperStatus::Testing => 3,
            OperStatus::Unknown => 4,
            OperStatus::Dormant => 5,
            OperStatus::NotPresent => 6,
            OperStatus::LowerLayerDown => 7,
        }
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::{ActiveEnum, Iterable};
    use serde_json::json;

    use super::*;

    #[test]
    fn codes_are_those_of_rfc_2863() {
        assert!(AdminStatus::iter().map(i32::from).eq(1..=3));
        assert!(AdminStatus::iter().all(|status| i32::from(status).try_into() == Ok(status)));
        assert!(OperStatus::iter().map(i32::from).eq(1..=7));
        assert!(OperStatus::iter().all(|status| i32::from(status).try_into() == Ok(status)));
        for code in [i32::MIN, 0, 8] {
            assert_eq!(OperStatus::try_from(code), Err(UnknownStatus(code)));
        }
    }

    #[test]
    fn states_are_stored_as_they_are_written_in_json() {
        assert!(AdminStatus::iter().all(|status| json!(status) == json!(status.to_value())));
        assert!(OperStatus::iter().all(|status| json!(status) == json!(status.to_value())));
    }
}
