//! The impact of losing devices, ports and links, and the devices around a device.

use std::collections::{BTreeSet, HashSet};

use toposcope_types::{Id, Layer};

use super::{
    Snapshot,
    layers::{EdgeAt, NodeAt},
};
use crate::graph::{Cuts, Without};

/// The lost objects, by their indexes in the snapshot.
#[derive(Clone, Debug)]
pub struct Lost {
    /// Devices that are cut off, grouped into the parts that remain connected.
    pub parts: Vec<Vec<u32>>,
    /// Services on devices that fail or are cut off.
    pub services: Vec<u32>,
    /// Groups with such a service.
    pub groups: Vec<u32>,
}

/// A requested object that is not in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotInNetwork {
    /// The field that named it.
    pub field: &'static str,
    /// Its id.
    pub id: Id,
}

impl Snapshot {
    /// Returns the single points of failure of a layer, cable by cable.
    pub fn cuts(&self, layer: Layer) -> &Cuts {
        self.cables(layer).cuts()
    }

    /// Returns what is lost if these objects fail together. The network remains where the roots are
    /// or, without roots, in the largest remaining part of each part that was connected before.
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
            // A cable outlasts what runs over its ports.
            if self.ports[port as usize].socket == port {
                edges.extend(self.links_at(port));
            }
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
        let cables = self.cables(Layer::L2);
        let edges = edges.into_iter().filter_map(|link| cables.edge_of_link(link));
        let lost = Without::new(nodes.iter().copied(), edges);
        let parts = cables.graph.impact(&lost, &roots).cut_off;
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

/// Returns the devices around a device with their distances, nearest first, without the device
/// itself. On layer L3 one step crosses one subnet; on layer APPLICATION it leads from service to
/// service.
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
