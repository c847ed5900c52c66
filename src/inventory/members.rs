//! From a document to a plan: groups, and the bindings that they name by host and service.

use std::collections::HashSet;

use super::{
    Within as _, document,
    planner::{Planner, relink},
    stored::by,
};
use crate::{
    bindings::Model as Binding,
    error::{Error, Result},
    groups::{Group, check_texts},
    types::{BindingType, Color, EdgeStyle, Id, Source, text},
};

impl Planner<'_> {
    pub(super) fn groups(&mut self, groups: Vec<document::Group>) -> Result<()> {
        let stored = by(&self.stored.groups, |group| group.name.as_str());
        let mut seen = HashSet::new();
        for (nth, mut given) in groups.into_iter().enumerate() {
            let name_place = || format!("groups[{nth}].name");
            given.name =
                text::cleaned(given.name).map_err(|error| Error::invalid(name_place(), error))?;
            if !seen.insert(given.name.clone()) {
                return Err(Error::Duplicate { field: name_place() });
            }
            let before = match stored.get(given.name.as_str()).map(Vec::as_slice) {
                None => None,
                Some([only]) => Some(*only),
                Some(_) => {
                    let reason = format!("several stored groups are called `{}`", given.name);
                    return Err(Error::invalid(name_place(), reason));
                }
            };
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
        self.plan.groups.settle(before, group, also, |row| &mut row.updated_at);
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

    /// The one binding that a member of a group means.
    fn member(&self, member: &document::Member) -> Result<Id> {
        let hosts = self.listening.get(&member.host).map_or(&[][..], Vec::as_slice);
        let [host] = hosts else {
            let reason =
                if hosts.is_empty() { "there is no host" } else { "there are several hosts" };
            return Err(Error::invalid("host", format!("{reason} `{}`", member.host)));
        };
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
            // Without an address, the binding to all of them is meant before the others.
            (_, [only]) if member.ip_address.is_none() => Ok(only.id),
            ([], _) => Err(Error::invalid("", "the service has no such binding")),
            _ => Err(Error::invalid("", "the service has several such bindings; say `ip_address`")),
        }
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
