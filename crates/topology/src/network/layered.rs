//! A network as layers.

use toposcope_types::{GroupType, Layer};

use super::{
    Snapshot,
    layers::{EdgeAt, LayerGraph, NodeAt, count},
};

impl Snapshot {
    /// Returns a layer as a graph.
    pub fn layer(&self, layer: Layer) -> &LayerGraph {
        match layer {
            Layer::L2 => self.caches.layers.l2.get_or_init(|| self.l2()),
            Layer::L3 => self.caches.layers.l3.get_or_init(|| self.l3()),
            Layer::Application => self.caches.layers.application.get_or_init(|| self.application()),
        }
    }

    fn l2(&self) -> LayerGraph {
        let ends = self.links.iter().map(|link| link.ends.map(|end| end.host)).collect();
        let nodes = places(self.hosts.len()).map(NodeAt::Host).collect();
        LayerGraph::new(nodes, places(self.links.len()).map(EdgeAt::Link).collect(), ends)
    }

    /// Builds the graph of layer L3: devices come first, then subnets.
    fn l3(&self) -> LayerGraph {
        let hosts = count(self.hosts.len());
        let ends =
            self.addresses.iter().map(|address| [address.host, hosts + address.subnet]).collect();
        let subnets = places(self.subnets.len()).map(NodeAt::Subnet);
        let nodes = places(self.hosts.len()).map(NodeAt::Host).chain(subnets).collect();
        LayerGraph::new(nodes, places(self.addresses.len()).map(EdgeAt::Address).collect(), ends)
    }

    fn application(&self) -> LayerGraph {
        let (mut edges, mut ends) = (Vec::new(), Vec::new());
        for (place, group) in (0_u32..).zip(&self.groups) {
            for to in 1..count(group.services.len()) {
                let from = match group.group_type {
                    GroupType::RequestPath => to - 1,
                    GroupType::HubAndSpoke => 0,
                };
                edges.push(EdgeAt::Step { group: place, from, to });
                ends.push([from, to].map(|step| group.services[step as usize]));
            }
        }
        LayerGraph::new(places(self.services.len()).map(NodeAt::Service).collect(), edges, ends)
    }

    /// Returns the number of a node in the graph of its layer.
    pub fn number(&self, node: NodeAt) -> u32 {
        match node {
            NodeAt::Host(place) | NodeAt::Service(place) => place,
            NodeAt::Subnet(place) => count(self.hosts.len()) + place,
        }
    }
}

fn places(length: usize) -> std::ops::Range<u32> {
    0..count(length)
}
