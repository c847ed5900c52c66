//! What the loss of devices, ports and links takes down, and what is around a device.

use std::collections::{BTreeSet, HashSet};

use toposcope_types::{Id, Layer};

use super::{
    Snapshot,
    layers::{EdgeAt, NodeAt},
};
use crate::graph::{Cuts, Without};

/// What is lost, by its places in the snapshot.
#[derive(Clone, Debug)]
pub struct Lost {
    /// Devices that are cut off, by the parts in which they still hang together.
    pub parts: Vec<Vec<u32>>,
    /// Services on devices that fail or are cut off.
    pub services: Vec<u32>,
    /// Groups with such a service.
    pub groups: Vec<u32>,
}

/// Something that is named and is not in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotInNetwork {
    /// Among what it was named.
    pub field: &'static str,
    /// Its id.
    pub id: Id,
}

impl Snapshot {
    /// What cuts a layer in parts.
    pub fn cuts(&self, layer: Layer) -> &Cuts {
        self.layer(layer).cuts()
    }

    /// What is lost when these fail together. The network is where the roots are, or where there are
    /// none, the largest part that is left of each part that hung together before.
    pub fn lost(
        &self,
        hosts: &[Id],
        if_entries: &[Id],
        links: &[Id],
        roots: &[Id],
    ) -> Result<Lost, NotInNetwork> {
        let unknown = |field, id| NotInNetwork { field, id };
        let places = |field, ids: &[Id]| -> Result<Vec<u32>, NotInNetwork> {
            ids.iter().map(|id| self.host(*id).ok_or_else(|| unknown(field, *id))).collect()
        };
        let (nodes, roots) = (places("hosts", hosts)?, places("roots", roots)?);
        let mut edges = Vec::new();
        for id in if_entries {
            let port = self.port(*id).ok_or_else(|| unknown("if_entries", *id))?;
            edges.extend(self.links_at(port));
        }
        if !links.is_empty() {
            let wanted: HashSet<Id> = links.iter().copied().collect();
            let mut found = HashSet::new();
            for place in (0_u32..).zip(&self.links).map(|(place, _)| place) {
                let id = self.edge_id(EdgeAt::Link(place));
                if wanted.contains(&id) {
                    found.insert(id);
                    edges.push(place);
                }
            }
            if let Some(id) = links.iter().find(|id| !found.contains(id)) {
                return Err(unknown("links", *id));
            }
        }
        let parts = self
            .layer(Layer::L2)
            .graph
            .impact(&Without::new(nodes.iter().copied(), edges), &roots)
            .cut_off;
        let down: HashSet<u32> = parts.iter().flatten().chain(&nodes).copied().collect();
        let services: Vec<u32> = (0_u32..)
            .zip(&self.services)
            .filter(|(_, service)| down.contains(&service.host))
            .map(|(place, _)| place)
            .collect();
        let gone: BTreeSet<u32> = services.iter().copied().collect();
        let broken = (0_u32..)
            .zip(&self.groups)
            .filter(|(_, group)| group.services.iter().any(|service| gone.contains(service)));
        let groups = broken.map(|(place, _)| place).collect();
        Ok(Lost { parts, services, groups })
    }
}

/// The devices around a device with their distances, the nearest first, itself left out. On layer
/// L3 one step is through one subnet; on layer APPLICATION it is from service to service.
pub fn around(snapshot: &Snapshot, id: Id, hops: u32, layer: Layer) -> Option<Vec<(u32, u32)>> {
    let host = snapshot.host(id)?;
    let of_layer = snapshot.layer(layer);
    let (starts, scale): (Vec<u32>, u32) = match layer {
        Layer::L2 => (vec![host], 1),
        Layer::L3 => (vec![host], 2),
        Layer::Application => {
            let own = (0_u32..).zip(&snapshot.services).filter(|(_, one)| one.host == host);
            (own.map(|(place, _)| place).collect(), 1)
        }
    };
    let mut around = Vec::new();
    let mut known: HashSet<u32> = HashSet::from([host]);
    let within =
        starts.iter().flat_map(|start| of_layer.graph.within(*start, hops.saturating_mul(scale)));
    let mut reached: Vec<(u32, u32)> = within.map(|one| (one.distance, one.node)).collect();
    reached.sort_unstable();
    for (distance, node) in reached {
        let place = match of_layer.nodes[node as usize] {
            NodeAt::Host(place) => place,
            NodeAt::Subnet(_) => continue,
            NodeAt::Service(place) => snapshot.services[place as usize].host,
        };
        if known.insert(place) {
            around.push((place, distance / scale));
        }
    }
    Some(around)
}
