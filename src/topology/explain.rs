//! Why a neighbor is believed to be who it is, or is not known: in data and in plain words.

use std::collections::{HashMap, HashSet};

use sea_orm::ConnectionTrait;
use tokio_util::sync::CancellationToken;

use super::{
    entity::Model as Resolution,
    observation::{Method, Sighting},
    read::{FEW, In, Reader},
    resolve,
    sentence::{Names, StepTaken},
    snapshot::Snapshot,
    step::{HostTier, Outcome, PortTier, Step, Steps, Tier},
};
use crate::{db::Db, error::Result, types::Id};

/// Why one observation was resolved as it was.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// How it was heard.
    pub method: Method,
    /// The device that it is.
    pub host_id: Option<Id>,
    /// The port that it is.
    pub if_entry_id: Option<Id>,
    /// By which evidence the device was found.
    pub host_tier: Option<HostTier>,
    /// By which evidence the port was found.
    pub port_tier: Option<PortTier>,
    /// On which value the device was found.
    pub host_value: Option<String>,
    /// On which value the port was found.
    pub port_value: Option<String>,
    /// What was tried, in order.
    pub steps: Vec<StepTaken>,
    /// All of it in plain words.
    pub sentence: String,
}

impl Explanation {
    /// What can be said of something seen in a network that was changed since: what it is, not why.
    pub(super) fn moved_on(snapshot: &Snapshot, seen: u32) -> Self {
        let seen = &snapshot.seen[seen as usize];
        Self {
            method: seen.method,
            host_id: snapshot.host_id(seen.far_host),
            if_entry_id: snapshot.port_id(seen.far_port),
            host_tier: seen.host_tier,
            port_tier: seen.port_tier,
            host_value: None,
            port_value: None,
            steps: Vec::new(),
            sentence: "The network was changed while this was read: ask again to be told why."
                .to_owned(),
        }
    }
}

/// Explains what these ports heard, by the ids of the observations, in at most twelve statements.
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
    let (asked, _nobody_asks) = {
        let asked = CancellationToken::new();
        (asked.clone(), asked.drop_guard())
    };
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
            Some(((sighting.id, sighting.method), of(&names, sighting, row)))
        });
        explained.collect()
    };
    if few {
        return Ok(all());
    }
    Ok(tokio::task::spawn_blocking(all).await.map_err(anyhow::Error::from)?)
}

fn of(names: &Names<'_>, sighting: &Sighting, row: &Resolution) -> Explanation {
    let mut steps = Vec::new();
    if sighting.pin.is_none() {
        // What comes of it is stored already; only the way to it is wanted.
        let claims = sighting.heard.claims();
        resolve::heard(
            names.facts,
            &mut row.clone(),
            sighting,
            claims,
            &mut Steps::kept(&mut steps),
        );
    }
    let value = |wanted: Tier| {
        let decided = |step: &&Step| step.tier == wanted && matches!(step.outcome, Outcome::One(_));
        steps.iter().rfind(decided).map(|step| step.value.clone())
    };
    let told: Vec<String> = steps.iter().map(|step| names.told(&sighting.heard, step)).collect();
    let port_tier = row.port_tier.or(row.met_if_entry_id.map(|_| PortTier::Reciprocal));
    Explanation {
        method: sighting.method,
        host_id: row.far_host_id,
        if_entry_id: row.far_port(),
        host_tier: row.host_tier,
        port_tier,
        host_value: row.host_tier.and_then(|tier| value(Tier::Host(tier))),
        port_value: row.port_tier.and_then(|tier| value(Tier::Port(tier))),
        sentence: names.sentence(sighting, row, &steps, &told),
        steps: steps
            .iter()
            .zip(&told)
            .map(|(step, told)| names.taken(step, told))
            .chain(names.other_end(sighting, row))
            .collect(),
    }
}
