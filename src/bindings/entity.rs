//! The `binding` table.

use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{BindingType, Id, Kind, Timestamp};

use crate::resource::{Resource, Scope};

/// A target that a service listens on: a port, on one interface or all, or a whole interface.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize)]
#[sea_orm(table_name = "binding")]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// Creation time of the record.
    pub created_at: Timestamp,
    /// Time of the last change to the record.
    pub updated_at: Timestamp,
    /// The id of the listening service.
    pub service_id: Id,
    /// The id of the binding's network.
    pub network_id: Id,
    /// The type of the binding: port or interface.
    #[sea_orm(column_name = "type")]
    #[serde(rename = "type")]
    pub binding_type: BindingType,
    /// The id of the port, in a port binding.
    pub port_id: Option<Id>,
    /// The id of the interface; in a port binding, none means all.
    pub interface_id: Option<Id>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::Binding;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::Network(Column::NetworkId);
    const COUNTER: Option<&'static str> = Some("binding_count");

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
        Some((Kind::Service, row.service_id))
    }

    fn network_id(row: &Model) -> Option<Id> {
        Some(row.network_id)
    }
}
