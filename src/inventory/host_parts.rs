//! The parts of a host during the planning of an import.

use std::collections::{HashMap, HashSet};

use toposcope_types::{Id, IpAddress, Mac, TransportProtocol};

use super::{document, list::List, matching::Alone};
use crate::{
    error::{Error, Result},
    interfaces::Interface,
};

/// The children of a host in a document.
pub(super) struct Given {
    pub(super) interfaces: Option<List<document::Interface>>,
    pub(super) if_entries: Option<List<document::IfEntry>>,
    pub(super) ports: Option<List<document::Port>>,
    pub(super) services: Option<List<document::Service>>,
}

/// A planned address of a host, with the names of the if-entries that have it.
pub(super) struct Address {
    pub(super) interface: Interface,
    pub(super) if_names: Vec<String>,
}

impl Address {
    /// Returns the address of a stored interface.
    pub(super) fn stored(row: &Interface) -> Self {
        Self { interface: row.clone(), if_names: row.name.clone().into_iter().collect() }
    }
}

/// The host whose children are being planned.
pub(super) struct Parent<'n> {
    pub(super) id: Id,
    pub(super) name: &'n str,
    /// The index of the host in the document.
    pub(super) nth: usize,
    pub(super) addresses: Vec<Address>,
    pub(super) ports: HashMap<(i32, TransportProtocol), Id>,
    /// Removed ports and interfaces, whose bindings are removed with them.
    pub(super) gone: HashSet<Id>,
}

impl Parent<'_> {
    /// Returns the path of an element of one of its lists.
    pub(super) fn path(&self, list: &str, nth: usize) -> String {
        format!("hosts[{}].{list}[{nth}]", self.nth)
    }

    pub(super) fn address(&self, wanted: IpAddress) -> Result<&Interface> {
        let found = self.addresses.iter().find(|address| address.interface.ip_address == wanted);
        found.map(|address| &address.interface).ok_or_else(|| {
            Error::invalid("ip_address", format!("the host has no interface `{wanted}`"))
        })
    }
}

/// A reason to doubt that an if-entry matches its stored row.
#[derive(Clone, Debug)]
pub(super) enum Doubt {
    /// The name differs, and only this evidence supports the match.
    Name(String, Alone),
    /// The MAC address differs.
    Mac { old: Mac, new: Mac },
}
