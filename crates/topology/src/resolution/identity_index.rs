//! Devices and ports by identity: a whole network, or the part that some observations need.

use std::{
    borrow::Cow,
    cell::OnceCell,
    hash::{BuildHasher, Hash},
};

use foldhash::HashMap;
use smallvec::SmallVec;
use toposcope_types::{Id, IpAddress, Mac};

use super::{
    identity::Identity,
    normalize,
    port_index::PortNames,
    records::{AddressFacts, AliasFacts, HostFacts, PortFacts},
    sighting::{Claim, Heard},
};

/// Sorted, unique ids, mostly just one.
pub type Ids = SmallVec<[Id; 1]>;

/// Devices and ports, indexed by the identities that they carry.
///
/// The index holds either a whole network, or all carriers of each requested identity and all ports
/// of the devices that were heard. Lookups return the same result from both.
#[derive(Debug, Default)]
pub struct IdentityIndex {
    /// The devices, by id.
    pub hosts: HashMap<Id, HostFacts>,
    /// The ports, by id.
    pub ports: HashMap<Id, PortFacts>,
    of_host: HashMap<Id, HostPorts>,
    /// Devices choose their own names and must not be able to force hash collisions, so this map
    /// uses the slower hasher that resists them.
    carriers: std::collections::HashMap<Identity, Ids>,
    addresses: HashMap<(Id, IpAddress), Ids>,
    aliases: std::collections::HashMap<(String, Option<String>), AliasFacts>,
}

/// The ports of a device, and the index of their names, built on first use.
#[derive(Debug, Default)]
pub(crate) struct HostPorts {
    pub ports: Vec<Id>,
    names: OnceCell<PortNames>,
}

impl IdentityIndex {
    /// Creates an index of these records.
    pub fn new(
        mut hosts: Vec<HostFacts>,
        ports: Vec<PortFacts>,
        addresses: Vec<AddressFacts>,
        aliases: Vec<AliasFacts>,
    ) -> Self {
        let mut facts = Self::default();
        hosts.sort_unstable_by_key(|host| host.id);
        for host in hosts {
            facts.add_host(host);
        }
        for port in ports {
            facts.add_port(port);
        }
        for address in addresses {
            facts.add_address(address);
        }
        facts.teach(aliases);
        facts
    }

    pub(crate) fn add_host(&mut self, host: HostFacts) {
        self.add_called(host.identities(), host);
    }

    /// Adds a device whose identities are known already.
    pub fn add_called(&mut self, identities: Vec<Identity>, host: HostFacts) {
        for identity in identities {
            add(&mut self.carriers, identity, host.id);
        }
        self.hosts.insert(host.id, host);
    }

    /// Adds a port, and its MAC address as an identity of its device.
    pub fn add_port(&mut self, port: PortFacts) {
        self.carried(port.mac_address, port.host_id);
        self.of_host.entry(port.host_id).or_default().ports.push(port.id);
        self.ports.insert(port.id, port);
    }

    /// Adds an address, and its MAC address, as identities of its device.
    pub fn add_address(&mut self, address: AddressFacts) {
        self.carried(address.mac_address, address.host_id);
        if address.ip_address.is_identity() {
            let canonical = address.canonical_address();
            add(&mut self.carriers, Identity::Address(canonical), address.host_id);
            add(&mut self.addresses, (address.host_id, canonical), address.id);
        }
    }

    /// Adds a carrier of an identity; the index may lack some of its ports and addresses.
    pub fn carry(&mut self, host_id: Id, identity: Option<Identity>) {
        if let Some(identity) = identity {
            add(&mut self.carriers, identity, host_id);
        }
    }

    /// Replaces the aliases that people taught.
    pub fn teach(&mut self, aliases: Vec<AliasFacts>) {
        let taught = |alias: AliasFacts| ((alias.identity.clone(), alias.port.clone()), alias);
        self.aliases = aliases.into_iter().map(taught).collect();
    }

    fn carried(&mut self, mac: Option<Mac>, host_id: Id) {
        if let Some(mac) = mac.filter(|mac| mac.is_identity()) {
            add(&mut self.carriers, Identity::Mac(mac), host_id);
        }
    }

