//! Resolves heard neighbors to devices and ports: a pure function of facts and sightings.

pub mod find_host;
pub mod find_port;
pub mod forwarding_table;
pub mod identity;
pub mod identity_index;
pub mod if_type;
pub mod neighbor;
pub mod normalize;
pub mod port_index;
pub mod records;
pub mod resolved;
pub mod sighting;
pub mod sockets;
pub mod superseded;
pub mod trace;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use toposcope_types::{HostTier, Id, Method, NeighborId, NeighborType, PortTier, Said};

use self::{
    identity_index::IdentityIndex,
    resolved::Resolution,
    sighting::{Claim, Sighting},
    trace::Trace,
};

/// Resolves a sighting by itself, without regard to what the other side reports.
pub fn resolve(facts: &IdentityIndex, network_id: Id, sighting: &Sighting) -> Resolution {
    let claims = sighting.heard.claims();
    let mut resolution = blank(network_id, sighting, &claims);
    match sighting.pin {
        Some(pin) => pinned(&mut resolution, pin),
        None => heard(facts, &mut resolution, sighting, claims, &mut Trace::forgotten()),
    }
    resolution
}

fn blank(network_id: Id, sighting: &Sighting, claims: &[Claim]) -> Resolution {
    let mut resolution = Resolution {
        if_entry_id: sighting.if_entry_id,
        method: sighting.method,
        position: sighting.position,
        observation_id: sighting.id,
        network_id,
        host_id: sighting.host_id,
        chassis_key: None,
        address_key: None,
        name_key: None,
        far_host_id: None,
        host_tier: None,
        far_if_entry_id: None,
        port_tier: None,
        possible_if_entry_ids: None,
        met_if_entry_id: None,
        outranked: false,
        superseded: false,
    };
    for claim in claims {
        let key = match claim.tier.said() {
            Said::Address => &mut resolution.address_key,
            Said::Name => &mut resolution.name_key,
            Said::Chassis => &mut resolution.chassis_key,
        };
        key.get_or_insert_with(|| claim.identity.key());
    }
    resolution
}

fn pinned(resolution: &mut Resolution, (pin, host): (NeighborId, Id)) {
    resolution.far_host_id = Some(host);
    resolution.host_tier = Some(HostTier::Pin);
    if pin.neighbor_type == NeighborType::IfEntry {
        resolution.far_if_entry_id = Some(pin.id);
        resolution.port_tier = Some(PortTier::Pin);
    }
}

/// Finds the device that was heard, and its port.
pub fn heard(
    facts: &IdentityIndex,
    resolution: &mut Resolution,
    sighting: &Sighting,
    claims: Vec<Claim>,
    steps: &mut Trace<'_>,
) {
    let Some(host) = find_host::find(facts, sighting, claims, steps) else { return };
    let taught =
        host.port.filter(|id| facts.ports.get(id).is_some_and(|port| port.host_id == host.host_id));
    let mut possible = Vec::new();
    let (port, tier) = match taught {
        Some(port) => (Some(port), Some(PortTier::Alias)),
        None => match find_port::find(facts, host.host_id, sighting, steps) {
            Ok(found) => (Some(found.if_entry_id), Some(found.tier)),
            Err(left) => {
                possible = left;
                (None, None)
            }
        },
    };
    // A device hears itself through a cable between two of its ports; without the second port there
    // is nothing to report.
    if host.host_id == sighting.host_id && port.is_none_or(|port| port == sighting.if_entry_id) {
        return;
    }
    resolution.far_host_id = Some(host.host_id);
    resolution.host_tier = Some(host.tier);
    resolution.far_if_entry_id = port;
    resolution.port_tier = tier;
    if !possible.is_empty() {
        possible.sort_unstable();
        possible.dedup();
        let ids: Vec<String> = possible.iter().map(Id::to_string).collect();
        resolution.possible_if_entry_ids = Some(ids.join(" "));
    }
}

