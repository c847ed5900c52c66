//! The plan of an import: the difference between a document and a network.

use std::collections::HashSet;

use toposcope_types::{Id, Timestamp};

use super::{left_out::LeftOut, stored::Stored};
use crate::{
    bindings, groups, hosts,
    if_entries::{self, observation},
    interfaces, ports,
    resource::Resource,
    services, subnets, tags,
    write::later,
};

/// The changes to the rows of one table.
#[derive(Debug)]
pub(super) struct Changes<E: Resource> {
    pub(super) created: Vec<E::Model>,
    pub(super) changed: Vec<E::Model>,
    pub(super) removed: Vec<Id>,
    /// The number of rows that are removed along with their host.
    pub(super) along: usize,
    pub(super) unchanged: usize,
}

impl<E: Resource> Default for Changes<E> {
    fn default() -> Self {
        let (created, changed, removed) = (Vec::new(), Vec::new(), Vec::new());
        Self { created, changed, removed, along: 0, unchanged: 0 }
    }
}

impl<E: Resource<Model: PartialEq>> Changes<E> {
    /// Adds a row in its planned state. `also` means that related data changes.
    pub(super) fn add(
        &mut self,
        before: Option<&E::Model>,
        mut after: E::Model,
        also: bool,
        version: fn(&mut E::Model) -> &mut Timestamp,
    ) {
        match before {
            None => self.created.push(after),
            Some(before) if *before == after && !also => self.unchanged += 1,
            Some(_) => {
                let version = version(&mut after);
                *version = later(*version);
                self.changed.push(after);
            }
        }
    }
}

impl<E: Resource> Changes<E> {
    /// Returns how many rows are created, changed, unchanged and removed.
    pub(super) fn counts(&self) -> [usize; 4] {
        let removed = self.removed.len() + self.along;
        [self.created.len(), self.changed.len(), self.unchanged, removed]
    }
}

/// The owners of references in order, each with all of its planned references.
pub(super) type Links = Vec<(Id, Vec<Id>)>;

/// Everything that an import writes, and its notes.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) tags: Changes<tags::Entity>,
    pub(super) subnets: Changes<subnets::Entity>,
    pub(super) hosts: Changes<hosts::Entity>,
    pub(super) interfaces: Changes<interfaces::Entity>,
    pub(super) if_entries: Changes<if_entries::Entity>,
    pub(super) observations: Changes<observation::Entity>,
    pub(super) ports: Changes<ports::Entity>,
    pub(super) services: Changes<services::Entity>,
    pub(super) bindings: Changes<bindings::Entity>,
    pub(super) groups: Changes<groups::Entity>,
    pub(super) network_tags: Links,
    pub(super) subnet_tags: Links,
    pub(super) host_tags: Links,
    pub(super) service_tags: Links,
    pub(super) group_tags: Links,
    pub(super) members: Links,
    pub(super) notes: Vec<String>,
    /// The names of stored hosts that are missing from the document, if it lists hosts.
    pub(super) absent: Vec<String>,
    pub(super) left_out: Vec<LeftOut>,
}

impl Plan {
    /// Returns the counts of each kind, in the order of the report.
    pub(super) fn counts(&self) -> [(&'static str, [usize; 4]); 10] {
        [
            ("tags", self.tags.counts()),
            ("subnets", self.subnets.counts()),
            ("hosts", self.hosts.counts()),
            ("interfaces", self.interfaces.counts()),
            ("if-entries", self.if_entries.counts()),
            ("neighbors heard", self.observations.counts()),
            ("ports", self.ports.counts()),
            ("services", self.services.counts()),
            ("bindings", self.bindings.counts()),
            ("groups", self.groups.counts()),
        ]
    }

    /// Returns the ids of all removed rows that an if-entry may reference.
    pub(super) fn gone(&self, stored: &Stored) -> Vec<Id> {
        let hosts: HashSet<Id> = self.hosts.removed.iter().copied().collect();
        let entries = stored.if_entries.iter().filter(|row| hosts.contains(&row.host_id));
        let interfaces = stored.interfaces.iter().filter(|row| hosts.contains(&row.host_id));
        let along = entries.map(|row| row.id).chain(interfaces.map(|row| row.id));
        let others = self.if_entries.removed.iter().chain(&self.interfaces.removed).copied();
        hosts.iter().copied().chain(along).chain(others).collect()
    }

    /// Returns how many rows the import writes or removes.
    pub(super) fn writes(&self) -> usize {
        let rows: usize = self
            .counts()
            .iter()
            .map(|(_, [created, changed, _, removed])| created + changed + removed)
            .sum();
        rows + self.network_tags.len()
    }
}
