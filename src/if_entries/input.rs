//! Input for interface-table entries, and its rules.

use async_graphql::{InputObject, MaybeUndefined};
use serde::Deserialize;
use toposcope_types::{
    AdminStatus, BigInt, Duplex, Id, Kind, LldpChassisId, LldpPortId, Mac, NeighborId,
    NeighborProtocol, NeighborType, OperStatus, StpState, Timestamp, VlanSet, whole,
};
use utoipa::ToSchema;

use super::{heard::Heard, kept::Kept};
use crate::{
    error::{Error, Result},
    input::{Input, OfHost, Part, given, text},
};

/// The maximum number of MAC addresses in a forwarding table.
const MAX_FDB_MACS: usize = 65_536;

/// Fields of an interface-table entry to create or replace. Omitted fields become empty, except the
/// MAC address and what is said of the aggregate, the parent, the MTU, the duplex mode, the VLANs
/// and the spanning tree; in the list of a host, all omitted fields keep their value.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "AnyIfEntryInput")]
pub struct IfEntryInput {
    /// The id of the entry's host.
    pub host_id: Id,
    /// The id of the entry's network.
    pub network_id: Id,
    /// The stable number of the interface within the device, from 1 (ifIndex).
    #[serde(deserialize_with = "whole::required")]
    #[schema(minimum = 1, maximum = 2_147_483_647)]
    pub if_index: i64,
    /// The device's description of the interface, 1 to 255 characters (ifDescr).
    #[schema(min_length = 1, max_length = 255)]
    pub if_descr: String,
    /// The kind of interface, an IANA ifType number.
    #[serde(default, deserialize_with = "whole::given")]
    #[schema(value_type = i64, minimum = 0, maximum = 2_147_483_647)]
    pub if_type: Option<i64>,
    /// The state that the operator wants (ifAdminStatus).
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = AdminStatus)]
    pub admin_status: Option<AdminStatus>,
    /// The current operational state (ifOperStatus).
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = OperStatus)]
    pub oper_status: Option<OperStatus>,
    /// The short name (ifName).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 255)]
    pub if_name: MaybeUndefined<String>,
    /// The operator's alias for the interface (ifAlias).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 255)]
    pub if_alias: MaybeUndefined<String>,
    /// The MAC address; once set, only imports can change it (ifPhysAddress).
    pub mac_address: Option<Mac>,
    /// The speed in bits per second.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 9_223_372_036_854_775_807_i64)]
    pub speed_bps: MaybeUndefined<BigInt>,
    /// The id of the address, on the same host, that is reached through this interface.
    #[serde(default)]
    #[schema(value_type = Option<Id>)]
    pub interface_id: MaybeUndefined<Id>,
    /// The far end that a person decides; if omitted, the server resolves it from observations.
    #[serde(default, deserialize_with = "given::object")]
    #[schema(value_type = Option<NeighborId>)]
    pub neighbor: MaybeUndefined<NeighborId>,
    /// Whether to pin `neighbor` even if it is the one resolved from observations. Otherwise,
    /// sending that one back changes nothing, and the server pins any other.
    pub neighbor_pinned: Option<bool>,
    /// The chassis id of the LLDP neighbor.
    #[serde(default, deserialize_with = "given::object")]
    #[schema(value_type = Option<LldpChassisId>)]
    pub lldp_chassis_id: MaybeUndefined<LldpChassisId>,
    /// The port id of the LLDP neighbor.
    #[serde(default, deserialize_with = "given::object")]
    #[schema(value_type = Option<LldpPortId>)]
    pub lldp_port_id: MaybeUndefined<LldpPortId>,
    /// The port description of the LLDP neighbor.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub lldp_port_desc: MaybeUndefined<String>,
    /// The system name of the LLDP neighbor.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub lldp_sys_name: MaybeUndefined<String>,
    /// The system description of the LLDP neighbor.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub lldp_sys_desc: MaybeUndefined<String>,
    /// The management address of the LLDP neighbor.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub lldp_mgmt_addr: MaybeUndefined<String>,
    /// The device id of the CDP neighbor.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub cdp_device_id: MaybeUndefined<String>,
    /// The port id of the CDP neighbor.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub cdp_port_id: MaybeUndefined<String>,
    /// The hardware platform of the CDP neighbor.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub cdp_platform: MaybeUndefined<String>,
    /// The management address of the CDP neighbor.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub cdp_address: MaybeUndefined<String>,
    /// The MAC addresses learned on the port.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Mac>>, max_items = 65536)]
    pub fdb_macs: MaybeUndefined<Vec<Mac>>,
    /// The ifIndex of the aggregate that the interface is a member of
    /// (dot3adAggPortAttachedAggID); 0 or null if of none. If omitted, it stays as stored.
    #[serde(default, deserialize_with = "given::number")]
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 2_147_483_647)]
    pub lag_if_index: MaybeUndefined<i64>,
    /// The ifIndex of the interface that this one runs over: the port of a subinterface or of a
    /// logical unit (ifStackTable); 0 or null if over none. If omitted, it stays as stored.
    #[serde(default, deserialize_with = "given::number")]
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 2_147_483_647)]
    pub parent_if_index: MaybeUndefined<i64>,
    /// The size of the largest packet in octets (ifMtu). If omitted, it stays as stored.
    #[serde(default, deserialize_with = "given::number")]
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 2_147_483_647)]
    pub mtu: MaybeUndefined<i64>,
    /// The duplex mode (dot3StatsDuplexStatus); null if unknown. If omitted, it stays as stored.
    #[serde(default)]
    #[schema(value_type = Option<Duplex>)]
    pub duplex: MaybeUndefined<Duplex>,
    /// The VLAN of untagged frames, 1 to 4094 (dot1qPvid). If omitted, it stays as stored.
    #[serde(default, deserialize_with = "given::number")]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4094)]
    pub native_vlan: MaybeUndefined<i64>,
    /// The VLANs of tagged frames, each 1 to 4094, in any order. If omitted, they stay as stored.
    #[serde(default, deserialize_with = "given::numbers")]
    #[schema(value_type = Option<VlanSet>)]
    pub tagged_vlans: MaybeUndefined<Vec<i64>>,
    /// The state in the spanning tree (dot1dStpPortState). If omitted, it stays as stored.
    #[serde(default)]
    #[schema(value_type = Option<StpState>)]
    pub stp_state: MaybeUndefined<StpState>,
    /// The `updatedAt` that you last read; if it no longer matches, the server rejects the update.
    pub expected_updated_at: Option<Timestamp>,
}

