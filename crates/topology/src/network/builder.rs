//! Joins observations to links: which of them speak of one cable.

use std::collections::{HashMap, HashSet};

use super::{
    links::{End, Link, NONE, Seen},
    ports::PortNode,
};

/// Builds links, pair of devices by pair.
pub(super) struct Builder<'s> {
    /// The observations, at sockets.
    seen: &'s [Seen],
    ports: &'s [PortNode],
    links: Vec<Link>,
    /// The links that people pinned, by port.
    pinned: HashMap<u32, Vec<usize>>,
    /// The links that people pinned, by pair of devices.
    pinned_between: HashMap<(u32, u32), Vec<usize>>,
}

/// The links between two devices: by their ends, by port, and all of them.
#[derive(Default)]
struct OfPair {
    by_ends: HashMap<[End; 2], usize>,
    by_port: HashMap<u32, Vec<usize>>,
    all: Vec<usize>,
}

impl<'s> Builder<'s> {
    pub(super) fn new(seen: &'s [Seen], ports: &'s [PortNode]) -> Self {
        let (pinned, pinned_between) = (HashMap::new(), HashMap::new());
        Self { seen, ports, links: Vec::new(), pinned, pinned_between }
    }

    /// Returns the links.
    pub(super) fn finish(mut self) -> Vec<Link> {
        self.name_ports();
        self.find_sockets();
        self.links
    }

    pub(super) fn pin(&mut self, place: u32) {
        let one = self.seen[place as usize];
        let ends = ends(&one);
        let same = |link: &usize| {
            self.links[*link].ends == ends || (one.far_port == NONE && self.agrees(*link, &one))
        };
        let known: Vec<usize> =
            links_at(&self.pinned, [one.port]).into_iter().filter(same).collect();
        if !known.is_empty() {
            self.speak(&known, place);
            return;
        }
        let link = self.add(ends, place);
        self.pinned_between.entry(one.pair()).or_default().push(link);
        for end in ends.iter().filter(|end| end.port != NONE) {
            self.pinned.entry(end.port).or_default().push(link);
        }
    }

    fn add(&mut self, ends: [End; 2], place: u32) -> usize {
        let method = self.seen[place as usize].method;
        self.links.push(Link {
            ends,
            method,
            evidence: vec![place],
            contradictions: Vec::new(),
            bundle: NONE,
            is_proven: true,
        });
        self.links.len() - 1
    }

    /// Adds an observation to the evidence of links.
    fn speak(&mut self, links: &[usize], place: u32) {
        let method = self.seen[place as usize].method;
        for link in links {
            let link = &mut self.links[*link];
            link.evidence.push(place);
            link.method = link.method.min(method);
        }
    }

    fn contradict(&mut self, links: &[usize], place: u32) {
        for link in links {
            self.links[*link].contradictions.push(place);
        }
    }

    /// Joins two devices by the observations between them, strongest first.
    pub(super) fn join(&mut self, of_pair: &[u32]) {
        let pair = of_pair.first().map(|place| self.seen[*place as usize].pair());
        let pinned = pair.and_then(|pair| self.pinned_between.get(&pair));
        let mut known = OfPair { all: pinned.cloned().unwrap_or_default(), ..OfPair::default() };
        for place in of_pair {
            let one = self.seen[*place as usize];
            let pinned = links_at(&self.pinned, [one.port, one.far_port]);
            let agreeing: Vec<usize> =
                pinned.iter().copied().filter(|link| self.agrees(*link, &one)).collect();
            if pinned.is_empty() {
                self.place(&mut known, *place);
            } else if agreeing.is_empty() {
                // A pinned port is not joined to anything else.
                self.contradict(&pinned, *place);
            } else {
                self.speak(&agreeing, *place);
            }
        }
    }

    /// Names the ports at the ends of links that people pinned to a device only, if the
    /// observations between the two name one that is pinned nowhere else. A link pinned at both
    /// ends is one link.
    fn name_ports(&mut self) {
        let between = std::mem::take(&mut self.pinned_between);
        let mut named: Vec<(usize, [End; 2])> = between
            .into_values()
            .flatten()
            .filter_map(|link| Some((link, self.heard_between(link)?)))
            .collect();
        named.sort_unstable();
        let mut claims: HashMap<End, HashSet<[End; 2]>> = HashMap::new();
        for (_, ends) in &named {
            for end in ends {
                claims.entry(*end).or_default().insert(*ends);
            }
        }
        let mut first_of: HashMap<[End; 2], usize> = HashMap::new();
        for (link, ends) in named {
            // A port that two cables claim is the end of neither.
            if ends.iter().any(|end| claims[end].len() > 1) {
                continue;
            }
            let first = *first_of.entry(ends).or_insert(link);
            if first == link {
                self.links[link].ends = ends;
                continue;
            }
            let twin = std::mem::take(&mut self.links[link].evidence);
            let evidence = &mut self.links[first].evidence;
            evidence.extend(twin);
            evidence.sort_unstable();
            evidence.dedup();
        }
        self.links.retain(|link| !link.evidence.is_empty());
    }

