//! Plans tags, subnets and hosts from a document, without querying the database.

use std::collections::{HashMap, HashSet};

use async_graphql::MaybeUndefined;
use ipnet::IpNet;
use toposcope_types::{Color, Id, IpAddress, SubnetType, Timestamp};

use super::{
    Within as _, document,
    host_parts::{Doubt, Given},
    namesakes,
    plan::Plan,
    stored::{Index, Stored, by},
};
use crate::{
    bindings::Model as Binding,
    error::{Error, Result},
    hosts::{Host, stack},
    input::text,
    subnets,
    tags::Tag,
};

/// The colors for new tags whose color the document does not specify.
const COLORS: [Color; 8] = [
    Color::Blue,
    Color::Green,
    Color::Orange,
    Color::Purple,
    Color::Teal,
    Color::Rose,
    Color::Indigo,
    Color::Yellow,
];

/// The services of a host after the import, which groups reference.
#[derive(Debug, Default)]
pub(super) struct Listening {
    /// The mark that distinguishes the host from its namesakes in the document.
    pub(super) reference: Option<String>,
    pub(super) services: Services,
}

/// The services of a host by name, each with its bindings.
pub(super) type Services = Vec<(String, Vec<Binding>)>;

/// The state of an import during planning.
pub(super) struct Planner<'a> {
    pub(super) stored: &'a Stored,
    pub(super) index: Index<'a>,
    pub(super) network_id: Id,
    pub(super) now: Timestamp,
    pub(super) plan: Plan,
    /// The services of each host, by its name after the import.
    pub(super) listening: HashMap<String, Vec<Listening>>,
    /// The ports that bindings reference.
    pub(super) port_of: HashMap<Id, (i32, toposcope_types::TransportProtocol)>,
    /// The addresses of the interfaces that bindings reference.
    pub(super) address_of: HashMap<Id, IpAddress>,
    pub(super) organization_id: Id,
    pub(super) tags: HashMap<String, Id>,
    pub(super) looks: HashMap<String, (Option<Color>, Option<String>)>,
    /// The ranges that the document lists.
    pub(super) given: HashSet<IpNet>,
    /// The ranges that interfaces belong to.
    pub(super) found: HashSet<IpNet>,
    /// All ranges: stored, listed, derived.
    pub(super) subnets: HashMap<IpNet, Id>,
    /// The subnets for addresses in no range of the network, that of other sites first.
    pub(super) outside: Vec<Id>,
    /// The reasons to doubt that these if-entries match their stored rows.
    pub(super) doubtful: HashMap<Id, Doubt>,
    /// Whether the document lists hosts.
    lists_hosts: bool,
    /// Whether to remove hosts that are missing from the document.
    prune: bool,
}

/// The target of an import.
#[derive(Clone, Copy)]
pub(super) struct Into {
    pub(super) organization_id: Id,
    pub(super) network_id: Id,
}

/// Compares a document with the stored network, and returns the plan that makes them agree.
///
/// `prune` requires a document that lists hosts: a document without the list says nothing about
/// them.
pub(super) fn plan(
    document: document::Document,
    stored: &Stored,
    Into { organization_id, network_id }: Into,
    prune: bool,
) -> Result<Plan> {
    let mut planner = Planner::new(stored, organization_id, network_id);
    planner.lists_hosts = document.hosts.is_some();
    if prune && !planner.lists_hosts {
        let reason = "it is missing: without it `--prune` cannot know what is gone";
        return Err(Error::invalid("hosts", reason));
    }
    planner.prune = prune;
    planner.looks(document.tags)?;
    if let Some(tags) = document.network.and_then(|network| network.tags) {
        let tags = planner.tags(tags).within(|| "network.tags".to_owned())?;
        if stored.network_tags.get(&network_id).map_or(&[][..], Vec::as_slice) != tags {
            planner.plan.network_tags.push((network_id, tags));
        }
    }
    planner.subnets(document.subnets.unwrap_or_default())?;
    let hosts = document.hosts.unwrap_or_default();
    planner.derive_subnets(&hosts)?;
    planner.hosts(hosts)?;
    planner.pins();
    planner.groups(document.groups.unwrap_or_default())?;
    Ok(planner.plan)
}

