//! Evidence against the device that a neighbor resolves to.

use toposcope_types::{HostTier, Id};

use super::{remedy, sentence::Names};
use crate::{
    resolution::{
        identity::{ChassisValue, Identity},
        sighting::Sighting,
    },
    wording::called,
};

impl Names<'_> {
    /// Returns a sentence about announced values that contradict the device found, if any do.
    pub fn doubt(&self, sighting: &Sighting, tier: HostTier, host: Id) -> Option<String> {
        let claims = sighting.heard.claims();
        for claim in &claims {
            // Distinct devices may share addresses and the first labels of their names.
            let is_exact = matches!(claim.identity, Identity::Chassis(_) | Identity::Name(_));
            let carriers = self.facts.carriers(&claim.identity);
            let mut others = carriers.iter().copied().filter(|other| *other != sighting.host_id);
            let (Some(other), None) = (others.next(), others.next()) else { continue };
            let is_other = other != host && !self.facts.differs_in_serial(other, &claim.identity);
            if is_exact && is_other {
                let value = claim.identity.to_string();
                return Some(format!(
                    " But it also sends the {} `{value}`, which is that of {}: {}.",
                    called(claim.tier, &value),
                    self.host(other),
                    remedy::of_doubt(tier)
                ));
            }
        }
        // A match on the device's own addresses is conclusive, whatever else the neighbor sends.
        let is_heard = sighting.heard.fdb_mac.is_none();
        let is_weak = is_heard
            && matches!(
                tier,
                HostTier::Pin
                    | HostTier::ManagementAddress
                    | HostTier::SystemName
                    | HostTier::ChassisName
            );
        let known = self.facts.hosts.get(&host).or_else(|| self.hosts.get(&host).copied())?;
        let recorded = ChassisValue::of(known.chassis_id.as_deref()?)?;
        let sent = claims.into_iter().find_map(|claim| match claim.identity {
            Identity::Chassis(value) => Some(value),
            _ => None,
        })?;
        let differ =
            matches!((&recorded, &sent), (ChassisValue::Mac(a), ChassisValue::Mac(b)) if a != b);
        let (recorded, sent) = (Identity::Chassis(recorded), Identity::Chassis(sent));
        (is_weak && differ).then(|| {
            format!(
                " But the chassis id recorded of {} is `{recorded}`, and it sends `{sent}`: a member \
                 of a stack may, and so does hardware that was replaced (record the new one); \
                 otherwise this is another device.",
                self.host(host)
            )
        })
    }
}
