//! The `group` table.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{Color, EdgeStyle, GroupType, Id, Kind, Source, Timestamp};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// Bindings that belong together, in an order that means something.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "group")]
#[graphql(complex, name = "Group")]
#[schema(as = GroupRow)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// The name.
    pub name: String,
    /// The network that it belongs to.
    pub network_id: Id,
    /// What people noted about it.
    pub description: Option<String>,
    /// What the order of the bindings means.
    pub group_type: GroupType,
    /// Where the record comes from.
    #[graphql(deprecation = "Ask `sourceDetails`, which has types.")]
    pub source: Source,
    /// The color in which it is drawn.
    pub color: Color,
    /// How its edges are drawn.
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
