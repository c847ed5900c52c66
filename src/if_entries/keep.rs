//! Stored values of an entry in place of omitted input fields.

use async_graphql::MaybeUndefined;
use toposcope_types::{NeighborProtocol, VlanSet, vlans};

use super::{Heard, IfEntry, IfEntryInput, input::number, kept::Kept, observation};
use crate::{
    error::{Error, Result},
    input::given,
};

fn vlan(field: &str, number: i64) -> Result<i32> {
    let (min, max) = (i64::from(vlans::MIN), i64::from(vlans::MAX));
    i32::try_from(number)
        .ok()
        .filter(|_| (min..=max).contains(&number))
        .ok_or_else(|| Error::OutOfRange { field: field.to_owned(), min, max })
}

impl IfEntryInput {
    /// Takes the fields that keep their stored value where they are omitted, and checks them.
    pub(super) fn take_kept(&mut self) -> Result<Kept> {
        // In the MIBs, 0 is the number of no interface.
        let of_interface = |field: &str, given: MaybeUndefined<i64>| {
            let number = given.map_value(|value| number(field, value, 0)).transpose()?;
            Ok::<_, Error>(number.map(|number| number.filter(|number| *number > 0)))
        };
        let native_vlan = self.native_vlan.map_value(|vlan| self::vlan("native_vlan", vlan));
        let tagged_vlans = std::mem::take(&mut self.tagged_vlans).map_value(|numbers| {
            let checked = numbers
                .iter()
                .enumerate()
                .map(|(nth, vlan)| self::vlan(&format!("tagged_vlans[{nth}]"), *vlan));
            let numbers: Vec<i32> = checked.collect::<Result<_>>()?;
            VlanSet::new(numbers).map_err(|error| Error::invalid("tagged_vlans", error))
        });
        Ok(Kept {
            lag_if_index: of_interface("lag_if_index", self.lag_if_index)?,
            parent_if_index: of_interface("parent_if_index", self.parent_if_index)?,
            mtu: self.mtu.map_value(|mtu| number("mtu", mtu, 0)).transpose()?,
            duplex: self.duplex,
            native_vlan: native_vlan.transpose()?,
            tagged_vlans: tagged_vlans.transpose()?,
            stp_state: self.stp_state,
        })
    }

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
