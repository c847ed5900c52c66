//! The `if_entry` table.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};
use toposcope_types::{AdminStatus, BigInt, Id, Kind, Mac, MacList, OperStatus, Timestamp};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// A row of the interface table of a device (ifEntry, RFC 2863): a socket of a switch, a VLAN interface, a tunnel.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "if_entry")]
#[graphql(complex, name = "IfEntry")]
#[schema(as = IfEntryRow)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// The host that it belongs to.
    pub host_id: Id,
    /// The network that it belongs to.
    pub network_id: Id,
    /// The stable number of the interface within the device (ifIndex, RFC 2863).
    pub if_index: i32,
    /// The description by the device (ifDescr, RFC 2863).
    pub if_descr: String,
    /// The short name (ifName, RFC 2863).
    pub if_name: Option<String>,
    /// What the operator wrote on it (ifAlias, RFC 2863).
    pub if_alias: Option<String>,
    /// The kind of interface, an IANA ifType number: 6 is Ethernet, 161 a LAG.
    pub if_type: i32,
    /// The speed in bits per second.
    pub speed_bps: Option<BigInt>,
    /// What the operator wants (ifAdminStatus, RFC 2863).
    pub admin_status: AdminStatus,
    /// What is the case (ifOperStatus, RFC 2863).
    pub oper_status: OperStatus,
    /// The MAC address (ifPhysAddress, RFC 2863); once set it is changed by imports only.
    pub mac_address: Option<Mac>,
    /// The address of the host that is reached through this interface.
    pub interface_id: Option<Id>,
    /// The MAC addresses learned on the port (dot1dTpFdbTable, RFC 4188).
    #[graphql(skip)]
    #[schema(value_type = Option<Vec<Mac>>)]
    pub fdb_macs: Option<MacList>,
    /// The far port.
    #[serde(skip)]
    #[graphql(skip)]
    pub neighbor_if_entry_id: Option<Id>,
    /// The far device, where its port is not known.
    #[serde(skip)]
    #[graphql(skip)]
    pub neighbor_host_id: Option<Id>,
    /// Whether a person said so.
    #[serde(skip)]
    pub neighbor_pinned: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::IfEntry;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::Network(Column::NetworkId);
    const COUNTER: Option<&'static str> = Some("if_entry_count");
    const LONG: &'static [Column] = &[Column::FdbMacs];

    fn id(row: &Model) -> Id {
        row.id
    }

    fn created_at(row: &Model) -> Timestamp {
        row.created_at
    }

    /// Also what a person said that the entry is connected to; what the server works out follows
    /// from other changes.
    fn logged(row: &Model) -> Value {
        let mut logged = serde_json::to_value(row).expect("rows have only string keys");
        logged["neighbor"] = json!(row.neighbor_id().filter(|_| row.neighbor_pinned));
        logged["neighbor_pinned"] = json!(row.neighbor_pinned);
        logged
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
