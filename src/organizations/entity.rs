//! The `organization` table.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{Id, Kind, Timestamp};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// An organization: the owner of networks, users and keys, and the boundary between tenants.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "organization")]
#[graphql(name = "Organization")]
#[schema(as = Organization)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// Creation time of the record.
    pub created_at: Timestamp,
    /// Time of the last change to the record.
    pub updated_at: Timestamp,
    /// The name.
    pub name: String,
    /// Whether the API keys of its users may be used.
    pub api_access_enabled: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::Organization;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::Itself(Column::Id);

    fn id(row: &Model) -> Id {
        row.id
    }

    fn created_at(row: &Model) -> Timestamp {
        row.created_at
    }

    fn updated_at(row: &Model) -> Timestamp {
        row.updated_at
    }
}
