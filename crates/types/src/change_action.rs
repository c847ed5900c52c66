//! The kinds of change to an entity.

#[cfg(feature = "graphql")]
use async_graphql::Enum;
#[cfg(feature = "sql")]
use sea_orm::{DeriveActiveEnum, EnumIter};
use serde::{Deserialize, Serialize};

/// The kind of change to an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
pub enum ChangeAction {
    /// The entity was created.
    Created,
    /// The entity was updated.
    Updated,
    /// The entity was deleted.
    Deleted,
}
