//! Ports with one cable but several links: not all of the links can be right.

use std::collections::HashSet;

use toposcope_types::{Method, MiscablingKind};

use super::miscabling::Miscabling;
use crate::{
    network::{
        Snapshot,
        links::{NONE, Seen},
    },
    wording::listed,
};

/// A port with one cable, and the links that end there, by method.
#[derive(Debug, Default)]
pub(crate) struct SharedPort {
    port: u32,
    pinned: Vec<u32>,
    heard: Vec<u32>,
    learned: Vec<u32>,
}

impl Snapshot {
    /// Returns the ports whose links exclude each other, without those reported as far-end
    /// mismatches.
    pub(crate) fn shared_ports(&self, told: &HashSet<u32>) -> Vec<SharedPort> {
        let ends = |(place, link): (u32, &crate::network::links::Link)| {
            link.ends.map(|end| (end.port, place)).into_iter().filter(|(port, _)| *port != NONE)
        };
        let mut at: Vec<(u32, u32)> = (0_u32..).zip(&self.links).flat_map(ends).collect();
        at.sort_unstable();
        at.dedup();
        at.chunk_by(|(one, _), (other, _)| one == other)
            .filter(|links| links.len() > 1 && self.ports[links[0].0 as usize].has_one_cable())
            .map(|links| self.by_method(links))
            .filter(|shared_ports| self.exclude_each_other(shared_ports, told))
            .collect()
    }

    fn by_method(&self, links: &[(u32, u32)]) -> SharedPort {
        let mut shared_ports = SharedPort { port: links[0].0, ..SharedPort::default() };
        for (_, link) in links {
            let kind = match self.links[*link as usize].method {
                Method::Pinned => &mut shared_ports.pinned,
                // A group and its members, or the groups of two switches, may be one neighbor.
                _ if !self.may_be_cable(shared_ports.port, *link) => continue,
                Method::Fdb => &mut shared_ports.learned,
                Method::Lldp | Method::Cdp => &mut shared_ports.heard,
            };
            kind.push(*link);
        }
        shared_ports
    }

    /// Returns whether the other end of a link is a port with one cable too, as far as it is known.
    fn may_be_cable(&self, port: u32, link: u32) -> bool {
        let other = self.links[link as usize].other_end(port).port;
        other == NONE || self.ports[other as usize].has_one_cable()
    }

    fn exclude_each_other(&self, shared_ports: &SharedPort, told: &HashSet<u32>) -> bool {
        let SharedPort { port, pinned, heard, learned } = shared_ports;
        if pinned.len() > 1 {
            let far = |link: &u32| self.links[*link as usize].other_end(*port).host;
            let cables = pinned.iter().filter(|link| self.may_be_cable(*port, **link)).count();
            return cables > 1 || pinned.iter().map(far).collect::<HashSet<_>>().len() > 1;
        }
        if !learned.is_empty() {
            return pinned.len() + heard.len() + learned.len() > 1;
        }
        let by = self.heard_by(shared_ports).0;
        // An observation without a far port may mean any port of that device.
        let is_one = |seen: &Seen| match seen.far_port {
            NONE => by.iter().any(|port| self.ports[*port as usize].host == seen.far_host),
            far => by.contains(&far),
        };
        let hears_one = self.seen_at(*port).any(|(_, seen)| seen.method.is_heard() && is_one(seen));
        by.len() > 1 && !hears_one && !told.contains(port)
    }

    /// Returns the ports that hear the shared port, and the links to ports that do not.
    fn heard_by(
        &self,
        SharedPort { port, pinned, heard, .. }: &SharedPort,
    ) -> (Vec<u32>, Vec<u32>) {
        let others = pinned.iter().chain(heard).copied();
        let (by, others): (Vec<u32>, Vec<u32>) =
            others.partition(|link| self.said_there(*port, *link).any(Method::is_heard));
        let far = |link: u32| self.links[link as usize].other_end(*port).port;
        (by.into_iter().map(far).collect(), others)
    }

