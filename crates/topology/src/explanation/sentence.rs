//! Sentences that say what is known about a neighbor, and why, in plain words.

use std::collections::{BTreeSet, HashMap, HashSet};

use toposcope_types::{HostTier, Id, Method, PortTier};

use super::remedy;
use crate::{
    resolution::{
        identity_index::IdentityIndex,
        normalize,
        records::{HostFacts, PortFacts},
        resolved::Resolution,
        sighting::{Heard, Sighting},
        trace::{Candidates, Outcome, Step, Tier},
    },
    wording::{SHOWN, called, listed, port_called},
};

/// One kind of evidence that was tried.
#[derive(Clone, Debug)]
pub struct StepTaken {
    /// The evidence for a device; `None` in a search for a port.
    pub host_tier: Option<HostTier>,
    /// The evidence for a port; `None` in a search for a device.
    pub port_tier: Option<PortTier>,
    /// The value searched for.
    pub value: String,
    /// The first hundred devices or ports that match the value.
    pub candidates: Vec<Id>,
    /// The total number of matches.
    pub candidate_count: usize,
    /// The outcome in plain words.
    pub sentence: String,
}

impl StepTaken {
    /// Returns a step as data, with its sentence.
    pub(crate) fn of(step: &Step, told: &str) -> Self {
        let (host_tier, port_tier) = match step.tier {
            Tier::Host(tier) => (Some(tier), None),
            Tier::Port(tier) => (None, Some(tier)),
        };
        let candidates = match &step.outcome {
            Outcome::One(id) => Candidates::from_iter([*id]),
            Outcome::Disputed(one, other) => Candidates::from_iter([*one, *other]),
            Outcome::Several(all)
            | Outcome::RuledOut(all)
            | Outcome::Contradicted(all)
            | Outcome::Bridging(all) => all.clone(),
            Outcome::CannotName
            | Outcome::Malformed
            | Outcome::Nothing
            | Outcome::OwnDevice
            | Outcome::LikeOwn => Candidates::default(),
        };
        Self {
            host_tier,
            port_tier,
            value: step.value.clone(),
            candidates: candidates.first,
            candidate_count: candidates.count,
            sentence: capital(told),
        }
    }
}

/// The names of devices and ports, and the other resolutions that a sentence draws on.
pub struct Names<'f> {
    /// The devices and ports, and who carries which identity.
    pub facts: &'f IdentityIndex,
    /// Ports and devices that `facts` may lack.
    pub ports: HashMap<Id, &'f str>,
    /// Devices that the index may not hold, by id.
    pub hosts: HashMap<Id, &'f HostFacts>,
    /// The pins of ports.
    pub pins: HashMap<Id, &'f Resolution>,
    /// The resolutions by hearing device and heard device.
    pub hearing: HashMap<(Id, Option<Id>), Vec<&'f Resolution>>,
}

impl<'f> Names<'f> {
    /// Creates an empty set of names over an index.
    pub fn new(facts: &'f IdentityIndex) -> Self {
        Self {
            facts,
            ports: HashMap::new(),
            hosts: HashMap::new(),
            pins: HashMap::new(),
            hearing: HashMap::new(),
        }
    }

    pub(crate) fn host(&self, id: Id) -> String {
        match self.facts.hosts.get(&id).or_else(|| self.hosts.get(&id).copied()) {
            Some(host) => format!("`{}`", host.name),
            None => "a device".to_owned(),
        }
    }

    fn port(&self, id: Id) -> String {
        let known = self.facts.ports.get(&id).map(PortFacts::label);
        match known.or_else(|| self.ports.get(&id).copied()) {
            Some(name) => format!("`{name}`"),
            None => "a port".to_owned(),
        }
    }