    /// Returns both ends of a link that is pinned to a device only, by the strongest observations
    /// between them, if these name one port and the pins of that port agree.
    fn heard_between(&self, place: usize) -> Option<[End; 2]> {
        let link = &self.links[place];
        let open = link.ends.iter().position(|end| end.port == NONE)?;
        let (near, far) = (link.ends[1 - open], link.ends[open].host);
        let names = |one: &&Seen| {
            let [a, b] = ends(one);
            let other = if a == near { b } else { a };
            !one.outranked
                && (a == near || b == near)
                && (other.host, other.port != NONE) == (far, true)
                && links_at(&self.pinned, [other.port])
                    .iter()
                    .all(|pinned| *pinned == place || self.agrees(*pinned, one))
        };
        let heard: Vec<&Seen> =
            link.evidence.iter().map(|one| &self.seen[*one as usize]).filter(names).collect();
        let strongest = heard.iter().map(|one| one.method).min()?;
        let mut all = heard.iter().filter(|one| one.method == strongest).map(|one| ends(one));
        let first = all.next()?;
        all.all(|ends| ends == first).then_some(first)
    }

    /// Returns whether an observation has the same ends as a link, as far as both know them.
    fn agrees(&self, link: usize, one: &Seen) -> bool {
        let seen = ends(one);
        let agree = |a: End, b: End| {
            a.host == b.host && (a.port == b.port || a.port == NONE || b.port == NONE)
        };
        let [a, b] = self.links[link].ends;
        (agree(a, seen[0]) && agree(b, seen[1])) || (agree(a, seen[1]) && agree(b, seen[0]))
    }

    fn place(&mut self, known: &mut OfPair, place: u32) {
        let one = self.seen[place as usize];
        let ends = ends(&one);
        if let Some(link) = known.by_ends.get(&ends) {
            self.speak(&[*link], place);
            return;
        }
        if one.far_port == NONE || one.outranked {
            // It names no other ports, so it supports the links of its port.
            let mut links = links_at(&known.by_port, [one.port]);
            if one.far_port == NONE && links.is_empty() {
                links = self.links_beside(known, one);
            }
            if one.outranked && links.is_empty() {
                links = links_at(&known.by_port, [one.far_port]);
            }
            if one.outranked && links.is_empty() {
                links.clone_from(&known.all);
            }
            self.speak(&links, place);
            if one.outranked || !links.is_empty() {
                return;
            }
        } else {
            let same = self.same_cables(known, ends);
            if !same.is_empty() {
                self.speak(&same, place);
                return;
            }
            let mut stronger = links_at(&known.by_port, [one.port, one.far_port]);
            stronger.retain(|link| self.links[*link].method < one.method);
            if !stronger.is_empty() {
                self.contradict(&stronger, place);
                return;
            }
        }
        let link = self.add(ends, place);
        known.all.push(link);
        known.by_ends.insert(ends, link);
        for end in ends.iter().filter(|end| end.port != NONE) {
            known.by_port.entry(end.port).or_default().push(link);
        }
    }
}

