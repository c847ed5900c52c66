//! A network as layers.

use std::collections::HashSet;

use toposcope_types::{GroupType, Layer};

use super::{
    Snapshot,
    layers::{Counted, EdgeAt, Held, LayerGraph, NodeAt, count},
    links::{Link, NONE},
};

impl Snapshot {
    /// Returns a layer as a graph.
    pub fn layer(&self, layer: Layer) -> &LayerGraph {
        match layer {
            Layer::L2 => self.caches.layers.l2.get_or_init(|| self.l2(|_, _| true)),
            Layer::L3 => self.caches.layers.l3.get_or_init(|| self.l3()),
            Layer::Application => self.caches.layers.application.get_or_init(|| self.application()),
        }
    }

    /// Returns the graph of a layer from which failures are worked out: on layer L2, each edge is a
    /// proven cable.
    pub fn cables(&self, layer: Layer) -> &LayerGraph {
        match layer {
            Layer::L2 => {
                let cables = || self.counted_links(Counted::Cables, None);
                self.caches.layers.cables.get_or_init(cables)
            }
            Layer::L3 | Layer::Application => self.layer(layer),
        }
    }

    /// Returns the graph of a layer that an answer counts; on layer L2, only the links that may
    /// carry a VLAN if one is given.
    pub fn counted(&self, layer: Layer, counted: Counted, vlan: Option<u16>) -> Held<'_> {
        let layers = &self.caches.layers;
        let kept = match (layer, counted, vlan) {
            (Layer::L3 | Layer::Application, ..) => return Held::Kept(self.layer(layer)),
            (_, _, Some(_)) => return Held::Made(Box::new(self.counted_links(counted, vlan))),
            (_, Counted::Cables, None) => return Held::Kept(self.cables(layer)),
            (_, Counted::Bundles, None) => &layers.bundles,
            (_, Counted::Forwarding, None) => &layers.forwarding,
        };
        Held::Kept(kept.get_or_init(|| self.counted_links(counted, None)))
    }

    fn counted_links(&self, counted: Counted, vlan: Option<u16>) -> LayerGraph {
        let mut known = HashSet::new();
        self.l2(|_, link| {
            link.is_proven
                && vlan.is_none_or(|vlan| self.may_carry(link, vlan))
                && match counted {
                    Counted::Cables => true,
                    Counted::Bundles => link.bundle == NONE || known.insert(link.bundle),
                    Counted::Forwarding => self.forwards(link),
                }
        })
    }

    /// Builds the graph of the links that count.
    fn l2(&self, mut counts: impl FnMut(u32, &Link) -> bool) -> LayerGraph {
        let (mut edges, mut ends) = (Vec::new(), Vec::new());
        for (place, link) in places(self.links.len()).zip(&self.links) {
            if counts(place, link) {
                edges.push(EdgeAt::Link(place));
                ends.push(link.ends.map(|end| end.host));
            }
        }
        let nodes = places(self.hosts.len()).map(NodeAt::Host).collect();
        LayerGraph::new(nodes, edges, ends)
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
