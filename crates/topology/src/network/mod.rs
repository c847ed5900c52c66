//! A network as an in-memory graph at one revision, from which every topology query is served.

pub mod assembly;
mod builder;
mod cables;
pub mod caches;
pub mod impact;
pub mod layered;
pub mod layers;
pub mod links;
pub mod neighborhood;
pub mod ports;
pub mod settings;
pub mod unresolved;
mod vlans;
#[cfg(test)]
mod worlds;

use toposcope_types::{AdminStatus, GroupType, Id, Layer, OperStatus};

use self::{
    caches::Caches,
    layers::EdgeAt,
    links::{End, Link, NONE, Seen},
    ports::PortNode,
};

/// A network as it was at one revision.
#[derive(Debug)]
pub struct Snapshot {
    /// The network.
    pub network_id: Id,
    /// Its name.
    pub network: String,
    /// The revision.
    pub revision: i64,
    /// Its devices, ordered by id.
    pub hosts: Vec<HostNode>,
    /// Their ports, ordered by id.
    pub ports: Vec<PortNode>,
    /// The neighbors that ports heard or are pinned to.
    pub seen: Vec<Seen>,
    /// The unknown neighbors, ordered by their index in `seen`.
    pub unresolved: Vec<Unresolved>,
    /// The links between devices.
    pub links: Vec<Link>,
    /// The addresses of devices.
    pub addresses: Vec<Address>,
    /// Its subnets, ordered by id.
    pub subnets: Vec<SubnetNode>,
    /// Its services, ordered by id.
    pub services: Vec<ServiceNode>,
    /// Its groups, ordered by id.
    pub groups: Vec<GroupNode>,
    /// Data computed from the snapshot on first use.
    pub caches: Caches,
}

/// A device.
#[derive(Debug)]
pub struct HostNode {
    /// Its id.
    pub id: Id,
    /// Its name.
    pub name: Box<str>,
}

/// An observation of an unknown neighbor.
#[derive(Debug)]
pub struct Unresolved {
    /// Its index in `seen`.
    pub seen: u32,
    /// The neighbor's strongest identity claim, by which observations are grouped.
    pub claim: Option<Box<str>>,
    /// The announced system name.
    pub sys_name: Option<Box<str>>,
    /// The announced chassis id.
    pub chassis_id: Option<Box<str>>,
    /// The announced management address.
    pub mgmt_addr: Option<Box<str>>,
    /// The announced port id.
    pub port_id: Option<Box<str>>,
}

/// An address of a device in a subnet.
#[derive(Debug)]
pub struct Address {
    /// The id of the interface.
    pub id: Id,
    /// The index of the device.
    pub host: u32,
    /// The index of the subnet.
    pub subnet: u32,
    /// The address as text.
    pub ip: Box<str>,
    /// Its position among the addresses of the device, from 0.
    pub position: i32,
}

/// A subnet.
#[derive(Debug)]
pub struct SubnetNode {
    /// Its id.
    pub id: Id,
    /// Its name.
    pub name: Box<str>,
    /// Its address range.
    pub cidr: Box<str>,
}

/// A service.
#[derive(Debug)]
pub struct ServiceNode {
    /// Its id.
    pub id: Id,
    /// Its name.
    pub name: Box<str>,
    /// The index of the device that runs it.
    pub host: u32,
}

/// A group of services.
#[derive(Debug)]
pub struct GroupNode {
    /// Its id.
    pub id: Id,
    /// Its name.
    pub name: Box<str>,
    /// The meaning of its order.
    pub group_type: GroupType,
    /// The indexes of its bindings' services, in order.
    pub services: Vec<u32>,
}

impl Snapshot {
    /// Returns the index of a device.
    pub fn host(&self, id: Id) -> Option<u32> {
        place(&self.hosts, id, |host| host.id)
    }

    /// Returns the index of a port.
    pub fn port(&self, id: Id) -> Option<u32> {
        place(&self.ports, id, |port| port.id)
    }

    /// Returns the index of a subnet.
    pub fn subnet(&self, id: Id) -> Option<u32> {
        place(&self.subnets, id, |subnet| subnet.id)
    }

    /// Returns the index of a service.
    pub fn service(&self, id: Id) -> Option<u32> {
        place(&self.services, id, |service| service.id)
    }

    /// Returns the id of the device at an index, if there is one.
    pub fn host_id(&self, place: u32) -> Option<Id> {
        self.hosts.get(place as usize).map(|host| host.id)
    }

    /// Returns the id of the port at an index, if there is one.
    pub fn port_id(&self, place: u32) -> Option<Id> {
        self.ports.get(place as usize).map(|port| port.id)
    }

    /// Returns the indexes of a device's links, each once, in order.
    pub fn links_of(&self, host: u32) -> Vec<u32> {
        let around = self.layer(Layer::L2).graph.around(host);
        let mut links: Vec<u32> = around.iter().map(|one| one.edge).collect();
        links.sort_unstable();
        links.dedup();
        links
    }

