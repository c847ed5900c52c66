//! What is known of devices and ports: all of a network, or what some observations ask for.

use std::{cell::OnceCell, collections::HashMap, hash::Hash};

use super::{
    identity::{ChassisValue, Identity},
    if_type, name,
};
use crate::types::{Id, IpAddress, Mac};

/// A device, by what names it.
#[derive(Clone, Debug)]
pub(super) struct HostFacts {
    /// Its id.
    pub(super) id: Id,
    /// What people call it.
    pub(super) name: String,
    /// Its DNS name.
    pub(super) hostname: Option<String>,
    /// What it calls itself.
    pub(super) sys_name: Option<String>,
    /// Its recorded chassis id.
    pub(super) chassis_id: Option<String>,
    /// The address by which it is managed.
    pub(super) management_address: Option<String>,
    /// Where its management page is.
    pub(super) management_url: Option<String>,
}

/// A port, or a logical interface, by what names it.
#[derive(Clone, Debug)]
pub(super) struct PortFacts {
    /// Its id.
    pub(super) id: Id,
    /// Its device.
    pub(super) host_id: Id,
    /// Its number within the device (ifIndex, RFC 2863).
    pub(super) if_index: i32,
    /// Its description (ifDescr, RFC 2863).
    pub(super) if_descr: String,
    /// Its short name (ifName, RFC 2863).
    pub(super) if_name: Option<String>,
    /// What people wrote on it (ifAlias, RFC 2863).
    pub(super) if_alias: Option<String>,
    /// What it is (IANA ifType).
    pub(super) if_type: i32,
    /// Its MAC address.
    pub(super) mac_address: Option<Mac>,
    /// The address that is reached through it.
    pub(super) interface_id: Option<Id>,
}

/// An address of a device.
#[derive(Clone, Copy, Debug)]
pub(super) struct AddressFacts {
    /// The id of the interface.
    pub(super) id: Id,
    /// Its device.
    pub(super) host_id: Id,
    /// The address.
    pub(super) ip_address: IpAddress,
    /// The MAC address behind it.
    pub(super) mac_address: Option<Mac>,
}

/// What a person taught of a neighbor that is heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AliasFacts {
    /// What the neighbor calls itself, as one text for each kind of identity.
    pub(super) identity: String,
    /// What it calls its port, folded, if only that port is meant.
    pub(super) port: Option<String>,
    /// The device that it is.
    pub(super) host_id: Id,
    /// The port that it is.
    pub(super) if_entry_id: Option<Id>,
}

impl HostFacts {
    /// Everything that its own record says it is called.
    pub(super) fn identities(&self) -> Vec<Identity> {
        let mut identities = Vec::with_capacity(6);
        identities
            .extend(self.chassis_id.as_deref().and_then(ChassisValue::of).map(Identity::Chassis));
        let urls = self.management_url.as_deref().and_then(in_url);
        let addresses = [self.management_address.as_deref().and_then(name::address), urls];
        let usable = addresses.into_iter().flatten().filter(|address| address.is_identity());
        identities.extend(usable.map(Identity::Address));
        let names = [Some(self.name.as_str()), self.hostname.as_deref(), self.sys_name.as_deref()];
        for name in names.into_iter().flatten().map(name::device).filter(|name| !name.is_empty()) {
            identities.push(Identity::Label(name::label(&name).to_owned()));
            identities.push(Identity::Name(name));
        }
        identities.sort_unstable();
        identities.dedup();
        identities
    }
}

/// The address in a URL, if its host is one.
fn in_url(url: &str) -> Option<IpAddress> {
    match url::Url::parse(url).ok()?.host()? {
        url::Host::Ipv4(address) => Some(std::net::IpAddr::from(address).into()),
        url::Host::Ipv6(address) => Some(std::net::IpAddr::from(address).to_canonical().into()),
        url::Host::Domain(_) => None,
    }
}

/// Devices and ports, and who carries which identity.
///
/// It holds either all of a network, or of each identity that is asked for everyone who carries it,
/// and of each of those all ports: whoever asks gets the same answer from both.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) hosts: HashMap<Id, HostFacts>,
    pub(super) ports: HashMap<Id, PortFacts>,
    of_host: HashMap<Id, HostPorts>,
    carriers: HashMap<Identity, Vec<Id>>,
    addresses: HashMap<(Id, IpAddress), Vec<Id>>,
    aliases: HashMap<(String, Option<String>), AliasFacts>,
}

/// The ports of a device, and which of them are called what, worked out when first asked for.
#[derive(Debug, Default)]
pub(super) struct HostPorts {
    pub(super) ports: Vec<Id>,
    names: OnceCell<PortNames>,
}

/// Which ports are called what.
#[derive(Debug, Default)]
pub(super) struct PortNames {
    pub(super) name: HashMap<String, Vec<Id>>,
    pub(super) description: HashMap<String, Vec<Id>>,
    pub(super) alias: HashMap<String, Vec<Id>>,
    /// The normalised name, description, and the last element of both.
    pub(super) normalised: HashMap<String, Vec<Id>>,
    /// The number at the end of the name of a physical port.
    pub(super) number: HashMap<String, Vec<Id>>,
    pub(super) mac: HashMap<Mac, Vec<Id>>,
    pub(super) if_index: HashMap<String, Vec<Id>>,
}

