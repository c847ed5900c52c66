//! A network as a graph in memory, at one revision: what every answer about topology is read from.

pub mod caches;
pub mod impact;
pub mod layered;
pub mod layers;
pub mod links;
pub mod neighborhood;
pub mod unresolved;

use toposcope_types::{AdminStatus, GroupType, Id, Layer, OperStatus};

use self::{
    caches::Caches,
    layers::EdgeAt,
    links::{Link, NONE, Seen},
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
    /// Its devices, in the order of ids.
    pub hosts: Vec<HostNode>,
    /// Their ports, in the order of ids.
    pub ports: Vec<PortNode>,
    /// What ports heard or were pinned to.
    pub seen: Vec<Seen>,
    /// Who was heard and is not known, by place in `seen`, in that order.
    pub unresolved: Vec<Unresolved>,
    /// The links between devices.
    pub links: Vec<Link>,
    /// The addresses of devices.
    pub addresses: Vec<Address>,
    /// Its subnets, in the order of ids.
    pub subnets: Vec<SubnetNode>,
    /// Its services, in the order of ids.
    pub services: Vec<ServiceNode>,
    /// Its groups, in the order of ids.
    pub groups: Vec<GroupNode>,
    /// What is worked out from it when it is asked for.
    pub caches: Caches,
}

/// A device.
#[derive(Debug)]
pub struct HostNode {
    /// Its id.
    pub id: Id,
    /// What people call it.
    pub name: Box<str>,
}

/// A port.
#[derive(Debug)]
pub struct PortNode {
    /// Its id.
    pub id: Id,
    /// The place of its device.
    pub host: u32,
    /// What it is called.
    pub name: Box<str>,
    /// Its speed in bits per second.
    pub speed_bps: Option<i64>,
    /// What the operator wants.
    pub admin_status: AdminStatus,
    /// What is the case.
    pub oper_status: OperStatus,
    /// Whether it is a socket for one cable: neither logical, nor wireless, nor a link aggregation
    /// group.
    pub has_one_cable: bool,
    /// Whether it is a link aggregation group.
    pub is_aggregate: bool,
}

/// Somebody who was heard and is not known.
#[derive(Debug)]
pub struct Unresolved {
    /// The place of what was seen.
    pub seen: u32,
    /// Who it claims to be, by the strongest claim: what groups it with others.
    pub claim: Option<Box<str>>,
    /// How it calls itself.
    pub sys_name: Option<Box<str>>,
    /// How it identifies itself.
    pub chassis_id: Option<Box<str>>,
    /// The address by which it is managed.
    pub mgmt_addr: Option<Box<str>>,
    /// How it calls its port.
    pub port_id: Option<Box<str>>,
}

/// An address of a device in a subnet.
#[derive(Debug)]
pub struct Address {
    /// The id of the interface.
    pub id: Id,
    /// The place of the device.
    pub host: u32,
    /// The place of the subnet.
    pub subnet: u32,
    /// The address as text.
    pub ip: Box<str>,
    /// Its place among those of the device, from 0.
    pub position: i32,
}

/// A subnet.
#[derive(Debug)]
pub struct SubnetNode {
    /// Its id.
    pub id: Id,
    /// What people call it.
    pub name: Box<str>,
    /// Its addresses.
    pub cidr: Box<str>,
}

/// A service.
#[derive(Debug)]
pub struct ServiceNode {
    /// Its id.
    pub id: Id,
    /// What people call it.
    pub name: Box<str>,
    /// The place of the device that runs it.
    pub host: u32,
}

/// A group of services.
#[derive(Debug)]
pub struct GroupNode {
    /// Its id.
    pub id: Id,
    /// What people call it.
    pub name: Box<str>,
    /// What its order means.
    pub group_type: GroupType,
    /// The places of the services of its bindings, in order.
    pub services: Vec<u32>,
}

impl Snapshot {
    /// The place of a device.
    pub fn host(&self, id: Id) -> Option<u32> {
        place(&self.hosts, id, |host| host.id)
    }

    /// The place of a port.
    pub fn port(&self, id: Id) -> Option<u32> {
        place(&self.ports, id, |port| port.id)
    }

    /// The place of a subnet.
    pub fn subnet(&self, id: Id) -> Option<u32> {
        place(&self.subnets, id, |subnet| subnet.id)
    }

    /// The place of a service.
    pub fn service(&self, id: Id) -> Option<u32> {
        place(&self.services, id, |service| service.id)
    }

    /// The id of the device at a place, if there is one.
    pub fn host_id(&self, place: u32) -> Option<Id> {
        self.hosts.get(place as usize).map(|host| host.id)
    }

    /// The id of the port at a place, if there is one.
    pub fn port_id(&self, place: u32) -> Option<Id> {
        self.ports.get(place as usize).map(|port| port.id)
    }

    /// The places of the links of a device, each once, in order.
    pub fn links_of(&self, host: u32) -> Vec<u32> {
        let around = self.layer(Layer::L2).graph.around(host);
        let mut links: Vec<u32> = around.iter().map(|one| one.edge).collect();
        links.sort_unstable();
        links.dedup();
        links
    }

    /// The places of the links that end at a port, in order.
    pub fn links_at(&self, port: u32) -> Vec<u32> {
        let mut links = self.links_of(self.ports[port as usize].host);
        links.retain(|link| self.links[*link as usize].ends.iter().any(|end| end.port == port));
        links
    }

    /// What a port heard or was pinned to, with its places.
    pub fn seen_at(&self, port: u32) -> impl Iterator<Item = (u32, &Seen)> + Clone {
        let first = self.seen.partition_point(|seen| seen.port < port);
        let places = u32::try_from(first).unwrap_or(NONE)..;
        places.zip(&self.seen[first..]).take_while(move |(_, seen)| seen.port == port)
    }

    /// Whether a link works: both ports, as far as they are known; `None` where none says.
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

    /// The speed of a link in bits per second: the lower of both ports.
    pub fn speed_bps(&self, link: &Link) -> Option<i64> {
        self.ports_of(link).filter_map(|port| port.speed_bps).filter(|speed| *speed > 0).min()
    }

    /// The ports of a link that are known.
    pub fn ports_of<'s>(&'s self, link: &Link) -> impl Iterator<Item = &'s PortNode> + use<'s> {
        let ends = link.ends;
        ends.into_iter().filter(|end| end.port != NONE).map(|end| &self.ports[end.port as usize])
    }

    /// The id of what joins two; it stays as long as both ends do.
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

    /// Roughly how many octets it takes.
    pub fn size(&self) -> usize {
        self.hosts.len() * 64
            + self.ports.len() * 96
            + self.seen.len() * size_of::<Seen>()
            + self.unresolved.len() * 200
            + self.links.len() * 200
            + self.addresses.len() * 64
            + self.services.len() * 64
    }
}

/// An id that follows from others.
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

/// The place of an id among things in the order of ids.
pub fn place<T>(sorted: &[T], id: Id, id_of: impl Fn(&T) -> Id) -> Option<u32> {
    let found = sorted.binary_search_by_key(&id, id_of).ok()?;
    u32::try_from(found).ok()
}
