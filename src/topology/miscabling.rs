//! Ports that contradict each other.

use std::collections::BTreeSet;

use super::{
    links::{NONE, Seen},
    observation::Method,
    snapshot::Snapshot,
};

/// Ports that contradict each other, by their places in the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mismatch {
    /// `port` hears `far`, which itself hears `other`.
    FarEnd { port: u32, far: u32, other: u32 },
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
            let own = self.seen_by(seen.far_port);
            let mut far =
                own.iter().filter(|one| one.method == seen.method && one.far_port != NONE);
            let (mut other, mut mutual) = (None, false);
            for one in &mut far {
                mutual |= one.far_port == seen.port;
                other = other.or(Some(one.far_port));
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

    /// What a port heard.
    fn seen_by(&self, port: u32) -> &[Seen] {
        let first = self.seen.partition_point(|seen| seen.port < port);
        let count = self.seen[first..].partition_point(|seen| seen.port == port);
        &self.seen[first..first + count]
    }

    /// What a contradiction is about, in plain words.
    pub fn told(&self, mismatch: &Mismatch) -> String {
        match *mismatch {
            Mismatch::FarEnd { port, far, other } => format!(
                "{} hears {}, but that hears {}: a cable was moved, one side tells of the past, or several share a segment.",
                self.called(port),
                self.called(far),
                self.called(other)
            ),
            Mismatch::Contradiction { link, seen } => {
                let (link, seen) = (&self.links[link as usize], &self.seen[seen as usize]);
                let far = match self.ports.get(seen.far_port as usize) {
                    Some(_) => self.called(seen.far_port),
                    None => format!("`{}`", self.hosts[seen.far_host as usize].name),
                };
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
                    .map(|port| format!("{} bit/s", port.speed_bps.unwrap_or_default()))
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

    fn ends_called(&self, ends: [(u32, u32); 2]) -> String {
        let [a, b] = ends.map(|(host, port)| match self.ports.get(port as usize) {
            Some(_) => self.called(port),
            None => format!("`{}`", self.hosts[host as usize].name),
        });
        format!("{a} and {b}")
    }
}