    /// Returns the methods by which the other end of a link supports it.
    fn said_there(&self, port: u32, link: u32) -> impl Iterator<Item = Method> {
        let evidence = self.links[link as usize].evidence.iter();
        let evidence = evidence.map(|place| &self.seen[*place as usize]);
        evidence.filter(move |seen| seen.far_port == port).map(|seen| seen.method)
    }

    pub(crate) fn of_shared_port(&self, shared_ports: &SharedPort) -> Miscabling {
        let SharedPort { port, pinned, heard, learned } = shared_ports;
        let all = if pinned.len() > 1 { Vec::new() } else { [&heard[..], learned].concat() };
        let links = [&pinned[..], &all].concat();
        let others = links.iter().map(|link| self.links[*link as usize].other_end(*port).port);
        let ports = std::iter::once(*port).chain(others.filter(|port| *port != NONE)).collect();
        let sentence = if pinned.len() > 1 {
            self.told_pins(pinned)
        } else if learned.is_empty() {
            self.told_hearing(shared_ports)
        } else {
            self.told_tables(shared_ports)
        };
        Miscabling { kind: MiscablingKind::SeveralLinks, ports, links, seen: None, sentence }
    }

    fn told_pins(&self, pinned: &[u32]) -> String {
        let evidence = pinned.iter().flat_map(|link| &self.links[*link as usize].evidence);
        let pins = evidence.map(|place| &self.seen[*place as usize]);
        let pins = pins.filter(|seen| seen.method == Method::Pinned).map(|seen| {
            format!("{} is pinned to {}", self.called(seen.port), self.end_called(seen.far()))
        });
        format!("{}: a port has one cable. Remove the pin that is wrong.", listed(pins.collect()))
    }

    fn told_hearing(&self, shared_ports: &SharedPort) -> String {
        let (by, others) = self.heard_by(shared_ports);
        let but = match others.as_slice() {
            [] => String::new(),
            others => format!(", but {}", self.told_joined(shared_ports.port, others)),
        };
        format!(
            "{} hear {}, which hears none of them{but}: {}",
            listed(by.into_iter().map(|port| self.called(port)).collect()),
            self.called(shared_ports.port),
            self.told_causes(shared_ports.port, "If one of them tells of the past, scan again")
        )
    }

    fn told_joined(&self, port: u32, links: &[u32]) -> String {
        let joined = links.iter().map(|link| &self.links[*link as usize]);
        let joined = joined.map(|link| {
            format!("{} by {}", self.end_called(link.other_end(port)), link.method.by())
        });
        format!("is joined to {}", listed(joined.collect()))
    }

    /// Lists the possible causes, each with its remedy.
    fn told_causes(&self, port: u32, first: &str) -> String {
        let called = self.called(port);
        format!(
            "a port has one cable. {first}, or pin {called} to the right one. If a small switch or a \
             telephone is between them, nothing is wrong. If {called} stands for several ports, such \
             as a bond, record it with ifType 161."
        )
    }

    fn told_tables(&self, SharedPort { port, pinned, heard, learned }: &SharedPort) -> String {
        let other = |link: &u32| self.end_called(self.links[*link as usize].other_end(*port));
        let mut parts = Vec::new();
        let joined = [&pinned[..], heard].concat();
        if !joined.is_empty() {
            parts.push(self.told_joined(*port, &joined));
        }
        let (theirs, own): (Vec<u32>, Vec<u32>) =
            learned.iter().partition(|link| self.said_there(*port, **link).next().is_some());
        if !own.is_empty() {
            let own = listed(own.iter().map(other).collect());
            parts.push(format!("has only {own} in its forwarding table"));
        }
        if !theirs.is_empty() {
            let theirs = listed(theirs.iter().map(other).collect());
            parts.push(format!("is the only address behind {theirs}"));
        }
        let first = "If an entry is old, scan again. If one of them is an uplink, switch LLDP on at \
                     both of its ends";
        format!(
            "{} {}: {}",
            self.called(*port),
            parts.join(", but "),
            self.told_causes(*port, first)
        )
    }
}
