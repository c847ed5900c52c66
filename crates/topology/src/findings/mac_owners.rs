//! The owners of the MAC addresses in a forwarding table.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use toposcope_types::{Id, Mac};

use crate::{
    network::Snapshot,
    wording::{SHOWN, listed},
};

/// A device that has a MAC address, and its port if only one port has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The device.
    pub host_id: Id,
    /// The port.
    pub if_entry_id: Option<Id>,
}

/// Evidence that a device is a switch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Switching {
    /// The number of its ports with a forwarding table.
    pub tables: i64,
    /// The number of its sockets.
    pub sockets: i64,
}

/// The owners of some MAC addresses.
#[derive(Clone, Debug, Default)]
pub struct Owners {
    /// The devices that have each address.
    pub of: BTreeMap<Mac, Vec<Owner>>,
    /// Evidence that these devices are switches.
    pub switching: HashMap<Id, Switching>,
}

/// The maximum number of addresses to look up in full; nobody reads a longer list.
const ASKED: usize = 100;

/// Returns the addresses of a table whose owners to look up: all, or as many as a sentence names.
pub fn asked(usable: &HashSet<Mac>) -> Vec<Mac> {
    let mut asked: Vec<Mac> = usable.iter().copied().collect();
    asked.sort_unstable();
    if asked.len() > ASKED {
        asked.truncate(SHOWN);
    }
    asked
}

impl Owners {
    /// Returns the devices that have these addresses, ordered by id.
    pub fn hosts(&self) -> BTreeSet<Id> {
        self.of.values().flatten().map(|owner| owner.host_id).collect()
    }

    /// Describes the owners of the addresses in a table of `count`, and what follows from them.
    pub fn told(&self, snapshot: &Snapshot, count: usize) -> String {
        // Addresses with an owner come first.
        let mut named: Vec<(&Mac, &Vec<Owner>)> = self.of.iter().collect();
        named.sort_by_key(|(_, owners)| owners.is_empty());
        let told =
            |(mac, owners): (&Mac, &Vec<Owner>)| format!("`{mac}` is {}", called(snapshot, owners));
        // The owners of one address may be a list themselves.
        let mut named: Vec<String> = named.into_iter().take(SHOWN).map(told).collect();
        if count > named.len() {
            named.push(format!("and {} more", count - named.len()));
        }
        let named = named.join("; ");
        if let Some(host) = self.only(count) {
            let host = name(snapshot, host);
            return format!(
                "{named}. All of them are those of {host}, so which of its ports this one is \
                 connected to cannot be told."
            );
        }
        let hint = if self.are_hinting(count) { self.hint(snapshot) } else { String::new() };
        format!(
            "{named}. Several devices are behind it, and which of them is the next one cannot be \
             told.{hint}"
        )
    }

    /// Returns the device that has all `count` addresses of a table, if there is one.
    fn only(&self, count: usize) -> Option<Id> {
        let are_all_known = self.of.len() == count && !self.of.values().any(Vec::is_empty);
        let hosts = self.hosts();
        hosts.first().copied().filter(|_| are_all_known && hosts.len() == 1)
    }

    /// Returns whether evidence of switches helps with a table of `count` addresses.
    pub fn are_hinting(&self, count: usize) -> bool {
        self.of.len() == count && self.only(count).is_none()
    }

    /// Returns a hint at the device that is likely adjacent, if the evidence singles one out.
    fn hint(&self, snapshot: &Snapshot) -> String {
        let having = |counts: fn(&Switching) -> bool| -> Vec<Id> {
            let is = |host: &Id| self.switching.get(host).is_some_and(counts);
            self.hosts().into_iter().filter(is).collect()
        };
        let (tables, several) = (having(|one| one.tables > 0), having(|one| one.sockets > 1));
        let (host, what) = match (tables.as_slice(), several.as_slice()) {
            ([host], _) => (*host, "has forwarding tables itself"),
            ([], [host]) => (*host, "has several ports"),
            _ => return String::new(),
        };
        format!(
            " Of those that are known only {} {what}: if it is the next one, pin this port to it.",
            name(snapshot, host)
        )
    }
}

fn name(snapshot: &Snapshot, host: Id) -> String {
    let place = snapshot.host(host);
    place.map_or_else(
        || "a new device".to_owned(),
        |place| format!("`{}`", snapshot.hosts[place as usize].name),
    )
}

fn called(snapshot: &Snapshot, owners: &[Owner]) -> String {
    let one = |owner: &Owner| {
        let port = owner.if_entry_id.and_then(|port| snapshot.port(port));
        port.map_or_else(|| name(snapshot, owner.host_id), |port| snapshot.called(port))
    };
    match owners {
        [] => "nobody's".to_owned(),
        several => listed(several.iter().map(one).collect()),
    }
}
