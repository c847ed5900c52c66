//! The `alias` table: what people taught of neighbors that are heard.

use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{Id, Kind, Timestamp};

use crate::resource::{Resource, Scope};

/// What a person taught: whoever is heard to call itself so is this device. It is about what the
/// neighbor says, so it holds for every port that hears it, and after every scan.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize)]
#[sea_orm(table_name = "alias")]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// When it was taught.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// The network that it holds in.
    pub network_id: Id,
    /// The key by which it is looked up.
    pub key: String,
    /// What the neighbor calls itself.
    pub identity: String,
    /// What it calls its port, if only that port is meant.
    pub port: Option<String>,
    /// The device that it is.
    pub host_id: Id,
    /// The port that it is.
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

    fn network_id(row: &Model) -> Option<Id> {
        Some(row.network_id)
    }
}
