//! Plans tags, subnets and hosts from a document, without querying the database.

use std::collections::{HashMap, HashSet};

use async_graphql::MaybeUndefined;
use ipnet::IpNet;
use toposcope_types::{Color, Id, IpAddress, SubnetType, Timestamp, json_path};

use super::{
    document,
    host_parts::Doubt,
    left_out::{Faults, refers},
    list::List,
    plan::Plan,
    stored::{Index, Stored, by},
};
use crate::{
    bindings::Model as Binding,
    error::{Error, Result},
    input::{given::said, text},
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
    /// The place of the host in the document, if it is there.
    pub(super) nth: Option<usize>,
    pub(super) services: Vec<Listener>,
}

/// A service with its bindings.
#[derive(Debug)]
pub(super) struct Listener {
    pub(super) name: String,
    /// The place of the service in the document, if it is there.
    pub(super) nth: Option<usize>,
    pub(super) bindings: Vec<Binding>,
}

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
    pub(super) faults: Faults,
    /// Whether the document lists hosts.
    pub(super) lists_hosts: bool,
    /// Whether to remove hosts that are missing from the document.
    pub(super) prune: bool,
}

/// The target of an import.
#[derive(Clone, Copy)]
pub(super) struct Into {
    pub(super) organization_id: Id,
    pub(super) network_id: Id,
}

/// Compares a document with the stored network, and returns the plan that makes them agree. What is
/// invalid is added to the `faults` of its text.
///
/// `prune` requires a document that lists hosts: a document without the list says nothing about
/// them.
pub(super) fn plan(
    document: document::Document,
    stored: &Stored,
    Into { organization_id, network_id }: Into,
    faults: Faults,
    prune: bool,
) -> Result<Plan> {
    let mut planner = Planner::new(stored, organization_id, network_id);
    planner.faults = faults;
    planner.lists_hosts = document.hosts.is_some();
    if prune && !planner.lists_hosts {
        let reason = "it is missing: without it `--prune` cannot know what is gone";
        return Err(Error::invalid("hosts", reason));
    }
    planner.prune = prune;
    planner.looks(document.tags)?;
    let tags = document.network.and_then(|network| network.tags);
    let tags = planner.tags(tags, || "network.tags".to_owned())?;
    relink(&stored.network_tags, &mut planner.plan.network_tags, network_id, tags);
    planner.subnets(document.subnets.unwrap_or_else(List::new))?;
    planner.hosts(document.hosts.unwrap_or_else(List::new))?;
    planner.pins();
    planner.groups(document.groups.unwrap_or_else(List::new))?;
    let Planner { plan, faults, .. } = planner;
    Ok(Plan { left_out: faults.into_left_out(), ..plan })
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
            faults: Faults::default(),
            lists_hosts: false,
            prune: false,
        }
    }

    fn looks(&mut self, tags: Option<List<document::Tag>>) -> Result<()> {
        for (nth, tag) in tags.into_iter().flatten() {
            let name = self.faults.name(|| Some(tag.name.clone()));
            let look = self.look(tag);
            self.faults.sift(|| format!("tags[{nth}]"), name, look)?;
        }
        Ok(())
    }

    fn look(&mut self, tag: document::Tag) -> Result<()> {
        let name = text::required("name", tag.name, 1, text::MAX_TITLE)?;
        let description =
            empty_is_none(text::optional("description", tag.description, text::MAX_TEXT)?);
        if self.looks.contains_key(&name) {
            return Err(Error::Duplicate { field: "name".to_owned() });
        }
        self.looks.insert(name, (tag.color, description));
        Ok(())
    }

    /// Returns the ids of the tags in the list at a path by name, if it is given; creates those that
    /// the organization lacks. The appearance of a tag belongs to the organization, so existing tags
    /// stay unchanged.
    pub(super) fn tags(
        &mut self,
        names: Option<List<String>>,
        path: impl Fn() -> String,
    ) -> Result<Option<Linked>> {
        let Some(names) = names else { return Ok(None) };
        let (mut ids, mut is_whole) = (Vec::new(), names.is_whole());
        for (nth, name) in names {
            let said = self.faults.name(|| Some(name.clone()));
            let tag = self.tag(name, &ids);
            let place = || json_path::of_element(&path(), nth);
            let tag = self.faults.sift(place, said, tag)?;
            is_whole &= tag.is_some();
            ids.extend(tag);
        }
        Ok(Some(Linked { ids, is_whole }))
    }

    fn tag(&mut self, name: String, others: &[Id]) -> Result<Id> {
        let name = text::required("", name, 1, text::MAX_TITLE)?;
        if let Some(id) = self.tags.get(&name) {
            if others.contains(id) {
                return Err(Error::Duplicate { field: String::new() });
            }
            return Ok(*id);
        }
        if !self.looks.contains_key(&name)
            && let Some(place) = self.faults.place_of("tags", &name)
        {
            return Err(Error::invalid("", refers(place)));
        }
        Ok(self.new_tag(name))
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
}

/// The tags or members of an owner in a document.
pub(super) struct Linked {
    pub(super) ids: Vec<Id>,
    /// Whether nothing is left out: else that may be any of the stored ones, so they stay.
    pub(super) is_whole: bool,
}

/// Plans the tags or members of an owner if they change; returns whether they do.
pub(super) fn relink(
    stored: &HashMap<Id, Vec<Id>>,
    links: &mut super::plan::Links,
    owner: Id,
    wanted: Option<Linked>,
) -> bool {
    let Some(Linked { ids: mut wanted, is_whole }) = wanted else { return false };
    let stored = stored.get(&owner).map_or(&[][..], Vec::as_slice);
    if !is_whole && wanted.iter().all(|id| stored.contains(id)) {
        return false;
    }
    if !is_whole {
        wanted.extend(stored.iter().filter(|id| !wanted.contains(id)).copied().collect::<Vec<_>>());
    }
    let changes = stored != wanted;
    if changes {
        links.push((owner, wanted));
    }
    changes
}

/// Cleans a text that the document may omit or clear; an empty one clears it.
pub(super) fn clean(field: &str, given: &mut MaybeUndefined<String>) -> Result<()> {
    if !given.is_undefined() {
        *given = said(empty_is_none(text::optional(
            field,
            std::mem::take(given).take(),
            text::MAX_TEXT,
        )?));
    }
    Ok(())
}

fn empty_is_none(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}
