//! The `if_entry` table.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};
use toposcope_topology::resolution::records::{Learned, PortFacts, Record};
use toposcope_types::{
    AdminStatus, BigInt, Duplex, Id, Kind, Mac, MacList, OperStatus, StpState, Timestamp, VlanSet,
};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// An entry in a device's interface table (ifEntry, RFC 2863): a switch port, a VLAN interface, a
/// tunnel.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "if_entry")]
#[graphql(complex, name = "IfEntry")]
#[schema(as = IfEntryRow)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// Creation time of the record.
    pub created_at: Timestamp,
    /// Time of the last change to the record.
    pub updated_at: Timestamp,
    /// The id of the entry's host.
    pub host_id: Id,
    /// The id of the entry's network.
    pub network_id: Id,
    /// The stable number of the interface within the device (ifIndex, RFC 2863).
    pub if_index: i32,
    /// The device's description of the interface (ifDescr, RFC 2863).
    pub if_descr: String,
    /// The short name (ifName, RFC 2863).
    pub if_name: Option<String>,
    /// The operator's alias for the interface (ifAlias, RFC 2863).
    pub if_alias: Option<String>,
    /// The kind of interface, an IANA ifType number: 6 is Ethernet, 161 a LAG.
    pub if_type: i32,
    /// The speed in bits per second.
    pub speed_bps: Option<BigInt>,
    /// The state that the operator wants (ifAdminStatus, RFC 2863).
    pub admin_status: AdminStatus,
    /// The current operational state (ifOperStatus, RFC 2863).
    pub oper_status: OperStatus,
    /// The MAC address (ifPhysAddress, RFC 2863); once set, only imports can change it.
    pub mac_address: Option<Mac>,
    /// The id of the host's address that is reached through this interface.
    pub interface_id: Option<Id>,
    /// The ifIndex of the aggregate that the interface is a member of (dot3adAggPortAttachedAggID,
    /// IEEE8023-LAG-MIB).
    pub lag_if_index: Option<i32>,
    /// The ifIndex of the interface that this one runs over: the port of a subinterface or of a
    /// logical unit (ifStackTable, RFC 2863).
    pub parent_if_index: Option<i32>,
    /// The size of the largest packet that the interface sends or receives, in octets (ifMtu,
    /// RFC 2863).
    pub mtu: Option<i32>,
    /// The duplex mode (dot3StatsDuplexStatus, EtherLike-MIB, RFC 3635).
    pub duplex: Option<Duplex>,
    /// The VLAN of untagged frames (dot1qPvid, Q-BRIDGE-MIB, RFC 4363).
    pub native_vlan: Option<i32>,
    /// The VLANs of tagged frames, in order (dot1qVlanStaticTable, Q-BRIDGE-MIB, RFC 4363).
    #[graphql(skip)]
    pub tagged_vlans: Option<VlanSet>,
    /// The state in the spanning tree (dot1dStpPortState, BRIDGE-MIB, RFC 4188).
    pub stp_state: Option<StpState>,
    /// The MAC addresses learned on the port (dot1dTpFdbTable, RFC 4188).
    #[graphql(skip)]
    #[schema(value_type = Option<Vec<Mac>>)]
    pub fdb_macs: Option<MacList>,
    /// The id of the far port's if-entry.
    #[serde(skip)]
    #[graphql(skip)]
    pub neighbor_if_entry_id: Option<Id>,
    /// The id of the far device, if its port is unknown.
    #[serde(skip)]
    #[graphql(skip)]
    pub neighbor_host_id: Option<Id>,
    /// Whether a person pinned the neighbor.
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
    const NATURAL: &'static [Column] = &[Column::IfDescr];

    fn id(row: &Model) -> Id {
        row.id
    }

    fn created_at(row: &Model) -> Timestamp {
        row.created_at
    }

    /// Adds a pinned neighbor to the logged columns; a resolved neighbor follows from other
    /// changes.
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

    fn record(row: &Model) -> Option<Record> {
        let port = PortFacts {
            id: row.id,
            host_id: row.host_id,
            if_index: row.if_index,
            if_descr: row.if_descr.clone(),
            if_name: row.if_name.clone(),
            if_alias: row.if_alias.clone(),
            if_type: row.if_type,
            mac_address: row.mac_address,
            interface_id: row.interface_id,
            lag_if_index: row.lag_if_index,
            parent_if_index: row.parent_if_index,
        };
        let pin = row.neighbor_id().filter(|_| row.neighbor_pinned);
        Some(Record::Port(port, Learned { macs: row.fdb_macs.clone(), pin }))
    }

    fn network_id(row: &Model) -> Option<Id> {
        Some(row.network_id)
    }
}
