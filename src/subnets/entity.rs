//! The `subnet` table.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{Cidr, Id, Kind, Source, SubnetType, Timestamp};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// A range of addresses that hosts share.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "subnet")]
#[graphql(complex, name = "Subnet")]
#[schema(as = SubnetRow)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// Creation time of the record.
    pub created_at: Timestamp,
    /// Time of the last change to the record.
    pub updated_at: Timestamp,
    /// The range, such as `10.0.0.0/24`; the host bits are zero.
    pub cidr: Cidr,
    /// The id of the subnet's network.
    pub network_id: Id,
    /// The name.
    pub name: String,
    /// Notes that people made about the subnet.
    pub description: Option<String>,
    /// The purpose of the subnet.
    pub subnet_type: SubnetType,
    /// Origin of the record.
    #[graphql(deprecation = "Ask `sourceDetails`, which has types.")]
    pub source: Source,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::Subnet;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::Network(Column::NetworkId);
    const COUNTER: Option<&'static str> = Some("subnet_count");
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
