//! What is made of a world: resolutions, and the links from them.

use std::collections::{BTreeMap, HashSet};

use toposcope_types::{AdminStatus, Id, Mac, Method, OperStatus};

use super::generator::{World, id};
use crate::{
    network::{
        assembly::links,
        links::{Link, NONE, Seen},
        ports::{PortKind, PortNode},
    },
    resolution::{
        forwarding_table,
        identity_index::IdentityIndex,
        meet, resolve,
        resolved::Resolution,
        sighting::{Heard, Sighting},
        sockets::{Interface, placements},
        superseded::{Explained, Sockets},
    },
};

impl World {
    /// Returns what is stored of the world.
    fn resolved(&self) -> Vec<Resolution> {
        let facts = IdentityIndex::new(self.hosts.clone(), self.ports.clone(), vec![], vec![]);
        let mut sightings = self.sightings.clone();
        let hearing: HashSet<Id> = sightings.iter().map(|one| one.if_entry_id).collect();
        let mut by_port: BTreeMap<usize, Vec<Mac>> = BTreeMap::new();
        for (port, learned) in &self.tables {
            by_port.entry(*port).or_default().push(*learned);
        }
        for (port, learned) in by_port {
            let port = &self.ports[port];
            let own = self.ports.iter().filter(|one| one.host_id == port.host_id);
            let own: HashSet<Mac> = own.filter_map(|one| one.mac_address).collect();
            let only = forwarding_table::only(&learned, Some(&own));
            if let Some(mac) = only.filter(|_| !hearing.contains(&port.id)) {
                sightings.push(Sighting {
                    id: port.id,
                    if_entry_id: port.id,
                    host_id: port.host_id,
                    method: Method::Fdb,
                    position: 0,
                    heard: Heard { fdb_mac: Some(mac), ..Heard::default() },
                    pin: None,
                });
            }
        }
        let mut rows: Vec<Resolution> =
            sightings.iter().map(|one| resolve(&facts, id(9_999), one)).collect();
        let mut sockets = Sockets::default();
        for host in &self.hosts {
            sockets.add(&facts.ports_at(host.id).collect::<Vec<_>>());
        }
        let explained = Explained::by(&sockets, &rows);
        let superseded: Vec<bool> = rows.iter().map(|row| explained.supersedes(row)).collect();
        for (row, superseded) in rows.iter_mut().zip(superseded) {
            row.superseded = superseded;
        }
        meet(&mut rows);
        rows
    }

    fn nodes(&self) -> Vec<PortNode> {
        let mut nodes: Vec<PortNode> = Vec::new();
        for (at, port) in self.ports.iter().enumerate() {
            let of_host: Vec<usize> = (0..self.ports.len())
                .filter(|other| self.ports[*other].host_id == port.host_id)
                .collect();
            let interfaces: Vec<Interface<'_>> =
                of_host.iter().map(|at| Interface::from(&self.ports[*at])).collect();
            let placed = placements(&interfaces);
            let own = placed[of_host.binary_search(&at).unwrap()];
            let global = |local: usize| u32::try_from(of_host[local]).unwrap();
            let kind = match port.if_type {
                _ if global(own.socket) as usize != at => PortKind::Other,
                6 => PortKind::Socket,
                161 => PortKind::Aggregate,
                _ => PortKind::Virtual,
            };
            nodes.push(PortNode {
                id: port.id,
                host: u32::try_from(self.hosts.iter().position(|h| h.id == port.host_id).unwrap())
                    .unwrap(),
                name: port.if_descr.as_str().into(),
                speed_bps: None,
                admin_status: AdminStatus::Up,
                oper_status: OperStatus::Up,
                kind,
                socket: global(own.socket),
                basis: own.basis,
                borrows: own.borrows.map_or(NONE, global),
                bundle: own.bundle.map_or(NONE, global),
                bundle_basis: own.bundle_basis,
                settings: None,
                has_members: placed
                    .iter()
                    .any(|one| one.bundle.map(global) == u32::try_from(at).ok()),
            });
        }
        nodes
    }

    pub(super) fn links(&self) -> (Vec<Link>, Vec<PortNode>) {
        let nodes = self.nodes();
        let at = |id: Id| nodes.iter().position(|port| port.id == id);
        let host = |id: Option<Id>| self.hosts.iter().position(|host| Some(host.id) == id);
        let number = |at: Option<usize>| at.map_or(NONE, |at| u32::try_from(at).unwrap());
        let mut seen: Vec<Seen> = (self.resolved().into_iter())
            .map(|row| Seen {
                observation_id: row.observation_id,
                port: number(at(row.if_entry_id)),
                host: number(host(Some(row.host_id))),
                far_port: number(row.far_port().and_then(at)),
                far_host: number(host(row.far_host_id)),
                method: row.method,
                outranked: row.outranked,
                superseded: row.superseded,
                host_tier: row.host_tier,
                port_tier: row.port_tier,
            })
            .collect();
        seen.sort_unstable_by_key(|one| (one.port, one.method, one.observation_id));
        (links(&seen, &nodes), nodes)
    }
}