    /// Returns the indexes of the links that end at the socket of a port, or at the members of an
    /// aggregate, in order.
    pub fn links_at(&self, port: u32) -> Vec<u32> {
        let PortNode { host, socket, .. } = self.ports[port as usize];
        let ends_here = |end: &End| {
            end.port == socket
                || self.ports.get(end.port as usize).is_some_and(|port| port.bundle == socket)
        };
        let mut links = self.links_of(host);
        links.retain(|link| self.links[*link as usize].ends.iter().any(ends_here));
        links
    }

    /// Returns whether two ports are one end of one cable, or one of them may be the aggregate of
    /// the other.
    pub(crate) fn is_same_end(&self, one: u32, other: u32) -> bool {
        one == other
            || match (self.ports.get(one as usize), self.ports.get(other as usize)) {
                (Some(a), Some(b)) => {
                    a.socket == b.socket || a.bundle == b.socket || b.bundle == a.socket
                }
                _ => false,
            }
    }

    /// Returns whether what a port heard is evidence of a link that ends elsewhere on its device.
    pub fn is_evidence_of_link(&self, port: u32) -> bool {
        let links = self.links_of(self.ports[port as usize].host);
        let of_link = |place: u32| {
            links.iter().any(|link| self.links[*link as usize].evidence.contains(&place))
        };
        self.seen_at(port).any(|(place, seen)| seen.counts() && of_link(place))
    }

    /// Returns the aggregates at the ends of a link: the ends themselves, or those that the ports
    /// are members of.
    pub fn aggregates_of(&self, link: &Link) -> [Option<u32>; 2] {
        link.ends.map(|end| cables::aggregate(end, &self.ports))
    }

    /// Returns the neighbors that a port heard or is pinned to, with their indexes.
    pub fn seen_at(&self, port: u32) -> impl Iterator<Item = (u32, &Seen)> + Clone {
        let first = self.seen.partition_point(|seen| seen.port < port);
        let places = u32::try_from(first).unwrap_or(NONE)..;
        places.zip(&self.seen[first..]).take_while(move |(_, seen)| seen.port == port)
    }

    /// Returns whether the known ports of a link are all up; `None` if none of them tells.
    pub fn is_up(&self, link: &Link) -> Option<bool> {
        let known =
            self.ports_of(link).filter_map(|port| match (port.admin_status, port.oper_status) {
                (AdminStatus::Down, _)
                | (_, OperStatus::Down | OperStatus::LowerLayerDown | OperStatus::NotPresent) => {
                    Some(false)
                }
                (_, OperStatus::Up) => Some(true),
                _ => None,
            });
        known.reduce(|one, other| one && other)
    }

    /// Returns the speed of a link in bits per second: the lower of both ports.
    pub fn speed_bps(&self, link: &Link) -> Option<i64> {
        self.ports_of(link).filter_map(|port| port.speed_bps).filter(|speed| *speed > 0).min()
    }

    /// Returns the known ports of a link.
    pub fn ports_of<'s>(&'s self, link: &Link) -> impl Iterator<Item = &'s PortNode> + use<'s> {
        let ends = link.ends;
        ends.into_iter().filter(|end| end.port != NONE).map(|end| &self.ports[end.port as usize])
    }

    /// Returns the id of an edge; it stays the same as long as both ends exist.
    pub fn edge_id(&self, edge: EdgeAt) -> Id {
        match edge {
            EdgeAt::Link(place) => {
                let ends = self.links[place as usize].ends.map(|end| {
                    let port = self.port_id(end.port).unwrap_or(Id::nil());
                    [self.hosts[end.host as usize].id, port]
                });
                digest("link", &ends.concat(), 0)
            }
            EdgeAt::Address(place) => self.addresses[place as usize].id,
            EdgeAt::Step { group, to, .. } => digest("step", &[self.groups[group as usize].id], to),
        }
    }

    /// Estimates the size of the snapshot in octets.
    pub fn size(&self) -> usize {
        self.hosts.len() * 64
            + self.ports.len() * 160
            + self.seen.len() * size_of::<Seen>()
            + self.unresolved.len() * 200
            + self.links.len() * 200
            + self.addresses.len() * 64
            + self.services.len() * 64
    }
}

/// Derives an id from others.
fn digest(kind: &str, ids: &[Id], number: u32) -> Id {
    use sha2::{Digest as _, Sha256};
    let mut digest = Sha256::new();
    digest.update(kind);
    for id in ids {
        digest.update(id.uuid().as_bytes());
    }
    digest.update(number.to_be_bytes());
    let mut octets = [0; 16];
    octets.copy_from_slice(&digest.finalize()[..16]);
    Id::of_octets(octets)
}

/// Returns the index of an id in a slice that is sorted by id.
pub fn place<T>(sorted: &[T], id: Id, id_of: impl Fn(&T) -> Id) -> Option<u32> {
    let found = sorted.binary_search_by_key(&id, id_of).ok()?;
    u32::try_from(found).ok()
}
