//! What is drawn and exported: devices, and what joins them.

pub mod canonical_order;
pub mod of_network;
#[cfg(test)]
pub(crate) mod samples;

use toposcope_types::{Layer, Method};

/// A picture of a network before it has a form: every export writes the same view.
#[derive(Clone, Debug)]
pub struct View {
    /// The id of the network, a UUID in its hyphenated form.
    pub network_id: String,
    /// What people call the network.
    pub network: String,
    /// What is shown.
    pub layer: Layer,
    /// The revision of the network that it shows.
    pub revision: i64,
    /// What is joined. Their ids differ from each other.
    pub nodes: Vec<Node>,
    /// What joins it. Their ids differ from each other.
    pub links: Vec<Link>,
}

/// One thing in a view.
#[derive(Clone, Debug)]
pub struct Node {
    /// Unique in the view: a UUID, or for what is not in the inventory another unique text.
    pub id: String,
    /// What it is.
    pub kind: NodeKind,
    /// What people call it.
    pub label: String,
    /// What else is known of it, as names in `snake_case` and values; never empty values.
    pub facts: Vec<(&'static str, String)>,
    /// The subnet or address prefix by which it is rolled up, where one is known.
    pub area: Option<String>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeKind {
    /// A device of the inventory.
    Host,
    /// A neighbor that was heard and is not in the inventory.
    Unknown,
    /// A subnet.
    Subnet,
    /// A service.
    Service,
}

/// What joins two nodes.
#[derive(Clone, Debug)]
pub struct Link {
    /// Unique in the view.
    pub id: String,
    /// Both ends, from the first to the second where the link is directed.
    pub ends: [End; 2],
    /// Whether it leads from the first end to the second.
    pub directed: bool,
    /// The speed in bits per second, the lower one where the ends differ.
    pub speed_bps: Option<u64>,
    /// Whether it works, where that is known.
    pub up: Option<bool>,
    /// How it is known, on layer L2, where all that it stands for is known in the same way.
    pub method: Option<Method>,
    /// What it is called, where it has a name of its own, such as that of a group.
    pub label: Option<String>,
}

impl Link {
    /// How it is known: `pinned`, `LLDP`, `CDP`, `FDB`, or empty.
    pub fn known_by(&self) -> &'static str {
        self.method.map_or("", Method::spelled)
    }
}

/// One end of a link.
#[derive(Clone, Debug)]
pub struct End {
    /// The node, by its place in the view.
    pub node: usize,
    /// The port, where it is known.
    pub port: Option<Port>,
}

/// A port at the end of a link.
#[derive(Clone, Debug)]
pub struct Port {
    /// Unique in the view: a UUID, or an address.
    pub id: String,
    /// What it is called, such as `Gi1/0/1`.
    pub label: String,
}
