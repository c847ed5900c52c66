//! Explains why a neighbor resolves to a device or stays unknown, as data and in plain words.

pub mod pin_conflict;
pub mod placement;
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

/// The explanation of how one observation was resolved.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The method by which the port heard the neighbor.
    pub method: Method,
    /// The resolved device.
    pub host_id: Option<Id>,
    /// The resolved port.
    pub if_entry_id: Option<Id>,
    /// The evidence that identified the device.
    pub host_tier: Option<HostTier>,
    /// The evidence that identified the port.
    pub port_tier: Option<PortTier>,
    /// The value that identified the device.
    pub host_value: Option<String>,
    /// The value that identified the port.
    pub port_value: Option<String>,
    /// The evidence tried, in order.
    pub steps: Vec<StepTaken>,
    /// The whole explanation in plain words.
    pub sentence: String,
}

impl Explanation {
    /// Creates the explanation of an observation in a network that has changed since: the result,
    /// without the reasons.
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

/// Explains how one sighting was resolved.
pub fn explain(names: &Names<'_>, sighting: &Sighting, row: &Resolution) -> Explanation {
    let mut steps = Vec::new();
    if sighting.pin.is_none() {
        // The result is already stored; only the steps to it are needed.
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
            .map(|(step, told)| StepTaken::of(step, told))
            .chain(names.other_end(sighting, row))
            .collect(),
    }
}