    /// Returns the devices that carry an identity, unique and ordered by id. If no device has the
    /// full name, serial numbers after names do not count.
    pub fn carriers(&self, identity: &Identity) -> Cow<'_, [Id]> {
        match (self.carriers.get(identity), identity) {
            (None, Identity::Name(name)) => {
                let bare = normalize::bare(name).to_owned();
                let with = self.with(&Identity::Bare(bare.clone()));
                let without = self.with(&Identity::Name(bare));
                match (with, without) {
                    ([], one) | (one, []) => one.into(),
                    (with, without) => {
                        let mut carriers = [with, without].concat();
                        carriers.sort_unstable();
                        carriers.dedup();
                        carriers.into()
                    }
                }
            }
            (carriers, _) => carriers.map_or(&[][..], Ids::as_slice).into(),
        }
    }

    /// Returns the devices that carry exactly this identity.
    fn with(&self, identity: &Identity) -> &[Id] {
        self.carriers.get(identity).map_or(&[], Ids::as_slice)
    }

    /// Returns whether a device carries an identity despite a different serial number.
    pub(crate) fn differs_in_serial(&self, host_id: Id, identity: &Identity) -> bool {
        let Some(Identity::Bare(bare)) = identity.without_serial() else { return false };
        let is = |identity| self.with(identity).binary_search(&host_id).is_ok();
        !is(identity) && !is(&Identity::Name(bare))
    }

    /// Returns the text of an identity as it matched: without the serial number if that did not
    /// match.
    pub fn shown(&self, identity: &Identity) -> String {
        let found = self.fallback(identity).filter(|_| !self.carriers(identity).is_empty());
        found.as_ref().unwrap_or(identity).to_string()
    }

    /// Returns a name without its serial number, if no device has the full name.
    fn fallback(&self, identity: &Identity) -> Option<Identity> {
        identity.without_serial().filter(|_| !self.carriers.contains_key(identity))
    }

    /// Counts the devices with the identity that an alias for this neighbor would record. If there
    /// are several, it cannot have an alias.
    pub fn alike(&self, heard: &Heard) -> usize {
        let carriers = self.carriers_alike(heard);
        let mut hosts = carriers.concat();
        hosts.sort_unstable();
        hosts.dedup();
        hosts.len()
    }

    /// Returns whether several devices have the identity that an alias for this neighbor would
    /// record.
    pub(crate) fn is_shared(&self, heard: &Heard) -> bool {
        let carriers = self.carriers_alike(heard);
        let mut first = carriers.iter().filter_map(|hosts| hosts.first());
        let one = first.next();
        carriers.iter().any(|hosts| hosts.len() > 1) || first.any(|host| Some(host) != one)
    }

    /// Returns the carriers of each claim that equals the identity in an alias for this neighbor.
    fn carriers_alike(&self, heard: &Heard) -> Vec<Cow<'_, [Id]>> {
        let Some(taught) = heard.strongest().map(|identity| identity.exact()) else {
            return Vec::new();
        };
        let claims = heard.claims();
        let same = claims.iter().filter(|claim| claim.identity.exact() == taught);
        // An alias includes the serial number, so it excludes devices with a different one.
        let carriers = |claim: &Claim| match claim.identity.without_serial() {
            Some(_) => self.with(&claim.identity).into(),
            None => self.carriers(&claim.identity),
        };
        same.map(carriers).collect()
    }

    /// Returns the alias for an identity: the one for this port if it exists, else the one for the
    /// device. An alias for a name also applies to that name with a serial number, unless a device
    /// has the full name.
    pub fn alias(&self, identity: &Identity, port: Option<String>) -> Option<&AliasFacts> {
        if self.aliases.is_empty() {
            return None;
        }
        let bare = self.fallback(identity).map(|bare| bare.exact());
        let texts = std::iter::once(identity.exact()).chain(bare);
        let places = texts.flat_map(|text| [(text.clone(), port.clone()), (text, None)]);
        places.into_iter().find_map(|place| self.aliases.get(&place))
    }

    /// Returns the ports of a device.
    pub(crate) fn ports_of(&self, host_id: Id) -> &[Id] {
        self.of_host.get(&host_id).map_or(&[], |of| of.ports.as_slice())
    }

    /// Returns what is recorded of the ports of a device.
    pub fn ports_at(&self, host_id: Id) -> impl Iterator<Item = &PortFacts> {
        self.ports_of(host_id).iter().map(|id| &self.ports[id])
    }

    /// Returns the index of the names of a device's ports.
    pub(crate) fn names_of(&self, host_id: Id) -> Option<&PortNames> {
        let of = self.of_host.get(&host_id)?;
        Some(of.names.get_or_init(|| PortNames::of(of.ports.iter().map(|id| &self.ports[id]))))
    }

    /// Returns the ports of a device that share one of its addresses.
    pub(crate) fn ports_with_address(&self, host_id: Id, address: IpAddress) -> Vec<Id> {
        let Some(interfaces) = self.addresses.get(&(host_id, address)) else { return Vec::new() };
        let shares = |port: &Id| {
            self.ports[port].interface_id.is_some_and(|id| interfaces.binary_search(&id).is_ok())
        };
        self.ports_of(host_id).iter().copied().filter(shares).collect()
    }
}

fn add<K: Eq + Hash, S: BuildHasher>(
    index: &mut std::collections::HashMap<K, Ids, S>,
    key: K,
    id: Id,
) {
    let ids = index.entry(key).or_default();
    if let Err(place) = ids.binary_search(&id) {
        ids.insert(place, id);
    }
}
