//! The `alias` table: identities of neighbors that people taught.

use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_topology::resolution::records::Record;
use toposcope_types::{Id, Kind, Timestamp};

use crate::resource::{Resource, Scope};

/// An identity taught by a person: every neighbor that announces it is this device. It is about
/// what the neighbor says, so it holds for every port that hears it, and after every scan.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize)]
#[sea_orm(table_name = "alias")]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// The time when it was taught.
    pub created_at: Timestamp,
    /// The time of the last change.
    pub updated_at: Timestamp,
    /// The network that it applies to.
    pub network_id: Id,
    /// The key by which it is looked up.
    pub key: String,
    /// The identity that the neighbor announces.
    pub identity: String,
    /// The port that the neighbor announces, if only that port is meant.
    pub port: Option<String>,
    /// The device that has this identity.
    pub host_id: Id,
    /// The port of that device, if one was taught.
    pub if_entry_id: Option<Id>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::Alias;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::Network(Column::NetworkId);

    fn id(row: &Model) -> Id {
        row.id
    }

    fn created_at(row: &Model) -> Timestamp {
        row.created_at
    }

    fn updated_at(row: &Model) -> Timestamp {
        row.updated_at
    }

    fn record(row: &Model) -> Option<Record> {
        Some(Record::Alias(row.key.clone()))
    }

    fn network_id(row: &Model) -> Option<Id> {
        Some(row.network_id)
    }
}
