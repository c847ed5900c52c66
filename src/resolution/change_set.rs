//! The resolution inputs that a write changes.

use std::collections::{BTreeMap, BTreeSet};

use toposcope_topology::resolution::{
    identity::Identity,
    records::{AddressFacts, Learned, PortFacts, Record},
};
use toposcope_types::{Id, Mac};

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

/// A record as a write finds it and as it leaves it; `None` where there is no such record.
#[derive(Clone, Debug)]
pub struct Change {
    /// The id of its row.
    pub id: Id,
    /// The record before the write.
    pub before: Option<Record>,
    /// The record after the write.
    pub after: Option<Record>,
}

impl Change {
    fn both(&self) -> impl Iterator<Item = &Record> {
        self.before.iter().chain(&self.after)
    }

    /// Returns the port before and after the write, if this is one.
    fn ports(&self) -> [Option<(&PortFacts, &Learned)>; 2] {
        [&self.before, &self.after].map(|record| match record {
            Some(Record::Port(port, table)) => Some((port, table)),
            _ => None,
        })
    }

    /// Returns whether this is a port.
    pub fn is_port(&self) -> bool {
        self.both().any(|record| matches!(record, Record::Port(..)))
    }

    /// Returns whether the write takes a port away.
    pub fn is_lost_port(&self) -> bool {
        self.after.is_none() && self.is_port()
    }
}

impl ChangeSet {
    /// Adds the change of a record.
    pub(super) fn take(&mut self, change: &Change) {
        if change.is_port() {
            return self.take_port(change);
        }
        let facts = |record: &Option<Record>| match record {
            Some(Record::Address(facts)) => Some(*facts),
            _ => None,
        };
        self.take_address(facts(&change.before), facts(&change.after));
        self.take_host(change);
        for record in change.both() {
            match record {
                Record::Alias(key) => _ = self.keys.insert(key.clone()),
                Record::Observation(port) => _ = self.entries.insert(*port),
                Record::Host(_) | Record::Port(..) | Record::Address(_) => {}
            }
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

    fn take_host(&mut self, change: &Change) {
        let identities = |record: &Option<Record>| match record {
            Some(Record::Host(host)) => Some(host.identities()),
            _ => None,
        };
        let (was, is) = (identities(&change.before), identities(&change.after));
        if was == is {
            return;
        }
        let chassis = |identities: &Option<Vec<Identity>>| {
            let is_chassis = |one: &&Identity| matches!(one, Identity::Chassis(_));
            identities.iter().flatten().find(is_chassis).cloned()
        };
        if chassis(&was) != chassis(&is) {
            self.own_macs.insert(change.id);
        }
        let keys = |identities: Option<Vec<Identity>>| -> BTreeSet<String> {
            identities.iter().flatten().map(Identity::key).collect()
        };
        let now = keys(is);
        self.keys.extend(keys(was));
        self.keys.extend(now.iter().cloned());
        if change.after.is_none() {
            self.far_hosts.insert(change.id);
        }
        self.hosts.insert(change.id, now);
    }

    fn take_address(&mut self, before: Option<AddressFacts>, after: Option<AddressFacts>) {
        let both = || before.into_iter().chain(after);
        let device = |facts: Option<AddressFacts>| facts.map(|facts| facts.host_id);
        let moved = device(before) != device(after);
        let mac = |facts: Option<AddressFacts>| facts.map(|facts| facts.mac_address);
        if moved || mac(before) != mac(after) {
            both().for_each(|facts| self.take_mac(facts.host_id, facts.mac_address));
        }
        let address = |facts: Option<AddressFacts>| facts.map(|facts| facts.canonical_address());
        if moved || address(before) != address(after) {
            self.keys.extend(
                address(before)
                    .into_iter()
                    .chain(address(after))
                    .map(|one| Identity::Address(one).key()),
            );
            if before.is_some() && after.is_some() {
                self.far_hosts.extend(both().map(|facts| facts.host_id));
            }
        }
    }

    fn take_port(&mut self, change: &Change) {
        let [before, after] = change.ports();
        if after.is_none() {
            self.gone.insert(change.id);
        }
        let facts = [before, after].map(|port| port.map(|(facts, _)| facts));
        // Its type and its device decide both what it hears and what it is called.
        let kind = facts.map(|facts| facts.map(|facts| (facts.if_type, facts.host_id)));
        let tables = [before, after].map(|port| port.map(|(_, table)| table));
        if kind[0] != kind[1] || tables[0] != tables[1] {
            self.entries.insert(change.id);
        }
        if facts[0] != facts[1] {
            self.far_hosts.extend(facts.into_iter().flatten().map(|facts| facts.host_id));
        }
        let mac = facts.map(|facts| facts.map(|facts| (facts.mac_address, facts.host_id)));
        if mac[0] != mac[1] {
            for facts in facts.into_iter().flatten() {
                self.take_mac(facts.host_id, facts.mac_address);
            }
        }
    }

    fn take_mac(&mut self, host_id: Id, mac: Option<Mac>) {
        if let Some(mac) = mac {
            self.keys.insert(Identity::Mac(mac).key());
            self.own_macs.insert(host_id);
        }
    }
}
