//! Shared wording: lists of names, terms for evidence, and remedies.

use toposcope_types::{HostTier, Mac, Method, PortTier};

use crate::resolution::normalize;

/// The number of names that a list spells out.
pub const SHOWN: usize = 5;

/// Lists the first names, and how many more there are.
pub fn listed(names: Vec<String>) -> String {
    let count = names.len();
    first_of(names, count)
}

/// Lists the first of `count` names, and how many more there are.
pub(crate) fn first_of(mut names: Vec<String>, count: usize) -> String {
    names.truncate(SHOWN);
    let last = match count.saturating_sub(names.len()) {
        0 => names.pop().unwrap_or_default(),
        more => format!("{more} more"),
    };
    if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) }
}

/// Returns the remedy for a link that one method reports and another contradicts.
pub const fn remedy(method: Method, other: Method) -> &'static str {
    match (method, other) {
        (Method::Pinned, _) => "Remove that pin if it is wrong, or move the cable.",
        (_, Method::Cdp) => {
            "One of both is of the past, or CDP passed through a device that does not speak it: scan \
             again, or pin that port to the right one."
        }
        _ => "One of both is of the past, or the cables are mixed up.",
    }
}

/// Returns the term for a value of this host evidence.
pub fn called(tier: HostTier, value: &str) -> &'static str {
    match tier {
        HostTier::Pin | HostTier::Alias => "identity taught by hand",
        HostTier::ChassisId => "recorded chassis id",
        HostTier::ChassisMac | HostTier::ForwardingTable => "MAC address",
        HostTier::ChassisAddress => "network address",
        HostTier::ManagementAddress => "management address",
        // Agents send addresses where names belong.
        HostTier::ChassisName | HostTier::SystemName
            if normalize::plain_address(value).is_some() =>
        {
            "network address"
        }
        HostTier::ChassisName | HostTier::SystemName if value.parse::<Mac>().is_ok() => {
            "MAC address"
        }
        HostTier::ChassisName | HostTier::SystemName => "name",
    }
}

/// Returns the term for a value of this port evidence.
pub(crate) const fn port_called(tier: PortTier) -> &'static str {
    match tier {
        PortTier::Pin | PortTier::Alias => "identity taught by hand",
        PortTier::Name => "name",
        PortTier::Description => "description",
        PortTier::AliasText => "alias",
        PortTier::NormalisedName => "name, in its short form,",
        PortTier::IfIndex => "ifIndex",
        PortTier::PortDescription => "description, alias or name",
        PortTier::Mac => "MAC address",
        PortTier::Address => "address",
        PortTier::Number => "last number in its name",
        PortTier::Reciprocal => "other end",
    }
}
