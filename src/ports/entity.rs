//! The `port` table.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{Id, Kind, Timestamp, TransportProtocol};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// A TCP or UDP port of a host. A switch port is an `IfEntry`.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "port")]
#[graphql(complex, name = "Port")]
#[schema(as = PortRow)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// Creation time of the record.
    pub created_at: Timestamp,
    /// Time of the last change to the record.
    pub updated_at: Timestamp,
    /// The id of the port's host.
    pub host_id: Id,
    /// The id of the port's network.
    pub network_id: Id,
    /// The number, 1 to 65535.
    pub number: i32,
    /// The protocol.
    pub protocol: TransportProtocol,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::Port;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::Network(Column::NetworkId);
    const COUNTER: Option<&'static str> = Some("port_count");

    fn id(row: &Model) -> Id {
        row.id
    }

    fn created_at(row: &Model) -> Timestamp {
        row.created_at
    }

    fn updated_at(row: &Model) -> Timestamp {
        row.updated_at
    }

    fn parent(row: &Model) -> Option<(Kind, Id)> {
        Some((Kind::Host, row.host_id))
    }

    fn network_id(row: &Model) -> Option<Id> {
        Some(row.network_id)
    }
}