impl<'a> Planner<'a> {
    fn new(stored: &'a Stored, organization_id: Id, network_id: Id) -> Self {
        let mut ranges = HashMap::new();
        // `EVERYWHERE` would be the range of every address.
        let (mut outside, within): (Vec<_>, Vec<_>) =
            stored.subnets.iter().partition(|subnet| subnets::is_outside(subnet));
        outside.sort_by_key(|subnet| subnet.subnet_type != SubnetType::Remote);
        for subnet in within {
            ranges.entry(subnet.cidr.network()).or_insert(subnet.id);
        }
        Self {
            stored,
            index: Index {
                interfaces: by(&stored.interfaces, |row| row.host_id),
                if_entries: by(&stored.if_entries, |row| row.host_id),
                observations: by(&stored.observations, |row| row.if_entry_id),
                ports: by(&stored.ports, |row| row.host_id),
                services: by(&stored.services, |row| row.host_id),
                bindings: by(&stored.bindings, |row| row.service_id),
            },
            network_id,
            now: Timestamp::now(),
            plan: Plan::default(),
            listening: HashMap::new(),
            port_of: stored
                .ports
                .iter()
                .map(|port| (port.id, (port.number, port.protocol)))
                .collect(),
            address_of: stored.interfaces.iter().map(|row| (row.id, row.ip_address)).collect(),
            organization_id,
            tags: stored.tags.iter().map(|tag| (tag.name.clone(), tag.id)).collect(),
            looks: HashMap::new(),
            given: HashSet::new(),
            found: HashSet::new(),
            subnets: ranges,
            outside: outside.iter().map(|subnet| subnet.id).collect(),
            doubtful: HashMap::new(),
            lists_hosts: false,
            prune: false,
        }
    }

    fn looks(&mut self, tags: Option<Vec<document::Tag>>) -> Result<()> {
        for (nth, tag) in tags.into_iter().flatten().enumerate() {
            let path = || format!("tags[{nth}]");
            let name = text::required("name", tag.name, 1, text::MAX_TITLE).within(path)?;
            let description = empty_is_none(
                text::optional("description", tag.description, text::MAX_TEXT).within(path)?,
            );
            if self.looks.insert(name, (tag.color, description)).is_some() {
                return Err(Error::Duplicate { field: format!("tags[{nth}].name") });
            }
        }
        Ok(())
    }

    /// Returns the ids of tags by name; creates those that the organization lacks. The appearance
    /// of a tag belongs to the organization, so existing tags stay unchanged.
    pub(super) fn tags(&mut self, names: Vec<String>) -> Result<Vec<Id>> {
        let mut ids = Vec::with_capacity(names.len());
        for (nth, name) in names.into_iter().enumerate() {
            let path = format!("[{nth}]");
            let name = text::required(&path, name, 1, text::MAX_TITLE)?;
            let id = match self.tags.get(&name) {
                Some(id) => *id,
                None => self.new_tag(name),
            };
            if ids.contains(&id) {
                return Err(Error::Duplicate { field: path });
            }
            ids.push(id);
        }
        Ok(ids)
    }

    fn new_tag(&mut self, name: String) -> Id {
        let (color, description) = self.looks.remove(&name).unwrap_or_default();
        // The same name gets the same color wherever it is imported.
        let any = || COLORS[name.bytes().map(usize::from).sum::<usize>() % COLORS.len()];
        let tag = Tag {
            id: Id::new(),
            created_at: self.now,
            updated_at: self.now,
            description,
            color: color.unwrap_or_else(any),
            organization_id: self.organization_id,
            name,
        };
        let id = tag.id;
        self.tags.insert(tag.name.clone(), id);
        self.plan.tags.created.push(tag);
        id
    }

