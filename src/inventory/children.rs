//! Plans the parts of one host from a document. A list in the document is complete, so stored rows
//! that it does not mention are removed; an omitted list changes nothing.

use std::collections::{HashMap, HashSet, VecDeque};

use toposcope_types::{Id, IpAddress, Source};

use super::{
    Within as _, document,
    host_parts::{Address, Given, Parent},
    planner::{Planner, Services, relink},
    targets::{port_key, target, target_of},
};
use crate::{
    bindings::Model as Binding,
    error::{Error, Result},
    input::{position, text},
    interfaces::Interface,
    ports::Port,
    services::Service,
};

/// A subnet, an address in it, and the names of all if-entries with that address.
type Wanted = (Id, document::Interface, Vec<String>);

impl Planner<'_> {
    /// Plans the children of the host `id`, the `nth` of the document.
    pub(super) fn children(
        &mut self,
        id: Id,
        name: &str,
        nth: usize,
        given: Given,
    ) -> Result<Services> {
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
        self.ports(&mut host, given.ports, given.services.as_deref())?;
        self.services(&host, given.services)
    }

    fn interfaces(
        &mut self,
        host: &mut Parent<'_>,
        given: Option<Vec<document::Interface>>,
    ) -> Result<()> {
        let stored = self.index.interfaces.get(&host.id).map_or(&[][..], Vec::as_slice);
        let Some(given) = given else {
            host.addresses = stored
                .iter()
                .map(|row| Address {
                    interface: (*row).clone(),
                    if_names: row.name.clone().into_iter().collect(),
                })
                .collect();
            return Ok(());
        };
        let stored = stored.to_vec();
        let (wanted, repeated) = self.merged(given, &stored)?;
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
            for ((subnet_id, address, _), before) in wanted.iter().zip(&mut before) {
                let found = stored.iter().find(|row| {
                    row.ip_address == address.ip_address
                        && (!exact || row.subnet_id == *subnet_id)
                        && !taken.contains(&row.id)
                });
                if let (None, Some(row)) = (&before, found) {
                    taken.insert(row.id);
                    *before = Some(row);
                }
            }
        }
        for ((position, (subnet_id, given, if_names)), before) in (0..).zip(wanted).zip(before) {
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
        let gone = stored.iter().map(|row| row.id).filter(|id| !taken.contains(id));
        host.gone.extend(gone.clone());
        self.plan.interfaces.removed.extend(gone);
        Ok(())
    }

    /// Merges the interfaces of a list that have the same subnet and address. Also returns the
    /// addresses that occur several times, as on unnumbered links and bridges.
    fn merged(
        &self,
        given: Vec<document::Interface>,
        stored: &[&Interface],
    ) -> Result<(Vec<Wanted>, Vec<IpAddress>)> {
        let mut merged: Vec<Wanted> = Vec::new();
        let mut places = HashMap::new();
        let mut repeated = Vec::new();
        for (nth, mut interface) in given.into_iter().enumerate() {
            let path = || format!("interfaces[{nth}]");
            let subnet_id = self.subnet_of(&interface, stored).within(path)?;
            interface.if_name =
                text::optional("if_name", interface.if_name, text::MAX_NAME).within(path)?;
            let if_name = interface.if_name.clone();
            let address = interface.ip_address;
            let first = *places.entry((subnet_id, address)).or_insert(merged.len());
            if first == merged.len() {
                merged.push((subnet_id, interface, if_name.into_iter().collect()));
                continue;
            }
            merged[first].2.extend(if_name);
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
        given: Option<Vec<document::Port>>,
        services: Option<&[document::Service]>,
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
        let mut wanted = Vec::new();
        let mut seen = HashSet::new();
        for (nth, port) in given.into_iter().flatten().enumerate() {
            let key = port_key(port.number, port.protocol).within(|| format!("ports[{nth}]"))?;
            if !seen.insert(key) {
                return Err(Error::Duplicate { field: format!("ports[{nth}].number") });
            }
            wanted.push(key);
        }
        let bindings =
            services.into_iter().flatten().filter_map(|service| service.bindings.as_ref());
        for binding in bindings.flatten() {
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
        if listed {
            let gone = stored.iter().filter(|(key, _)| !seen.contains(key)).map(|(_, id)| *id);
            let mut gone: Vec<Id> = gone.collect();
            gone.sort_unstable();
            host.gone.extend(&gone);
            self.plan.ports.removed.extend(gone);
        }
        Ok(())
    }

    fn services(
        &mut self,
        host: &Parent<'_>,
        given: Option<Vec<document::Service>>,
    ) -> Result<Services> {
        let stored = self.index.services.get(&host.id).cloned().unwrap_or_default();
        let mut listening = Services::new();
        let Some(given) = given else {
            for service in stored {
                let bindings = self.keep_bindings(host, service.id);
                listening.push((service.name.clone(), bindings));
            }
            return Ok(listening);
        };
        let mut named: HashMap<&str, VecDeque<&Service>> = HashMap::new();
        for service in &stored {
            named.entry(&service.name).or_default().push_back(service);
        }
        let mut kept = HashSet::new();
        for (nth, mut given) in given.into_iter().enumerate() {
            let path = || format!("services[{nth}]");
            given.name = text::required("name", given.name, 1, text::MAX_NAME).within(path)?;
            // Services with the same name match in order.
            let before = named.get_mut(given.name.as_str()).and_then(VecDeque::pop_front);
            kept.extend(before.map(|row| row.id));
            let entry = self.service(host, nth, given, before).within(path)?;
            listening.push(entry);
        }
        for service in stored.iter().filter(|service| !kept.contains(&service.id)) {
            self.plan.services.removed.push(service.id);
            let bindings = self.index.bindings.get(&service.id).into_iter().flatten();
            self.plan.bindings.removed.extend(bindings.map(|binding| binding.id));
        }
        Ok(listening)
    }

    fn service(
        &mut self,
        host: &Parent<'_>,
        nth: usize,
        given: document::Service,
        before: Option<&Service>,
    ) -> Result<(String, Vec<Binding>)> {
        let in_order = || i32::try_from(nth).unwrap_or(i32::MAX);
        let position = position::check(given.position)?.unwrap_or_else(in_order);
        let name = given.name;
        let definition =
            text::required("service_definition", given.service_definition, 1, text::MAX_NAME)?;
        let new = || Service {
            id: Id::new(),
            created_at: self.now,
            updated_at: self.now,
            host_id: host.id,
            network_id: self.network_id,
            service_definition: String::new(),
            name: String::new(),
            virtualization: None,
            source: Source::Manual,
            position,
        };
        let mut service = before.cloned().unwrap_or_else(new);
        service.name.clone_from(&name);
        service.service_definition = definition;
        service.position = position;
        service.source = given.source.unwrap_or(service.source);
        let id = service.id;
        let tags = given.tags.map(|tags| self.tags(tags)).transpose();
        let tags = tags.within(|| "tags".to_owned())?;
        let retagged = relink(&self.stored.service_tags, &mut self.plan.service_tags, id, tags);
        self.plan.services.add(before, service, retagged, |row| &mut row.updated_at);
        let bindings = match given.bindings {
            None => self.keep_bindings(host, id),
            Some(bindings) => self.bindings(host, id, bindings)?,
        };
        Ok((name, bindings))
    }

    fn bindings(
        &mut self,
        host: &Parent<'_>,
        service_id: Id,
        given: Vec<document::Binding>,
    ) -> Result<Vec<Binding>> {
        let stored = self.index.bindings.get(&service_id).cloned().unwrap_or_default();
        let mut bindings: Vec<Binding> = Vec::with_capacity(given.len());
        for (nth, given) in given.into_iter().enumerate() {
            let path = || format!("bindings[{nth}]");
            let target = target(host, &given).within(path)?;
            if bindings.iter().any(|binding| target_of(binding) == target) {
                return Err(Error::Duplicate { field: path() });
            }
            let before = stored.iter().find(|binding| target_of(binding) == target);
            let binding = before.map_or_else(
                || Binding {
                    id: Id::new(),
                    created_at: self.now,
                    updated_at: self.now,
                    service_id,
                    network_id: self.network_id,
                    binding_type: given.binding_type,
                    port_id: target.1,
                    interface_id: target.2,
                },
                |binding| (*binding).clone(),
            );
            bindings.push(binding.clone());
            self.plan.bindings.add(before.copied(), binding, false, |row| &mut row.updated_at);
        }
        let kept: HashSet<Id> = bindings.iter().map(|binding| binding.id).collect();
        let gone = stored.iter().map(|binding| binding.id).filter(|id| !kept.contains(id));
        self.plan.bindings.removed.extend(gone);
        Ok(bindings)
    }

    /// Keeps the stored bindings of a service, except those whose port or interface is removed.
    fn keep_bindings(&mut self, host: &Parent<'_>, service_id: Id) -> Vec<Binding> {
        let stored = self.index.bindings.get(&service_id).into_iter().flatten();
        let is_gone = |id: Option<Id>| id.is_some_and(|id| host.gone.contains(&id));
        let (gone, kept): (Vec<&Binding>, Vec<_>) =
            stored.partition(|binding| is_gone(binding.port_id) || is_gone(binding.interface_id));
        self.plan.bindings.removed.extend(gone.iter().map(|binding| binding.id));
        kept.into_iter().cloned().collect()
    }
}
