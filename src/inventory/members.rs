//! Plans groups from a document, and finds the bindings that they name by host and service.

use std::collections::{HashMap, HashSet};

use toposcope_types::{BindingType, Color, EdgeStyle, Id, Source, text::cleaned};

use super::{
    Within as _, document,
    planner::{Listening, Planner, relink},
    stored::by,
};
use crate::{
    bindings::Model as Binding,
    error::{Error, Result},
    groups::{Group, check_texts},
};

impl Planner<'_> {
    pub(super) fn groups(&mut self, mut given: Vec<document::Group>) -> Result<()> {
        let stored = by(&self.stored.groups, |group| group.name.as_str());
        let mut named: HashMap<String, usize> = HashMap::new();
        let mut seen = HashSet::new();
        for (nth, group) in given.iter_mut().enumerate() {
            let path = |field: &str| format!("groups[{nth}].{field}");
            let name = std::mem::take(&mut group.name);
            group.name = cleaned(name).map_err(|error| Error::invalid(path("name"), error))?;
            if !seen.insert((group.name.clone(), group.reference.clone())) {
                let field = if group.reference.is_some() { "ref" } else { "name" };
                return Err(Error::Duplicate { field: path(field) });
            }
            *named.entry(group.name.clone()).or_default() += 1;
        }
        let mut taken: HashMap<String, usize> = HashMap::new();
        for (nth, given) in given.into_iter().enumerate() {
            let rows = stored.get(given.name.as_str()).map_or(&[][..], Vec::as_slice);
            if rows.len() > named[&given.name] {
                let reason = format!("several stored groups are called `{}`", given.name);
                return Err(Error::invalid(format!("groups[{nth}].name"), reason));
            }
            // Groups with the same name match in order.
            let place = taken.entry(given.name.clone()).or_default();
            let before = rows.get(*place).copied();
            *place += 1;
            self.group(given, before).within(|| format!("groups[{nth}]"))?;
        }
        Ok(())
    }

    fn group(&mut self, given: document::Group, before: Option<&Group>) -> Result<()> {
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
        let description = match given.description {
            async_graphql::MaybeUndefined::Undefined => group.description,
            said => said.take(),
        };
        (group.name, group.description) = check_texts(given.name, description)?;
        group.group_type = given.group_type;
        group.color = given.color.unwrap_or(group.color);
        group.edge_style = given.edge_style.unwrap_or(group.edge_style);
        group.source = given.source.unwrap_or(group.source);
        let tags = given.tags.map(|tags| self.tags(tags)).transpose();
        let tags = tags.within(|| "tags".to_owned())?;
        let members = given.bindings.map(|members| self.members(&members)).transpose();
        let members = members.within(|| "bindings".to_owned())?;
        let id = group.id;
        let retagged = relink(&self.stored.group_tags, &mut self.plan.group_tags, id, tags);
        let regrouped = relink(&self.stored.members, &mut self.plan.members, id, members);
        let also = retagged || regrouped;
        self.plan.groups.add(before, group, also, |row| &mut row.updated_at);
        Ok(())
    }

    fn members(&self, members: &[document::Member]) -> Result<Vec<Id>> {
        let mut ids = Vec::with_capacity(members.len());
        for (nth, member) in members.iter().enumerate() {
            let id = self.member(member).within(|| format!("[{nth}]"))?;
            if ids.contains(&id) {
                return Err(Error::Duplicate { field: format!("[{nth}]") });
            }
            ids.push(id);
        }
        Ok(ids)
    }

    /// Returns the one binding that a member of a group names.
    fn member(&self, member: &document::Member) -> Result<Id> {
        let host = self.listening_host(member)?;
        let mut services = host.services.iter().filter(|(name, _)| *name == member.service);
        if services.clone().next().is_none() {
            let reason = format!("`{}` has no service `{}`", member.host, member.service);
            return Err(Error::invalid("service", reason));
        }
        let bindings = services.by_ref().flat_map(|(_, bindings)| bindings);
        let found: Vec<&Binding> =
            bindings.filter(|binding| self.is_meant(binding, member)).collect();
        let whole: Vec<&&Binding> =
            found.iter().filter(|binding| binding.interface_id.is_none()).collect();
        match (found.as_slice(), whole.as_slice()) {
            ([only], _) => Ok(only.id),
            // Without an address, the binding to all addresses takes precedence over the others.
            (_, [only]) if member.ip_address.is_none() => Ok(only.id),
            ([], _) => Err(Error::invalid("", "the service has no such binding")),
            _ => Err(Error::invalid("", "the service has several such bindings; say `ip_address`")),
        }
    }

    fn listening_host(&self, member: &document::Member) -> Result<&Listening> {
        let hosts = self.listening.get(&member.host).map_or(&[][..], Vec::as_slice);
        let Some(reference) = &member.host_ref else {
            return match hosts {
                [host] => Ok(host),
                [] => Err(Error::invalid("host", format!("there is no host `{}`", member.host))),
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
            Error::invalid("host_ref", reason)
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
