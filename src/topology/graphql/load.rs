//! Loaders of snapshots and explanations.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use async_graphql::{Context, Result, dataloader::Loader};
use sea_orm::QueryFilter as _;
use toposcope_topology::{
    explanation::Explanation,
    findings::mac_owners::{Owner, Owners, Switching},
    network::Snapshot,
};
use toposcope_types::{Id, Mac, MacList, Method};

use crate::{
    graphql::{
        context,
        loader::{Batch, LoadError, loaders},
    },
    if_entries::{self, IfEntry},
    networks,
    resolution::reader::Reader,
    resource::Resource as _,
    topology::{current::current, explain},
};

/// The key that loads the snapshot of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SnapshotOf(Id);

impl Loader<SnapshotOf> for Batch {
    type Value = Arc<Snapshot>;
    type Error = LoadError;

    async fn load(
        &self,
        keys: &[SnapshotOf],
    ) -> std::result::Result<HashMap<SnapshotOf, Arc<Snapshot>>, LoadError> {
        let ids = self.app.db.ids(keys.iter().map(|key| key.0).collect::<Vec<_>>());
        let networks = networks::Entity::visible_to(&self.viewer)
            .filter(ids.includes(networks::Column::Id))
            .all(self.app.db.reader())
            .await
            .map_err(|error| Arc::new(error.into()))?;
        let mut snapshots = HashMap::new();
        for network in networks {
            let snapshot = current(&self.app, &self.viewer, &network).await.map_err(Arc::new)?;
            snapshots.insert(SnapshotOf(network.id), snapshot);
        }
        Ok(snapshots)
    }
}

/// Loads the current snapshot of a network, if it is within reach.
pub(super) async fn snapshot(
    context: &Context<'_>,
    network_id: Id,
) -> Result<Option<Arc<Snapshot>>> {
    Ok(loaders(context)?.load_one(SnapshotOf(network_id)).await?)
}

/// The key that loads the MAC addresses of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct MacsOf {
    network_id: Id,
    host_id: Id,
}

impl Loader<MacsOf> for Batch {
    type Value = Arc<HashSet<Mac>>;
    type Error = LoadError;

    async fn load(
        &self,
        keys: &[MacsOf],
    ) -> std::result::Result<HashMap<MacsOf, Arc<HashSet<Mac>>>, LoadError> {
        let hosts = by_network(keys.iter().map(|key| (key.network_id, key.host_id)));
        let mut macs = HashMap::new();
        for (network_id, hosts) in hosts {
            let hosts = self.app.db.ids(hosts.into_iter().collect::<Vec<_>>());
            let sets = &self.app.db;
            let reader = Reader { db: sets.reader(), sets, network_id };
            let of_hosts = reader.macs_of(&hosts).await.map_err(Arc::new)?.into_iter();
            macs.extend(
                of_hosts.map(|(host_id, macs)| (MacsOf { network_id, host_id }, Arc::new(macs))),
            );
        }
        Ok(macs)
    }
}

/// Loads the MAC addresses of a device that is within reach.
pub(super) async fn macs_of(
    context: &Context<'_>,
    network_id: Id,
    host_id: Id,
) -> Result<Arc<HashSet<Mac>>> {
    let macs = loaders(context)?.load_one(MacsOf { network_id, host_id }).await?;
    Ok(macs.unwrap_or_default())
}

/// The key that loads the owners of a MAC address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct OwnersOf {
    network_id: Id,
    mac: Mac,
}

impl Loader<OwnersOf> for Batch {
    type Value = Arc<Vec<Owner>>;
    type Error = LoadError;

    async fn load(
        &self,
        keys: &[OwnersOf],
    ) -> std::result::Result<HashMap<OwnersOf, Arc<Vec<Owner>>>, LoadError> {
        let macs = by_network(keys.iter().map(|key| (key.network_id, key.mac)));
        let mut owners = HashMap::new();
        for (network_id, macs) in macs {
            let sets = &self.app.db;
            let reader = Reader { db: sets.reader(), sets, network_id };
            let of_macs = reader.owners_of(&macs).await.map_err(Arc::new)?.into_iter();
            owners.extend(of_macs.map(|(mac, of)| (OwnersOf { network_id, mac }, Arc::new(of))));
        }
        Ok(owners)
    }
}

/// The key that loads the evidence that a device is a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SwitchingOf {
    network_id: Id,
    host_id: Id,
}

impl Loader<SwitchingOf> for Batch {
    type Value = Switching;
    type Error = LoadError;

    async fn load(
        &self,
        keys: &[SwitchingOf],
    ) -> std::result::Result<HashMap<SwitchingOf, Switching>, LoadError> {
        let hosts = by_network(keys.iter().map(|key| (key.network_id, key.host_id)));
        let mut switching = HashMap::new();
        for (network_id, hosts) in hosts {
            let hosts = self.app.db.ids(hosts.into_iter().collect::<Vec<_>>());
            let sets = &self.app.db;
            let reader = Reader { db: sets.reader(), sets, network_id };
            let of_hosts = reader.switching(&hosts).await.map_err(Arc::new)?.into_iter();
            switching
                .extend(of_hosts.map(|(host_id, one)| (SwitchingOf { network_id, host_id }, one)));
        }
        Ok(switching)
    }
}

