//! The `network` table.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{BigInt, Id, Kind, Timestamp};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// A network: the unit of access grants, imports and drawings.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "network")]
#[graphql(complex, name = "Network")]
#[schema(as = NetworkRow)]
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
    /// The id of the network's organization.
    pub organization_id: Id,
    /// A number that increases with every change to anything in the network.
    #[serde(skip)]
    pub revision: BigInt,
    /// The version of the rules that last resolved its neighbors.
    #[serde(skip)]
    #[graphql(skip)]
    pub resolver: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::Network;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::Network(Column::Id);
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
        Some(row.id)
    }
}
