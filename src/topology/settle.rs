//! Working out anew, within a write, which neighbors are which: only what the write can change.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sea_orm::ConnectionTrait;

use super::{
    entity::Model as Resolution,
    facts::Facts,
    identity::Identity,
    observation::Sighting,
    read::{Reader, Which},
    resolve::{meet, neighbor, resolve},
    store,
    touched::Touched,
};
use crate::{
    db::Db,
    error::{Kind, Result},
    if_entries::NeighborId,
    types::Id,
};

/// What ports came to be connected to.
pub type Neighbors = HashMap<Id, Option<NeighborId>>;

/// Brings what is known of neighbors in line with what a write changes, in a number of statements
/// that does not depend on how much the network holds; in none at all if the write does not touch
/// what decides about neighbors. It answers what the ports concerned are connected to now.
pub async fn settle<'v>(
    db: &impl ConnectionTrait,
    sets: &Db,
    network_id: Id,
    changes: impl Iterator<
        Item = (Kind, Id, Option<&'v serde_json::Value>, Option<&'v serde_json::Value>),
    >,
) -> Result<Neighbors> {
    let mut touched = Touched::default();
    for (kind, id, before, after) in changes {
        touched.take(kind, id, before, after);
    }
    if touched.is_empty() {
        return Ok(Neighbors::new());
    }
    let reader = Reader { db, sets, network_id };
    if !touched.hosts.is_empty() {
        store::host_keys(&reader, &touched.hosts).await?;
    }
    let entries = reader.concerned(&touched).await?;
    if entries.ids().is_empty() {
        return Ok(Neighbors::new());
    }
    let old = reader.resolutions(Which::In("if_entry_id", &entries)).await?;
    let sightings = reader.sightings(Which::In("id", &entries)).await?;
    let facts = reader.facts_for(&sightings).await?;
    let new = resolve_all(network_id, facts, sightings).await?;
    let pairs: HashSet<(Id, Id)> = old.iter().chain(&new).filter_map(Resolution::pair).collect();
    let beside = reader.between(&pairs, &entries).await?;
    let mut before = old;
    before.extend(beside.iter().cloned());
    let mut after = new;
    after.extend(beside);
    meet(&mut after);

    let mut ports = store::replace(&reader, &before, &after).await?;
    ports.retain(|port| !touched.gone.contains(port));
    connect(&reader, &ports).await
}

/// Works out everything of a network from its facts alone, in ten statements and those that write
/// what is not as it should be.
pub async fn from_scratch(db: &impl ConnectionTrait, sets: &Db, network_id: Id) -> Result<u64> {
    let reader = Reader { db, sets, network_id };
    let facts = reader.all_facts().await?;
    let sightings = reader.sightings(Which::All).await?;
    let before = reader.resolutions(Which::All).await?;
    let ports: Vec<Id> = facts.ports.keys().copied().collect();
    let keys = facts
        .hosts
        .iter()
        .map(|(id, host)| (*id, host.identities().iter().map(Identity::key).collect()));
    let wanted: BTreeMap<Id, BTreeSet<String>> = keys.collect();
    let stored = reader.host_keys().await?;
    let differing: BTreeMap<Id, BTreeSet<String>> =
        wanted.into_iter().filter(|(id, keys)| stored.get(id) != Some(keys)).collect();
    store::host_keys(&reader, &differing).await?;
    let mut after = resolve_all(network_id, facts, sightings).await?;
    meet(&mut after);
    store::replace(&reader, &before, &after).await?;
    let neighbors = neighbors(ports.into_iter(), &after);
    let known = reader.neighbors().await?;
    let differing = neighbors.into_iter().filter(|(port, far)| known.get(port) != Some(far));
    store::neighbors(&reader, &differing.collect()).await?;
    Ok(after.len() as u64)
}

/// How many sightings are resolved where they are; more would keep other requests waiting.
const FEW: usize = 1000;

async fn resolve_all(
    network_id: Id,
    facts: Facts,
    sightings: Vec<Sighting>,
) -> Result<Vec<Resolution>> {
    let few = sightings.len() <= FEW;
    let all = move || -> Vec<Resolution> {
        sightings.iter().map(|sighting| resolve(&facts, network_id, sighting)).collect()
    };
    if few {
        return Ok(all());
    }
    Ok(tokio::task::spawn_blocking(all).await.map_err(anyhow::Error::from)?)
}

/// Sets what these ports are connected to.
async fn connect<C: ConnectionTrait>(
    reader: &Reader<'_, C>,
    ports: &BTreeSet<Id>,
) -> Result<Neighbors> {
    if ports.is_empty() {
        return Ok(Neighbors::new());
    }
    let resolutions = reader.about(ports).await?;
    let neighbors = neighbors(ports.iter().copied(), &resolutions);
    store::neighbors(reader, &neighbors).await?;
    Ok(neighbors)
}

/// What each of these ports is connected to; all that they heard and that was heard of them must be
/// there.
fn neighbors(ports: impl Iterator<Item = Id>, resolutions: &[Resolution]) -> Neighbors {
    let (mut own, mut others) = (HashMap::<Id, Vec<_>>::new(), HashMap::<Id, Vec<_>>::new());
    for row in resolutions {
        own.entry(row.if_entry_id).or_default().push(row);
        if let Some(port) = row.far_port() {
            others.entry(port).or_default().push(row);
        }
    }
    let nothing = Vec::new();
    ports
        .map(|port| {
            let heard = [&own, &others].map(|index| index.get(&port).unwrap_or(&nothing));
            (port, neighbor(heard[0], heard[1]))
        })
        .collect()
}
