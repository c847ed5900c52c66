//! What can be said of an interface-table entry, and the rules for it.

use async_graphql::{InputObject, MaybeUndefined};
use serde::Deserialize;
use toposcope_types::{
    AdminStatus, BigInt, Id, Kind, LldpChassisId, LldpPortId, Mac, NeighborId, NeighborProtocol,
    NeighborType, OperStatus, Timestamp, text::legible, whole,
};
use utoipa::ToSchema;

use super::observation;
use crate::{
    error::{Error, Result},
    input::{Input, OfHost, Part, given, text},
};

/// The most MAC addresses of a forwarding table.
const MAX_FDB_MACS: usize = 65_536;
const MAX_NAME: usize = 255;
const MAX_TEXT: usize = 4096;

/// An interface-table entry as it shall be: what is left out becomes empty, except the MAC address; in
/// the list of its host, what is left out stays as it is.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "AnyIfEntryInput")]
pub struct IfEntryInput {
    /// The host that it belongs to.
    pub host_id: Id,
    /// The network that it belongs to.
    pub network_id: Id,
    /// The stable number of the interface within the device, from 1 (ifIndex).
    #[serde(deserialize_with = "whole::required")]
    #[schema(minimum = 1, maximum = 2_147_483_647)]
    pub if_index: i64,
    /// The description by the device, 1 to 255 characters (ifDescr).
    #[schema(min_length = 1, max_length = 255)]
    pub if_descr: String,
    /// The kind of interface, an IANA ifType number.
    #[serde(default, deserialize_with = "whole::given")]
    #[schema(value_type = i64, minimum = 0, maximum = 2_147_483_647)]
    pub if_type: Option<i64>,
    /// What the operator wants (ifAdminStatus).
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = AdminStatus)]
    pub admin_status: Option<AdminStatus>,
    /// What is the case (ifOperStatus).
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = OperStatus)]
    pub oper_status: Option<OperStatus>,
    /// The short name (ifName).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 255)]
    pub if_name: MaybeUndefined<String>,
    /// What the operator wrote on it (ifAlias).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 255)]
    pub if_alias: MaybeUndefined<String>,
    /// The MAC address; once set it is changed by imports only (ifPhysAddress).
    pub mac_address: Option<Mac>,
    /// The speed in bits per second.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 9_223_372_036_854_775_807_i64)]
    pub speed_bps: MaybeUndefined<BigInt>,
    /// The address of the same host that is reached through this interface.
    #[serde(default)]
    #[schema(value_type = Option<Id>)]
    pub interface_id: MaybeUndefined<Id>,
    /// The far end, if a person decides it; left out, it is resolved from what was heard.
    #[serde(default, deserialize_with = "given::object")]
    #[schema(value_type = Option<NeighborId>)]
    pub neighbor: MaybeUndefined<NeighborId>,
    /// `true` pins `neighbor` also where it is what was resolved from what was heard. Otherwise giving
    /// that back changes nothing, and any other is pinned.
    pub neighbor_pinned: Option<bool>,
    /// How the neighbor heard by LLDP identifies itself.
    #[serde(default, deserialize_with = "given::object")]
    #[schema(value_type = Option<LldpChassisId>)]
    pub lldp_chassis_id: MaybeUndefined<LldpChassisId>,
    /// How the neighbor heard by LLDP identifies its port.
    #[serde(default, deserialize_with = "given::object")]
    #[schema(value_type = Option<LldpPortId>)]
    pub lldp_port_id: MaybeUndefined<LldpPortId>,
    /// What the neighbor heard by LLDP says of its port.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub lldp_port_desc: MaybeUndefined<String>,
    /// How the neighbor heard by LLDP calls itself.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub lldp_sys_name: MaybeUndefined<String>,
    /// What the neighbor heard by LLDP says it is.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub lldp_sys_desc: MaybeUndefined<String>,
    /// The address by which the neighbor heard by LLDP is managed.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub lldp_mgmt_addr: MaybeUndefined<String>,
    /// How the neighbor heard by CDP calls itself.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub cdp_device_id: MaybeUndefined<String>,
    /// How the neighbor heard by CDP calls its port.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub cdp_port_id: MaybeUndefined<String>,
    /// The hardware of the neighbor heard by CDP.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub cdp_platform: MaybeUndefined<String>,
    /// The address by which the neighbor heard by CDP is managed.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub cdp_address: MaybeUndefined<String>,
    /// The MAC addresses learned on the port.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Mac>>, max_items = 65536)]
    pub fdb_macs: MaybeUndefined<Vec<Mac>>,
    /// The `updatedAt` that you have seen: if it is another by now, nothing is changed.
    pub expected_updated_at: Option<Timestamp>,
}

impl Input for IfEntryInput {
    const REQUIRED: &'static [&'static str] = &["if_type", "admin_status", "oper_status"];
    const REQUIRED_IN_LIST: &'static [&'static str] = &[];
}

