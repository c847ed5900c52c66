//! Forwarding tables that a write supersedes, or that count again after it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sea_orm::{
    ConnectionTrait,
    sea_query::{ExprTrait as _, SelectStatement, UnionType},
};
use toposcope_topology::resolution::{
    records::PortFacts,
    resolved::Resolution,
    superseded::{Explained, Sockets},
};
use toposcope_types::{Id, Method};

use super::reader::{In, Reader, column};
use crate::{
    db::{IdSet, columns::FromColumns as _},
    error::Result,
};

/// The resolutions that a write leaves, and those that it found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rewritten<'r> {
    /// The ports whose resolutions are worked out anew.
    pub(super) entries: &'r IdSet,
    /// The stored resolutions of these ports.
    pub(super) old: &'r [Resolution],
    /// The stored resolutions of other ports between the same devices.
    pub(super) beside: &'r [Resolution],
}

/// Stored resolutions of forwarding tables that the write supersedes, or that count again, by port.
#[derive(Debug, Default)]
pub(super) struct Turned(HashMap<Id, (bool, Option<(Id, Id)>)>);

impl Turned {
    /// Returns the devices between which they are.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Id, Id)> {
        self.0.values().filter_map(|(_, pair)| *pair)
    }

    /// Marks these resolutions.
    pub(super) fn mark(&self, rows: &mut [Resolution]) {
        for row in rows.iter_mut().filter(|row| row.method == Method::Fdb) {
            if let Some((superseded, _)) = self.0.get(&row.if_entry_id) {
                row.superseded = *superseded;
            }
        }
    }
}

/// Marks the forwarding tables among `new` that LLDP or CDP supersedes, and returns the stored ones
/// for which the write changes that: at the sockets and bundles of rewritten ports, between the same
/// devices, and at devices with other ports than before.
pub(super) async fn supersede<C: ConnectionTrait>(
    reader: &Reader<'_, C>,
    reshaped: &BTreeSet<Id>,
    write: Rewritten<'_>,
    new: &mut [Resolution],
) -> Result<Turned> {
    let is_table = |row: &&Resolution| row.method == Method::Fdb;
    let rows = || write.old.iter().chain(new.iter());
    let hosts = rows().flat_map(|row| [Some(row.host_id), row.far_host_id]).flatten();
    let hosts: BTreeSet<Id> = hosts.chain(reshaped.iter().copied()).collect();
    if !rows().any(|row| is_table(&row)) && !reader.has_tables(&hosts).await? {
        return Ok(Turned::default());
    }
    let sockets = reader.sockets(&hosts).await?;
    let ends = rows().flat_map(|row| [Some(row.if_entry_id), row.far_if_entry_id]).flatten();
    let beside: BTreeSet<Id> = ends.flat_map(|port| sockets.beside(port)).collect();
    let mut stored = reader.about(&beside, Some(Method::Fdb)).await?;
    stored.extend(reader.tables_at(reshaped).await?);
    stored.extend(write.beside.iter().filter(is_table).cloned());
    stored.retain(|row| !write.entries.contains(row.if_entry_id));
    let tables = || stored.iter().chain(new.iter().filter(is_table));
    let far = tables().flat_map(|row| [Some(row.host_id), row.far_host_id]).flatten();
    let far: BTreeSet<Id> = far.collect();
    let sockets = reader.sockets(&far).await?;
    let ends = tables().flat_map(|row| [Some(row.if_entry_id), row.far_if_entry_id]).flatten();
    let beside: BTreeSet<Id> = ends.flat_map(|port| sockets.beside(port)).collect();
    let mut heard = reader.about(&beside, None).await?;
    heard.retain(|row| !write.entries.contains(row.if_entry_id));
    let explained = Explained::by(&sockets, heard.iter().chain(new.iter()));
    let turned = stored.iter().filter_map(|row| {
        let superseded = explained.supersedes(row);
        // Where the devices are joined by better evidence, only the loss of that asks for it.
        let pair = row.pair().filter(|_| !row.outranked);
        (superseded != row.superseded).then_some((row.if_entry_id, (superseded, pair)))
    });
    let turned = Turned(turned.collect());
    for row in new {
        row.superseded = explained.supersedes(row);
    }
    Ok(turned)
}

impl<C: ConnectionTrait> Reader<'_, C> {
    /// Returns whether a forwarding table at one of these devices has a resolution, or leads to one.
    async fn has_tables(&self, hosts: &BTreeSet<Id>) -> Result<bool> {
        let Some(mut statement) = self.tables(hosts, &["if_entry_id"]) else { return Ok(false) };
        Ok(self.db.query_one(statement.limit(1)).await?.is_some())
    }

    /// Reads the resolutions of forwarding tables at these devices and of those that lead to them.
    async fn tables_at(&self, hosts: &BTreeSet<Id>) -> Result<Vec<Resolution>> {
        let Some(statement) = self.tables(hosts, Resolution::NAMES) else { return Ok(Vec::new()) };
        self.db.query_all(&statement).await?.iter().map(Resolution::of_row).collect()
    }

    fn tables(&self, hosts: &BTreeSet<Id>, columns: &[&'static str]) -> Option<SelectStatement> {
        if hosts.is_empty() {
            return None;
        }
        let hosts = self.sets.ids(hosts.iter().copied().collect::<Vec<_>>());
        let at = |mut select: SelectStatement, name| {
            select
                .and_where(hosts.includes(column(name)))
                .and_where(column("method").eq(Method::Fdb))
                .to_owned()
        };
        // Each of the two has an index of its own.
        let mut statement = at(self.select("resolution", columns), "host_id");
        let more = at(self.looked_up("resolution", columns), "far_host_id");
        statement.union(UnionType::All, more);
        Some(statement)
    }

    /// Reads the sockets of devices.
    async fn sockets(&self, hosts: &BTreeSet<Id>) -> Result<Sockets> {
        let hosts = self.sets.ids(hosts.iter().copied().collect::<Vec<_>>());
        let ports = self.ports(In("host_id", &hosts)).await?;
        let mut by_host: BTreeMap<Id, Vec<&PortFacts>> = BTreeMap::new();
        for port in &ports {
            by_host.entry(port.host_id).or_default().push(port);
        }
        let mut sockets = Sockets::default();
        for ports in by_host.values() {
            sockets.add(ports);
        }
        Ok(sockets)
    }
}