impl Facts {
    pub(super) fn new(
        hosts: Vec<HostFacts>,
        ports: Vec<PortFacts>,
        addresses: Vec<AddressFacts>,
        aliases: Vec<AliasFacts>,
    ) -> Self {
        let mut facts = Self::default();
        hosts.into_iter().for_each(|host| facts.add_host(host));
        ports.into_iter().for_each(|port| facts.add_port(port));
        addresses.into_iter().for_each(|address| facts.add_address(address));
        facts.teach(aliases);
        facts
    }

    pub(super) fn add_host(&mut self, host: HostFacts) {
        for identity in host.identities() {
            add(&mut self.carriers, identity, host.id);
        }
        self.hosts.insert(host.id, host);
    }

    pub(super) fn add_port(&mut self, port: PortFacts) {
        self.carried(port.mac_address, port.host_id);
        self.of_host.entry(port.host_id).or_default().ports.push(port.id);
        self.ports.insert(port.id, port);
    }

    pub(super) fn add_address(&mut self, address: AddressFacts) {
        self.carried(address.mac_address, address.host_id);
        if address.ip_address.is_identity() {
            let canonical = address.ip_address.addr().to_canonical().into();
            add(&mut self.carriers, Identity::Address(canonical), address.host_id);
            add(&mut self.addresses, (address.host_id, canonical), address.id);
        }
    }

    pub(super) fn teach(&mut self, aliases: Vec<AliasFacts>) {
        let taught = |alias: AliasFacts| ((alias.identity.clone(), alias.port.clone()), alias);
        self.aliases = aliases.into_iter().map(taught).collect();
    }

    fn carried(&mut self, mac: Option<Mac>, host_id: Id) {
        if let Some(mac) = mac.filter(|mac| mac.is_identity()) {
            add(&mut self.carriers, Identity::Mac(mac), host_id);
        }
    }

    /// The devices that carry an identity, each once, in the order of ids.
    pub(super) fn carriers(&self, identity: &Identity) -> Vec<Id> {
        let mut carriers = self.carriers.get(identity).cloned().unwrap_or_default();
        carriers.sort_unstable();
        carriers.dedup();
        carriers
    }

    /// What was taught of an identity, of one of its ports if that was taught, else of it.
    pub(super) fn alias(&self, identity: &Identity, port: Option<String>) -> Option<&AliasFacts> {
        if self.aliases.is_empty() {
            return None;
        }
        let of = |port| self.aliases.get(&(identity.exact(), port));
        of(port).or_else(|| of(None))
    }

    /// The ports of a device.
    pub(super) fn ports_of(&self, host_id: Id) -> &[Id] {
        self.of_host.get(&host_id).map_or(&[], |of| of.ports.as_slice())
    }

    /// Which ports of a device are called what.
    pub(super) fn names_of(&self, host_id: Id) -> Option<&PortNames> {
        let of = self.of_host.get(&host_id)?;
        Some(of.names.get_or_init(|| self.port_names(&of.ports)))
    }

    /// The ports that share the address of a device.
    pub(super) fn ports_with_address(&self, host_id: Id, address: IpAddress) -> Vec<Id> {
        let Some(interfaces) = self.addresses.get(&(host_id, address)) else { return Vec::new() };
        let shares =
            |port: &Id| self.ports[port].interface_id.is_some_and(|id| interfaces.contains(&id));
        self.ports_of(host_id).iter().copied().filter(shares).collect()
    }

    fn port_names(&self, ports: &[Id]) -> PortNames {
        let mut names = PortNames::default();
        for port in ports.iter().map(|id| &self.ports[id]) {
            let id = port.id;
            let called = [port.if_name.as_deref(), Some(port.if_descr.as_str())];
            for (text, index) in called.into_iter().zip([&mut names.name, &mut names.description]) {
                index_text(index, text, id);
            }
            index_text(&mut names.alias, port.if_alias.as_deref(), id);
            let mut normalised: Vec<String> = Vec::with_capacity(2);
            for text in called.into_iter().flatten() {
                let text = name::interface(text);
                normalised.extend(name::last_element(&text).map(str::to_owned));
                normalised.push(text);
            }
            normalised.sort_unstable();
            normalised.dedup();
            for text in normalised {
                add(&mut names.normalised, text, id);
            }
            let number = name::last_number(name::trimmed(port.label()));
            if let Some(number) = number.filter(|_| if_type::is_socket(port.if_type)) {
                add(&mut names.number, number.to_owned(), id);
            }
            if let Some(mac) = port.mac_address {
                add(&mut names.mac, mac, id);
            }
            add(&mut names.if_index, port.if_index.to_string(), id);
        }
        names
    }
}

fn index_text(index: &mut HashMap<String, Vec<Id>>, text: Option<&str>, id: Id) {
    if let Some(text) = text.map(name::folded).filter(|text| !text.is_empty()) {
        add(index, text, id);
    }
}

fn add<K: Eq + Hash>(index: &mut HashMap<K, Vec<Id>>, key: K, id: Id) {
    let ids = index.entry(key).or_default();
    if ids.last() != Some(&id) {
        ids.push(id);
    }
}

impl PortFacts {
    /// What people call it.
    pub(super) fn label(&self) -> &str {
        self.if_name.as_deref().unwrap_or(&self.if_descr)
    }
}
