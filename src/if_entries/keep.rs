//! Stored values of an entry in place of omitted input fields.

use async_graphql::MaybeUndefined;
use toposcope_types::{Duplex, NeighborProtocol, StpState, VlanSet, vlans};

use super::{Heard, IfEntry, IfEntryInput, input::number, observation};
use crate::{
    error::{Error, Result},
    input::given,
};

/// The checked fields that keep their stored value wherever an input omits them, a replacement
/// included.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    lag_if_index: MaybeUndefined<i32>,
    parent_if_index: MaybeUndefined<i32>,
    mtu: MaybeUndefined<i32>,
    duplex: MaybeUndefined<Duplex>,
    native_vlan: MaybeUndefined<i32>,
    tagged_vlans: MaybeUndefined<VlanSet>,
    stp_state: MaybeUndefined<StpState>,
}

impl Kept {
    /// Applies the rules that depend only on the input.
    pub(super) fn checked(input: &mut IfEntryInput) -> Result<Self> {
        // In the MIBs, 0 is the number of no interface.
        let of_interface = |field: &str, given: MaybeUndefined<i64>| {
            let number = given.map_value(|value| number(field, value, 0)).transpose()?;
            Ok::<_, Error>(number.map(|number| number.filter(|number| *number > 0)))
        };
        let native_vlan = input.native_vlan.map_value(|vlan| self::vlan("native_vlan", vlan));
        let tagged_vlans = std::mem::take(&mut input.tagged_vlans).map_value(|numbers| {
            let checked = numbers
                .iter()
                .enumerate()
                .map(|(nth, vlan)| self::vlan(&format!("tagged_vlans[{nth}]"), *vlan));
            let numbers: Vec<i32> = checked.collect::<Result<_>>()?;
            VlanSet::new(numbers).map_err(|error| Error::invalid("tagged_vlans", error))
        });
        Ok(Self {
            lag_if_index: of_interface("lag_if_index", input.lag_if_index)?,
            parent_if_index: of_interface("parent_if_index", input.parent_if_index)?,
            mtu: input.mtu.map_value(|mtu| number("mtu", mtu, 0)).transpose()?,
            duplex: input.duplex,
            native_vlan: native_vlan.transpose()?,
            tagged_vlans: tagged_vlans.transpose()?,
            stp_state: input.stp_state,
        })
    }

    /// Returns the entry with the given fields replaced. Rejects an entry that then refers to
    /// itself.
    pub fn applied_to(self, mut entry: IfEntry) -> Result<IfEntry> {
        self.lag_if_index.update_to(&mut entry.lag_if_index);
        self.parent_if_index.update_to(&mut entry.parent_if_index);
        self.mtu.update_to(&mut entry.mtu);
        self.duplex.update_to(&mut entry.duplex);
        self.native_vlan.update_to(&mut entry.native_vlan);
        self.tagged_vlans.update_to(&mut entry.tagged_vlans);
        self.stp_state.update_to(&mut entry.stp_state);
        for (field, number, of) in [
            ("lag_if_index", entry.lag_if_index, "the aggregate"),
            ("parent_if_index", entry.parent_if_index, "the interface that it runs over"),
        ] {
            if number == Some(entry.if_index) {
                let reason = format!(
                    "it is the entry's own `if_index`; give that of {of}, or null if there is none"
                );
                return Err(Error::invalid(field, reason));
            }
        }
        Ok(entry)
    }
}

fn vlan(field: &str, number: i64) -> Result<i32> {
    let (min, max) = (i64::from(vlans::MIN), i64::from(vlans::MAX));
    i32::try_from(number)
        .ok()
        .filter(|_| (min..=max).contains(&number))
        .ok_or_else(|| Error::OutOfRange { field: field.to_owned(), min, max })
}

impl IfEntryInput {
    /// Fills omitted fields from a stored entry and its observations, except the forwarding table,
    /// which may not have been read.
    pub(super) fn or_stored(self, row: &IfEntry, heard: &[observation::Model]) -> Self {
        let first = |protocol| {
            let of_row = |one: &&observation::Model| one.if_entry_id == row.id && one.position == 0;
            let mut first = heard.iter().filter(of_row).filter(|one| one.protocol == protocol);
            first.next().cloned().map(Heard::from).unwrap_or_default()
        };
        let (lldp, cdp) = (first(NeighborProtocol::Lldp), first(NeighborProtocol::Cdp));
        let pinned = row.neighbor_id().filter(|_| row.neighbor_pinned);
        Self {
            if_type: self.if_type.or(Some(row.if_type.into())),
            admin_status: self.admin_status.or(Some(row.admin_status)),
            oper_status: self.oper_status.or(Some(row.oper_status)),
            if_name: or(self.if_name, row.if_name.clone()),
            if_alias: or(self.if_alias, row.if_alias.clone()),
            speed_bps: or(self.speed_bps, row.speed_bps),
            interface_id: or(self.interface_id, row.interface_id),
            neighbor: or(self.neighbor, pinned),
            lldp_chassis_id: or(self.lldp_chassis_id, lldp.chassis_id),
            lldp_port_id: or(self.lldp_port_id, lldp.port_id),
            lldp_port_desc: or(self.lldp_port_desc, lldp.port_desc),
            lldp_sys_name: or(self.lldp_sys_name, lldp.sys_name),
            lldp_sys_desc: or(self.lldp_sys_desc, lldp.sys_desc),
            lldp_mgmt_addr: or(self.lldp_mgmt_addr, lldp.mgmt_addr),
            cdp_device_id: or(self.cdp_device_id, cdp.sys_name),
            cdp_port_id: or(self.cdp_port_id, cdp.port_name),
            cdp_platform: or(self.cdp_platform, cdp.platform),
            cdp_address: or(self.cdp_address, cdp.mgmt_addr),
            ..self
        }
    }
}

fn or<T>(said: MaybeUndefined<T>, stored: Option<T>) -> MaybeUndefined<T> {
    if said.is_undefined() { given::said(stored) } else { said }
}
