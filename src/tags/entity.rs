//! The `tag` table.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{Color, Id, Kind, Timestamp};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// A label for hosts, services, groups, subnets, networks and keys.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "tag")]
#[graphql(name = "Tag")]
#[schema(as = Tag)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// Creation time of the record.
    pub created_at: Timestamp,
    /// Time of the last change to the record.
    pub updated_at: Timestamp,
    /// The name, unique in the organization.
    pub name: String,
    /// The meaning of the tag.
    pub description: Option<String>,
    /// The display color.
    pub color: Color,
    /// The id of the tag's organization.
    pub organization_id: Id,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::Tag;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::Organization(Column::OrganizationId);
    const NATURAL: &'static [Column] = &[Column::Name];

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
