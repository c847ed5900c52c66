//! Builds links from observations: a link is an undirected edge between two ports, or between a
//! port and a device whose port is not known, with all its evidence.

use std::collections::HashMap;

use toposcope_types::{HostTier, Id, Method, PortTier};

use super::{PortNode, builder::Builder, cables};

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
    /// Whether LLDP or CDP knows another neighbor of the socket, so that the forwarding table proves
    /// nothing.
    pub superseded: bool,
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

    pub(crate) fn pair(&self) -> (u32, u32) {
        (self.host.min(self.far_host), self.host.max(self.far_host))
    }

    /// Returns how little the ports say about cables: 0 for two sockets, 1 with an aggregate, 2 with
    /// a VLAN, a bridge or another interface without a socket.
    fn looseness(&self, ports: &[PortNode]) -> u8 {
        let of = |port: u32| ports.get(port as usize).map_or(0, PortNode::looseness);
        of(self.port).max(of(self.far_port))
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
    /// The first of the links that are one bundle with it, if one of its ends is an aggregate or a
    /// member of one; `NONE` otherwise.
    pub bundle: u32,
    /// Whether the evidence proves a cable that no other link stands for.
    pub is_proven: bool,
}

impl Link {
    /// Returns the end that is not at this port.
    pub(crate) fn other_end(&self, port: u32) -> End {
        let [a, b] = self.ends;
        if a.port == port { b } else { a }
    }
}

/// Builds the links from all observations, ordered by their ends. What a subinterface or a unit
/// heard is evidence for the link of its socket.
pub fn links(seen: &[Seen], ports: &[PortNode]) -> Vec<Link> {
    let folded: Vec<Seen> = seen.iter().map(|one| folded(one, ports)).collect();
    let mut order: Vec<u32> = (0_u32..)
        .zip(&folded)
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