    /// Returns the step that consults the other side, taken if no announced value names its port.
    pub(crate) fn other_end(&self, sighting: &Sighting, row: &Resolution) -> Option<StepTaken> {
        let far = row.far_host_id.filter(|_| row.far_if_entry_id.is_none() && !row.outranked)?;
        if sighting.pin.is_some() {
            return None;
        }
        let host = self.host(far);
        let sentence = match row.met_if_entry_id {
            Some(port) => format!("{} of {host} says that it hears this side", self.port(port)),
            None => format!("No single port of {host} says that it hears this port"),
        };
        Some(StepTaken {
            host_tier: None,
            port_tier: Some(PortTier::Reciprocal),
            value: host.trim_matches('`').to_owned(),
            candidates: row.met_if_entry_id.into_iter().collect(),
            candidate_count: usize::from(row.met_if_entry_id.is_some()),
            sentence,
        })
    }

    /// Returns the outcome of one step as part of a sentence.
    pub fn told(&self, heard: &Heard, step: &Step) -> String {
        let value = &step.value;
        let (what, who) = match step.tier {
            Tier::Host(tier) => (called(tier, value), "device"),
            Tier::Port(tier) => (port_called(tier), "port"),
        };
        match &step.outcome {
            Outcome::CannotName
                if matches!(
                    step.tier,
                    Tier::Host(HostTier::ChassisName | HostTier::SystemName)
                ) =>
            {
                format!(
                    "`{value}` names no single device: systems are called so that have no name of their \
                 own"
                )
            }
            Outcome::CannotName => {
                format!(
                    "`{value}` names no single device: it is that of a group or a virtual router, or means something on one link or device only"
                )
            }
            Outcome::Malformed if value.is_empty() => {
                format!("what it sends as the {what} is empty, so no {who} is known by it")
            }
            Outcome::Malformed => {
                format!("`{value}` is not a valid {what}, so no {who} is known by it")
            }
            Outcome::Nothing => format!("no {who} has the {what} `{value}`"),
            Outcome::OwnDevice | Outcome::LikeOwn => {
                format!("only the device itself has the {what} `{value}`")
            }
            Outcome::RuledOut(ids) => {
                let has = if ids.count == 1 { "has" } else { "have" };
                let names = self.list(step.tier, ids);
                format!("{names} {has} the {what} `{value}`, but stronger evidence rules that out")
            }
            Outcome::Contradicted(ids) => {
                let names = self.list(step.tier, ids);
                let (begins, is) =
                    if ids.count == 1 { ("begins", "it has") } else { ("begin", "they have") };
                format!(
                    "the name of {names} {begins} with `{value}`, too, but {is} another domain, chassis \
                     id or management address"
                )
            }
            Outcome::Bridging(ids) => format!(
                "`{value}` is the {what} of {}: a VLAN or bridge may share it with any port, so it \
                 names none",
                self.list(step.tier, ids)
            ),
            Outcome::Disputed(one, other) => {
                let (one, other) = (self.port(*one), self.port(*other));
                let also = match (step.tier, heard.port_desc.as_deref()) {
                    (Tier::Port(PortTier::IfIndex), Some(description)) => format!(
                        "the neighbor describes its port as `{}`, which is {other}",
                        normalize::trimmed(description)
                    ),
                    (Tier::Port(PortTier::PortDescription), _) => {
                        format!(
                            "the MAC address that it sends as the id of its port is that of {other}"
                        )
                    }
                    _ if value.bytes().all(|one| one.is_ascii_digit()) => {
                        format!("also the ifIndex of {other}")
                    }
                    _ => format!("also the name of {other}"),
                };
                format!("`{value}` is the {what} of {one}, but {also}")
            }
            Outcome::One(id) => {
                let label = first_label(heard, step)
                    .map_or_else(String::new, |name| format!(", the first label of `{name}`,"));
                format!("`{value}`{label} is the {what} of {}", self.called(step.tier, *id))
            }
            Outcome::Several(ids) => {
                let (count, names) = (ids.count, self.list(step.tier, ids));
                format!("{count} {who}s have the {what} `{value}`: {names}")
            }
        }
    }

