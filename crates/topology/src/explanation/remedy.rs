//! Remedies for a neighbor or far port that is not known.

use toposcope_types::{HostTier, Method, PortTier};

use crate::resolution::{
    sighting::Sighting,
    trace::{Outcome, Step, Tier},
};

/// Returns why no device was found, and the remedy. An identity that several devices share cannot
/// become an alias of one of them.
pub(crate) fn of_unknown(steps: &[Step], told: &[String], is_shared: bool) -> (String, String) {
    let any = |wanted: fn(&Outcome) -> bool| steps.iter().any(|step| wanted(&step.outcome));
    let told = told.join("; ");
    if steps.is_empty() {
        return (
            "it says neither a chassis id nor an address nor a name, so nobody can be found by it"
                .to_owned(),
            "Switch the sending of these on at the neighbor, or pin the port".to_owned(),
        );
    }
    if steps.iter().all(|step| matches!(step.outcome, Outcome::CannotName | Outcome::Malformed)) {
        return (
            format!("{told}. Nothing else was said, so nobody can be found by it"),
            "Have the neighbor send a name or a chassis id of its own, or pin the port".to_owned(),
        );
    }
    if any(|outcome| matches!(outcome, Outcome::Several(_))) {
        let shared = steps.iter().any(|step| {
            matches!(step.outcome, Outcome::Several(_))
                && matches!(step.tier, Tier::Host(HostTier::ChassisMac | HostTier::ForwardingTable))
        });
        // Only imports change a MAC address that is set.
        let correct = if shared {
            "Correct the MAC address by an import, or delete the port or address that has it wrongly and \
             record it anew"
        } else {
            "Correct what they have in common"
        };
        let or_teach = if is_shared { "" } else { ", identify the neighbor by hand" };
        return (
            format!("{told}; nothing weaker separates them, and nothing is guessed"),
            format!("{correct}{or_teach}, or pin the port"),
        );
    }
    if any(|outcome| *outcome == Outcome::LikeOwn) && !any(|outcome| *outcome == Outcome::OwnDevice)
    {
        return (
            format!("{told}; another device may have the same, so nothing is guessed"),
            "If this port hears its own device, record of that what else the neighbor says; if it is \
             another device, add it to this network, or identify the neighbor by hand"
                .to_owned(),
        );
    }
    if any(|outcome| *outcome == Outcome::OwnDevice) {
        return (
            format!(
                "{told}; a port that hears its own device is looped, or heard itself through \
                 something that reflects"
            ),
            "Look at what is plugged in there".to_owned(),
        );
    }
    let record = match steps.iter().find_map(chassis) {
        Some((HostTier::ForwardingTable, mac)) => format!(
            "add a port or an address with the MAC address `{mac}` to a device that is there"
        ),
        Some((_, value)) => format!("record the chassis id `{value}` of a device that is there"),
        None => "record one of these of a device that is there".to_owned(),
    };
    (told, format!("Add the device to this network, {record}, or identify the neighbor by hand"))
}

/// Returns the tier and value of a step that tried the neighbor's strongest identity: a chassis id
/// or a MAC address from a forwarding table.
fn chassis(step: &Step) -> Option<(HostTier, &str)> {
    match step.tier {
        Tier::Host(tier @ (HostTier::ChassisId | HostTier::ForwardingTable)) => {
            Some((tier, step.value.as_str()))
        }
        _ => None,
    }
}

/// Returns the remedy for a link that ends at a device without a known port; no ports of that
/// device are known if it is `bare`.
pub(crate) fn of_open(sighting: &Sighting, steps: &[Step], bare: bool) -> &'static str {
    let ends = |wanted: fn(&Step) -> bool| steps.iter().any(wanted);
    if sighting.method == Method::Fdb {
        return if bare {
            "Scan that device, or record its ports, and switch LLDP on at both ends"
        } else {
            "Switch LLDP on at both ends, or pin the port"
        };
    }
    if bare {
        return "Scan that device, or record its ports";
    }
    if ends(|step| matches!(step.outcome, Outcome::Disputed(..))) {
        return "Correct the record of whichever of them is wrong, have the other side hear this \
                port, or pin the port";
    }
    let several = steps.iter().find_map(|step| match (step.tier, &step.outcome) {
        (Tier::Port(tier), Outcome::Several(_)) => Some(tier),
        _ => None,
    });
    let heard = &sighting.heard;
    match several {
        Some(PortTier::Mac | PortTier::Address) => {
            return "Have the neighbor send the name of its port instead of an address that several \
                    have, have the other side hear this one, or pin the port";
        }
        Some(PortTier::Name | PortTier::Description | PortTier::NormalisedName) => {
            return "Give these ports names that differ, have the other side hear this one, or pin \
                    the port";
        }
        Some(PortTier::PortDescription) if heard.port_text().is_some() => {}
        None if heard.port_text().is_some() || heard.port_desc.is_some() => {}
        _ => {
            return "Have the neighbor send the name of its port, have the other side hear this one, \
                    or pin the port";
        }
    }
    if ends(|step| {
        matches!((step.tier, &step.outcome), (Tier::Port(PortTier::Mac), Outcome::Nothing))
    }) {
        return "Record a port with this MAC address (an import changes that of a port that is there), \
                have the other side hear this port, or pin the port";
    }
    "Record the port under the name that the neighbor sends, have the other side hear this one, or \
     pin the port"
}

/// Returns the remedy for a neighbor that announces an identity of a device other than the one
/// found.
pub(crate) const fn of_doubt(tier: HostTier) -> &'static str {
    match tier {
        HostTier::Alias => "if that is who it is, forget what was taught of it",
        _ => "if both are one device, consolidate them, and if not, correct that record",
    }
}
