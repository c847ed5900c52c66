//! Explanations of why a neighbor was resolved to a device or not: as data and in plain words.

use std::collections::{HashMap, HashSet};

use sea_orm::ConnectionTrait;
use tokio_util::sync::CancellationToken;
use toposcope_topology::{
    explanation::{Explanation, explain as explain_one, sentence::Names},
    resolution::resolved::Resolution,
};
use toposcope_types::{Id, Method};

use crate::{
    db::Db,
    error::Result,
    resolution::reader::{FEW, In, Reader},
};

/// Explains what these ports heard, by observation id and method, in at most twelve statements.
pub async fn explain(
    db: &impl ConnectionTrait,
    sets: &Db,
    network_id: Id,
    ports: &[Id],
) -> Result<HashMap<(Id, Method), Explanation>> {
    let reader = Reader { db, sets, network_id };
    let entries = sets.ids(ports);
    let sightings = reader.sightings(&entries).await?;
    let facts = reader.facts_for(&sightings).await?;
    let stored = reader.resolutions(In("if_entry_id", &entries)).await?;
    let far = stored.iter().filter_map(Resolution::far_port).collect::<Vec<_>>();
    let far_ports = reader.ports(In("id", &sets.ids(far))).await?;
    let hosts = stored.iter().filter_map(|row| row.far_host_id).collect::<Vec<_>>();
    let called = reader.hosts(In("id", &sets.ids(hosts))).await?;
    let open = stored.iter().filter(|row| row.far_port().is_none());
    let pairs: HashSet<_> = open.filter_map(Resolution::pair).collect();
    let between = reader.between(&pairs, &sets.ids(Vec::new())).await?;
    let few = sightings.len() <= FEW;
    let asked = CancellationToken::new();
    let _nobody_asks = asked.clone().drop_guard();
    let all = move || -> HashMap<(Id, Method), Explanation> {
        let mut names = Names::new(&facts);
        names.ports.extend(far_ports.iter().map(|port| (port.id, port.label())));
        names.hosts.extend(called.iter().map(|host| (host.id, host)));
        for row in &stored {
            if row.method == Method::Pinned {
                names.pins.insert(row.if_entry_id, row);
            }
        }
        for row in &between {
            names.hearing.entry((row.host_id, row.far_host_id)).or_default().push(row);
        }
        let stored: HashMap<_, _> = stored.iter().map(|row| (row.key(), row)).collect();
        let explained = sightings.iter().take_while(|_| !asked.is_cancelled());
        let explained = explained.filter_map(|sighting| {
            let key = (sighting.if_entry_id, sighting.method, sighting.position);
            let row = stored.get(&key)?;
            Some(((sighting.id, sighting.method), explain_one(&names, sighting, row)))
        });
        explained.collect()
    };
    if few {
        return Ok(all());
    }
    Ok(tokio::task::spawn_blocking(all).await.map_err(anyhow::Error::from)?)
}
