//! The `observation` table: what an interface heard of its neighbors.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;

use crate::{
    db::resource::{Resource, Scope},
    error::Kind,
    types::{
        ChassisIdSubtype, Id, LldpChassisId, LldpPortId, NeighborProtocol, PortIdSubtype, Timestamp,
    },
};

/// One neighbor that one interface heard through one protocol.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject)]
#[sea_orm(table_name = "observation")]
#[graphql(complex, name = "Observation")]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// When the neighbor was first recorded.
    pub created_at: Timestamp,
    /// When what it says was last changed.
    pub updated_at: Timestamp,
    /// The network of the interface.
    #[graphql(skip)]
    pub network_id: Id,
    /// The interface that heard it.
    #[graphql(skip)]
    pub if_entry_id: Id,
    /// The protocol by which it was heard.
    pub protocol: NeighborProtocol,
    /// Its place among the neighbors heard by the same protocol, from 0.
    pub position: i32,
    #[graphql(skip)]
    pub chassis_id_subtype: Option<ChassisIdSubtype>,
    #[graphql(skip)]
    pub chassis_id: Option<String>,
    #[graphql(skip)]
    pub port_id_subtype: Option<PortIdSubtype>,
    #[graphql(skip)]
    pub port_id: Option<String>,
    /// What the neighbor says of its port (lldpRemPortDesc, IEEE 802.1AB).
    pub port_desc: Option<String>,
    /// How the neighbor calls itself (lldpRemSysName; the device id of CDP).
    pub sys_name: Option<String>,
    /// What the neighbor says it is (lldpRemSysDesc, IEEE 802.1AB).
    pub sys_desc: Option<String>,
    /// The address by which the neighbor is managed.
    pub mgmt_addr: Option<String>,
    /// The hardware of the neighbor (cdpCachePlatform, CISCO-CDP-MIB).
    pub platform: Option<String>,
}

impl Model {
    /// How the neighbor identifies itself.
    pub fn chassis(&self) -> Option<LldpChassisId> {
        Some(LldpChassisId { subtype: self.chassis_id_subtype?, value: self.chassis_id.clone()? })
    }

    /// How the neighbor identifies its port. CDP has no subtypes, so that of CDP stays a text.
    pub fn port(&self) -> Option<LldpPortId> {
        Some(LldpPortId { subtype: self.port_id_subtype?, value: self.port_id.clone()? })
    }
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::IfEntry;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::Network(Column::NetworkId);
    const LOGGED: bool = false;

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
