//! Plans hosts from a document.

use std::collections::HashSet;

use async_graphql::MaybeUndefined;
use toposcope_types::Id;

use super::{
    document,
    host_parts::Given,
    list::List,
    namesakes::{self, Matched},
    planner::{Listener, Listening, Planner, clean, relink},
    stored::Index,
};
use crate::{
    error::{Error, Result},
    hosts::{Host, stack},
    input::text,
};

impl<'a> Planner<'a> {
    pub(super) fn hosts(&mut self, given: List<document::Host>) -> Result<()> {
        let hosts = self.checked_hosts(given)?;
        let Matched { hosts, notes } =
            namesakes::matched(self.stored, &self.index, hosts, &mut self.faults)?;
        // What is left out may be any of the stored hosts, so none is known to be gone.
        let is_whole = self.faults.of("hosts").next().is_none();
        self.plan.notes.extend(notes);
        let mut planned = Vec::with_capacity(hosts.len());
        for (nth, mut host, before) in hosts {
            if let Some(interfaces) = host.interfaces.take() {
                host.interfaces = Some(self.derive_subnets(nth, interfaces)?);
            }
            planned.push((nth, host, before));
        }
        let mut mentioned = HashSet::new();
        for (nth, given, before) in planned {
            mentioned.extend(before.map(|host| host.id));
            self.host(given, before, nth)?;
        }
        for host in self.stored.hosts.iter().filter(|host| !mentioned.contains(&host.id)) {
            let is_left_out = self.faults.place_of("hosts", &host.name).is_some();
            if self.lists_hosts && !is_left_out {
                self.plan.absent.push(host.name.clone());
            }
            if self.prune && is_whole {
                self.prune(host.id);
                continue;
            }
            let services = self.index.services.get(&host.id).into_iter().flatten();
            let services = services.map(|service| {
                let bindings = self.index.bindings.get(&service.id).into_iter().flatten();
                let bindings = bindings.map(|binding| (*binding).clone()).collect();
                Listener { name: service.name.clone(), nth: None, bindings }
            });
            let services = services.collect();
            let listening = Listening { reference: None, nth: None, services };
            self.listening.entry(host.name.clone()).or_default().push(listening);
        }
        Ok(())
    }

    /// Cleans the texts of hosts, before any is compared with stored ones, which are clean.
    fn checked_hosts(
        &mut self,
        given: List<document::Host>,
    ) -> Result<Vec<(usize, document::Host)>> {
        let mut hosts = Vec::new();
        let mut seen = HashSet::new();
        for (nth, host) in given {
            let name = self.faults.name(|| Some(host.name.clone()));
            let checked = checked(host).and_then(|host| {
                let field = if host.reference.is_some() { "ref" } else { "name" };
                if seen.insert((host.name.clone(), host.reference.clone())) {
                    Ok(host)
                } else {
                    Err(Error::Duplicate { field: field.to_owned() })
                }
            });
            let checked = self.faults.sift(|| format!("hosts[{nth}]"), name, checked)?;
            hosts.extend(checked.map(|host| (nth, host)));
        }
        Ok(hosts)
    }

    /// Removes a host, and counts the rows that are removed with it.
    fn prune(&mut self, id: Id) {
        let Index { interfaces, if_entries, observations, ports, services, bindings } = &self.index;
        let plan = &mut self.plan;
        plan.hosts.removed.push(id);
        plan.interfaces.along += interfaces.get(&id).map_or(0, Vec::len);
        plan.ports.along += ports.get(&id).map_or(0, Vec::len);
        for entry in if_entries.get(&id).into_iter().flatten() {
            plan.if_entries.along += 1;
            plan.observations.along += observations.get(&entry.id).map_or(0, Vec::len);
        }
        for service in services.get(&id).into_iter().flatten() {
            plan.services.along += 1;
            plan.bindings.along += bindings.get(&service.id).map_or(0, Vec::len);
        }
    }

    /// Plans a host whose texts are clean.
    fn host(&mut self, given: document::Host, before: Option<&'a Host>, nth: usize) -> Result<()> {
        let mut host =
            before.cloned().unwrap_or_else(|| Host::blank(Id::new(), self.network_id, self.now));
        host.name = given.name;
        for (column, value) in [
            (&mut host.hostname, given.hostname),
            (&mut host.description, given.description),
            (&mut host.sys_name, given.sys_name),
            (&mut host.sys_descr, given.sys_descr),
            (&mut host.sys_object_id, given.sys_object_id),
            (&mut host.sys_location, given.sys_location),
            (&mut host.sys_contact, given.sys_contact),
            (&mut host.management_url, given.management_url),
            (&mut host.management_address, given.management_address),
            (&mut host.chassis_id, given.chassis_id),
            (&mut host.manufacturer, given.manufacturer),
            (&mut host.model, given.model),
            (&mut host.serial_number, given.serial_number),
            (&mut host.software_version, given.software_version),
        ] {
            value.update_to(column);
        }
        host.stack_members = stack::or_stored(given.stack_members, host.stack_members)?;
        host.hidden = given.hidden.unwrap_or(host.hidden);
        host.source = given.source.unwrap_or(host.source);
        let (id, name) = (host.id, host.name.clone());
        let tags = self.tags(given.tags, || format!("hosts[{nth}].tags"))?;
        let retagged = relink(&self.stored.host_tags, &mut self.plan.host_tags, id, tags);
        self.plan.hosts.add(before, host, retagged, |row| &mut row.updated_at);

        let children = Given {
            interfaces: given.interfaces,
            if_entries: given.if_entries,
            ports: given.ports,
            services: given.services,
        };
        let services = self.children(id, &name, nth, children)?;
        let listening = Listening { reference: given.reference, nth: Some(nth), services };
        self.listening.entry(name).or_default().push(listening);
        Ok(())
    }
}

/// Cleans the texts of a host.
fn checked(mut host: document::Host) -> Result<document::Host> {
    host.name = text::required("name", host.name, 1, text::MAX_NAME)?;
    host.reference = text::optional("ref", host.reference, text::MAX_NAME)?;
    for (field, value) in [
        ("hostname", &mut host.hostname),
        ("description", &mut host.description),
        ("sys_name", &mut host.sys_name),
        ("sys_descr", &mut host.sys_descr),
        ("sys_object_id", &mut host.sys_object_id),
        ("sys_location", &mut host.sys_location),
        ("sys_contact", &mut host.sys_contact),
        ("management_url", &mut host.management_url),
        ("management_address", &mut host.management_address),
        ("chassis_id", &mut host.chassis_id),
        ("manufacturer", &mut host.manufacturer),
        ("model", &mut host.model),
        ("serial_number", &mut host.serial_number),
        ("software_version", &mut host.software_version),
    ] {
        clean(field, value)?;
    }
    if let MaybeUndefined::Value(members) = host.stack_members {
        let checked = stack::or_stored(MaybeUndefined::Value(members), None)?;
        host.stack_members =
            checked.map_or(MaybeUndefined::Null, |members| MaybeUndefined::Value(members.0));
    }
    Ok(host)
}
