//! Forwarding tables that a write makes superfluous, or that count again after it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sea_orm::{
    ConnectionTrait,
    sea_query::{ExprTrait as _, UnionType},
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

/// The stored resolutions of forwarding tables that are to be told anew, by port.
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
/// at these devices for which that changes. `entries` are the ports of `new`.
pub(super) async fn supersede<C: ConnectionTrait>(
    reader: &Reader<'_, C>,
    hosts: &BTreeSet<Id>,
    entries: &IdSet,
    new: &mut [Resolution],
) -> Result<Turned> {
    let is_new = |row: &Resolution| entries.contains(row.if_entry_id);
    let mut stored = reader.tables_at(hosts).await?;
    stored.retain(|row| !is_new(row));
    let is_table = |row: &&Resolution| row.method == Method::Fdb;
    let tables = || stored.iter().chain(new.iter().filter(is_table));
    let ports: BTreeSet<Id> =
        tables().flat_map(|row| [Some(row.if_entry_id), row.far_if_entry_id]).flatten().collect();
    if ports.is_empty() {
        return Ok(Turned::default());
    }
    let ends = tables().flat_map(|row| [Some(row.host_id), row.far_host_id]).flatten();
    let ends: BTreeSet<Id> = ends.collect();
    let sockets = reader.sockets(&ends).await?;
    let beside: BTreeSet<Id> = ports.iter().flat_map(|port| sockets.beside(*port)).collect();
    let mut heard = reader.about(&beside, None).await?;
    heard.retain(|row| !is_new(row));
    let explained = Explained::by(&sockets, heard.iter().chain(new.iter()));
    let turned = stored.iter().filter_map(|row| {
        let superseded = explained.supersedes(row);
        (superseded != row.superseded).then(|| (row.if_entry_id, (superseded, row.pair())))
    });
    let turned = Turned(turned.collect());
    for row in new {
        row.superseded = explained.supersedes(row);
    }
    Ok(turned)
}

impl<C: ConnectionTrait> Reader<'_, C> {
    /// Reads the resolutions of forwarding tables at these devices and of those that lead to them.
    async fn tables_at(&self, hosts: &BTreeSet<Id>) -> Result<Vec<Resolution>> {
        if hosts.is_empty() {
            return Ok(Vec::new());
        }
        let hosts = self.sets.ids(hosts.iter().copied().collect::<Vec<_>>());
        let at = |name| {
            let mut select = self.select("resolution", Resolution::NAMES);
            select
                .and_where(hosts.includes(column(name)))
                .and_where(column("method").eq(Method::Fdb));
            select
        };
        let (mut statement, more) = (at("host_id"), at("far_host_id"));
        statement.union(UnionType::Distinct, more);
        self.db.query_all(&statement).await?.iter().map(Resolution::of_row).collect()
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
