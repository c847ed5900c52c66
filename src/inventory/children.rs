//! Plans the parts of one host from a document. A list in the document is complete, so stored rows
//! that it does not mention are removed, unless an element of it is left out, which may be any of
//! them; an omitted list changes nothing.

use std::collections::{HashMap, HashSet};

use toposcope_types::{Id, IpAddress};

use super::{
    Within as _, document,
    host_parts::{Address, Given, Parent},
    list::List,
    planner::{Listener, Planner},
    targets::port_key,
};
use crate::{
    error::{Error, Result},
    interfaces::Interface,
    ports::Port,
};

/// An address in a subnet.
struct Wanted {
    subnet_id: Id,
    address: document::Interface,
    /// The names of all if-entries with that address.
    if_names: Vec<String>,
}

impl Planner<'_> {
    /// Plans the children of the host `id`, the `nth` of the document.
    pub(super) fn children(
        &mut self,
        id: Id,
        name: &str,
        nth: usize,
        given: Given,
    ) -> Result<Vec<Listener>> {
        let mut host = Parent {
            id,
            name,
            nth,
            addresses: Vec::new(),
            ports: HashMap::new(),
            gone: HashSet::new(),
        };
        let readdressed = given.interfaces.is_some();
        self.interfaces(&mut host, given.interfaces)?;
        if let Some(entries) = given.if_entries {
            self.if_entries(&host, entries, readdressed)?;
        }
        let services = given.services.map(|services| self.checked_services(&host, services));
        let services = services.transpose()?;
        self.ports(&mut host, given.ports, services.as_ref())?;
        self.services(&host, services)
    }

    fn interfaces(
        &mut self,
        host: &mut Parent<'_>,
        given: Option<List<document::Interface>>,
    ) -> Result<()> {
        let stored = self.index.interfaces.get(&host.id).map_or(&[][..], Vec::as_slice).to_vec();
        let Some(given) = given else {
            host.addresses = stored.into_iter().map(Address::stored).collect();
            return Ok(());
        };
        let is_whole = given.is_whole();
        let (wanted, repeated) = self.merged(host, given, &stored)?;
        if let Some(first) = repeated.first() {
            self.plan.notes.push(format!(
                "hosts[{}] `{}`: {} of its addresses stand several times in the list, such as \
                 {first}; each is one interface",
                host.nth,
                host.name,
                repeated.len(),
            ));
        }
        // Match the same subnet first, so that an address in two subnets keeps both rows.
        let mut before: Vec<Option<&Interface>> = vec![None; wanted.len()];
        let mut taken = HashSet::new();
        for exact in [true, false] {
            for (wanted, before) in wanted.iter().zip(&mut before) {
                let found = stored.iter().find(|row| {
                    row.ip_address == wanted.address.ip_address
                        && (!exact || row.subnet_id == wanted.subnet_id)
                        && !taken.contains(&row.id)
                });
                if let (None, Some(row)) = (&before, found) {
                    taken.insert(row.id);
                    *before = Some(row);
                }
            }
        }
        for ((place, wanted), before) in (0..).zip(wanted).zip(before) {
            let Wanted { subnet_id, address: given, if_names } = wanted;
            // What is left out may stand before it.
            let position = before.map_or(place, |row| if is_whole { place } else { row.position });
            let new = || Interface {
                id: Id::new(),
                created_at: self.now,
                updated_at: self.now,
                network_id: self.network_id,
                host_id: host.id,
                subnet_id,
                ip_address: given.ip_address,
                mac_address: None,
                name: None,
                position,
            };
            let interface = Interface {
                subnet_id,
                mac_address: given.mac_address,
                name: given.if_name,
                position,
                ..before.cloned().unwrap_or_else(new)
            };
            self.address_of.insert(interface.id, interface.ip_address);
            host.addresses.push(Address { interface: interface.clone(), if_names });
            self.plan.interfaces.add(before, interface, false, |row| &mut row.updated_at);
        }
        let rest = stored.into_iter().filter(|row| !taken.contains(&row.id));
        if is_whole {
            let gone = rest.map(|row| row.id);
            host.gone.extend(gone.clone());
            self.plan.interfaces.removed.extend(gone);
        } else {
            host.addresses.extend(rest.map(Address::stored));
        }
        Ok(())
    }

    /// Merges the interfaces of a list that have the same subnet and address. Also returns the
    /// addresses that occur several times, as on unnumbered links and bridges.
    fn merged(
        &self,
        host: &Parent<'_>,
        given: List<document::Interface>,
        stored: &[&Interface],
    ) -> Result<(Vec<Wanted>, Vec<IpAddress>)> {
        let mut merged: Vec<Wanted> = Vec::new();
        let mut places = HashMap::new();
        let mut repeated = Vec::new();
        for (nth, interface) in given {
            let path = || host.path("interfaces", nth);
            let subnet_id = self.subnet_of(&interface, stored).within(path)?;
            let if_name = interface.if_name.clone();
            let address = interface.ip_address;
            let first = *places.entry((subnet_id, address)).or_insert(merged.len());
            if first == merged.len() {
                let if_names = if_name.into_iter().collect();
                merged.push(Wanted { subnet_id, address: interface, if_names });
                continue;
            }
            merged[first].if_names.extend(if_name);
            if !repeated.contains(&address) {
                repeated.push(address);
            }
        }
        Ok((merged, repeated))
    }

    /// Plans the listed ports, and unlisted ports that services listen on.
    fn ports(
        &mut self,
        host: &mut Parent<'_>,
        given: Option<List<document::Port>>,
        services: Option<&List<document::Service>>,
    ) -> Result<()> {
        let stored: HashMap<_, _> = self
            .index
            .ports
            .get(&host.id)
            .into_iter()
            .flatten()
            .map(|port| ((port.number, port.protocol), port.id))
            .collect();
        let listed = given.is_some();
        let mut is_whole = given.as_ref().is_some_and(List::is_whole);
        let mut wanted = Vec::new();
        let mut seen = HashSet::new();
        for (nth, port) in given.into_iter().flatten() {
            let key = port_key(port.number, port.protocol).and_then(|key| {
                let field = "number".to_owned();
                if seen.insert(key) { Ok(key) } else { Err(Error::Duplicate { field }) }
            });
            let name = self.faults.name(|| Some(port.number.to_string()));
            let key = self.faults.sift(|| host.path("ports", nth), name, key)?;
            is_whole &= key.is_some();
            wanted.extend(key);
        }
        // A binding that is left out may be any stored one, whose port stays.
        let of_bindings =
            |service: &document::Service| service.bindings.as_ref().is_none_or(List::is_whole);
        let in_use = match services {
            Some(given) if !(given.is_whole() && given.elements().all(of_bindings)) => {
                self.bound_ports(host.id)
            }
            _ => HashSet::new(),
        };
        let services = services.into_iter().flat_map(List::elements);
        let bindings = services.filter_map(|service| service.bindings.as_ref());
        for binding in bindings.flat_map(List::elements) {
            if let (Some(number), Some(protocol)) = (binding.number, binding.protocol)
                && number > 0
                && seen.insert((number.into(), protocol))
            {
                wanted.push((number.into(), protocol));
            }
        }
        for key in wanted {
            let before = stored.get(&key).copied();
            let id = before.unwrap_or_default();
            host.ports.insert(key, id);
            self.port_of.insert(id, key);
            if before.is_some() {
                self.plan.ports.unchanged += 1;
                continue;
            }
            self.plan.ports.created.push(Port {
                id,
                created_at: self.now,
                updated_at: self.now,
                host_id: host.id,
                network_id: self.network_id,
                number: key.0,
                protocol: key.1,
            });
        }
        if listed && is_whole {
            let gone =
                stored.iter().filter(|(key, id)| !seen.contains(key) && !in_use.contains(id));
            let gone = gone.map(|(_, id)| *id);
            let mut gone: Vec<Id> = gone.collect();
            gone.sort_unstable();
            host.gone.extend(&gone);
            self.plan.ports.removed.extend(gone);
        }
        Ok(())
    }

    /// Returns the ports of a host that stored bindings listen on.
    fn bound_ports(&self, host: Id) -> HashSet<Id> {
        let services = self.index.services.get(&host).into_iter().flatten();
        let bindings = services.filter_map(|service| self.index.bindings.get(&service.id));
        bindings.flatten().filter_map(|binding| binding.port_id).collect()
    }
}
