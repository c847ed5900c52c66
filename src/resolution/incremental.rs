//! Resolves neighbors again within a write: only those that the write can affect.

use std::collections::{BTreeSet, HashMap, HashSet};

use sea_orm::{ConnectionTrait, StreamTrait};
use toposcope_topology::resolution::{
    identity_index::IdentityIndex, meet, neighbor::neighbors, resolve, resolved::Resolution,
    sighting::Sighting,
};
use toposcope_types::{Id, Method, NeighborId, Timestamp};

use super::{
    change_set::{Change, ChangeSet},
    full,
    reader::{FEW, In, Reader},
    tables::{self, Rewritten},
    writer::{self, Difference},
};
use crate::{db::Db, error::Result};

/// The new connections of ports.
pub type Neighbors = HashMap<Id, Connected>;

/// The new connection of a port.
#[derive(Clone, Copy, Debug)]
pub struct Connected {
    /// The far end.
    pub neighbor: Option<NeighborId>,
    /// The port's new version, unless the write updates the port itself.
    pub version: Option<Timestamp>,
}

/// The effect of a write on connections.
#[derive(Debug, Default)]
pub struct Reconnected {
    /// The new connections of the affected ports.
    pub neighbors: Neighbors,
    /// The hosts of ports whose connection changed and that the write did not update itself.
    pub hosts: Vec<Id>,
}

/// Updates resolutions after a write, in a number of statements that does not depend on the size of
/// the network; in none at all if the write changes nothing that resolutions depend on. Ports whose
/// connection changes become new versions as of `now`.
pub async fn resolve_incrementally<'v>(
    db: &impl ConnectionTrait,
    sets: &Db,
    network_id: Id,
    changes: impl Iterator<Item = &'v Change>,
    now: Timestamp,
) -> Result<Reconnected> {
    let mut touched = ChangeSet::default();
    let mut written = BTreeSet::new();
    for change in changes {
        if change.is_port() {
            written.insert(change.id);
        }
        touched.take(change);
    }
    if touched.is_empty() {
        return Ok(Reconnected::default());
    }
    let reader = Reader { db, sets, network_id };
    if !touched.hosts.is_empty() {
        writer::host_keys(&reader, &touched.hosts).await?;
    }
    let entries = reader.affected_ports(&touched).await?;
    if entries.ids().is_empty() && touched.far_hosts.is_empty() {
        return Ok(Reconnected::default());
    }
    let (mut old, mut new) = (Vec::new(), Vec::new());
    if !entries.ids().is_empty() {
        old = reader.resolutions(In("if_entry_id", &entries)).await?;
        let sightings = reader.sightings(&entries).await?;
        let facts = reader.facts_for(&sightings).await?;
        new = resolve_all(network_id, facts, sightings).await?;
    }
    let pairs = |rows: &[Resolution]| -> HashSet<(Id, Id)> {
        rows.iter().filter_map(Resolution::pair).collect()
    };
    let joined = &pairs(&old) | &pairs(&new);
    let mut beside = reader.between(&joined, &entries).await?;
    let write = Rewritten { entries: &entries, old: &old, beside: &beside };
    let turned = tables::supersede(&reader, &touched.far_hosts, write, &mut new).await?;
    let more: HashSet<(Id, Id)> = turned.pairs().filter(|pair| !joined.contains(pair)).collect();
    beside.extend(reader.between(&more, &entries).await?);
    let mut before = old;
    before.extend(beside.iter().cloned());
    turned.mark(&mut beside);
    let mut after = new;
    after.extend(beside);
    meet(&mut after);

    let mut difference = Difference::default();
    difference.add(before, after);
    writer::replace(&reader, &difference).await?;
    connect(&reader, &difference, &touched.gone, &written, now).await
}

/// Resolves a whole network from its facts alone, in four statements and those that write the
/// differences. Returns the number of its neighbors.
pub async fn from_scratch<C: ConnectionTrait + StreamTrait>(
    db: &C,
    sets: &Db,
    network_id: Id,
) -> Result<usize> {
    let reader = Reader { db, sets, network_id };
    let outcome = full::resolve_network(&reader).await?;
    writer::host_keys(&reader, &outcome.keys).await?;
    writer::replace(&reader, &outcome.difference).await?;
    let now = Timestamp::now();
    let moved = writer::neighbors(&reader, &outcome.neighbors, &BTreeSet::new(), now).await?;
    writer::touch_hosts(&reader, moved.into_iter().map(|(_, host, _)| host).collect(), now).await?;
    Ok(outcome.sightings)
}

async fn resolve_all(
    network_id: Id,
    facts: IdentityIndex,
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

/// Sets the connections of ports, except those that left the network.
async fn connect<C: ConnectionTrait>(
    reader: &Reader<'_, C>,
    difference: &Difference,
    gone: &BTreeSet<Id>,
    written: &BTreeSet<Id>,
    now: Timestamp,
) -> Result<Reconnected> {
    let mut ports: BTreeSet<Id> = difference.ports.iter().copied().collect();
    let mut about = reader.about(&ports, None).await?;
    if difference.pins {
        // A port that hears one pinned to another port is not connected to it.
        ports.extend(about.iter().flat_map(Resolution::ports));
        about = reader.about(&ports, None).await?;
    }
    let far: BTreeSet<Id> = about.iter().flat_map(Resolution::ports).collect();
    let far = far.difference(&ports).copied().collect();
    about.extend(reader.about(&far, Some(Method::Pinned)).await?);
    ports.retain(|port| !gone.contains(port));
    let neighbors = neighbors(ports.into_iter(), about.iter());
    let moved = writer::neighbors(reader, &neighbors, written, now).await?;
    let connected = |neighbor| Connected { neighbor, version: None };
    let neighbors = neighbors.into_iter().map(|(port, far)| (port, connected(far)));
    let mut reconnected = Reconnected { neighbors: neighbors.collect(), hosts: Vec::new() };
    for (port, host, version) in moved {
        reconnected.neighbors.entry(port).and_modify(|connected| connected.version = Some(version));
        reconnected.hosts.push(host);
    }
    Ok(reconnected)
}
