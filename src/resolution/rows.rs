//! Converts rows of other tables to the types that resolution works with.

use std::collections::HashSet;

use sea_orm::QueryResult;
use toposcope_topology::resolution::{
    forwarding_table,
    records::{HostFacts, PortFacts},
    resolved::Resolution,
    sighting::{Heard, Sighting},
};
use toposcope_types::{
    ChassisIdSubtype, Id, LldpChassisId, LldpPortId, Mac, MacList, Method, NeighborId,
    NeighborProtocol, PortIdSubtype,
};

use crate::error::Result;

/// The columns that [`host`] reads.
pub const HOST: [&str; 7] =
    ["id", "name", "hostname", "sys_name", "chassis_id", "management_address", "management_url"];

pub fn host(row: &QueryResult) -> Result<HostFacts> {
    Ok(HostFacts {
        id: row.try_get_by_index(0)?,
        name: row.try_get_by_index(1)?,
        hostname: row.try_get_by_index(2)?,
        sys_name: row.try_get_by_index(3)?,
        chassis_id: row.try_get_by_index(4)?,
        management_address: row.try_get_by_index(5)?,
        management_url: row.try_get_by_index(6)?,
    })
}

/// The columns that [`port`] reads.
pub const PORT: [&str; 9] = [
    "id",
    "host_id",
    "if_index",
    "if_descr",
    "if_name",
    "if_alias",
    "if_type",
    "mac_address",
    "interface_id",
];

pub fn port(row: &QueryResult) -> Result<PortFacts> {
    Ok(PortFacts {
        id: row.try_get_by_index(0)?,
        host_id: row.try_get_by_index(1)?,
        if_index: row.try_get_by_index(2)?,
        if_descr: row.try_get_by_index(3)?,
        if_name: row.try_get_by_index(4)?,
        if_alias: row.try_get_by_index(5)?,
        if_type: row.try_get_by_index(6)?,
        mac_address: row.try_get_by_index(7)?,
        interface_id: row.try_get_by_index(8)?,
    })
}

/// A port that may have heard something.
#[derive(Debug)]
pub struct Entry {
    pub id: Id,
    pub host_id: Id,
    pub if_type: i32,
    pub fdb: Option<MacList>,
    /// The far end that the port is pinned to, and its device.
    pub pin: Option<(NeighborId, Id)>,
}

/// The columns that [`entry`] reads, before the device of the far port.
pub const ENTRY: [&str; 7] = [
    "id",
    "host_id",
    "if_type",
    "fdb_macs",
    "neighbor_pinned",
    "neighbor_if_entry_id",
    "neighbor_host_id",
];

pub fn entry(row: &QueryResult) -> Result<Entry> {
    let pinned: bool = row.try_get_by_index(4)?;
    let port: Option<Id> = row.try_get_by_index(5)?;
    let host: Option<Id> = row.try_get_by_index(6)?;
    let host_of_port: Option<Id> = row.try_get_by_index(7)?;
    let pin = NeighborId::of_columns(port, host).zip(port.map_or(host, |_| host_of_port));
    Ok(Entry {
        id: row.try_get_by_index(0)?,
        host_id: row.try_get_by_index(1)?,
        if_type: row.try_get_by_index(2)?,
        fdb: row.try_get_by_index(3)?,
        pin: pin.filter(|_| pinned),
    })
}

impl Entry {
    /// Adds the port's sightings, given its protocol observations and the MAC addresses of its
    /// device.
    pub fn sightings(
        &self,
        heard: Vec<Sighting>,
        own: Option<&HashSet<Mac>>,
        all: &mut Vec<Sighting>,
    ) {
        let table = self.fdb.as_ref().filter(|_| heard.is_empty());
        let table = table.filter(|_| forwarding_table::counts(self.if_type));
        if let Some(mac) = table.and_then(|macs| forwarding_table::only(macs.macs(), own)) {
            let heard = Heard { fdb_mac: Some(mac), ..Heard::default() };
            all.push(self.sighting(Method::Fdb, heard, None));
        }
        if self.pin.is_some() {
            all.push(self.sighting(Method::Pinned, Heard::default(), self.pin));
        }
        let of_entry = |sighting| Sighting { host_id: self.host_id, ..sighting };
        all.extend(heard.into_iter().map(of_entry));
    }