    fn hosts(&mut self, hosts: Vec<document::Host>) -> Result<()> {
        let mut hosts: Vec<(usize, document::Host)> = hosts.into_iter().enumerate().collect();
        for (nth, host) in &mut hosts {
            // The name is cleaned before the comparison with stored names, which are clean, too.
            let name = std::mem::take(&mut host.name);
            let path = || format!("hosts[{nth}]");
            host.name = text::required("name", name, 1, text::MAX_NAME).within(path)?;
            let reference = std::mem::take(&mut host.reference);
            host.reference = text::optional("ref", reference, text::MAX_NAME).within(path)?;
        }
        let (matched, notes) = namesakes::matched(self.stored, &self.index, &hosts)?;
        self.plan.notes.extend(notes);
        let mut mentioned = HashSet::new();
        for ((nth, given), before) in hosts.into_iter().zip(matched) {
            mentioned.extend(before.map(|host| host.id));
            self.host(given, before, nth)?;
        }
        for host in self.stored.hosts.iter().filter(|host| !mentioned.contains(&host.id)) {
            if self.lists_hosts {
                self.plan.absent.push(host.name.clone());
            }
            if self.prune {
                self.prune(host.id);
                continue;
            }
            let services = self.index.services.get(&host.id).into_iter().flatten();
            let services = services.map(|service| {
                let bindings = self.index.bindings.get(&service.id).into_iter().flatten();
                (service.name.clone(), bindings.map(|binding| (*binding).clone()).collect())
            });
            let listening = Listening { reference: None, services: services.collect() };
            self.listening.entry(host.name.clone()).or_default().push(listening);
        }
        Ok(())
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

    fn host(&mut self, given: document::Host, before: Option<&'a Host>, nth: usize) -> Result<()> {
        let path = || format!("hosts[{nth}]");
        let mut host =
            before.cloned().unwrap_or_else(|| Host::blank(Id::new(), self.network_id, self.now));
        host.name = given.name;
        for (field, column, value) in [
            ("hostname", &mut host.hostname, given.hostname),
            ("description", &mut host.description, given.description),
            ("sys_name", &mut host.sys_name, given.sys_name),
            ("sys_descr", &mut host.sys_descr, given.sys_descr),
            ("sys_object_id", &mut host.sys_object_id, given.sys_object_id),
            ("sys_location", &mut host.sys_location, given.sys_location),
            ("sys_contact", &mut host.sys_contact, given.sys_contact),
            ("management_url", &mut host.management_url, given.management_url),
            ("management_address", &mut host.management_address, given.management_address),
            ("chassis_id", &mut host.chassis_id, given.chassis_id),
            ("manufacturer", &mut host.manufacturer, given.manufacturer),
            ("model", &mut host.model, given.model),
            ("serial_number", &mut host.serial_number, given.serial_number),
            ("software_version", &mut host.software_version, given.software_version),
        ] {
            set(field, column, value).within(path)?;
        }
        host.stack_members =
            stack::or_stored(given.stack_members, host.stack_members).within(path)?;
        host.hidden = given.hidden.unwrap_or(host.hidden);
        host.source = given.source.unwrap_or(host.source);
        let (id, name) = (host.id, host.name.clone());
        let tags = given.tags.map(|tags| self.tags(tags)).transpose();
        let tags = tags.within(|| format!("hosts[{nth}].tags"))?;
        let retagged = relink(&self.stored.host_tags, &mut self.plan.host_tags, id, tags);
        self.plan.hosts.add(before, host, retagged, |row| &mut row.updated_at);

        let children = Given {
            interfaces: given.interfaces,
            if_entries: given.if_entries,
            ports: given.ports,
            services: given.services,
        };
        let services = self.children(id, &name, nth, children).within(path)?;
        let listening = Listening { reference: given.reference, services };
        self.listening.entry(name).or_default().push(listening);
        Ok(())
    }
}

/// Plans the tags or members of an owner if they change; returns whether they do.
pub(super) fn relink(
    stored: &HashMap<Id, Vec<Id>>,
    links: &mut super::plan::Links,
    owner: Id,
    wanted: Option<Vec<Id>>,
) -> bool {
    let Some(wanted) = wanted else { return false };
    let changes = stored.get(&owner).map_or(&[][..], Vec::as_slice) != wanted;
    if changes {
        links.push((owner, wanted));
    }
    changes
}

/// Sets a text that the document may omit or clear.
pub(super) fn set(
    field: &str,
    column: &mut Option<String>,
    given: MaybeUndefined<String>,
) -> Result<()> {
    if given.is_undefined() {
        return Ok(());
    }
    *column = empty_is_none(text::optional(field, given.take(), text::MAX_TEXT)?);
    Ok(())
}

fn empty_is_none(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}
