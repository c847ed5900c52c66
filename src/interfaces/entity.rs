//! The `interface` table.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_topology::resolution::records::{AddressFacts, Record};
use toposcope_types::{Id, IpAddress, Kind, Mac, Timestamp};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// An address of a host in a subnet. An entry in a device's interface table is an `IfEntry`.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "interface")]
#[graphql(complex, name = "Interface")]
#[schema(as = Interface)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// Creation time of the record.
    pub created_at: Timestamp,
    /// Time of the last change to the record.
    pub updated_at: Timestamp,
    /// The id of the interface's network.
    pub network_id: Id,
    /// The id of the interface's host.
    pub host_id: Id,
    /// The id of the subnet that contains the address.
    pub subnet_id: Id,
    /// The IPv4 or IPv6 address.
    pub ip_address: IpAddress,
    /// The MAC address behind the IP address.
    pub mac_address: Option<Mac>,
    /// The name, such as `eth0`.
    pub name: Option<String>,
    /// The position among the host's interfaces, from 0.
    pub position: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::Interface;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::Network(Column::NetworkId);
    const COUNTER: Option<&'static str> = Some("interface_count");

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

    fn record(row: &Model) -> Option<Record> {
        Some(Record::Address(AddressFacts {
            id: row.id,
            host_id: row.host_id,
            ip_address: row.ip_address,
            mac_address: row.mac_address,
        }))
    }

    fn network_id(row: &Model) -> Option<Id> {
        Some(row.network_id)
    }
}