fn by_network<T: Ord>(keys: impl Iterator<Item = (Id, T)>) -> BTreeMap<Id, BTreeSet<T>> {
    let mut all: BTreeMap<Id, BTreeSet<T>> = BTreeMap::new();
    for (network_id, one) in keys {
        all.entry(network_id).or_default().insert(one);
    }
    all
}

/// Loads the owners of these MAC addresses, from a table of `count`, in a network within reach.
pub(super) async fn owners_of(
    context: &Context<'_>,
    network_id: Id,
    macs: &[Mac],
    count: usize,
) -> Result<Owners> {
    let loaders = loaders(context)?;
    let keys = macs.iter().map(|mac| OwnersOf { network_id, mac: *mac });
    let found = loaders.load_many(keys).await?;
    let of = |mac: &Mac| {
        let found = found.get(&OwnersOf { network_id, mac: *mac });
        found.map(|owners| owners.to_vec()).unwrap_or_default()
    };
    let mut owners =
        Owners { of: macs.iter().map(|mac| (*mac, of(mac))).collect(), ..Owners::default() };
    if !owners.are_hinting(count) {
        return Ok(owners);
    }
    let hosts = owners.hosts().into_iter().map(|host_id| SwitchingOf { network_id, host_id });
    let switching = loaders.load_many(hosts).await?;
    owners.switching = switching.into_iter().map(|(key, one)| (key.host_id, one)).collect();
    Ok(owners)
}

/// The key that loads the explanation of one observation's resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ExplanationOf {
    network_id: Id,
    port: Id,
    observation_id: Id,
    method: Method,
}

impl Loader<ExplanationOf> for Batch {
    type Value = Arc<Explanation>;
    type Error = LoadError;

    async fn load(
        &self,
        keys: &[ExplanationOf],
    ) -> std::result::Result<HashMap<ExplanationOf, Arc<Explanation>>, LoadError> {
        let ports = by_network(keys.iter().map(|key| (key.network_id, key.port)));
        let mut explained = HashMap::new();
        for (network_id, ports) in ports {
            let db = self.app.db.snapshot().await.map_err(Arc::new)?;
            let ports: Vec<Id> = ports.into_iter().collect();
            let found =
                explain::explain(&db, &self.app.db, network_id, &ports).await.map_err(Arc::new)?;
            db.rollback().await.map_err(Arc::new)?;
            for key in keys.iter().filter(|key| key.network_id == network_id) {
                if let Some(one) = found.get(&(key.observation_id, key.method)) {
                    explained.insert(*key, Arc::new(one.clone()));
                }
            }
        }
        Ok(explained)
    }
}

/// Loads why something seen was resolved as it was, by its index in the snapshot; `None` if the
/// network has moved on since.
pub(super) async fn explanation(
    context: &Context<'_>,
    snapshot: &Snapshot,
    seen: u32,
) -> Result<Option<Arc<Explanation>>> {
    let seen = &snapshot.seen[seen as usize];
    let key = ExplanationOf {
        network_id: snapshot.network_id,
        port: snapshot.ports[seen.port as usize].id,
        observation_id: seen.observation_id,
        method: seen.method,
    };
    let explanation = loaders(context)?.load_one(key).await?;
    let far_host = snapshot.host_id(seen.far_host);
    let far_port = snapshot.port_id(seen.far_port);
    Ok(explanation.filter(|one| (one.host_id, one.if_entry_id) == (far_host, far_port)))
}

/// Returns the if-entry with its forwarding table, which counts as part of the response if it is
/// long.
pub async fn with_table<'a>(context: &Context<'_>, entry: &'a IfEntry) -> Result<Cow<'a, IfEntry>> {
    let bytes = entry.late();
    if bytes == 0 {
        return Ok(Cow::Borrowed(entry));
    }
    context::count_bytes(context, bytes)?;
    let table = loaders(context)?.load_one(TableOf(entry.id)).await?;
    let fdb_macs = table.map(Arc::unwrap_or_clone);
    Ok(Cow::Owned(IfEntry { fdb_macs, ..entry.clone() }))
}

/// The key that loads the forwarding table of one if-entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct TableOf(Id);

impl Loader<TableOf> for Batch {
    type Value = Arc<MacList>;
    type Error = LoadError;

    async fn load(
        &self,
        keys: &[TableOf],
    ) -> std::result::Result<HashMap<TableOf, Self::Value>, LoadError> {
        let ids = keys.iter().map(|key| key.0).collect();
        let tables = if_entries::tables(&self.app, self.app.db.reader(), &self.viewer, ids).await;
        let tables = tables.map_err(Arc::new)?;
        Ok(tables.into_iter().map(|(id, table)| (TableOf(id), Arc::new(table))).collect())
    }
}
