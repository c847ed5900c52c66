//! The `service` table.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{Id, Kind, ServiceVirtualization, Source, Timestamp};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// A service that a host runs.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "service")]
#[graphql(complex, name = "Service")]
#[schema(as = ServiceRow)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// Creation time of the record.
    pub created_at: Timestamp,
    /// Time of the last change to the record.
    pub updated_at: Timestamp,
    /// The id of the service's host.
    pub host_id: Id,
    /// The id of the service's network.
    pub network_id: Id,
    /// The well-known service, or any other text.
    pub service_definition: String,
    /// The name.
    pub name: String,
    /// The container that the service runs in, if any.
    #[graphql(deprecation = "Ask `virtualizationDetails`, which has types.")]
    pub virtualization: Option<ServiceVirtualization>,
    /// Origin of the record.
    #[graphql(deprecation = "Ask `sourceDetails`, which has types.")]
    pub source: Source,
    /// The position among the host's services, from 0.
    pub position: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::Service;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::Network(Column::NetworkId);
    const COUNTER: Option<&'static str> = Some("service_count");
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

    fn parent(row: &Model) -> Option<(Kind, Id)> {
        Some((Kind::Host, row.host_id))
    }

    fn network_id(row: &Model) -> Option<Id> {
        Some(row.network_id)
    }
}
