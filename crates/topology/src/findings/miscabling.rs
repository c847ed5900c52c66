//! Ports that contradict each other.

use std::collections::{BTreeSet, HashSet};

use toposcope_types::MiscablingKind;

use crate::{
    network::{
        Snapshot,
        links::{End, NONE, Seen},
    },
    text::speed,
    wording::remedy,
};

/// Ports that contradict each other, by their indexes in the snapshot.
#[derive(Clone, Debug)]
pub struct Miscabling {
    /// The kind of contradiction.
    pub kind: MiscablingKind,
    /// The ports involved.
    pub ports: Vec<u32>,
    /// The links involved.
    pub links: Vec<u32>,
    /// The observation that contradicts the link.
    pub seen: Option<u32>,
    /// The contradiction in plain words.
    pub sentence: String,
}

/// `port` hears `far`, which itself hears `other`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct FarEnd {
    port: u32,
    far: u32,
    other: End,
}

impl Snapshot {
    /// Finds the contradictions between ports of these devices: both ends report different cables,
    /// speeds or settings, or one end has several cables.
    pub fn miscablings(&self, is_shown: impl Fn(u32) -> bool) -> Vec<Miscabling> {
        let far_ends = self.far_ends();
        let told: HashSet<u32> = far_ends.iter().map(|one| one.far).collect();
        let far_ends = far_ends.into_iter().map(|one| self.of_far_end(one));
        let links = (0_u32..).zip(&self.links);
        let contradictions = links.clone().flat_map(|(link, of)| {
            of.contradictions.iter().map(move |seen| self.of_contradiction(link, *seen))
        });
        let speeds = links.clone().filter_map(|(link, _)| self.of_speed(link));
        let settings = links.flat_map(|(link, _)| self.of_settings(link));
        let shared_ports =
            self.shared_ports(&told).into_iter().map(|port| self.of_shared_port(&port));
        let all = far_ends.chain(contradictions).chain(speeds).chain(shared_ports);
        let all = all.chain(settings).chain(self.one_sided_bundles());
        let shown = |port: &u32| is_shown(self.ports[*port as usize].host);
        all.filter(|one| one.ports.iter().any(shown)).collect()
    }

    fn far_ends(&self) -> BTreeSet<FarEnd> {
        let mut far_ends = BTreeSet::new();
        for (place, seen) in self.heard_ports() {
            let own = self.seen_at(seen.far_port);
            let (mut other, mut mutual) = (None, false);
            for (own_place, one) in
                own.filter(|(_, one)| one.method == seen.method && one.far_host != NONE)
            {
                // An observation that names no port of this device may mean this one.
                let is_mutual = self.is_same_end(one.far_port, seen.port)
                    || self.speak_of_one(place, own_place)
                    || (one.far_port == NONE && one.far_host == seen.host);
                mutual |= is_mutual;
                other = other.or(Some(End { host: one.far_host, port: one.far_port }));
            }
            if let Some(other) = other.filter(|_| !mutual) {
                far_ends.insert(FarEnd { port: seen.port, far: seen.far_port, other });
            }
        }
        far_ends
    }

    fn heard_ports(&self) -> impl Iterator<Item = (u32, &Seen)> {
        let all = (0_u32..).zip(&self.seen);
        all.filter(|(_, seen)| seen.method.is_heard() && seen.far_port != NONE)
    }

    /// Returns whether two observations at aggregates or virtual interfaces are evidence of one link.
    fn speak_of_one(&self, one: u32, other: u32) -> bool {
        let seen = &self.seen[one as usize];
        let is_loose = |port: u32| {
            self.ports
                .get(port as usize)
                .is_some_and(|port| port.is_virtual() || port.is_aggregate())
        };
        (is_loose(seen.port)
            || is_loose(seen.far_port)
            || is_loose(self.seen[other as usize].far_port))
            && self.links_of(seen.host).iter().any(|link| {
                let evidence = &self.links[*link as usize].evidence;
                evidence.contains(&one) && evidence.contains(&other)
            })
    }

    fn of_far_end(&self, FarEnd { port, far, other }: FarEnd) -> Miscabling {
        let sentence = format!(
            "{} hears {}, but that hears {}: a cable was moved, one side tells of the past, or several share a segment.",
            self.called(port),
            self.called(far),
            self.end_called(other)
        );
        let ports = [port, far, other.port].into_iter().filter(|port| *port != NONE).collect();
        Miscabling { kind: MiscablingKind::FarEnd, ports, links: Vec::new(), seen: None, sentence }
    }

    fn of_contradiction(&self, link: u32, seen: u32) -> Miscabling {
        let (of, one) = (&self.links[link as usize], &self.seen[seen as usize]);
        let sentence = format!(
            "{} are joined by {}, but {} says that {} hears {}. {}",
            self.ends_called(of.ends),
            of.method.by(),
            one.method.spelled(),
            self.called(one.port),
            self.end_called(one.far()),
            remedy(of.method, one.method)
        );
        let kind = MiscablingKind::Contradiction;
        Miscabling { kind, seen: Some(seen), ..self.of_link(link, sentence) }
    }

    fn of_speed(&self, link: u32) -> Option<Miscabling> {
        let of = &self.links[link as usize];
        let speeds = || {
            let speeds = self.ports_of(of).filter_map(|port| u64::try_from(port.speed_bps?).ok());
            speeds.filter(|speed| *speed > 0)
        };
        let first = speeds().next()?;
        if speeds().all(|speed| speed == first) || self.is_up(of) == Some(false) {
            return None;
        }
        let sentence = format!(
            "The ports of {} have different speeds: {}.",
            self.ends_called(of.ends),
            speeds().map(speed).collect::<Vec<_>>().join(" and ")
        );
        Some(self.of_link(link, sentence))
    }

    fn of_link(&self, link: u32, sentence: String) -> Miscabling {
        self.of_one_link(link, MiscablingKind::Speed, sentence)
    }

    /// Returns what a port is called in sentences.
    pub fn called(&self, port: u32) -> String {
        let port = &self.ports[port as usize];
        format!("`{}` of `{}`", port.name, self.hosts[port.host as usize].name)
    }

    pub(crate) fn ends_called(&self, ends: [End; 2]) -> String {
        let [a, b] = ends.map(|end| self.end_called(end));
        format!("{a} and {b}")
    }

    pub(crate) fn end_called(&self, end: End) -> String {
        match self.ports.get(end.port as usize) {
            Some(_) => self.called(end.port),
            None => format!("`{}`", self.hosts[end.host as usize].name),
        }
    }
}
