//! The requested part of a layer: all of it, or the neighborhood of a root.

use toposcope_types::{Id, Layer};

use super::{
    Snapshot,
    layers::{EdgeAt, NodeAt},
};

/// The default number of hops around a root.
const HOPS: u32 = 2;

/// A part of a layer, by the numbers of its nodes, and on layer L2 by VLAN.
#[derive(Clone, Debug, Default)]
pub struct Region {
    nodes: Option<Vec<u32>>,
    vlan: Option<u16>,
}

impl Region {
    /// Creates the region that covers a whole layer.
    pub fn all() -> Self {
        Self::default()
    }

    /// Returns whether the region covers the whole layer.
    pub const fn is_all(&self) -> bool {
        self.nodes.is_none()
    }

    /// Creates the region of at most `hops` links around the node with the number `root`.
    pub fn around(snapshot: &Snapshot, layer: Layer, root: u32, hops: Option<u32>) -> Self {
        let within = snapshot.layer(layer).graph.within(root, hops.unwrap_or(HOPS));
        let mut shown: Vec<u32> = within.into_iter().map(|reached| reached.node).collect();
        shown.sort_unstable();
        Self { nodes: Some(shown), vlan: None }
    }

    /// Leaves only the links of layer L2 that may carry a VLAN, and the devices at their ends or
    /// with a port in it.
    #[must_use]
    pub fn in_vlan(self, snapshot: &Snapshot, vlan: u16) -> Self {
        let mut nodes = snapshot.hosts_with_vlan(vlan);
        for link in snapshot.links.iter().filter(|link| snapshot.may_carry(link, vlan)) {
            nodes.extend(link.ends.map(|end| end.host));
        }
        nodes.sort_unstable();
        nodes.dedup();
        nodes.retain(|node| self.shows(*node));
        Self { nodes: Some(nodes), vlan: Some(vlan) }
    }

    /// Returns the VLAN, if the region is that of one.
    pub const fn vlan(&self) -> Option<u16> {
        self.vlan
    }

    /// Returns whether the region contains a node.
    pub fn shows(&self, number: u32) -> bool {
        self.nodes.as_ref().is_none_or(|shown| shown.binary_search(&number).is_ok())
    }

    /// Returns whether the region contains an edge between two of its nodes.
    pub fn shows_edge(&self, snapshot: &Snapshot, edge: EdgeAt) -> bool {
        match (edge, self.vlan) {
            (EdgeAt::Link(place), Some(vlan)) => {
                snapshot.may_carry(&snapshot.links[place as usize], vlan)
            }
            _ => true,
        }
    }
}

impl Snapshot {
    /// Returns the number of the node with this id in the graph of a layer, if there is one.
    pub fn numbered(&self, layer: Layer, id: Id) -> Option<u32> {
        let node = match layer {
            Layer::L2 => self.host(id).map(NodeAt::Host),
            Layer::L3 => {
                let host = self.host(id).map(NodeAt::Host);
                host.or_else(|| self.subnet(id).map(NodeAt::Subnet))
            }
            Layer::Application => self.service(id).map(NodeAt::Service),
        };
        node.map(|node| self.number(node))
    }
}
