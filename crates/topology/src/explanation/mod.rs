//! Why a neighbor is believed to be who it is, or is not known: in data and in plain words.

pub mod pin_conflict;
pub mod remedy;
pub mod sentence;

use toposcope_types::{HostTier, Id, Method, PortTier};

use self::sentence::{Names, StepTaken};
use crate::{
    network::Snapshot,
    resolution::{
        self,
        resolved::Resolution,
        sighting::Sighting,
        trace::{Outcome, Step, Tier, Trace},
    },
};

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
    pub fn moved_on(snapshot: &Snapshot, seen: u32) -> Self {
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

/// Explains what became of one sighting.
pub fn explain(names: &Names<'_>, sighting: &Sighting, row: &Resolution) -> Explanation {
    let mut steps = Vec::new();
    if sighting.pin.is_none() {
        // What comes of it is stored already; only the way to it is wanted.
        let claims = sighting.heard.claims();
        resolution::heard(
            names.facts,
            &mut row.clone(),
            sighting,
            claims,
            &mut Trace::kept(&mut steps),
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