/// Reconciles the resolutions between the same two devices. The input must hold all resolutions of
/// each pair, and know which of them are superseded.
pub fn meet<'r>(resolutions: impl IntoIterator<Item = &'r mut Resolution>) {
    let mut paired = Vec::new();
    for resolution in resolutions {
        resolution.met_if_entry_id = None;
        resolution.outranked = false;
        if let Some(pair) = resolution.pair() {
            paired.push((pair, resolution));
        }
    }
    paired.sort_by_key(|(pair, _)| *pair);
    for pair in paired.chunk_by_mut(|(one, _), (other, _)| one == other) {
        meet_pair(pair);
    }
}

/// The ports of one side, each with the ports of the other side that it names.
type Named = BTreeMap<Id, BTreeSet<Option<Id>>>;

fn meet_pair(pair: &mut [((Id, Id), &mut Resolution)]) {
    let joined = pair.iter().any(|(_, row)| row.method != Method::Fdb);
    for (_, row) in &mut *pair {
        row.outranked = joined && row.method == Method::Fdb;
        row.superseded &= !row.outranked;
    }
    let is_settled =
        |row: &Resolution| row.far_if_entry_id.is_some() || row.outranked || row.superseded;
    if pair.iter().all(|(_, row)| is_settled(row)) {
        return;
    }
    let counts = |row: &&&mut Resolution| (row.method == Method::Fdb) != joined && !row.superseded;
    let rows = || pair.iter().map(|(_, row)| row);
    // The strongest method by which each port names a port of the other side.
    let mut strongest: HashMap<Id, Method> = HashMap::new();
    for row in rows().filter(counts).filter(|row| row.far_if_entry_id.is_some()) {
        let method = strongest.entry(row.if_entry_id).or_insert(row.method);
        *method = row.method.min(*method);
    }
    let mut sides: HashMap<Id, Named> = HashMap::new();
    for row in rows().filter(counts) {
        if row.far_if_entry_id.is_some() && strongest[&row.if_entry_id] < row.method {
            continue;
        }
        let named = sides.entry(row.host_id).or_default().entry(row.if_entry_id).or_default();
        named.insert(row.far_if_entry_id);
    }
    // The resolutions that leave some ports of the other side possible without naming one, by port.
    let mut left: HashMap<Id, Vec<Resolution>> = HashMap::new();
    for row in rows().filter(counts).filter(|row| row.possible_if_entry_ids.is_some()) {
        left.entry(row.if_entry_id).or_default().push(Resolution::clone(row));
    }
    let leaves = |port: Id, far: Id| {
        left.get(&port).is_none_or(|rows| rows.iter().all(|row| row.leaves(far)))
    };
    let none = Named::new();
    for (_, row) in pair {
        if is_settled(row) {
            continue;
        }
        let far = row.far_host_id.unwrap_or(row.host_id);
        let own = sides.get(&row.host_id).unwrap_or(&none);
        let theirs = sides.get(&far).unwrap_or(&none);
        let is_possible = |port: Id| leaves(row.if_entry_id, port) && leaves(port, row.if_entry_id);
        row.met_if_entry_id = met(row.if_entry_id, own, theirs)
            .filter(|(port, mutual)| {
                // A port that no other port names is not the far end of its own cable, and two
                // forwarding tables about two devices say nothing about their ports. Evidence that
                // rules a port out is better than the fact that no other port hears this side.
                *port != row.if_entry_id
                    && (*mutual
                        || (row.method != Method::Fdb && far != row.host_id && is_possible(*port)))
            })
            .map(|(port, _)| port);
    }
}

/// Returns the port of the other side that hears `port`, and whether it names `port`. It is the
/// only one that names `port`, or else the only one that hears this side at all, if `port` is the
/// only one that hears the other side and neither names a third port.
fn met(port: Id, own: &Named, theirs: &Named) -> Option<(Id, bool)> {
    // Another observation of the same port that names a port of the other side is better evidence.
    if own.get(&port).is_some_and(|named| named.iter().any(Option::is_some)) {
        return None;
    }
    let naming: Vec<Id> =
        theirs.iter().filter(|(_, named)| named.contains(&Some(port))).map(|(id, _)| *id).collect();
    match naming.as_slice() {
        [one] => return Some((*one, true)),
        [] => {}
        _ => return None,
    }
    let (only, named) = theirs.first_key_value().filter(|_| theirs.len() == 1 && own.len() == 1)?;
    named.iter().all(Option::is_none).then_some((*only, false))
}
