//! Links as cables: which of them are one bundle, and which are proven to be cables of their own.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
};

use toposcope_types::Method;

use super::{
    links::{End, Link, NONE, Seen},
    ports::PortNode,
};

/// Finds the links that are one bundle: links of two devices with an aggregate in common.
pub(super) fn bundle(links: &mut [Link], ports: &[PortNode]) {
    let mut parents: HashMap<([u32; 2], u32), ([u32; 2], u32)> = HashMap::new();
    let pair = |link: &Link| {
        let mut hosts = link.ends.map(|end| end.host);
        hosts.sort_unstable();
        hosts
    };
    let aggregates = |link: &Link| link.ends.map(|end| aggregate(end, ports));
    for link in &*links {
        let [one, other] = aggregates(link).map(|of| of.map(|of| (pair(link), of)));
        if let (Some(one), Some(other)) = (one, other) {
            let (one, other) = (root(&mut parents, one), root(&mut parents, other));
            parents.insert(one.max(other), one.min(other));
        }
    }
    let mut first_of: HashMap<([u32; 2], u32), u32> = HashMap::new();
    for (place, link) in (0_u32..).zip(links) {
        if let Some(of) = aggregates(link).into_iter().flatten().next() {
            let root = root(&mut parents, (pair(link), of));
            link.bundle = *first_of.entry(root).or_insert(place);
        }
    }
}

/// Returns the aggregate that an end is, or that its port is a member of.
pub(crate) fn aggregate(end: End, ports: &[PortNode]) -> Option<u32> {
    let port = ports.get(end.port as usize)?;
    if port.is_aggregate() { Some(end.port) } else { Some(port.bundle).filter(|one| *one != NONE) }
}

/// Marks the links that are proven to be cables of their own. Where several links end at a port
/// with one cable, at most one of them is a cable, and the others only tell who shares its segment:
/// they count as far as they reach devices that no proven link does.
pub(super) fn prove(links: &mut [Link], seen: &[Seen], ports: &[PortNode]) {
    let mut rest: Vec<Rank> = Vec::new();
    for of_segment in segments(links, ports) {
        rest.extend(prove_segment(links, of_segment, seen, ports));
    }
    let is =
        |end: &End, what: fn(&PortNode) -> bool| ports.get(end.port as usize).is_some_and(what);
    let of_unknown = |link: &Link| {
        let unknown = |port: &PortNode| port.is_aggregate() && !port.has_members;
        link.ends.iter().any(|end| is(end, unknown))
    };
    // The aggregates of which members have links, by the devices that these join.
    let mut of_members: HashSet<([u32; 2], u32)> = HashSet::new();
    for link in &*links {
        let bundles = link.ends.iter().filter_map(|end| ports.get(end.port as usize));
        let bundles = bundles.map(|port| port.bundle).filter(|bundle| *bundle != NONE);
        of_members.extend(bundles.map(|bundle| (link.ends.map(|end| end.host), bundle)));
    }
    let mut plain: HashSet<[u32; 2]> = HashSet::new();
    if links.iter().any(of_unknown) {
        let is_plain = |link: &&Link| link.ends.iter().all(|end| is(end, PortNode::has_one_cable));
        plain.extend(links.iter().filter(is_plain).map(|link| link.ends.map(|end| end.host)));
    }
    for link in &mut *links {
        let at_virtual = || {
            link.ends.iter().any(|end| is(end, PortNode::is_virtual))
                && !link.ends.iter().any(|end| is(end, PortNode::has_one_cable))
        };
        // CDP crosses switches that do not speak it, and an aggregate is likely that of the cables
        // that join its two devices.
        if (link.method == Method::Cdp && at_virtual())
            || (plain.contains(&link.ends.map(|end| end.host)) && of_unknown(link))
            || link
                .ends
                .iter()
                .any(|end| of_members.contains(&(link.ends.map(|end| end.host), end.port)))
        {
            link.is_proven &= link.method == Method::Pinned;
        }
    }
    compare_open(links, ports);
    if rest.is_empty() {
        return;
    }
    rest.sort_unstable();
    let mut parents: HashMap<u32, u32> = HashMap::new();
    let mut join = |link: &Link| {
        let [one, other] = link.ends.map(|end| root(&mut parents, end.host));
        parents.insert(one.max(other), one.min(other));
        one != other
    };
    for link in links.iter().filter(|link| link.is_proven) {
        join(link);
    }
    for (_, _, place) in rest {
        links[place].is_proven = join(&links[place]);
    }
}