    /// Lists the first candidates by name, and distinguishes those that share a name.
    fn list(&self, tier: Tier, candidates: &Candidates) -> String {
        let mut named: Vec<(String, Id)> =
            candidates.first.iter().map(|id| (self.called(tier, *id), *id)).collect();
        named.sort_unstable();
        let mut count: HashMap<&str, usize> = HashMap::new();
        for (name, _) in &named {
            *count.entry(name).or_default() += 1;
        }
        let told = |(name, id): &(String, Id)| match count[name.as_str()] {
            1 => name.clone(),
            _ => format!("{name} ({})", self.apart(tier, *id)),
        };
        let more = if candidates.count > SHOWN { " and others" } else { "" };
        let shown: Vec<String> = named.iter().take(SHOWN).map(told).collect();
        format!("{}{more}", shown.join(", "))
    }

    /// Returns the text that distinguishes one of several candidates with the same name.
    fn apart(&self, tier: Tier, id: Id) -> String {
        let index = match tier {
            Tier::Port(_) => self.facts.ports.get(&id).map(|port| port.if_index),
            Tier::Host(_) => None,
        };
        index.map_or_else(|| format!("id {id}"), |index| format!("ifIndex {index}"))
    }

    fn called(&self, tier: Tier, id: Id) -> String {
        match tier {
            Tier::Host(_) => self.host(id),
            Tier::Port(_) => self.port(id),
        }
    }

    pub(crate) fn sentence(
        &self,
        sighting: &Sighting,
        row: &Resolution,
        steps: &[Step],
        told: &[String],
    ) -> String {
        if sighting.pin.is_some() {
            return format!("A person pinned this port to {}.", self.far(row));
        }
        let heard = match sighting.method {
            Method::Fdb => {
                "The forwarding table of this port has one usable MAC address".to_owned()
            }
            Method::Cdp => "CDP heard a neighbor".to_owned(),
            _ => "LLDP heard a neighbor".to_owned(),
        };
        let told = |wanted: fn(&Tier) -> bool| -> Vec<String> {
            let told = steps.iter().zip(told).filter(|(step, _)| wanted(&step.tier));
            let mut known = HashSet::new();
            told.map(|(_, text)| text).filter(|text| known.insert(*text)).cloned().collect()
        };
        let of_host = told(|tier| matches!(tier, Tier::Host(_)));
        let of_port = told(|tier| matches!(tier, Tier::Port(_)));
        let Some(host) = row.far_host_id else {
            let (told, remedy) =
                remedy::of_unknown(steps, &of_host, self.facts.is_shared(&sighting.heard));
            let pin = self.pins.get(&row.if_entry_id).and_then(|pin| pin.far_host_id);
            let doubt = pin.and_then(|host| self.doubt(sighting, HostTier::Pin, host));
            let remedy = self.pinned(row).unwrap_or(remedy);
            return format!("{heard}: {told}. {remedy}.{}", doubt.unwrap_or_default());
        };
        let port = match (row.far_if_entry_id, row.met_if_entry_id) {
            (Some(port), _) if of_port.is_empty() => {
                format!("Its port is {}, as a person taught", self.port(port))
            }
            (Some(_), _) => capital(&of_port.join("; ")),
            (None, Some(port)) => self.met(steps, &of_port, port),
            (None, None) => self.open(sighting, row, host, steps, &of_port),
        };
        let beside = if row.outranked {
            " LLDP, CDP or a pin joins the two devices already, so this adds to that link."
        } else if row.superseded {
            " But LLDP or CDP knows the cable of one of these sockets, so the table proves no other."
        } else {
            ""
        };
        let doubt = row.host_tier.and_then(|tier| self.doubt(sighting, tier, host));
        let doubt = doubt.unwrap_or_default();
        format!("{heard}: {}.{doubt} {port}.{beside}", of_host.join("; "))
    }

