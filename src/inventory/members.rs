//! Plans groups from a document, and finds the bindings that they name by host and service.

use std::collections::{HashMap, HashSet};

use toposcope_types::{BindingType, Color, EdgeStyle, Id, Source};

use super::{
    document,
    left_out::refers,
    list::List,
    planner::{Linked, Listener, Listening, Planner, relink},
    stored::by,
};
use crate::{
    bindings::Model as Binding,
    error::{Error, Result},
    groups::{Group, check_texts},
    input::given::said,
};

impl Planner<'_> {
    pub(super) fn groups(&mut self, given: List<document::Group>) -> Result<()> {
        let stored = by(&self.stored.groups, |group| group.name.as_str());
        let mut named: HashMap<String, usize> = HashMap::new();
        let mut groups = Vec::new();
        let mut seen = HashSet::new();
        for (nth, group) in given {
            let name = self.faults.name(|| Some(group.name.clone()));
            let checked = checked(group).and_then(|group| {
                let field = if group.reference.is_some() { "ref" } else { "name" };
                if seen.insert((group.name.clone(), group.reference.clone())) {
                    Ok(group)
                } else {
                    Err(Error::Duplicate { field: field.to_owned() })
                }
            });
            if let Some(group) = self.faults.sift(|| format!("groups[{nth}]"), name, checked)? {
                *named.entry(group.name.clone()).or_default() += 1;
                groups.push((nth, group));
            }
        }
        let mut taken: HashMap<String, usize> = HashMap::new();
        for (nth, given) in groups {
            let rows = stored.get(given.name.as_str()).map_or(&[][..], Vec::as_slice);
            if rows.len() > named[&given.name] {
                let reason = format!("several stored groups are called `{}`", given.name);
                let fault = Err::<(), _>(Error::invalid("name", reason));
                self.faults.sift(|| format!("groups[{nth}]"), Some(given.name), fault)?;
                continue;
            }
            // Groups with the same name match in order.
            let place = taken.entry(given.name.clone()).or_default();
            let before = rows.get(*place).copied();
            *place += 1;
            self.group(nth, given, before)?;
        }
        Ok(())
    }

    /// Plans a group whose texts are clean.
    fn group(&mut self, nth: usize, given: document::Group, before: Option<&Group>) -> Result<()> {
        let mut group = before.cloned().unwrap_or_else(|| Group {
            id: Id::new(),
            created_at: self.now,
            updated_at: self.now,
            name: String::new(),
            network_id: self.network_id,
            description: None,
            group_type: given.group_type,
            source: Source::Manual,
            color: Color::Blue,
            edge_style: EdgeStyle::Bezier,
        });
        group.name = given.name;
        given.description.update_to(&mut group.description);
        group.group_type = given.group_type;
        group.color = given.color.unwrap_or(group.color);
        group.edge_style = given.edge_style.unwrap_or(group.edge_style);
        group.source = given.source.unwrap_or(group.source);
        let tags = self.tags(given.tags, || format!("groups[{nth}].tags"))?;
        let members = given.bindings.map(|members| self.members(nth, group.id, members));
        let members = members.transpose()?;
        let id = group.id;
        let retagged = relink(&self.stored.group_tags, &mut self.plan.group_tags, id, tags);
        let regrouped = relink(&self.stored.members, &mut self.plan.members, id, members);
        let also = retagged || regrouped;
        self.plan.groups.add(before, group, also, |row| &mut row.updated_at);
        Ok(())
    }

    /// Returns the bindings that the members of a group name.
    fn members(
        &mut self,
        nth: usize,
        group: Id,
        members: List<document::Member>,
    ) -> Result<Linked> {
        let mut is_whole = members.is_whole();
        let mut ids = Vec::new();
        for (place, member) in members {
            let id = self.member(&member).and_then(|id| {
                let field = String::new();
                if ids.contains(&id) { Err(Error::Duplicate { field }) } else { Ok(id) }
            });
            let place = || format!("groups[{nth}].bindings[{place}]");
            let id = self.faults.sift(place, Some(member.host), id)?;
            is_whole &= id.is_some();
            ids.extend(id);
        }
        let stored = self.stored.members.get(&group).map_or(&[][..], Vec::as_slice);
        if is_whole || stored.is_empty() {
            return Ok(Linked { ids, is_whole });
        }
        // Of the stored members stay those that the import does not remove.
        let services = self.listening.values().flatten().flat_map(|host| &host.services);
        let bindings = services.flat_map(|service| &service.bindings);
        let there: HashSet<Id> = bindings.map(|binding| binding.id).collect();
        if stored.iter().all(|id| there.contains(id)) {
            return Ok(Linked { ids, is_whole });
        }
        let stay = |id: &&Id| there.contains(id) && !ids.contains(id);
        let rest: Vec<Id> = stored.iter().filter(stay).copied().collect();
        ids.extend(rest);
        Ok(Linked { ids, is_whole: true })
    }

    /// Returns the one binding that a member of a group names.
    fn member(&self, member: &document::Member) -> Result<Id> {
        let host = self.listening_host(member)?;
        let named = || host.services.iter().filter(|service| service.name == member.service);
        if named().next().is_none() {
            let reason = format!("`{}` has no service `{}`", member.host, member.service);
            let error = Error::invalid("service", reason);
            let list = host.nth.map(|nth| format!("hosts[{nth}].services"));
            return Err(match list {
                Some(list) => self.faults.referring(&list, &member.service, error),
                None => error,
            });
        }
        let bindings = named().flat_map(|service| &service.bindings);
        let found: Vec<&Binding> =
            bindings.filter(|binding| self.is_meant(binding, member)).collect();
        let whole: Vec<&&Binding> =
            found.iter().filter(|binding| binding.interface_id.is_none()).collect();
        match (found.as_slice(), whole.as_slice()) {
            ([only], _) => Ok(only.id),
            // Without an address, the binding to all addresses takes precedence over the others.
            (_, [only]) if member.ip_address.is_none() => Ok(only.id),
            ([], _) => {
                let left_out = named().find_map(|service| self.left_out_of(host, service));
                let no_such = "the service has no such binding".to_owned();
                Err(Error::invalid("", left_out.map_or(no_such, |place| refers(&place))))
            }
            _ => Err(Error::invalid("", "the service has several such bindings; say `ip_address`")),
        }
    }

    /// Returns a binding of a service that is left out.
    fn left_out_of(&self, host: &Listening, service: &Listener) -> Option<String> {
        let list = format!("hosts[{}].services[{}].bindings", host.nth?, service.nth?);
        Some(self.faults.of(&list).next()?.place.clone())
    }

    fn listening_host(&self, member: &document::Member) -> Result<&Listening> {
        let hosts = self.listening.get(&member.host).map_or(&[][..], Vec::as_slice);
        let Some(reference) = &member.host_ref else {
            return match hosts {
                [host] => Ok(host),
                [] => {
                    let reason = format!("there is no host `{}`", member.host);
                    let error = Error::invalid("host", reason);
                    Err(self.faults.referring("hosts", &member.host, error))
                }
                _ => {
                    let reason =
                        format!("there are several hosts `{}`; say `host_ref`", member.host);
                    Err(Error::invalid("host", reason))
                }
            };
        };
        let host = hosts.iter().find(|host| host.reference.as_ref() == Some(reference));
        host.ok_or_else(|| {
            let reason = format!("there is no host `{}` with the ref `{reference}`", member.host);
            self.faults.referring("hosts", &member.host, Error::invalid("host_ref", reason))
        })
    }

    fn is_meant(&self, binding: &Binding, member: &document::Member) -> bool {
        let address = binding.interface_id.and_then(|id| self.address_of.get(&id).copied());
        let port = binding.port_id.and_then(|id| self.port_of.get(&id).copied());
        if let (None, None) = (member.number, member.protocol) {
            return binding.binding_type == BindingType::Interface
                && (member.ip_address.is_none() || member.ip_address == address);
        }
        port.is_some_and(|(number, protocol)| {
            member.number.is_none_or(|wanted| i32::from(wanted) == number)
                && member.protocol.is_none_or(|wanted| wanted == protocol)
        }) && (member.ip_address.is_none() || member.ip_address == address)
    }
}

/// Cleans the texts of a group.
fn checked(mut group: document::Group) -> Result<document::Group> {
    let (name, description) = check_texts(group.name, group.description.value().cloned())?;
    group.name = name;
    if !group.description.is_undefined() {
        group.description = said(description);
    }
    Ok(group)
}
