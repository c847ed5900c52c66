//! Builds links from observations.

use std::{borrow::Cow, collections::HashMap};

use toposcope_types::Method;

use super::{
    builder::Builder,
    cables,
    links::{Link, NONE, Seen},
    ports::PortNode,
};

/// Builds the links from all observations, ordered by their ends. What a subinterface or a unit
/// heard is evidence for the link of its socket.
pub fn links(seen: &[Seen], ports: &[PortNode]) -> Vec<Link> {
    let folded = if (0_u32..).zip(ports).all(|(place, port)| port.socket == place) {
        Cow::Borrowed(seen)
    } else {
        seen.iter().map(|one| folded(one, ports)).collect()
    };
    let mut order: Vec<u32> = (0_u32..)
        .zip(&*folded)
        .filter(|(_, one)| one.far_host != NONE && !one.superseded && one.port != one.far_port)
        .map(|(place, _)| place)
        .collect();
    order.sort_unstable_by_key(|place| {
        let one = &folded[*place as usize];
        // Observations that name a port come before those that name only a device, since the latter
        // support the former; likewise sockets before aggregates, and both before VLANs.
        let named = (one.outranked, one.far_port == NONE, one.looseness(ports), one.method);
        (one.pair(), named, one.port, one.far_port, one.observation_id)
    });
    let mut builder = Builder::new(&folded, ports);
    let (pins, others): (Vec<u32>, Vec<u32>) =
        order.iter().partition(|place| seen[**place as usize].method == Method::Pinned);
    for pin in pins {
        builder.pin(pin);
    }
    for of_pair in
        others.chunk_by(|one, other| folded[*one as usize].pair() == folded[*other as usize].pair())
    {
        builder.join(of_pair);
    }
    let mut links = builder.finish();
    let alone = cdp_alone(seen);
    for link in &mut links {
        if link.method == Method::Lldp {
            let of_ends = link.ends.iter().filter_map(|end| alone.get(&end.port));
            link.contradictions.extend(of_ends.flatten());
        }
        let strength = |place: &u32| (seen[*place as usize].method, *place);
        link.evidence.sort_unstable_by_key(strength);
        link.contradictions.sort_unstable_by_key(strength);
        link.contradictions.dedup();
    }
    links.sort_unstable_by_key(|link| link.ends);
    cables::bundle(&mut links, ports);
    cables::prove(&mut links, &folded, ports);
    links
}

/// Returns an observation with the sockets of both ports in their stead.
fn folded(one: &Seen, ports: &[PortNode]) -> Seen {
    let socket = |port: u32| ports.get(port as usize).map_or(port, |port| port.socket);
    Seen { port: socket(one.port), far_port: socket(one.far_port), ..*one }
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
