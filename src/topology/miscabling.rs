//! Ports that contradict each other.

use std::collections::BTreeSet;

use super::{
    export::speed,
    links::{End, Link, NONE, Seen},
    observation::Method,
    snapshot::Snapshot,
};

/// Ports that contradict each other, by their places in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mismatch {
    /// `port` hears `far`, which itself hears `other`.
    FarEnd { port: u32, far: u32, other: End },
    /// Something seen says otherwise than the link, which is known with more authority.
    Contradiction { link: u32, seen: u32 },
    /// The ports of a link have different speeds.
    Speed { link: u32 },
}

impl Snapshot {
    /// Where ports contradict each other: both ends tell of different cables, or have different
    /// speeds.
    pub fn mismatches(&self) -> Vec<Mismatch> {
        let mut mismatches = BTreeSet::new();
        for seen in self.heard_ports() {
            let own = self.seen_at(seen.far_port).map(|(_, one)| one);
            let (mut other, mut mutual) = (None, false);
            for one in own.filter(|one| one.method == seen.method && one.far_host != NONE) {
                // Who names no port of this device may mean this one.
                let is_mutual = one.far_port == seen.port
                    || (one.far_port == NONE && one.far_host == seen.host);
                mutual |= is_mutual;
                other = other.or(Some(End { host: one.far_host, port: one.far_port }));
            }
            if let Some(other) = other.filter(|_| !mutual) {
                mismatches.insert(Mismatch::FarEnd { port: seen.port, far: seen.far_port, other });
            }
        }
        for (place, link) in (0_u32..).zip(&self.links) {
            let contradictions = link.contradictions.iter();
            mismatches.extend(
                contradictions.map(|seen| Mismatch::Contradiction { link: place, seen: *seen }),
            );
            mismatches.extend(
                self.other_devices(link).map(|seen| Mismatch::Contradiction { link: place, seen }),
            );
            let speeds: BTreeSet<i64> = self
                .ports_of(link)
                .filter_map(|port| port.speed_bps)
                .filter(|speed| *speed > 0)
                .collect();
            if speeds.len() > 1 && self.is_up(link) != Some(false) {
                mismatches.insert(Mismatch::Speed { link: place });
            }
        }
        mismatches.into_iter().collect()
    }

    fn heard_ports(&self) -> impl Iterator<Item = &Seen> {
        self.seen.iter().filter(|seen| {
            matches!(seen.method, Method::Lldp | Method::Cdp) && seen.far_port != NONE
        })
    }

    /// What the ports of a link known by LLDP heard by CDP of devices of which LLDP knows nothing. A
    /// telephone with a computer behind it is no contradiction: LLDP knows the telephone too.
    fn other_devices(&self, link: &Link) -> impl Iterator<Item = u32> {
        let ports = link.ends.map(|end| end.port).into_iter();
        let ports = ports.filter(|port| link.method == Method::Lldp && *port != NONE);
        ports.flat_map(|port| self.cdp_alone(port))
    }

    /// What a port heard by CDP alone, though it heard others by LLDP.
    fn cdp_alone(&self, port: u32) -> Vec<u32> {
        let by = |method| {
            let linking =
                move |(_, seen): &(u32, &Seen)| seen.method == method && seen.far_host != NONE;
            self.seen_at(port).filter(linking)
        };
        let known: BTreeSet<u32> = by(Method::Lldp).map(|(_, seen)| seen.far_host).collect();
        // One whom LLDP heard and nobody knows may be the one whom CDP heard.
        let is_unknown = |seen: &Seen| seen.method == Method::Lldp && seen.far_host == NONE;
        if known.is_empty() || self.seen_at(port).any(|(_, seen)| is_unknown(seen)) {
            return Vec::new();
        }
        let alone = by(Method::Cdp).filter(|(_, seen)| !known.contains(&seen.far_host));
        alone.map(|(place, _)| place).collect()
    }

    /// What a contradiction is about, in plain words.
    pub fn told(&self, mismatch: &Mismatch) -> String {
        match *mismatch {
            Mismatch::FarEnd { port, far, other } => format!(
                "{} hears {}, but that hears {}: a cable was moved, one side tells of the past, or several share a segment.",
                self.called(port),
                self.called(far),
                self.end_called(other.host, other.port)
            ),
            Mismatch::Contradiction { link, seen } => {
                let (link, seen) = (&self.links[link as usize], &self.seen[seen as usize]);
                let far = self.end_called(seen.far_host, seen.far_port);
                format!(
                    "{} are joined by {}, but {} says that {} hears {}.",
                    self.ends_called(link.ends.map(|end| (end.host, end.port))),
                    if link.method == Method::Pinned { "hand" } else { link.method.spelled() },
                    seen.method.spelled(),
                    self.called(seen.port),
                    far
                )
            }
            Mismatch::Speed { link } => {
                let link = &self.links[link as usize];
                let speeds: Vec<String> = self
                    .ports_of(link)
                    .filter_map(|port| u64::try_from(port.speed_bps?).ok().map(speed))
                    .collect();
                format!(
                    "The ports of {} have different speeds: {}.",
                    self.ends_called(link.ends.map(|end| (end.host, end.port))),
                    speeds.join(" and ")
                )
            }
        }
    }

    fn called(&self, port: u32) -> String {
        let port = &self.ports[port as usize];
        format!("`{}` of `{}`", port.name, self.hosts[port.host as usize].name)
    }

    pub(super) fn ends_called(&self, ends: [(u32, u32); 2]) -> String {
        let [a, b] = ends.map(|(host, port)| self.end_called(host, port));
        format!("{a} and {b}")
    }

    fn end_called(&self, host: u32, port: u32) -> String {
        match self.ports.get(port as usize) {
            Some(_) => self.called(port),
            None => format!("`{}`", self.hosts[host as usize].name),
        }
    }
}
