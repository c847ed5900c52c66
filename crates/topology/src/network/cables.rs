//! Links as cables: which of them are one bundle, and which are proven to be cables of their own.

use std::collections::{HashMap, HashSet};

use toposcope_types::Method;

use super::{
    links::{End, Link, NONE, Seen},
    ports::PortNode,
};

/// Finds the links that are one bundle: links of two devices with an aggregate in common.
pub(super) fn bundle(links: &mut [Link], ports: &[PortNode]) {
    let mut first_of: HashMap<(u32, u32, u32), u32> = HashMap::new();
    for place in 0..links.len() {
        let ends = links[place].ends;
        let (one, other) = (ends[0].host.min(ends[1].host), ends[0].host.max(ends[1].host));
        let place = u32::try_from(place).unwrap_or(NONE);
        let mut first = NONE;
        let aggregates: Vec<u32> = ends.iter().filter_map(|end| aggregate(*end, ports)).collect();
        for aggregate in &aggregates {
            let known = *first_of.entry((one, other, *aggregate)).or_insert(place);
            first = first.min(known);
        }
        // Two bundles that this link has in common are one.
        for aggregate in aggregates {
            let other_first = first_of.insert((one, other, aggregate), first).unwrap_or(first);
            if other_first != first {
                for link in links.iter_mut().filter(|link| link.bundle == other_first) {
                    link.bundle = first;
                }
            }
        }
        links[place as usize].bundle = first;
    }
}

/// Returns the aggregate that an end is, or that its port is a member of.
pub(crate) fn aggregate(end: End, ports: &[PortNode]) -> Option<u32> {
    let port = ports.get(end.port as usize)?;
    if port.is_aggregate() { Some(end.port) } else { Some(port.bundle).filter(|one| *one != NONE) }
}

/// Marks the links that are proven to be cables of their own. Where several links end at a port
/// with one cable, at most one of them is a cable, and the others only tell who shares its segment:
/// they count as far as they reach devices that no other does.
pub(super) fn prove(links: &mut [Link], seen: &[Seen], ports: &[PortNode]) {
    for of_segment in segments(links, ports) {
        if of_segment.len() > 1 {
            prove_segment(links, of_segment, seen, ports);
        }
    }
    let is =
        |end: &End, what: fn(&PortNode) -> bool| ports.get(end.port as usize).is_some_and(what);
    let mut plain: HashSet<[u32; 2]> = HashSet::new();
    for link in &*links {
        if link.ends.iter().all(|end| is(end, PortNode::has_one_cable)) {
            plain.insert(link.ends.map(|end| end.host));
        }
    }
    for link in &mut *links {
        let at_virtual = link.ends.iter().any(|end| is(end, PortNode::is_virtual));
        let of_unknown =
            link.ends.iter().any(|end| is(end, |port| port.is_aggregate() && !port.has_members));
        // CDP crosses switches that do not speak it, and an aggregate is likely that of the cables
        // that join its two devices.
        if (at_virtual && link.method == Method::Cdp)
            || (of_unknown && plain.contains(&link.ends.map(|end| end.host)))
        {
            link.is_proven &= link.method == Method::Pinned;
        }
    }
    compare_open(links, ports);
}

/// Returns the links in groups that share ports with one cable.
fn segments(links: &[Link], ports: &[PortNode]) -> Vec<Vec<usize>> {
    let mut of_port: HashMap<u32, usize> = HashMap::new();
    let mut parents: Vec<usize> = (0..links.len()).collect();
    for (place, link) in links.iter().enumerate() {
        for end in link.ends {
            if ports.get(end.port as usize).is_some_and(PortNode::has_one_cable) {
                let first = *of_port.entry(end.port).or_insert(place);
                let (one, other) = (root(&mut parents, first), root(&mut parents, place));
                parents[one.max(other)] = one.min(other);
            }
        }
    }
    let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
    for place in 0..links.len() {
        groups.entry(root(&mut parents, place)).or_default().push(place);
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    groups.sort_unstable();
    groups
}

fn root(parents: &mut [usize], mut of: usize) -> usize {
    while parents[of] != of {
        parents[of] = parents[parents[of]];
        of = parents[of];
    }
    of
}

fn prove_segment(links: &mut [Link], mut places: Vec<usize>, seen: &[Seen], ports: &[PortNode]) {
    let is_mutual = |link: &Link| {
        let said = |end: End| {
            link.evidence.iter().any(|place| {
                let one = &seen[*place as usize];
                one.port == end.port && one.method.is_heard()
            })
        };
        link.ends.into_iter().all(said)
    };
    places.sort_by_key(|place| {
        let link = &links[*place];
        (link.method, !is_mutual(link), *place)
    });
    let mut hosts: Vec<u32> =
        places.iter().flat_map(|place| links[*place].ends.map(|end| end.host)).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let mut parents: Vec<usize> = (0..hosts.len()).collect();
    let mut join = |link: &Link| {
        let [one, other] = link.ends.map(|end| {
            let at = hosts.binary_search(&end.host).unwrap_or_default();
            root(&mut parents, at)
        });
        parents[one.max(other)] = one.min(other);
        one != other
    };
    let mut used: HashSet<u32> = HashSet::new();
    let mut rest = Vec::new();
    for place in places {
        let link = &mut links[place];
        let sockets: Vec<u32> = (link.ends.iter().map(|end| end.port))
            .filter(|port| ports.get(*port as usize).is_some_and(PortNode::has_one_cable))
            .collect();
        link.is_proven =
            link.method == Method::Pinned || sockets.iter().all(|port| !used.contains(port));
        if link.is_proven {
            used.extend(sockets);
            join(link);
        } else {
            rest.push(place);
        }
    }
    for place in rest {
        links[place].is_proven = join(&links[place]);
    }
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
