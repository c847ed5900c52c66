//! What is known of devices and ports: all of a network, or what some observations ask for.

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

/// Ids, of which there is mostly one, in their order and each once.
pub type Ids = SmallVec<[Id; 1]>;

/// Devices and ports, and who carries which identity.
///
/// It holds either all of a network, or of each identity that is asked for everyone who carries it,
/// and of those that were heard all ports: whoever asks gets the same answer from both.
#[derive(Debug, Default)]
pub struct IdentityIndex {
    pub hosts: HashMap<Id, HostFacts>,
    pub ports: HashMap<Id, PortFacts>,
    of_host: HashMap<Id, HostPorts>,
    /// Devices choose how they are called, and none may choose what collides: so this is hashed by
    /// the slower way that withstands it.
    carriers: std::collections::HashMap<Identity, Ids>,
    addresses: HashMap<(Id, IpAddress), Ids>,
    aliases: std::collections::HashMap<(String, Option<String>), AliasFacts>,
}

/// The ports of a device, and which of them are called what, worked out when first asked for.
#[derive(Debug, Default)]
pub(crate) struct HostPorts {
    pub ports: Vec<Id>,
    names: OnceCell<PortNames>,
}

impl IdentityIndex {
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

    pub fn add_port(&mut self, port: PortFacts) {
        self.carried(port.mac_address, port.host_id);
        self.of_host.entry(port.host_id).or_default().ports.push(port.id);
        self.ports.insert(port.id, port);
    }

    pub fn add_address(&mut self, address: AddressFacts) {
        self.carried(address.mac_address, address.host_id);
        if address.ip_address.is_identity() {
            let canonical = address.ip_address.addr().to_canonical().into();
            add(&mut self.carriers, Identity::Address(canonical), address.host_id);
            add(&mut self.addresses, (address.host_id, canonical), address.id);
        }
    }

    /// Adds who carries an identity, of whom not all ports and addresses may be added.
    pub fn carry(&mut self, host_id: Id, identity: Option<Identity>) {
        if let Some(identity) = identity {
            add(&mut self.carriers, identity, host_id);
        }
    }

    pub fn teach(&mut self, aliases: Vec<AliasFacts>) {
        let taught = |alias: AliasFacts| ((alias.identity.clone(), alias.port.clone()), alias);
        self.aliases = aliases.into_iter().map(taught).collect();
    }

    fn carried(&mut self, mac: Option<Mac>, host_id: Id) {
        if let Some(mac) = mac.filter(|mac| mac.is_identity()) {
            add(&mut self.carriers, Identity::Mac(mac), host_id);
        }
    }

    /// The devices that carry an identity, each once, in the order of ids. Where nobody is called
    /// wholly so, serial numbers behind names do not count.
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

    /// The devices that carry exactly this.
    fn with(&self, identity: &Identity) -> &[Id] {
        self.carriers.get(identity).map_or(&[], Ids::as_slice)
    }

    /// Whether a device that carries an identity does so in spite of another serial number.
    pub(crate) fn differs_in_serial(&self, host_id: Id, identity: &Identity) -> bool {
        let Some(Identity::Bare(bare)) = identity.without_serial() else { return false };
        let is = |identity| self.with(identity).binary_search(&host_id).is_ok();
        !is(identity) && !is(&Identity::Name(bare))
    }

    /// An identity as it decided: without the serial number where that did not.
    pub fn shown(&self, identity: &Identity) -> String {
        let found = self.fallback(identity).filter(|_| !self.carriers(identity).is_empty());
        found.as_ref().unwrap_or(identity).to_string()
    }

    /// A name without its serial number, where nobody is called wholly so.
    fn fallback(&self, identity: &Identity) -> Option<Identity> {
        identity.without_serial().filter(|_| !self.carriers.contains_key(identity))
    }

    /// How many devices have what would be taught of a neighbor: of several it cannot be taught.
    pub fn alike(&self, heard: &Heard) -> usize {
        let carriers = self.carriers_alike(heard);
        let mut hosts = carriers.concat();
        hosts.sort_unstable();
        hosts.dedup();
        hosts.len()
    }

    /// Whether several devices have what would be taught of a neighbor.
    pub(crate) fn is_shared(&self, heard: &Heard) -> bool {
        let carriers = self.carriers_alike(heard);
        let mut first = carriers.iter().filter_map(|hosts| hosts.first());
        let one = first.next();
        carriers.iter().any(|hosts| hosts.len() > 1) || first.any(|host| Some(host) != one)
    }

    /// Who carries each claim that is what would be taught of a neighbor.
    fn carriers_alike(&self, heard: &Heard) -> Vec<Cow<'_, [Id]>> {
        let Some(taught) = heard.strongest().map(|identity| identity.exact()) else {
            return Vec::new();
        };
        let claims = heard.claims();
        let same = claims.iter().filter(|claim| claim.identity.exact() == taught);
        // It is taught with the serial number, and so of nobody who has another one.
        let carriers = |claim: &Claim| match claim.identity.without_serial() {
            Some(_) => self.with(&claim.identity).into(),
            None => self.carriers(&claim.identity),
        };
        same.map(carriers).collect()
    }

    /// What was taught of an identity, of one of its ports if that was taught, else of it. What was
    /// taught of a name holds for it with a serial number, unless a device is called wholly so.
    pub fn alias(&self, identity: &Identity, port: Option<String>) -> Option<&AliasFacts> {
        if self.aliases.is_empty() {
            return None;
        }
        let bare = self.fallback(identity).map(|bare| bare.exact());
        let texts = std::iter::once(identity.exact()).chain(bare);
        let places = texts.flat_map(|text| [(text.clone(), port.clone()), (text, None)]);
        places.into_iter().find_map(|place| self.aliases.get(&place))
    }

    /// The ports of a device.
    pub(crate) fn ports_of(&self, host_id: Id) -> &[Id] {
        self.of_host.get(&host_id).map_or(&[], |of| of.ports.as_slice())
    }

    /// Which ports of a device are called what.
    pub(crate) fn names_of(&self, host_id: Id) -> Option<&PortNames> {
        let of = self.of_host.get(&host_id)?;
        Some(of.names.get_or_init(|| PortNames::of(of.ports.iter().map(|id| &self.ports[id]))))
    }

    /// The ports that share the address of a device.
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
