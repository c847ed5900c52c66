//! Finding the device that was heard: the first claim that exactly one device answers to.

use super::{
    facts::{Facts, Ids},
    identity::Identity,
    observation::{Claim, Sighting},
    step::{HostTier, Outcome, Steps, Tier},
};
use crate::types::Id;

/// The device that was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HostFound {
    pub(super) host_id: Id,
    pub(super) tier: HostTier,
    /// The port that a person taught with it.
    pub(super) port: Option<Id>,
}

/// Finds the device: the first claim with exactly one candidate decides; where there are several,
/// the weaker ones may only choose among them. The port's own device is meant only where nobody
/// else answers to any claim, and by what the neighbor says most exactly: that another device has
/// the same name is more likely than that a port hears itself.
pub(super) fn find(
    facts: &Facts,
    sighting: &Sighting,
    claims: Vec<Claim>,
    steps: &mut Steps<'_>,
) -> Option<HostFound> {
    if steps.are_kept() {
        for (tier, value, outcome) in sighting.heard.unusable() {
            steps.push(|| (Tier::Host(tier), value, outcome));
        }
    }
    if let Some(found) = taught(facts, sighting, &claims, steps) {
        return Some(found);
    }
    let (mut among, mut own) = (None::<Ids>, None);
    let exact = claims.first().map(|claim| claim.tier.said());
    let is_meant = |tier: HostTier, identity: &Identity| {
        exact == Some(tier.said())
            && !matches!(identity, Identity::Label(_))
            && !facts.differs_in_serial(sighting.host_id, identity)
    };
    for Claim { tier, identity } in claims {
        let mut carriers = facts.carriers(&identity);
        let own_too = carriers.contains(&sighting.host_id);
        let is_own = own_too && is_meant(tier, &identity);
        carriers.retain(|host| *host != sighting.host_id);
        let outcome = match &among {
            Some(among) if !carriers.is_empty() => {
                let all = carriers.clone();
                carriers.retain(|host| among.contains(host));
                if carriers.is_empty() {
                    Outcome::RuledOut(all.into_vec())
                } else {
                    Outcome::of(&carriers)
                }
            }
            _ if carriers.is_empty() && is_own => Outcome::OwnDevice,
            _ if carriers.is_empty() && own_too => Outcome::LikeOwn,
            _ => Outcome::of(&carriers),
        };
        steps.push(|| (Tier::Host(tier), facts.shown(&identity), outcome));
        match carriers.as_slice() {
            [host_id] => return Some(HostFound { host_id: *host_id, tier, port: None }),
            [] if is_own => own = own.or(Some(tier)),
            [] => {}
            _ => among = Some(carriers),
        }
    }
    let own = own.filter(|_| among.is_none() && sighting.heard.fdb_mac.is_none());
    own.map(|tier| HostFound { host_id: sighting.host_id, tier, port: None })
}

fn taught(
    facts: &Facts,
    sighting: &Sighting,
    claims: &[Claim],
    steps: &mut Steps<'_>,
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
        (Tier::Host(HostTier::Alias), value.to_owned(), Outcome::of(&[alias.host_id]))
    });
    // What was taught of one port of it says nothing of the others.
    let port = alias.if_entry_id.filter(|_| alias.port == port_text);
    Some(HostFound { host_id: alias.host_id, tier: HostTier::Alias, port })
}