impl Input for IfEntryInput {
    const REQUIRED: &'static [&'static str] = &["if_type", "admin_status", "oper_status"];
    const REQUIRED_IN_LIST: &'static [&'static str] = &[];
}

/// An interface-table entry in the list of a host.
pub type HostIfEntryInput = Part<IfEntryInput, OfHost>;

/// The checked columns of an entry that do not depend on other rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    pub if_index: i32,
    pub if_descr: String,
    pub if_type: i32,
    pub admin_status: AdminStatus,
    pub oper_status: OperStatus,
    pub if_name: Option<String>,
    pub if_alias: Option<String>,
    pub mac_address: Option<Mac>,
    pub speed_bps: Option<BigInt>,
    pub fdb_macs: Option<Vec<Mac>>,
    pub kept: Kept,
}

impl IfEntryInput {
    /// Applies the rules that depend only on the input.
    pub fn checked(mut self) -> Result<(Columns, Vec<(NeighborProtocol, Heard)>)> {
        let kept = self.take_kept()?;
        let lldp = Heard {
            chassis_id: self.lldp_chassis_id.take(),
            port_id: self.lldp_port_id.take(),
            port_name: None,
            port_desc: self.lldp_port_desc.take(),
            sys_name: self.lldp_sys_name.take(),
            sys_desc: self.lldp_sys_desc.take(),
            mgmt_addr: self.lldp_mgmt_addr.take(),
            platform: None,
        };
        let cdp = Heard {
            port_name: self.cdp_port_id.take(),
            sys_name: self.cdp_device_id.take(),
            platform: self.cdp_platform.take(),
            mgmt_addr: self.cdp_address.take(),
            ..Heard::default()
        };
        let columns = Columns {
            if_index: number("if_index", self.if_index, 1)?,
            if_descr: text::required("if_descr", self.if_descr, 1, text::MAX_NAME)?,
            if_type: number("if_type", given::required("if_type", self.if_type)?, 0)?,
            admin_status: given::required("admin_status", self.admin_status)?,
            oper_status: given::required("oper_status", self.oper_status)?,
            if_name: text::optional("if_name", self.if_name.take(), text::MAX_NAME)?,
            if_alias: text::optional("if_alias", self.if_alias.take(), text::MAX_NAME)?,
            mac_address: self.mac_address,
            speed_bps: self.speed_bps.take(),
            fdb_macs: self.fdb_macs.take(),
            kept,
        };
        columns.check()?;
        let heard = vec![
            (NeighborProtocol::Lldp, lldp.checked(|part| format!("lldp_{part}"))?),
            (
                NeighborProtocol::Cdp,
                cdp.checked(|part| match part {
                    "sys_name" => "cdp_device_id".to_owned(),
                    "mgmt_addr" => "cdp_address".to_owned(),
                    part => format!("cdp_{part}"),
                })?,
            ),
        ];
        Ok((columns, heard))
    }
}

impl Columns {
    /// Checks the rules that hold wherever the values came from.
    pub fn check(&self) -> Result<()> {
        if self.speed_bps.is_some_and(|speed| speed.0 < 0) {
            return Err(Error::OutOfRange { field: "speed_bps".to_owned(), min: 0, max: i64::MAX });
        }
        if self.fdb_macs.as_ref().is_some_and(|macs| macs.len() > MAX_FDB_MACS) {
            return Err(Error::MaxLength { field: "fdb_macs".to_owned(), max: MAX_FDB_MACS });
        }
        Ok(())
    }
}

/// Returns a number of at least `min` as a column holds it.
pub(super) fn number(field: &str, value: i64, min: i32) -> Result<i32> {
    i32::try_from(value).ok().filter(|value| *value >= min).ok_or_else(|| Error::OutOfRange {
        field: field.to_owned(),
        min: min.into(),
        max: i32::MAX.into(),
    })
}

/// Rejects the entry itself and its own host as its neighbor.
pub(super) fn check_neighbor(entry_id: Id, host_id: Id, neighbor: NeighborId) -> Result<()> {
    match neighbor.neighbor_type {
        NeighborType::IfEntry if neighbor.id == entry_id => {
            Err(Error::invalid("neighbor", "an entry is not its own neighbor"))
        }
        NeighborType::Host if neighbor.id == host_id => {
            Err(Error::invalid("neighbor", "the host of an entry is not its neighbor"))
        }
        _ => Ok(()),
    }
}

/// Returns the kind that errors use for a neighbor.
pub(super) const fn kind_of(neighbor: NeighborType) -> Kind {
    match neighbor {
        NeighborType::IfEntry => Kind::IfEntry,
        NeighborType::Host => Kind::Host,
    }
}
