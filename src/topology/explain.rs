//! Why a neighbor is believed to be who it is, or is not known: in data and in plain words.

use std::collections::{HashMap, HashSet};

use sea_orm::ConnectionTrait;

use super::{
    entity::Model as Resolution,
    facts::Facts,
    observation::{Method, Sighting},
    read::{In, Reader},
    resolve,
    settle::FEW,
    snapshot::Snapshot,
    step::{HostTier, Outcome, PortTier, Step, Steps, Tier},
};
use crate::{db::Db, error::Result, types::Id};

/// Why one observation was resolved as it was.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// How it was heard.
    pub method: Method,
    /// The device that it is.
    pub host_id: Option<Id>,
    /// The port that it is.
    pub if_entry_id: Option<Id>,
    /// By which evidence the device was found.
    pub host_tier: Option<HostTier>,
    /// By which evidence the port was found.
    pub port_tier: Option<PortTier>,
    /// On which value the device was found.
    pub host_value: Option<String>,
    /// On which value the port was found.
    pub port_value: Option<String>,
    /// What was tried, in order.
    pub steps: Vec<StepTaken>,
    /// All of it in plain words.
    pub sentence: String,
}

impl Explanation {
    /// What can be said of something seen in a network that was changed since: what it is, not why.
    pub(super) fn moved_on(snapshot: &Snapshot, seen: u32) -> Self {
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

/// One kind of evidence that was tried.
#[derive(Clone, Debug)]
pub struct StepTaken {
    /// The evidence for a device; `None` where a port was looked for.
    pub host_tier: Option<HostTier>,
    /// The evidence for a port; `None` where a device was looked for.
    pub port_tier: Option<PortTier>,
    /// What was looked for.
    pub value: String,
    /// Those that answer to it: devices, or ports.
    pub candidates: Vec<Id>,
    /// What came of it, in plain words.
    pub sentence: String,
}

/// Explains what these ports heard, by the ids of the observations, in at most eleven statements.
pub async fn explain(
    db: &impl ConnectionTrait,
    sets: &Db,
    network_id: Id,
    ports: &[Id],
) -> Result<HashMap<(Id, Method), Explanation>> {
    let reader = Reader { db, sets, network_id };
    let entries = sets.ids(ports);
    let sightings = reader.sightings(&entries).await?;
    let facts = reader.facts_for(&sightings).await?;
    let stored = reader.resolutions(In("if_entry_id", &entries)).await?;
    let stored: HashMap<_, _> = stored.into_iter().map(|row| (row.key(), row)).collect();
    let far = stored.values().filter_map(Resolution::far_port).collect::<Vec<_>>();
    let far_ports = reader.ports(In("id", &sets.ids(far))).await?;
    let hosts = stored.values().filter_map(|row| row.far_host_id).collect::<Vec<_>>();
    let called = reader.hosts(In("id", &sets.ids(hosts))).await?;
    let few = sightings.len() <= FEW;
    let all = move || -> HashMap<(Id, Method), Explanation> {
        let mut names = Names { facts: &facts, ports: HashMap::new(), hosts: HashMap::new() };
        names.ports.extend(far_ports.iter().map(|port| (port.id, port.label())));
        names.hosts.extend(called.iter().map(|host| (host.id, host.name.as_str())));
        let explained = sightings.iter().filter_map(|sighting| {
            let key = (sighting.if_entry_id, sighting.method, sighting.position);
            let row = stored.get(&key)?;
            Some(((sighting.id, sighting.method), of(&names, sighting, row)))
        });
        explained.collect()
    };
    if few {
        return Ok(all());
    }
    Ok(tokio::task::spawn_blocking(all).await.map_err(anyhow::Error::from)?)
}

fn of(names: &Names<'_>, sighting: &Sighting, row: &Resolution) -> Explanation {
    let mut steps = Vec::new();
    if sighting.pin.is_none() {
        // What comes of it is stored already; only the way to it is wanted.
        let claims = sighting.heard.claims();
        resolve::heard(
            names.facts,
            &mut row.clone(),
            sighting,
            claims,
            &mut Steps::kept(&mut steps),
        );
    }
    let value = |wanted: Tier| {
        let decided = |step: &&Step| step.tier == wanted && matches!(step.outcome, Outcome::One(_));
        steps.iter().rfind(decided).map(|step| step.value.clone())
    };
    let port_tier = row.port_tier.or(row.met_if_entry_id.map(|_| PortTier::Reciprocal));
    Explanation {
        method: sighting.method,
        host_id: row.far_host_id,
        if_entry_id: row.far_port(),
        host_tier: row.host_tier,
        port_tier,
        host_value: row.host_tier.and_then(|tier| value(Tier::Host(tier))),
        port_value: row.port_tier.and_then(|tier| value(Tier::Port(tier))),
        sentence: names.sentence(sighting, row, &steps),
        steps: steps
            .iter()
            .map(|step| names.taken(step))
            .chain(names.other_end(sighting, row))
            .collect(),
    }
}

/// What devices and ports are called.
struct Names<'f> {
    facts: &'f Facts,
    ports: HashMap<Id, &'f str>,
    hosts: HashMap<Id, &'f str>,
}

impl Names<'_> {
    fn host(&self, id: Id) -> String {
        let known = self.facts.hosts.get(&id).map(|host| host.name.as_str());
        match known.or_else(|| self.hosts.get(&id).copied()) {
            Some(name) => format!("`{name}`"),
            None => "a device".to_owned(),
        }
    }

