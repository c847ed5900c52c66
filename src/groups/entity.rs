//! The `group` table.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{Color, EdgeStyle, GroupType, Id, Kind, Source, Timestamp};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// A group of bindings that belong together, in a meaningful order.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "group")]
#[graphql(complex, name = "Group")]
#[schema(as = GroupRow)]
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
    /// The id of the group's network.
    pub network_id: Id,
    /// Notes that people made about the group.
    pub description: Option<String>,
    /// The meaning of the binding order.
    pub group_type: GroupType,
    /// Origin of the record.
    #[graphql(deprecation = "Ask `sourceDetails`, which has types.")]
    pub source: Source,
    /// The display color.
    pub color: Color,
    /// The line style of the edges.
    pub edge_style: EdgeStyle,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::Group;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::Network(Column::NetworkId);
    const COUNTER: Option<&'static str> = Some("group_count");
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

    fn network_id(row: &Model) -> Option<Id> {
        Some(row.network_id)
    }
}