/// The ways in which interfaces without a socket of their own stand for cables.
impl Builder<'_> {
    /// Returns the links between two devices that an observation at an aggregate or at a virtual
    /// interface speaks of: those of the members, or of the socket whose MAC address it borrows. Of
    /// an aggregate with unknown members, the other end tells which. A virtual interface without a
    /// known socket says no more than that the devices are joined, unless it names a socket.
    fn same_cables(&self, known: &OfPair, ends: [End; 2]) -> Vec<usize> {
        if ends.iter().all(|end| self.port(*end).is_none_or(|port| port.looseness() == 0)) {
            return Vec::new();
        }
        let links = |is: &dyn Fn([End; 2]) -> bool| -> Vec<usize> {
            let all = known.all.iter().copied();
            all.filter(|link| {
                let [a, b] = self.links[*link].ends;
                is([a, b]) || is([b, a])
            })
            .collect()
        };
        let stands =
            |of: [End; 2]| self.stands_for(ends[0], of[0]) && self.stands_for(ends[1], of[1]);
        let found = links(&stands);
        if !found.is_empty() {
            return found;
        }
        let is_open = |end: End| {
            self.port(end)
                .is_some_and(|port| port.is_virtual() || (port.is_aggregate() && !port.has_members))
        };
        let shares_other = |of: [End; 2]| {
            let one_cable = |end: End| self.port(end).is_some_and(PortNode::has_one_cable);
            of[0].host == ends[0].host
                && ((is_open(ends[0]) && of[1] == ends[1] && one_cable(of[1]))
                    || (is_open(ends[1]) && of[0] == ends[0] && one_cable(of[0])))
        };
        let found = links(&shares_other);
        if !found.is_empty() {
            return found;
        }
        // Between two devices that are joined, it names no other cable unless it names its far end.
        let is =
            |what: fn(&PortNode) -> bool| ends.iter().any(|end| self.port(*end).is_some_and(what));
        let says_nothing =
            is(PortNode::is_virtual) && !is(PortNode::has_one_cable) && !is(PortNode::is_aggregate);
        if says_nothing { known.all.clone() } else { Vec::new() }
    }

    /// Returns the links to a device that an observation of no particular port of it speaks of: those
    /// of the members or the lender of the port that heard it, or of its aggregate where that has
    /// a cable. A virtual interface, or an aggregate with unknown members, says no more than that the
    /// devices are joined.
    fn links_beside(&self, known: &OfPair, one: Seen) -> Vec<usize> {
        let near = End { host: one.host, port: one.port };
        let is_socket = self.port(near).is_none_or(|port| port.looseness() == 0);
        let stands = |link: &usize| {
            let [a, b] = self.links[*link].ends;
            let (own, far) = if a.host == near.host { (a, b) } else { (b, a) };
            self.stands_for(near, own)
                && (!is_socket || self.port(far).is_some_and(PortNode::has_one_cable))
        };
        let found: Vec<usize> = known.all.iter().copied().filter(stands).collect();
        let is_open = self
            .port(near)
            .is_some_and(|port| port.is_virtual() || (port.is_aggregate() && !port.has_members));
        if found.is_empty() && is_open { known.all.clone() } else { found }
    }

    fn port(&self, end: End) -> Option<&PortNode> {
        self.ports.get(end.port as usize)
    }

    /// Returns whether one end stands for another: it is the same, or one of them is the aggregate of
    /// the other, or borrows its MAC address.
    fn stands_for(&self, one: End, other: End) -> bool {
        let is_socket = |end| self.port(end).is_none_or(|port| port.looseness() == 0);
        one == other
            || (one.host == other.host
                && !(is_socket(one) && is_socket(other))
                && self.root(one.port) == self.root(other.port))
    }

    /// Returns the aggregate or socket that a port is part of, as far as that is known.
    fn root(&self, port: u32) -> u32 {
        let Some(node) = self.ports.get(port as usize) else { return port };
        match (node.borrows, node.bundle) {
            (NONE, NONE) => port,
            (NONE, bundle) => bundle,
            (lender, _) => match self.ports[lender as usize].bundle {
                NONE => lender,
                bundle => bundle,
            },
        }
    }

    /// Moves the end of a link from a virtual interface to the port whose MAC address it borrows, if
    /// that is the only port of the device that may still have a cable.
    fn find_sockets(&mut self) {
        let at_virtual = |link: &Link| {
            let of = |end: &End| self.port(*end).is_some_and(|port| port.borrows != NONE);
            link.ends.iter().position(of)
        };
        let loose: Vec<(usize, usize)> = (self.links.iter().enumerate())
            .filter_map(|(place, link)| Some((place, at_virtual(link)?)))
            .collect();
        if loose.is_empty() {
            return;
        }
        let mut used: HashSet<u32> = HashSet::new();
        for link in &self.links {
            for end in &link.ends {
                used.insert(end.port);
                used.extend(self.port(*end).map(|port| port.bundle));
            }
        }
        let mut free: HashMap<u32, Vec<u32>> = HashMap::new();
        for (place, port) in (0_u32..).zip(self.ports) {
            if (port.has_one_cable() && port.bundle == NONE || port.is_aggregate())
                && !used.contains(&place)
            {
                free.entry(port.host).or_default().push(place);
            }
        }
        let mut claims: HashMap<u32, Vec<(usize, usize)>> = HashMap::new();
        for (link, end) in loose {
            let End { host, port } = self.links[link].ends[end];
            let lender = self.ports[port as usize].borrows;
            if free.get(&host).is_some_and(|free| *free == [lender]) {
                claims.entry(lender).or_default().push((link, end));
            }
        }
        for (lender, claims) in claims {
            if let [(link, end)] = claims[..] {
                let ends = &mut self.links[link].ends;
                ends[end].port = lender;
                ends.sort_unstable();
            }
        }
    }
}

/// Returns the links of these ports, each once.
fn links_at<const N: usize>(index: &HashMap<u32, Vec<usize>>, ports: [u32; N]) -> Vec<usize> {
    let mut links: Vec<usize> =
        ports.iter().filter_map(|port| index.get(port)).flatten().copied().collect();
    links.sort_unstable();
    links.dedup();
    links
}

fn ends(one: &Seen) -> [End; 2] {
    let near = End { host: one.host, port: one.port };
    let far = one.far();
    if near <= far { [near, far] } else { [far, near] }
}
