//! Finding the device that was heard: the first claim that exactly one device answers to.

use std::borrow::Cow;

use toposcope_types::{HostTier, Id};

use super::{
    identity::Identity,
    identity_index::IdentityIndex,
    sighting::{Claim, Sighting},
    trace::{Outcome, Tier, Trace},
};

/// The device that was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFound {
    pub host_id: Id,
    pub tier: HostTier,
    /// The port that a person taught with it.
    pub port: Option<Id>,
}

/// Finds the device: the first claim with exactly one candidate decides; where there are several,
/// the weaker ones may only choose among them. The port's own device is meant only where nobody
/// else answers to any claim, and by what the neighbor says most exactly: that another device has
/// the same name is more likely than that a port hears itself.
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
        // Thousands may carry one name, and thousands hear it: no more of them are looked at than
        // decide.
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

/// Whether a device is among the carriers of each of some claims. Who asks for one after the other
/// in the order of ids keeps the places where they were looked for.
fn are_all_carried_by(claims: &[Cow<'_, [Id]>], places: &mut [usize], host: Id) -> bool {
    claims.iter().zip(places).all(|(carriers, place)| {
        *place = place_of(carriers, *place, host);
        carriers.get(*place) == Some(&host)
    })
}

/// The first place, from one on, whose id is not before another. What is near is found first.
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
    // Only by its strongest claim, which is what was taught: a weaker one, such as a name that others
    // have too, does not outdo what the neighbor says more exactly.
    let identity = &claims.first()?.identity;
    let alias = facts.alias(identity, port_text.clone())?;
    if alias.host_id == sighting.host_id {
        return None;
    }
    steps.push(|| {
        let (_, value) = alias.identity.split_once(' ').unwrap_or_default();
        (Tier::Host(HostTier::Alias), value.to_owned(), Outcome::One(alias.host_id))
    });
    // What was taught of one port of it says nothing of the others.
    let port = alias.if_entry_id.filter(|_| alias.port == port_text);
    Some(HostFound { host_id: alias.host_id, tier: HostTier::Alias, port })
}
