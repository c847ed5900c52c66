//! Loads of snapshots and explanations.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use async_graphql::{Context, Result, dataloader::Loader};
use sea_orm::QueryFilter as _;

use crate::{
    db::Resource as _,
    graphql::{
        context,
        loader::{Batch, LoadError},
    },
    networks,
    topology::{Explanation, Method, Snapshot, current, explain, read::Reader},
    types::{Id, Mac},
};

/// The snapshot of a network.
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

/// The network as it is now, if it is within reach.
pub(super) async fn snapshot(
    context: &Context<'_>,
    network_id: Id,
) -> Result<Option<Arc<Snapshot>>> {
    Ok(context::loaders(context)?.load_one(SnapshotOf(network_id)).await?)
}

/// The MAC addresses of a device.
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
        let mut hosts: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
        for key in keys {
            hosts.entry(key.network_id).or_default().insert(key.host_id);
        }
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

/// The MAC addresses of a device that is within reach.
pub(super) async fn macs_of(
    context: &Context<'_>,
    network_id: Id,
    host_id: Id,
) -> Result<Arc<HashSet<Mac>>> {
    let macs = context::loaders(context)?.load_one(MacsOf { network_id, host_id }).await?;
    Ok(macs.unwrap_or_default())
}

/// Why one observation was resolved as it was.
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
        let mut ports: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
        for key in keys {
            ports.entry(key.network_id).or_default().insert(key.port);
        }
        let mut explained = HashMap::new();
        for (network_id, ports) in ports {
            let db = self.app.db.snapshot().await.map_err(Arc::new)?;
            let ports: Vec<Id> = ports.into_iter().collect();
            let found = explain(&db, &self.app.db, network_id, &ports).await.map_err(Arc::new)?;
            db.rollback().await.map_err(|error| Arc::new(error.into()))?;
            for key in keys.iter().filter(|key| key.network_id == network_id) {
                if let Some(one) = found.get(&(key.observation_id, key.method)) {
                    explained.insert(*key, Arc::new(one.clone()));
                }
            }
        }
        Ok(explained)
    }
}

/// Why something seen was resolved as it was, by its place in the snapshot; nothing where the
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
    let explanation = context::loaders(context)?.load_one(key).await?;
    let far_host = snapshot.host_id(seen.far_host);
    let far_port = snapshot.port_id(seen.far_port);
    Ok(explanation.filter(|one| (one.host_id, one.if_entry_id) == (far_host, far_port)))
}
