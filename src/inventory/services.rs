//! Plans the services of one host and what they listen on from a document.

use std::collections::{HashMap, HashSet, VecDeque};

use toposcope_types::{Id, Source};

use super::{
    Within as _, document,
    host_parts::Parent,
    list::List,
    planner::{Listener, Planner, relink},
    targets::{target, target_of},
};
use crate::{
    bindings::Model as Binding,
    error::{Error, Result},
    input::{position, text},
    services::Service,
};

impl Planner<'_> {
    /// Checks services before ports are planned, since bindings create ports.
    pub(super) fn checked_services(
        &mut self,
        host: &Parent<'_>,
        given: List<document::Service>,
    ) -> Result<List<document::Service>> {
        let mut services = List::like(&given);
        for (nth, service) in given {
            let place = || host.path("services", nth);
            let name = self.faults.name(|| Some(service.name.clone()));
            let service = self.faults.sift(place, name, checked(service))?;
            let Some(mut service) = service else {
                services.push(nth, None);
                continue;
            };
            if let Some(bindings) = service.bindings.take() {
                service.bindings = Some(self.checked_bindings(host, nth, bindings)?);
            }
            services.push(nth, Some(service));
        }
        Ok(services)
    }

    fn checked_bindings(
        &mut self,
        host: &Parent<'_>,
        service: usize,
        given: List<document::Binding>,
    ) -> Result<List<document::Binding>> {
        let mut bindings = List::like(&given);
        let mut targets = Vec::new();
        for (nth, binding) in given {
            let place = || format!("{}.bindings[{nth}]", host.path("services", service));
            let target = target(host, &binding).map_err(|error| match binding.ip_address {
                Some(address) => self.faults.referring(
                    &format!("hosts[{}].interfaces", host.nth),
                    &address.to_string(),
                    error,
                ),
                None => error,
            });
            let key = target.and_then(|(kind, _, interface_id)| {
                let key = (kind, binding.number, binding.protocol, interface_id);
                let field = String::new();
                if targets.contains(&key) { Err(Error::Duplicate { field }) } else { Ok(key) }
            });
            let key = self.faults.sift(place, None, key)?;
            bindings.push(nth, key.is_some().then_some(binding));
            targets.extend(key);
        }
        Ok(bindings)
    }

    /// Plans checked services.
    pub(super) fn services(
        &mut self,
        host: &Parent<'_>,
        given: Option<List<document::Service>>,
    ) -> Result<Vec<Listener>> {
        let stored = self.index.services.get(&host.id).cloned().unwrap_or_default();
        let mut listening = Vec::new();
        let Some(given) = given else {
            for service in stored {
                listening.push(self.keep_service(host, service));
            }
            return Ok(listening);
        };
        let is_whole = given.is_whole();
        let mut named: HashMap<&str, VecDeque<&Service>> = HashMap::new();
        for service in &stored {
            named.entry(&service.name).or_default().push_back(service);
        }
        let mut kept = HashSet::new();
        for (nth, given) in given {
            // Services with the same name match in order.
            let before = named.get_mut(given.name.as_str()).and_then(VecDeque::pop_front);
            kept.extend(before.map(|row| row.id));
            listening.push(self.service(host, nth, given, before)?);
        }
        for service in stored.iter().filter(|service| !kept.contains(&service.id)) {
            if !is_whole {
                listening.push(self.keep_service(host, service));
                continue;
            }
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
    ) -> Result<Listener> {
        let in_order = || i32::try_from(nth).unwrap_or(i32::MAX);
        let position = given.position.unwrap_or_else(in_order);
        let name = given.name;
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
        service.service_definition = given.service_definition;
        service.position = position;
        service.source = given.source.unwrap_or(service.source);
        let id = service.id;
        let path = || host.path("services", nth);
        let tags = self.tags(given.tags, || format!("{}.tags", path()))?;
        let retagged = relink(&self.stored.service_tags, &mut self.plan.service_tags, id, tags);
        self.plan.services.add(before, service, retagged, |row| &mut row.updated_at);
        let bindings = match given.bindings {
            None => self.keep_bindings(host, id, &HashSet::new()),
            Some(bindings) => self.bindings(host, id, bindings).within(path)?,
        };
        Ok(Listener { name, nth: Some(nth), bindings })
    }

    fn bindings(
        &mut self,
        host: &Parent<'_>,
        service_id: Id,
        given: List<document::Binding>,
    ) -> Result<Vec<Binding>> {
        let stored = self.index.bindings.get(&service_id).cloned().unwrap_or_default();
        let is_whole = given.is_whole();
        let mut bindings: Vec<Binding> = Vec::new();
        for (nth, given) in given {
            let target = target(host, &given).within(|| format!("bindings[{nth}]"))?;
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
        if is_whole {
            let gone = stored.iter().map(|binding| binding.id).filter(|id| !kept.contains(id));
            self.plan.bindings.removed.extend(gone);
        } else {
            bindings.extend(self.keep_bindings(host, service_id, &kept));
        }
        Ok(bindings)
    }

    fn keep_service(&mut self, host: &Parent<'_>, service: &Service) -> Listener {
        let bindings = self.keep_bindings(host, service.id, &HashSet::new());
        Listener { name: service.name.clone(), nth: None, bindings }
    }

    /// Keeps the stored bindings of a service besides the `planned` ones, except those whose port or
    /// interface is removed.
    fn keep_bindings(
        &mut self,
        host: &Parent<'_>,
        service_id: Id,
        planned: &HashSet<Id>,
    ) -> Vec<Binding> {
        let stored = self.index.bindings.get(&service_id).into_iter().flatten();
        let stored = stored.filter(|binding| !planned.contains(&binding.id));
        let is_gone = |id: Option<Id>| id.is_some_and(|id| host.gone.contains(&id));
        let (gone, kept): (Vec<&Binding>, Vec<_>) =
            stored.partition(|binding| is_gone(binding.port_id) || is_gone(binding.interface_id));
        self.plan.bindings.removed.extend(gone.iter().map(|binding| binding.id));
        kept.into_iter().cloned().collect()
    }
}

/// Checks a service by itself.
fn checked(mut service: document::Service) -> Result<document::Service> {
    service.name = text::required("name", service.name, 1, text::MAX_NAME)?;
    service.position = position::check(service.position)?;
    let definition = service.service_definition;
    service.service_definition =
        text::required("service_definition", definition, 1, text::MAX_NAME)?;
    Ok(service)
}
