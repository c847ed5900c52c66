//! The parts of a host while an import is planned.

use std::collections::{HashMap, HashSet};

use toposcope_types::{Id, IpAddress, Mac, TransportProtocol};

use super::{document, matching::Alone};
use crate::{
    error::{Error, Result},
    interfaces::Interface,
};

/// What a document says of the children of a host.
pub(super) struct Given {
    pub(super) interfaces: Option<Vec<document::Interface>>,
    pub(super) if_entries: Option<Vec<document::IfEntry>>,
    pub(super) ports: Option<Vec<document::Port>>,
    pub(super) services: Option<Vec<document::Service>>,
}

/// An address of a host as it will be, with the interface-table entries that name it.
pub(super) struct Address {
    pub(super) interface: Interface,
    pub(super) if_names: Vec<String>,
}

/// The host whose children are planned.
pub(super) struct Parent<'n> {
    pub(super) id: Id,
    pub(super) name: &'n str,
    /// Its place among the hosts of the document.
    pub(super) nth: usize,
    pub(super) addresses: Vec<Address>,
    pub(super) ports: HashMap<(i32, TransportProtocol), Id>,
    /// Ports and interfaces that go, and with them what is bound to them.
    pub(super) gone: HashSet<Id>,
}

impl Parent<'_> {
    pub(super) fn address(&self, wanted: IpAddress) -> Result<&Interface> {
        let found = self.addresses.iter().find(|address| address.interface.ip_address == wanted);
        found.map(|address| &address.interface).ok_or_else(|| {
            Error::invalid("ip_address", format!("the host has no interface `{wanted}`"))
        })
    }
}

/// What speaks against it that an entry is the one that it is taken for.
#[derive(Clone, Debug)]
pub(super) enum Doubt {
    /// It has another name now, and only this says so.
    Name(String, Alone),
    /// It has another MAC address now.
    Mac { old: Mac, new: Mac },
}
