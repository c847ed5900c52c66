//! The columns that resolution reads and writes, and what it makes of them.

use std::collections::HashSet;

use toposcope_topology::resolution::{
    forwarding_table,
    records::{AddressFacts, AliasFacts, HostFacts, PortFacts},
    resolved::Resolution,
    sighting::{Heard, Sighting},
};
use toposcope_types::{
    ChassisIdSubtype, HostTier, Id, IpAddress, LldpChassisId, LldpPortId, Mac, MacList, Method,
    NeighborId, NeighborProtocol, PortIdSubtype, PortTier,
};

use crate::db::columns::columns;

columns!(HostFacts {
    id: Id,
    name: String,
    hostname: Option<String>,
    sys_name: Option<String>,
    chassis_id: Option<String>,
    management_address: Option<String>,
    management_url: Option<String>,
});

columns!(PortFacts {
    id: Id,
    host_id: Id,
    if_index: i32,
    if_descr: String,
    if_name: Option<String>,
    if_alias: Option<String>,
    if_type: i32,
    mac_address: Option<Mac>,
    interface_id: Option<Id>,
    lag_if_index: Option<i32>,
    parent_if_index: Option<i32>,
});

columns!(AddressFacts { id: Id, host_id: Id, ip_address: IpAddress, mac_address: Option<Mac> });

columns!(AliasFacts {
    identity: String,
    port: Option<String>,
    host_id: Id,
    if_entry_id: Option<Id>,
});

columns!(written Resolution {
    if_entry_id: Id,
    method: Method,
    position: i32,
    observation_id: Id,
    network_id: Id,
    host_id: Id,
    chassis_key: Option<String>,
    address_key: Option<String>,
    name_key: Option<String>,
    far_host_id: Option<Id>,
    host_tier: Option<HostTier>,
    far_if_entry_id: Option<Id>,
    port_tier: Option<PortTier>,
    possible_if_entry_ids: Option<String>,
    met_if_entry_id: Option<Id>,
    outranked: bool,
    superseded: bool,
});

/// The forwarding table of a port, and its stored connection.
#[derive(Debug)]
pub struct TableRow {
    pub fdb_macs: Option<MacList>,
    pub neighbor_pinned: bool,
    pub neighbor_if_entry_id: Option<Id>,
    pub neighbor_host_id: Option<Id>,
}

columns!(TableRow {
    fdb_macs: Option<MacList>,
    neighbor_pinned: bool,
    neighbor_if_entry_id: Option<Id>,
    neighbor_host_id: Option<Id>,
});

impl TableRow {
    /// Returns the far end that is stored.
    pub fn neighbor(&self) -> Option<NeighborId> {
        NeighborId::of_columns(self.neighbor_if_entry_id, self.neighbor_host_id)
    }
}

/// A port that may have heard something.
#[derive(Debug)]
pub struct Entry {
    /// The port.
    pub id: Id,
    /// Its device.
    pub host_id: Id,
    /// Its type (IANA ifType).
    pub if_type: i32,
    /// The MAC addresses learned on it.
    pub fdb: Option<MacList>,
    /// The far end that the port is pinned to, and its device.
    pub pin: Option<(NeighborId, Id)>,
}

impl Entry {
    /// Creates the entry of a port, given the device of the port that it is connected to.
    pub fn new(port: &PortFacts, table: TableRow, host_of_neighbor: Option<Id>) -> Self {
        let host = table.neighbor_if_entry_id.map_or(table.neighbor_host_id, |_| host_of_neighbor);
        let pin = table.neighbor().zip(host).filter(|_| table.neighbor_pinned);
        Self { id: port.id, host_id: port.host_id, if_type: port.if_type, fdb: table.fdb_macs, pin }
    }

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

/// A neighbor that a port heard by a protocol.
#[derive(Debug)]
pub struct HeardRow {
    pub id: Id,
    pub if_entry_id: Id,
    pub protocol: NeighborProtocol,
    pub position: i32,
    pub chassis_id_subtype: Option<ChassisIdSubtype>,
    pub chassis_id: Option<String>,
    pub port_id_subtype: Option<PortIdSubtype>,
    pub port_id: Option<String>,
    pub port_desc: Option<String>,
    pub sys_name: Option<String>,
    pub mgmt_addr: Option<String>,
}

columns!(HeardRow {
    id: Id,
    if_entry_id: Id,
    protocol: NeighborProtocol,
    position: i32,
    chassis_id_subtype: Option<ChassisIdSubtype>,
    chassis_id: Option<String>,
    port_id_subtype: Option<PortIdSubtype>,
    port_id: Option<String>,
    port_desc: Option<String>,
    sys_name: Option<String>,
    mgmt_addr: Option<String>,
});

impl HeardRow {
    /// Returns the sighting of a port of this device.
    pub fn sighting(self, host_id: Id) -> Sighting {
        let chassis = self.chassis_id_subtype.zip(self.chassis_id);
        Sighting {
            id: self.id,
            if_entry_id: self.if_entry_id,
            host_id,
            method: Method::of(self.protocol),
            position: self.position,
            heard: Heard {
                port_desc: self.port_desc,
                sys_name: self.sys_name,
                mgmt_addr: self.mgmt_addr,
                ..said(chassis, self.port_id_subtype, self.port_id)
            },
            pin: None,
        }
    }
}
