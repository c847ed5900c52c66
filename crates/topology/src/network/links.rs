//! Builds links from observations: a link is an undirected edge between two ports, or between a
//! port and a device whose port is not known, with all its evidence.

use std::collections::{HashMap, HashSet};

use toposcope_types::{HostTier, Id, Method, PortTier};

/// The index that refers to nothing.
pub const NONE: u32 = u32::MAX;

/// A neighbor that a port heard or is pinned to, by the indexes of devices and ports.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// The id of the observation; for a pin or a forwarding table, the id of the port.
    pub observation_id: Id,
    /// The port.
    pub port: u32,
    /// Its device.
    pub host: u32,
    /// The far port, or `NONE`.
    pub far_port: u32,
    /// The far device, or `NONE`.
    pub far_host: u32,
    /// The method by which the port heard it.
    pub method: Method,
    /// Whether better evidence joins the two devices.
    pub outranked: bool,
    /// The evidence that identified the far device.
    pub host_tier: Option<HostTier>,
    /// The evidence that identified the far port.
    pub port_tier: Option<PortTier>,
}

impl Seen {
    /// Returns the far end.
    pub const fn far(&self) -> End {
        End { host: self.far_host, port: self.far_port }
    }

    fn pair(&self) -> (u32, u32) {
        (self.host.min(self.far_host), self.host.max(self.far_host))
    }
}

/// One end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct End {
    /// The device.
    pub host: u32,
    /// The port, or `NONE` if it is not known.
    pub port: u32,
}

/// A link, with the indexes of its observations.
#[derive(Clone, Debug)]
pub struct Link {
    /// Both ends, the lesser first.
    pub ends: [End; 2],
    /// The strongest method among its evidence.
    pub method: Method,
    /// The observations that support it, strongest first.
    pub evidence: Vec<u32>,
    /// Weaker observations, made by its ports or of them, that contradict it.
    pub contradictions: Vec<u32>,
}

impl Link {
    /// Returns the end that is not at this port.
    pub(crate) fn other_end(&self, port: u32) -> End {
        let [a, b] = self.ends;
        if a.port == port { b } else { a }
    }
}

/// Builds the links from all observations, ordered by their ends.
pub fn links(seen: &[Seen]) -> Vec<Link> {
    let mut order: Vec<u32> = (0_u32..)
        .zip(seen)
        .filter(|(_, one)| one.far_host != NONE)
        .map(|(place, _)| place)
        .collect();
    order.sort_unstable_by_key(|place| {
        let one = &seen[*place as usize];
        // Observations that name a port come before those that name only a device, since the latter
        // support the former.
        let named = (one.outranked, one.far_port == NONE, one.method);
        (one.pair(), named, one.port, one.far_port, one.observation_id)
    });
    let mut builder = Builder { seen, ..Builder::default() };
    let (pins, others): (Vec<u32>, Vec<u32>) =
        order.iter().partition(|place| seen[**place as usize].method == Method::Pinned);
    for pin in pins {
        builder.pin(pin);
    }
    let mut rest = others.as_slice();
    while let Some(first) = rest.first() {
        let pair = seen[*first as usize].pair();
        let count = rest.partition_point(|place| seen[*place as usize].pair() <= pair);
        let (of_pair, after) = rest.split_at(count);
        builder.join(of_pair);
        rest = after;
    }
    builder.name_ports();
    let alone = cdp_alone(seen);
    for link in &mut builder.links {
        if link.method == Method::Lldp {
            let of_ends = link.ends.iter().filter_map(|end| alone.get(&end.port));
            link.contradictions.extend(of_ends.flatten());
        }
        let strength = |place: &u32| (seen[*place as usize].method, *place);
        link.evidence.sort_unstable_by_key(strength);
        link.contradictions.sort_unstable_by_key(strength);
        link.contradictions.dedup();
    }
    builder.links.sort_unstable_by_key(|link| link.ends);
    builder.links
}

/// Returns, by port, what CDP heard of devices that LLDP on the same port does not know. A
/// telephone with a computer behind it is no contradiction: LLDP knows the telephone too.
fn cdp_alone(seen: &[Seen]) -> HashMap<u32, Vec<u32>> {
    let mut all = HashMap::new();
    let mut next = 0_u32;
    for of_port in seen.chunk_by(|one, other| one.port == other.port) {
        let places = next..;
        let by = |method| of_port.iter().filter(move |one| one.method == method);
        next += u32::try_from(of_port.len()).unwrap_or_default();
        let is_known = |host: u32| by(Method::Lldp).any(|one| one.far_host == host);
        // An unknown neighbor that LLDP heard may be the device that CDP heard.
        if by(Method::Cdp).next().is_none() || by(Method::Lldp).next().is_none() || is_known(NONE) {
            continue;
        }
        let is_alone = |one: &Seen| {
            one.method == Method::Cdp && one.far_host != NONE && !is_known(one.far_host)
        };
        let alone = places.zip(of_port).filter(|(_, one)| is_alone(one));
        let alone: Vec<u32> = alone.map(|(place, _)| place).collect();
        if !alone.is_empty() {
            all.insert(of_port[0].port, alone);
        }
    }
    all
}

#[derive(Default)]
struct Builder<'s> {
    seen: &'s [Seen],
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

impl Builder<'_> {
    fn pin(&mut self, place: u32) {
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
        self.links.push(Link { ends, method, evidence: vec![place], contradictions: Vec::new() });
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
    fn join(&mut self, of_pair: &[u32]) {
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