    fn port(&self, id: Id) -> String {
        let known = self.facts.ports.get(&id).map(super::facts::PortFacts::label);
        match known.or_else(|| self.ports.get(&id).copied()) {
            Some(name) => format!("`{name}`"),
            None => "a port".to_owned(),
        }
    }

    fn taken(&self, step: &Step) -> StepTaken {
        let (host_tier, port_tier) = match step.tier {
            Tier::Host(tier) => (Some(tier), None),
            Tier::Port(tier) => (None, Some(tier)),
        };
        let candidates = match &step.outcome {
            Outcome::One(id) => vec![*id],
            Outcome::Several(ids) | Outcome::RuledOut(ids) | Outcome::Bridging(ids) => ids.clone(),
            _ => Vec::new(),
        };
        let (value, sentence) = (step.value.clone(), capital(&self.told(step)));
        StepTaken { host_tier, port_tier, value, candidates, sentence }
    }

    /// What the other side says, which is asked where nothing that was said names its port.
    fn other_end(&self, sighting: &Sighting, row: &Resolution) -> Option<StepTaken> {
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
            sentence,
        })
    }

    /// What came of one step, as a part of a sentence.
    fn told(&self, step: &Step) -> String {
        let value = &step.value;
        let (what, who) = match step.tier {
            Tier::Host(tier) => (called(tier), "device"),
            Tier::Port(tier) => (port_called(tier), "port"),
        };
        match &step.outcome {
            Outcome::CannotName => {
                format!(
                    "`{value}` names no single device: it is that of a group or a virtual router, or means something on one link or device only"
                )
            }
            Outcome::Nothing => format!("no {who} has the {what} `{value}`"),
            Outcome::OwnDevice => format!("only the device itself has the {what} `{value}`"),
            Outcome::RuledOut(ids) => {
                let has = if ids.len() == 1 { "has" } else { "have" };
                let names = self.list(step.tier, ids);
                format!("{names} {has} the {what} `{value}`, but stronger evidence rules that out")
            }
            Outcome::Bridging(ids) => format!(
                "`{value}` is the {what} of {}: a VLAN or bridge may share it with any port, so it \
                 names none",
                self.list(step.tier, ids)
            ),
            Outcome::One(id) => {
                format!("`{value}` is the {what} of {}", self.called(step.tier, *id))
            }
            Outcome::Several(ids) => {
                let (count, names) = (ids.len(), self.list(step.tier, ids));
                format!("{count} {who}s have the {what} `{value}`: {names}")
            }
        }
    }

    /// The first of several by name.
    fn list(&self, tier: Tier, ids: &[Id]) -> String {
        let mut names: Vec<String> = ids.iter().map(|id| self.called(tier, *id)).collect();
        names.sort_unstable();
        names.truncate(SHOWN);
        let more = if ids.len() > SHOWN { " and others" } else { "" };
        format!("{}{more}", names.join(", "))
    }

    fn called(&self, tier: Tier, id: Id) -> String {
        match tier {
            Tier::Host(_) => self.host(id),
            Tier::Port(_) => self.port(id),
        }
    }

    fn sentence(&self, sighting: &Sighting, row: &Resolution, steps: &[Step]) -> String {
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
            let told = steps.iter().filter(|step| wanted(&step.tier)).map(|step| self.told(step));
            let mut known = HashSet::new();
            told.filter(|text| known.insert(text.clone())).collect()
        };
        let of_host = told(|tier| matches!(tier, Tier::Host(_)));
        let of_port = told(|tier| matches!(tier, Tier::Port(_)));
        let Some(host) = row.far_host_id else {
            return format!("{heard}: {}", unknown(steps, &of_host));
        };
        let port = match (row.far_if_entry_id, row.met_if_entry_id) {
            (Some(_), _) => capital(&of_port.join("; ")),
            (None, Some(port)) => format!(
                "Its port is {}, which says that it hears this side, and nothing says otherwise",
                self.port(port)
            ),
            (None, None) => {
                let tried = if of_port.is_empty() {
                    "nothing was said of it".to_owned()
                } else {
                    of_port.join("; ")
                };
                let remedy = if sighting.method == Method::Fdb {
                    "Switch LLDP on at both ends, or pin the port"
                } else {
                    "Record the port under the name that the neighbor sends, have the other side \
                     hear this one, or pin the port"
                };
                let host = self.host(host);
                format!("The link ends at {host}, its port is not known: {tried}. {remedy}")
            }
        };
        let beside = if row.outranked {
            " LLDP, CDP or a pin joins the two devices already, so this adds to that link."
        } else {
            ""
        };
        format!("{heard}: {}. {port}.{beside}", of_host.join("; "))
    }

    fn far(&self, row: &Resolution) -> String {
        match (row.far_host_id, row.far_port()) {
            (Some(host), Some(port)) => format!("{} of {}", self.port(port), self.host(host)),
            (Some(host), None) => self.host(host),
            _ => "a device that is gone".to_owned(),
        }
    }
}

