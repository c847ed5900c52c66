//! Forwarding tables of sockets that LLDP or CDP explains.
//!
//! A table with one address proves a neighbor only where nothing better is known of the cable: not
//! beside LLDP at a member, a unit or the aggregate, and not where the far side hears this port.

use foldhash::{HashMap, HashSet};
use smallvec::SmallVec;
use toposcope_types::{Id, Method};

use super::{
    if_type,
    records::PortFacts,
    resolved::Resolution,
    sockets::{self, Basis, Interface},
};

/// The sockets of some devices.
#[derive(Debug, Default)]
pub struct Sockets {
    /// The socket of each port that runs over another, and its bundle or else that socket.
    placed: HashMap<Id, [Id; 2]>,
    /// The other ports of each socket or bundle.
    others: HashMap<Id, Vec<Id>>,
    /// The sockets of each bundle.
    members: HashMap<Id, Vec<Id>>,
    /// The socket and the bundle that lend their MAC address to an interface.
    lenders: HashMap<Id, [Id; 2]>,
    /// The ports that are members of a bundle as far as MAC addresses tell.
    likely: HashSet<Id>,
    /// Ports that may have several neighbors at once.
    radios: HashSet<Id>,
}

impl Sockets {
    /// Adds all ports of one device.
    pub fn add(&mut self, ports: &[&PortFacts]) {
        let interfaces: Vec<Interface<'_>> =
            ports.iter().map(|port| Interface::from(*port)).collect();
        let placed = sockets::placements(&interfaces);
        for (port, place) in ports.iter().zip(&placed) {
            if let Some(lender) = place.borrows {
                let lent_by = [lender, placed[lender].root()].map(|at| ports[at].id);
                self.lenders.insert(port.id, lent_by);
            }
            if place.bundle_basis == Some(Basis::Mac) {
                self.likely.insert(port.id);
            }
            if if_type::is_socket(port.if_type) && !if_type::has_one_cable(port.if_type) {
                self.radios.insert(port.id);
            }
            let [socket, root] = [place.socket, place.root()].map(|at| ports[at].id);
            if root != port.id {
                self.placed.insert(port.id, [socket, root]);
                self.others.entry(root).or_default().push(port.id);
                if socket == port.id {
                    self.members.entry(root).or_default().push(port.id);
                }
            }
        }
    }

    fn placed(&self, port: Id) -> [Id; 2] {
        self.placed.get(&port).copied().unwrap_or([port; 2])
    }

    /// Returns all ports of the bundle or socket of a port.
    pub fn beside(&self, port: Id) -> impl Iterator<Item = Id> {
        let [_, root] = self.placed(port);
        std::iter::once(root).chain(self.others.get(&root).into_iter().flatten().copied())
    }
}

/// The devices at the other ends of the cables of one socket or bundle, as LLDP and CDP know them;
/// `None` stands for an unknown one.
type Neighbors = SmallVec<[Option<Id>; 2]>;

/// What LLDP and CDP know of sockets and bundles.
#[derive(Debug)]
pub struct Explained<'s> {
    sockets: &'s Sockets,
    neighbors: HashMap<Id, Neighbors>,
}

impl<'s> Explained<'s> {
    /// Reads resolutions; they must include everything that LLDP and CDP heard on the ports in
    /// question, and of them.
    pub fn by<'r>(
        sockets: &'s Sockets,
        resolutions: impl IntoIterator<Item = &'r Resolution>,
    ) -> Self {
        let mut neighbors: HashMap<Id, Neighbors> = HashMap::default();
        for row in resolutions.into_iter().filter(|row| row.method != Method::Fdb) {
            let mut add = |port, host| {
                // A pin at the port itself is told as a contradiction of its table.
                let own = sockets.placed(port).into_iter();
                let own = own.filter(|of| row.method.is_heard() || *of != port);
                let lenders = sockets.lenders.get(&port).into_iter().flatten().copied();
                for of in own.chain(lenders) {
                    let known = neighbors.entry(of).or_default();
                    if !known.contains(&host) {
                        known.push(host);
                    }
                }
            };
            add(row.if_entry_id, row.far_host_id);
            if let Some(far) = row.far_if_entry_id {
                add(far, Some(row.host_id));
            }
        }
        Self { sockets, neighbors }
    }

    /// Returns whether the forwarding table behind a resolution proves nothing, since LLDP or CDP
    /// knows another neighbor at either end. A bundle may end at two switches, so at the far end
    /// each of its cables must be known to lead elsewhere.
    pub fn supersedes(&self, row: &Resolution) -> bool {
        if row.method != Method::Fdb || row.far_host_id.is_none() {
            return false;
        }
        let [socket, root] = self.sockets.placed(row.if_entry_id);
        let root = if self.sockets.likely.contains(&row.if_entry_id) { socket } else { root };
        let near = !self.sockets.radios.contains(&row.if_entry_id)
            && self.leads_elsewhere(root, row.far_host_id);
        let far = || {
            row.far_if_entry_id.filter(|far| !self.sockets.radios.contains(far)).is_some_and(
                |far| {
                    let [socket, _] = self.sockets.placed(far);
                    let here = Some(row.host_id);
                    match self.sockets.members.get(&socket) {
                        Some(members) => members.iter().all(|one| self.leads_elsewhere(*one, here)),
                        None => self.leads_elsewhere(socket, here),
                    }
                },
            )
        };
        near || far()
    }

    /// Returns whether a socket or bundle has a known neighbor, and not this one.
    fn leads_elsewhere(&self, of: Id, host: Option<Id>) -> bool {
        self.neighbors.get(&of).is_some_and(|neighbors| !neighbors.contains(&host))
    }
}
