//! Finds the device that a port heard: the first claim that matches exactly one device decides.

use std::borrow::Cow;

use toposcope_types::{HostTier, Id};

use super::{
    identity::{ChassisValue, Identity},
    identity_index::IdentityIndex,
    normalize,
    records::HostFacts,
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
    for Claim { tier, identity } in &claims {
        let (tier, identity) = (*tier, identity);
        // Thousands of devices may carry one name, and thousands of ports may hear it, so only as
        // many candidates are read as the decision needs.
        let carriers = facts.carriers(identity);
        let own_too = carriers.binary_search(&sighting.host_id).is_ok();
        let is_own = own_too && is_meant(tier, identity);
        let others = || carriers.iter().copied().filter(|host| *host != sighting.host_id);
        let claimed = among.as_slice();
        let all_left = || {
            let mut places = vec![0; claimed.len()];
            others().filter(move |host| are_all_carried_by(claimed, &mut places, *host))
        };
        let label = FirstLabel::of(facts, sighting, &claims, tier, identity);
        let may_be = |host: &Id| label.as_ref().is_none_or(|label| label.may_be(*host));
        let are_few = carriers.len() <= FEW;
        let left = || all_left().filter(|host| !are_few || may_be(host));
        let first_two = {
            let mut left = left();
            match (left.next(), left.next()) {
                (Some(one), None) if !may_be(&one) => (None, None),
                two => two,
            }
        };
        steps.push(|| {
            let outcome = match (first_two.0, others().next()) {
                (None, Some(_)) if label.is_some() && all_left().next().is_some() => {
                    Outcome::Contradicted(all_left().collect())
                }
                (None, Some(_)) => Outcome::RuledOut(others().collect()),
                (None, None) if is_own => Outcome::OwnDevice,
                (None, None) if own_too => Outcome::LikeOwn,
                _ => Outcome::of(left()),
            };
            (Tier::Host(tier), facts.shown(identity), outcome)
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

/// The maximum number of devices of which each is compared with the neighbor where only the first
/// label of a name is known to be the same. With more, the label separates them from nobody.
const FEW: usize = 64;

/// A claim of no more than the first label of a name, and what else the neighbor says of itself.
struct FirstLabel<'a> {
    facts: &'a IdentityIndex,
    claims: &'a [Claim],
    label: &'a str,
    /// The announced name, folded.
    name: String,
}

impl<'a> FirstLabel<'a> {
    fn of(
        facts: &'a IdentityIndex,
        sighting: &Sighting,
        claims: &'a [Claim],
        tier: HostTier,
        identity: &'a Identity,
    ) -> Option<Self> {
        let Identity::Label(label) = identity else { return None };
        let heard = &sighting.heard;
        let name = match tier {
            HostTier::ChassisName => heard.chassis.as_ref().map(|chassis| chassis.value.as_str()),
            _ => heard.sys_name.as_deref(),
        };
        let name = name.map(normalize::device).unwrap_or_default();
        Some(Self { facts, claims, label, name })
    }

    /// Returns whether nothing that is recorded of a device says that the neighbor is another one.
    fn may_be(&self, host: Id) -> bool {
        let Some(known) = self.facts.hosts.get(&host) else { return true };
        self.domain_agrees(known)
            && !self.has_other_chassis(known)
            && !self.has_other_address(known)
    }

    /// Returns whether one side has only a first label, or the domains agree.
    fn domain_agrees(&self, known: &HostFacts) -> bool {
        let Some(said) = normalize::domain(&self.name) else { return true };
        let names = [Some(&known.name), known.hostname.as_ref(), known.sys_name.as_ref()];
        let names = names.into_iter().flatten().map(|name| normalize::device(name));
        let names: Vec<String> =
            names.filter(|name| normalize::label(name) == self.label).collect();
        let mut domains = names.iter().filter_map(|name| normalize::domain(name)).peekable();
        domains.peek().is_none() || domains.any(|known| normalize::domains_agree(known, said))
    }

    fn has_other_chassis(&self, known: &HostFacts) -> bool {
        let said = self.claims.iter().find_map(|claim| match &claim.identity {
            Identity::Chassis(value) if claim.tier == HostTier::ChassisId => Some(value),
            _ => None,
        });
        let recorded = known.chassis_id.as_deref().and_then(ChassisValue::of);
        match (said, recorded) {
            (Some(ChassisValue::Mac(said)), Some(ChassisValue::Mac(recorded))) => {
                *said != recorded && !self.is_claimed_and_carried(&Identity::Mac(*said), known.id)
            }
            (Some(ChassisValue::Address(said)), Some(ChassisValue::Address(recorded))) => {
                *said != recorded
                    && !self.is_claimed_and_carried(&Identity::Address(*said), known.id)
            }
            (Some(ChassisValue::Text(said)), Some(ChassisValue::Text(recorded))) => {
                normalize::label(&normalize::device(said))
                    != normalize::label(&normalize::device(&recorded))
            }
            _ => false,
        }
    }

    fn has_other_address(&self, known: &HostFacts) -> bool {
        let said = self.claims.iter().find(|claim| claim.tier == HostTier::ManagementAddress);
        let recorded = known.management_address.as_deref().and_then(normalize::address);
        match (said.map(|claim| &claim.identity), recorded) {
            (Some(said @ Identity::Address(address)), Some(recorded)) => {
                *address != recorded && !self.is_claimed_and_carried(said, known.id)
            }
            _ => false,
        }
    }

    /// Returns whether a device carries an identity that the neighbor claims.
    fn is_claimed_and_carried(&self, identity: &Identity, host: Id) -> bool {
        self.claims.iter().any(|claim| claim.identity == *identity)
            && self.facts.carriers(identity).binary_search(&host).is_ok()
    }
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