/// A link by the strength of its evidence, the strongest first: its method, whether one side alone
/// hears the other, and its place.
type Rank = (Method, bool, usize);

/// Returns the links in groups that share ports with one cable, without those that are alone.
fn segments(links: &[Link], ports: &[PortNode]) -> Vec<Vec<usize>> {
    let mut at: Vec<(u32, usize)> = Vec::with_capacity(links.len() * 2);
    for (place, link) in links.iter().enumerate() {
        let ends = link.ends.iter().map(|end| end.port);
        let sockets =
            ends.filter(|port| ports.get(*port as usize).is_some_and(PortNode::has_one_cable));
        at.extend(sockets.map(|port| (port, place)));
    }
    at.sort_unstable();
    let mut parents: HashMap<usize, usize> = HashMap::new();
    for of_port in at.chunk_by(|one, other| one.0 == other.0).filter(|links| links.len() > 1) {
        for (_, place) in of_port {
            let (one, other) = (root(&mut parents, of_port[0].1), root(&mut parents, *place));
            parents.insert(one.max(other), one.min(other));
        }
    }
    let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
    for place in parents.keys().copied().collect::<Vec<_>>() {
        groups.entry(root(&mut parents, place)).or_default().push(place);
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    for group in &mut groups {
        group.sort_unstable();
    }
    groups.sort_unstable();
    groups
}

/// Returns the member that stands for the set of another, which is one by itself if it is new.
fn root<K: Copy + Eq + Hash>(parents: &mut HashMap<K, K>, of: K) -> K {
    let mut root = of;
    while let Some(parent) = parents.get(&root).copied().filter(|parent| *parent != root) {
        root = parent;
    }
    parents.insert(of, root);
    root
}

/// Marks the links of a segment that no port is the end of twice, the strongest first, and returns the
/// others.
fn prove_segment(
    links: &mut [Link],
    places: Vec<usize>,
    seen: &[Seen],
    ports: &[PortNode],
) -> Vec<Rank> {
    let is_mutual = |link: &Link| {
        let said = |end: End| {
            link.evidence.iter().any(|place| {
                let one = &seen[*place as usize];
                one.port == end.port && one.method.is_heard()
            })
        };
        link.ends.into_iter().all(said)
    };
    let rank = |place: usize| (links[place].method, !is_mutual(&links[place]), place);
    let mut ranks: Vec<Rank> = places.into_iter().map(rank).collect();
    ranks.sort_unstable();
    let mut used: HashSet<u32> = HashSet::new();
    ranks.retain(|(method, _, place)| {
        let link = &mut links[*place];
        let sockets: Vec<u32> = (link.ends.iter().map(|end| end.port))
            .filter(|port| ports.get(*port as usize).is_some_and(PortNode::has_one_cable))
            .collect();
        link.is_proven =
            *method == Method::Pinned || sockets.iter().all(|port| !used.contains(port));
        if link.is_proven {
            used.extend(sockets);
        }
        !link.is_proven
    });
    ranks
}

/// Compares the links of two devices of which only one socket is known: a port of the one may be at
/// the other end of the cable of a port of the other, so only the longer list counts.
fn compare_open(links: &mut [Link], ports: &[PortNode]) {
    let is_open = |end: &End| ports.get(end.port as usize).is_none_or(PortNode::is_virtual);
    let mut open: HashMap<(u32, u32), [Vec<usize>; 2]> = HashMap::new();
    for (place, link) in links.iter().enumerate().filter(|(_, link)| link.is_proven) {
        let Some(at) = link.ends.iter().position(is_open) else { continue };
        let (known, far) = (link.ends[1 - at].host, link.ends[at].host);
        if link.method != Method::Pinned && known != far {
            let sides = open.entry((known.min(far), known.max(far))).or_default();
            sides[usize::from(known > far)].push(place);
        }
    }
    for [one, other] in open.into_values() {
        for place in if one.len() < other.len() { one } else { other } {
            links[place].is_proven = false;
        }
    }
}