/// A row of the interface table of a host, in the list of them.
pub type HostIfEntryInput = Part<IfEntryInput, OfHost>;

/// What one interface heard of one neighbor, before it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    pub chassis_id: Option<LldpChassisId>,
    pub port_id: Option<LldpPortId>,
    /// A port id without a subtype, as CDP has it.
    pub port_name: Option<String>,
    pub port_desc: Option<String>,
    pub sys_name: Option<String>,
    pub sys_desc: Option<String>,
    pub mgmt_addr: Option<String>,
    pub platform: Option<String>,
}

impl From<observation::Model> for Heard {
    fn from(row: observation::Model) -> Self {
        let (chassis_id, port_id) = (row.chassis(), row.port());
        Self {
            port_name: row.port_id.filter(|_| port_id.is_none()),
            chassis_id,
            port_id,
            port_desc: row.port_desc,
            sys_name: row.sys_name,
            sys_desc: row.sys_desc,
            mgmt_addr: row.mgmt_addr,
            platform: row.platform,
        }
    }
}

impl Heard {
    /// Whether nothing was heard at all.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a stored observation says the same.
    pub fn same_as(&self, stored: &observation::Model) -> bool {
        let row = self.clone().into_row(stored);
        row == *stored
    }

    /// The row that says this, with the keys and times of `row`.
    pub fn into_row(self, row: &observation::Model) -> observation::Model {
        let (chassis_id_subtype, chassis_id) = match self.chassis_id {
            Some(LldpChassisId { subtype, value }) => (Some(subtype), Some(value)),
            None => (None, None),
        };
        let (port_id_subtype, port_id) = match self.port_id {
            Some(LldpPortId { subtype, value }) => (Some(subtype), Some(value)),
            None => (None, self.port_name),
        };
        observation::Model {
            chassis_id_subtype,
            chassis_id,
            port_id_subtype,
            port_id,
            port_desc: self.port_desc,
            sys_name: self.sys_name,
            sys_desc: self.sys_desc,
            mgmt_addr: self.mgmt_addr,
            platform: self.platform,
            ..row.clone()
        }
    }

    /// Makes every text legible, whatever others sent, and checks its length; `field` gives the name of
    /// a part in errors.
    pub fn checked(self, field: impl Fn(&str) -> String) -> Result<Self> {
        let text = |part: &str, value: Option<String>| {
            let value = value.map(|value| legible(&value));
            text::optional(&field(part), value, MAX_TEXT)
        };
        let value = |part: &str, value: &str| {
            let name = format!("{}.value", field(part));
            text::required(&name, legible(value), 0, MAX_TEXT)
        };
        let chassis_id = self
            .chassis_id
            .map(LldpChassisId::legible)
            .map(|id| {
                let value = value("chassis_id", &id.value)?;
                Ok::<_, Error>(LldpChassisId { value, ..id }.normalised())
            })
            .transpose()?;
        let port_id = self
            .port_id
            .map(LldpPortId::legible)
            .map(|id| {
                let value = value("port_id", &id.value)?;
                Ok::<_, Error>(LldpPortId { value, ..id }.normalised())
            })
            .transpose()?;
        Ok(Self {
            chassis_id,
            port_id,
            port_name: text("port_id", self.port_name)?,
            port_desc: text("port_desc", self.port_desc)?,
            sys_name: text("sys_name", self.sys_name)?,
            sys_desc: text("sys_desc", self.sys_desc)?,
            mgmt_addr: text("mgmt_addr", self.mgmt_addr)?,
            platform: text("platform", self.platform)?,
        })
    }
}

/// The columns of an entry that need no look at other rows, checked.
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
}

impl IfEntryInput {
    /// Applies the rules that need nothing but the input.
    pub fn checked(self) -> Result<(Columns, Vec<(NeighborProtocol, Heard)>)> {
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
            if_descr: text::required("if_descr", self.if_descr, 1, MAX_NAME)?,
            if_type: number("if_type", given::required("if_type", self.if_type)?, 0)?,
            admin_status: given::required("admin_status", self.admin_status)?,
            oper_status: given::required("oper_status", self.oper_status)?,
            if_name: text::optional("if_name", self.if_name.take(), MAX_NAME)?,
            if_alias: text::optional("if_alias", self.if_alias.take(), MAX_NAME)?,
            mac_address: self.mac_address,
            speed_bps: self.speed_bps.take(),
            fdb_macs: self.fdb_macs.take(),
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
    /// The rules that hold however the values came in.
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

fn number(field: &str, value: i64, min: i32) -> Result<i32> {
    i32::try_from(value).ok().filter(|value| *value >= min).ok_or_else(|| Error::OutOfRange {
        field: field.to_owned(),
        min: min.into(),
        max: i32::MAX.into(),
    })
}

/// What may be connected to what.
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

/// How errors call what a neighbor is.
pub(super) const fn kind_of(neighbor: NeighborType) -> Kind {
    match neighbor {
        NeighborType::IfEntry => Kind::IfEntry,
        NeighborType::Host => Kind::Host,
    }
}
