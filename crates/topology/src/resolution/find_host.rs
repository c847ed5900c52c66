//! Finds the device that a port heard: the first claim that matches exactly one device decides.

use std::borrow::Cow;

use toposcope_types::{HostTier, Id};

use super::{
    identity::Identity,
    identity_index::IdentityIndex,
    sighting::{Claim, Sighting},
    trace::{Outcome, Tier, Trace},
};

/// The device that a neighbor resolves to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFound {
    /// The device.
    pub host_id: Id,
    /// The evidence that decided.
    pub tier: HostTier,
    /// The port that the alias names for this neighbor.
    pub port: Option<Id>,
}

/// Finds the neighbor's device. The first claim with exactly one candidate decides; if a claim has
/// several, weaker claims may only choose among them. The port's own device is chosen only if no
/// other device matches any claim, and only by the most specific kind of claim: another device with
/// the same name is more likely than a port that hears itself.
pub fn find(
    facts: &IdentityIndex,
    sighting: &Sighting,
    claims: Vec<Claim>,
    steps: &mut Trace<'_>,
) -> Option<HostFound> {
    if steps.are_kept() {
        for (tier, value, outcome) in sighting.heard.unusable() {
            steps.push(|| (Tier::Host(tier), value, outcome));
        }
    }
    if let Some(found) = taught(facts, sighting, &claims, steps) {
        return Some(found);
    }
    let (mut among, mut own) = (Vec::new(), None);
    let exact = claims.first().map(|claim| claim.tier.said());
    let is_meant = |tier: HostTier, identity: &Identity| {
        exact == Some(tier.said())
            && !matches!(identity, Identity::Label(_))
            && !facts.differs_in_serial(sighting.host_id, identity)
    };
    for Claim { tier, identity } in claims {
        // Thousands of devices may carry one name, and thousands of ports may hear it, so only as
        // many candidates are read as the decision needs.
        let carriers = facts.carriers(&identity);
        let own_too = carriers.binary_search(&sighting.host_id).is_ok();
        let is_own = own_too && is_meant(tier, &identity);
        let others = || carriers.iter().copied().filter(|host| *host != sighting.host_id);
        let claimed = among.as_slice();
        let left = || {
            let mut places = vec![0; claimed.len()];
            others().filter(move |host| are_all_carried_by(claimed, &mut places, *host))
        };
        let first_two = {
            let mut left = left();
            (left.next(), left.next())
        };
        steps.push(|| {
            let outcome = match (first_two.0, others().next()) {
                (None, Some(_)) => Outcome::RuledOut(others().collect()),
                (None, None) if is_own => Outcome::OwnDevice,
                (None, None) if own_too => Outcome::LikeOwn,
                _ => Outcome::of(left()),
            };
            (Tier::Host(tier), facts.shown(&identity), outcome)
        });
        match first_two {
            (Some(host_id), None) => return Some(HostFound { host_id, tier, port: None }),
            (Some(_), Some(_)) => among.push(carriers),
            (None, _) if is_own => own = own.or(Some(tier)),
            (None, _) => {}
        }
    }
    let own = own.filter(|_| among.is_empty() && sighting.heard.fdb_mac.is_none());
    own.map(|tier| HostFound { host_id: sighting.host_id, tier, port: None })
}

/// Returns whether a device carries every one of these claims. A caller that asks for devices in id
/// order keeps `places`, the positions where the previous searches ended.
fn are_all_carried_by(claims: &[Cow<'_, [Id]>], places: &mut [usize], host: Id) -> bool {
    claims.iter().zip(places).all(|(carriers, place)| {
        *place = place_of(carriers, *place, host);
        carriers.get(*place) == Some(&host)
    })
}

/// Finds the first position from `from` on whose id is not less than `id`, nearby ones first.
fn place_of(ids: &[Id], from: usize, id: Id) -> usize {
    let mut step = 1;
    while ids.get(from + step).is_some_and(|near| *near < id) {
        step *= 2;
    }
    let end = ids.len().min(from + step + 1);
    from + ids[from..end].partition_point(|near| *near < id)
}

fn taught(
    facts: &IdentityIndex,
    sighting: &Sighting,
    claims: &[Claim],
    steps: &mut Trace<'_>,
) -> Option<HostFound> {
    let port_text = sighting.heard.port_text();
    // Only the strongest claim counts, since that is what the alias records: a weaker one, such as
    // a name that other devices share, must not override a more specific claim.
    let identity = &claims.first()?.identity;
    let alias = facts.alias(identity, port_text.clone())?;
    if alias.host_id == sighting.host_id {
        return None;
    }
    steps.push(|| {
        let (_, value) = alias.identity.split_once(' ').unwrap_or_default();
        (Tier::Host(HostTier::Alias), value.to_owned(), Outcome::One(alias.host_id))
    });
    // An alias for one port of a device says nothing about its other ports.
    let port = alias.if_entry_id.filter(|_| alias.port == port_text);
    Some(HostFound { host_id: alias.host_id, tier: HostTier::Alias, port })
}
