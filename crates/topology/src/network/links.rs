//! Links: undirected edges between two ports, or between a port and a device whose port is not known,
//! with all their evidence.

use toposcope_types::{HostTier, Id, Method, PortTier};

use super::ports::PortNode;

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

    /// Returns whether it tells by itself what its port is connected to.
    pub const fn counts(&self) -> bool {
        !self.outranked && !self.superseded
    }

    pub(crate) fn pair(&self) -> (u32, u32) {
        (self.host.min(self.far_host), self.host.max(self.far_host))
    }

    /// Returns how little the ports say about cables: 0 for two sockets, 1 with an aggregate, 2 with
    /// a VLAN, a bridge or another interface without a socket.
    pub(crate) fn looseness(&self, ports: &[PortNode]) -> u8 {
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