    /// Describes a far port that hears this side, for a neighbor whose announced values name no
    /// single port.
    fn met(&self, steps: &[Step], of_port: &[String], port: Id) -> String {
        let says = format!("Its port is {}, which says that it hears this side", self.port(port));
        let leaves_several = |step: &Step| {
            matches!(
                (step.tier, &step.outcome),
                (Tier::Port(_), Outcome::Disputed(..) | Outcome::Several(_))
            )
        };
        if steps.iter().any(leaves_several) {
            return format!("{}. {says}, and that decides", capital(&of_port.join("; ")));
        }
        format!("{says}, and nothing says otherwise")
    }

    /// Explains why the far port is not known, and gives the remedy.
    fn open(
        &self,
        sighting: &Sighting,
        row: &Resolution,
        host: Id,
        steps: &[Step],
        of_port: &[String],
    ) -> String {
        let bare = self.facts.hosts.contains_key(&host) && self.facts.ports_of(host).is_empty();
        let said = sighting.heard.port_text().or_else(|| sighting.heard.port_desc.clone());
        let host_name = self.host(host);
        let tried = match said {
            _ if !of_port.is_empty() => of_port.join("; "),
            Some(port) if bare => {
                format!("it calls its port `{port}`, but no ports of {host_name} are recorded")
            }
            Some(port) => format!("`{port}`, as it calls its port, is no port of {host_name}"),
            None if bare => format!("no ports of {host_name} are recorded"),
            None => "it says nothing of its port".to_owned(),
        };
        let unknown = format!("Its port is not known: {tried}");
        if let Some(pinned) = self.pinned(row) {
            return format!("{unknown}. {pinned}");
        }
        if row.outranked {
            return unknown;
        }
        let hearing = self.hearing_back(row, host);
        let remedy = match hearing.as_str() {
            "" => remedy::of_open(sighting, steps, bare).to_owned(),
            hearing => format!(
                "{host_name} hears this device by {hearing}, and which of its cables is this one \
                 cannot be told: pin this port to the one that it is connected to"
            ),
        };
        format!("The link ends at {host_name}. {unknown}. {remedy}")
    }

    /// Lists the ports of a device that hear this row's device, but not through which of its ports.
    fn hearing_back(&self, row: &Resolution, host: Id) -> String {
        let hearing = self.hearing.get(&(host, Some(row.host_id))).into_iter().flatten();
        let open = hearing.filter(|other| other.method.is_heard() && other.far_port().is_none());
        let ports: BTreeSet<Id> = open.map(|other| other.if_entry_id).collect();
        let mut names: Vec<String> = ports.iter().map(|port| self.port(*port)).collect();
        names.sort_unstable();
        listed(names)
    }

    /// Returns the sentence about the port's pin, which makes a remedy unnecessary.
    fn pinned(&self, row: &Resolution) -> Option<String> {
        let pin = self.pins.get(&row.if_entry_id)?;
        Some(format!("A person pinned this port to {}, and that decides", self.far(pin)))
    }

    fn far(&self, row: &Resolution) -> String {
        match (row.far_host_id, row.far_port()) {
            (Some(host), Some(port)) => format!("{} of {}", self.port(port), self.host(host)),
            (Some(host), None) => self.host(host),
            _ => "a device that is gone".to_owned(),
        }
    }
}

/// Returns the full name whose first label decided, if it has more labels.
fn first_label(heard: &Heard, step: &Step) -> Option<String> {
    let said = match step.tier {
        Tier::Host(HostTier::SystemName) => heard.sys_name.as_deref(),
        Tier::Host(HostTier::ChassisName) => heard.chassis.as_ref().map(|id| id.value.as_str()),
        _ => None,
    };
    let said = normalize::device(said?);
    (said != step.value && normalize::label(&said) == step.value).then_some(said)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}