/// What there is to do where nobody was found.
fn unknown(steps: &[Step], told: &[String]) -> String {
    let ambiguous = steps.iter().any(|step| matches!(step.outcome, Outcome::Several(_)));
    let own = steps.iter().any(|step| step.outcome == Outcome::OwnDevice);
    let told = told.join("; ");
    if steps.is_empty() {
        return "it says neither a chassis id nor an address nor a name, so nobody can be found \
                by it. Switch the sending of these on at the neighbor, or pin the port."
            .to_owned();
    }
    if steps.iter().all(|step| step.outcome == Outcome::CannotName) {
        return format!(
            "{told}. Nothing else was said, so nobody can be found by it. Have the neighbor send its \
             name or a chassis id of its own, or pin the port."
        );
    }
    if ambiguous {
        return format!(
            "{told}; nothing weaker separates them, and nothing is guessed. Correct what they \
             have in common, identify the neighbor by hand, or pin the port."
        );
    }
    if own {
        return format!(
            "{told}; a port that hears its own device is looped, or heard itself through \
             something that reflects. Look at what is plugged in there."
        );
    }
    format!(
        "{told}. Add the device to the inventory, record one of these on a device that is \
         there, or identify the neighbor by hand."
    )
}

/// How many candidates a sentence names.
const SHOWN: usize = 5;

const fn called(tier: HostTier) -> &'static str {
    match tier {
        HostTier::Pin | HostTier::Alias => "identity taught by hand",
        HostTier::ChassisId => "recorded chassis id",
        HostTier::ChassisMac | HostTier::ForwardingTable => "MAC address",
        HostTier::ChassisAddress => "network address",
        HostTier::ChassisName | HostTier::SystemName => "name",
        HostTier::ManagementAddress => "management address",
    }
}

const fn port_called(tier: PortTier) -> &'static str {
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

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}
