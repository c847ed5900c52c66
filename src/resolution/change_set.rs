//! The resolution inputs that a write changes, derived from its change log.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use toposcope_topology::resolution::{identity::Identity, normalize, records::HostFacts};
use toposcope_types::{Id, Kind, Mac};

/// The resolution inputs of a network that a write changes.
#[derive(Debug, Default)]
pub(super) struct ChangeSet {
    /// Ports that hear something else, or that look different to the ports that hear them.
    pub(super) entries: BTreeSet<Id>,
    /// Ports that left this network; another network may have them by now.
    pub(super) gone: BTreeSet<Id>,
    /// Keys that a device has gained or lost.
    pub(super) keys: BTreeSet<String>,
    /// Devices with a port that has other identifying fields, and deleted devices.
    pub(super) far_hosts: BTreeSet<Id>,
    /// Devices that have gained or lost a MAC address, which their forwarding tables leave out.
    pub(super) own_macs: BTreeSet<Id>,
    /// Devices, with the current keys of their own record.
    pub(super) hosts: BTreeMap<Id, BTreeSet<String>>,
}

/// The port fields that decide under which names the port is found, if at all.
const CALLED: [&str; 7] =
    ["host_id", "if_index", "if_descr", "if_name", "if_alias", "mac_address", "interface_id"];

/// The port fields that decide what the port hears.
const HEARS: [&str; 5] = ["host_id", "fdb_macs", "neighbor", "neighbor_pinned", "neighbors_heard"];

impl ChangeSet {
    /// Adds one change of the log.
    pub(super) fn take(
        &mut self,
        kind: Kind,
        id: Id,
        before: Option<&Value>,
        after: Option<&Value>,
    ) {
        match kind {
            Kind::Host => self.take_host(id, before, after),
            Kind::Interface => self.take_interface(before, after),
            Kind::IfEntry => self.take_entry(id, before, after),
            Kind::Alias => {
                let keys = [before, after].into_iter().flatten().filter_map(|row| text(row, "key"));
                self.keys.extend(keys.map(str::to_owned));
            }
            _ => {}
        }
    }

    /// Returns whether the write changes no resolution input.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
            && self.keys.is_empty()
            && self.far_hosts.is_empty()
            && self.own_macs.is_empty()
            && self.hosts.is_empty()
    }

    fn take_host(&mut self, id: Id, before: Option<&Value>, after: Option<&Value>) {
        let identities = |row: Option<&Value>| row.map(|row| host(id, row).identities());
        let (was, is) = (identities(before), identities(after));
        if was == is {
            return;
        }
        let chassis = |identities: &Option<Vec<Identity>>| {
            let is_chassis = |one: &&Identity| matches!(one, Identity::Chassis(_));
            identities.iter().flatten().find(is_chassis).cloned()
        };
        if chassis(&was) != chassis(&is) {
            self.own_macs.insert(id);
        }
        let keys = |identities: Option<Vec<Identity>>| -> BTreeSet<String> {
            identities.iter().flatten().map(Identity::key).collect()
        };
        let now = keys(is);
        self.keys.extend(keys(was));
        self.keys.extend(now.iter().cloned());
        if after.is_none() {
            self.far_hosts.insert(id);
        }
        self.hosts.insert(id, now);
    }

    fn take_interface(&mut self, before: Option<&Value>, after: Option<&Value>) {
        let differs = |field| differ(before, after, field);
        if differs("mac_address") || differs("host_id") {
            for row in [before, after].into_iter().flatten() {
                self.take_mac(row);
            }
        }
        if differs("ip_address") || differs("host_id") {
            for row in [before, after].into_iter().flatten() {
                let address = text(row, "ip_address").and_then(normalize::address);
                self.keys.extend(address.map(|address| Identity::Address(address).key()));
                self.far_hosts.extend(before.and(after).and(id(row, "host_id")));
            }
        }
    }

    fn take_entry(&mut self, entry: Id, before: Option<&Value>, after: Option<&Value>) {
        if after.is_none() {
            self.gone.insert(entry);
        }
        let differs = |field: &&str| differ(before, after, field);
        let type_differs = differs(&"if_type");
        if type_differs || HEARS.iter().any(differs) {
            self.entries.insert(entry);
        }
        if type_differs || CALLED.iter().any(differs) {
            let hosts = [before, after].into_iter().flatten().filter_map(|row| id(row, "host_id"));
            self.far_hosts.extend(hosts);
        }
        if differs(&"mac_address") || differs(&"host_id") {
            for row in [before, after].into_iter().flatten() {
                self.take_mac(row);
            }
        }
    }

    fn take_mac(&mut self, row: &Value) {
        let mac = text(row, "mac_address").and_then(|mac| mac.parse::<Mac>().ok());
        if let Some(mac) = mac {
            self.keys.insert(Identity::Mac(mac).key());
            self.own_macs.extend(id(row, "host_id"));
        }
    }
}

/// Returns whether a field differs between the row before and after its change.
fn differ(before: Option<&Value>, after: Option<&Value>, field: &str) -> bool {
    before.map(|row| value(row, field)) != after.map(|row| value(row, field))
}

/// Returns the value of a field, unless it is absent or null.
fn value<'v>(row: &'v Value, field: &str) -> Option<&'v Value> {
    row.get(field).filter(|value| !value.is_null())
}

fn text<'v>(row: &'v Value, field: &str) -> Option<&'v str> {
    row.get(field)?.as_str()
}

fn id(row: &Value, field: &str) -> Option<Id> {
    text(row, field)?.parse().ok()
}

fn host(id: Id, row: &Value) -> HostFacts {
    let owned = |field| text(row, field).map(str::to_owned);
    HostFacts {
        id,
        name: owned("name").unwrap_or_default(),
        hostname: owned("hostname"),
        sys_name: owned("sys_name"),
        chassis_id: owned("chassis_id"),
        management_address: owned("management_address"),
        management_url: owned("management_url"),
    }
}