    /// Creates a sighting that comes from a pin or forwarding table, not from a protocol.
    const fn sighting(
        &self,
        method: Method,
        heard: Heard,
        pin: Option<(NeighborId, Id)>,
    ) -> Sighting {
        Sighting {
            id: self.id,
            if_entry_id: self.id,
            host_id: self.host_id,
            method,
            position: 0,
            heard,
            pin,
        }
    }
}

/// Returns how a neighbor identifies itself and its port; with CDP, the port has no subtype.
pub fn said(
    chassis: Option<(ChassisIdSubtype, String)>,
    port_subtype: Option<PortIdSubtype>,
    port: Option<String>,
) -> Heard {
    let (port, port_name) = match port_subtype {
        Some(subtype) => (port.map(|value| LldpPortId { subtype, value }), None),
        None => (None, port),
    };
    let chassis = chassis.map(|(subtype, value)| LldpChassisId { subtype, value });
    Heard { chassis, port, port_name, ..Heard::default() }
}

/// The columns that [`observation`] reads.
pub const HEARD: [&str; 11] = [
    "id",
    "if_entry_id",
    "protocol",
    "position",
    "chassis_id_subtype",
    "chassis_id",
    "port_id_subtype",
    "port_id",
    "port_desc",
    "sys_name",
    "mgmt_addr",
];

/// Reads what a port heard by a protocol; the row does not hold the port's device.
pub fn observation(row: &QueryResult) -> Result<Sighting> {
    let chassis: Option<String> = row.try_get_by_index(5)?;
    let port: Option<String> = row.try_get_by_index(7)?;
    let chassis_subtype: Option<_> = row.try_get_by_index(4)?;
    let port_subtype: Option<_> = row.try_get_by_index(6)?;
    let heard = Heard {
        port_desc: row.try_get_by_index(8)?,
        sys_name: row.try_get_by_index(9)?,
        mgmt_addr: row.try_get_by_index(10)?,
        ..said(chassis_subtype.zip(chassis), port_subtype, port)
    };
    let protocol: NeighborProtocol = row.try_get_by_index(2)?;
    Ok(Sighting {
        id: row.try_get_by_index(0)?,
        if_entry_id: row.try_get_by_index(1)?,
        host_id: Id::nil(),
        method: Method::of(protocol),
        position: row.try_get_by_index(3)?,
        heard,
        pin: None,
    })
}

/// The columns that [`resolution`] reads.
pub const RESOLUTION: [&str; 16] = [
    "if_entry_id",
    "method",
    "position",
    "observation_id",
    "network_id",
    "host_id",
    "chassis_key",
    "address_key",
    "name_key",
    "far_host_id",
    "host_tier",
    "far_if_entry_id",
    "port_tier",
    "possible_if_entry_ids",
    "met_if_entry_id",
    "outranked",
];

pub fn resolution(row: &QueryResult) -> Result<Resolution> {
    Ok(Resolution {
        if_entry_id: row.try_get_by_index(0)?,
        method: row.try_get_by_index(1)?,
        position: row.try_get_by_index(2)?,
        observation_id: row.try_get_by_index(3)?,
        network_id: row.try_get_by_index(4)?,
        host_id: row.try_get_by_index(5)?,
        chassis_key: row.try_get_by_index(6)?,
        address_key: row.try_get_by_index(7)?,
        name_key: row.try_get_by_index(8)?,
        far_host_id: row.try_get_by_index(9)?,
        host_tier: row.try_get_by_index(10)?,
        far_if_entry_id: row.try_get_by_index(11)?,
        port_tier: row.try_get_by_index(12)?,
        possible_if_entry_ids: row.try_get_by_index(13)?,
        met_if_entry_id: row.try_get_by_index(14)?,
        outranked: row.try_get_by_index(15)?,
    })
}
