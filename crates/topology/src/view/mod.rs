//! The view that is drawn and exported: nodes, and the links between them.

pub mod canonical_order;
pub mod of_network;
#[cfg(test)]
pub(crate) mod samples;

use toposcope_types::{Layer, Method};

/// A format-independent picture of a network: every export writes the same view.
#[derive(Clone, Debug)]
pub struct View {
    /// The id of the network, a UUID in its hyphenated form.
    pub network_id: String,
    /// The name of the network.
    pub network: String,
    /// The layer shown.
    pub layer: Layer,
    /// The revision of the network shown.
    pub revision: i64,
    /// The nodes, each with its own id.
    pub nodes: Vec<Node>,
    /// The links, each with its own id.
    pub links: Vec<Link>,
}

/// A node in a view.
#[derive(Clone, Debug)]
pub struct Node {
    /// The id, unique in the view: a UUID, or another unique text for a node outside the inventory.
    pub id: String,
    /// The kind of node.
    pub kind: NodeKind,
    /// The display name.
    pub label: String,
    /// Other known facts, as names in `snake_case` and values; values are never empty.
    pub facts: Vec<(&'static str, String)>,
    /// The subnet or address prefix by which it is rolled up, if known.
    pub area: Option<String>,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeKind {
    /// A device in the inventory.
    Host,
    /// A neighbor that a port heard and the inventory does not know.
    Unknown,
    /// A subnet.
    Subnet,
    /// A service.
    Service,
}

/// A link between two nodes.
#[derive(Clone, Debug)]
pub struct Link {
    /// The id, unique in the view.
    pub id: String,
    /// Both ends, from the first to the second if the link is directed.
    pub ends: [End; 2],
    /// Whether the link is directed from the first end to the second.
    pub directed: bool,
    /// The speed in bits per second, the lower one if the ends differ.
    pub speed_bps: Option<u64>,
    /// Whether the link works, if known.
    pub up: Option<bool>,
    /// The method by which it is known, on layer L2, if all links that it stands for share it.
    pub method: Option<Method>,
    /// The label, if the link has its own, such as the name of a group.
    pub label: Option<String>,
}

impl Link {
    /// Returns the method by which it is known: `pinned`, `LLDP`, `CDP`, `FDB`, or empty.
    pub fn known_by(&self) -> &'static str {
        self.method.map_or("", Method::spelled)
    }
}

/// One end of a link.
#[derive(Clone, Debug)]
pub struct End {
    /// The node, by its index in the view.
    pub node: usize,
    /// The port, if known.
    pub port: Option<Port>,
}

/// A port at the end of a link.
#[derive(Clone, Debug)]
pub struct Port {
    /// The id, unique in the view: a UUID, or an address.
    pub id: String,
    /// The display name, such as `Gi1/0/1`.
    pub label: String,
}
