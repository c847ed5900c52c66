//! The sockets of a device: which of its interfaces are one end of one cable.
//!
//! A subinterface, a logical unit and a VLAN interface that borrows a MAC address have no socket of
//! their own, and an aggregate is a bundle of sockets. What people or agents recorded decides; where
//! they recorded nothing, names and MAC addresses tell, and the basis is kept with the answer.

use std::collections::{BTreeMap, HashMap, HashSet};

use toposcope_types::Mac;

use super::{if_type, normalize, records::PortFacts};

/// An interface, reduced to what tells which socket it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Interface<'p> {
    /// Its number within the device (ifIndex, RFC 2863).
    pub if_index: i32,
    /// The name that people know it by: ifName, or else ifDescr (RFC 2863).
    pub name: &'p str,
    /// Its type (IANA ifType).
    pub if_type: i32,
    /// Its MAC address.
    pub mac_address: Option<Mac>,
    /// The ifIndex of the aggregate that it is a member of.
    pub lag_if_index: Option<i32>,
    /// The ifIndex of the interface that it runs over.
    pub parent_if_index: Option<i32>,
}

impl<'p> From<&'p PortFacts> for Interface<'p> {
    fn from(port: &'p PortFacts) -> Self {
        Self {
            if_index: port.if_index,
            name: port.label(),
            if_type: port.if_type,
            mac_address: port.mac_address,
            lag_if_index: port.lag_if_index,
            parent_if_index: port.parent_if_index,
        }
    }
}

/// The evidence that an interface belongs to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// It was recorded.
    Recorded,
    /// Its name is that of the other with `.` and a number behind it.
    Name,
    /// Both have one MAC address.
    Mac,
}

/// The place of an interface within its device, by positions in the list of its interfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The interface whose socket it belongs to: itself, unless it runs over another one.
    pub socket: usize,
    /// The evidence that it runs over that one.
    pub basis: Option<Basis>,
    /// The socket or aggregate that it probably runs over, since it borrows that one's MAC address.
    pub borrows: Option<usize>,
    /// The aggregate that its socket is a member of.
    pub bundle: Option<usize>,
    /// The evidence that it is a member.
    pub bundle_basis: Option<Basis>,
}

impl Placement {
    const fn alone(at: usize) -> Self {
        Self { socket: at, basis: None, borrows: None, bundle: None, bundle_basis: None }
    }

    /// Returns the interface that stands for everything that one neighbor may be behind: the
    /// aggregate, or else the socket.
    pub fn root(&self) -> usize {
        self.bundle.unwrap_or(self.socket)
    }
}

/// The longest chain of interfaces that run over each other: a unit of an aggregate of units.
const MAX_DEPTH: usize = 8;

/// Places each interface of a device.
pub fn placements(interfaces: &[Interface<'_>]) -> Vec<Placement> {
    let mut placed: Vec<Placement> = (0..interfaces.len()).map(Placement::alone).collect();
    // Most devices have nothing but plain ports.
    if interfaces.iter().all(is_plain) {
        return placed;
    }
    let by_index: HashMap<i32, usize> =
        interfaces.iter().enumerate().map(|(at, one)| (one.if_index, at)).collect();
    let below = below(interfaces, &by_index);
    for (at, place) in placed.iter_mut().enumerate() {
        let Some((mut socket, basis)) = below[at] else { continue };
        let mut depth = 1;
        while let Some((next, _)) = below[socket].filter(|_| depth <= MAX_DEPTH) {
            (socket, depth) = (next, depth + 1);
        }
        // A chain that does not end says nothing.
        if depth <= MAX_DEPTH {
            (place.socket, place.basis) = (socket, Some(basis));
        }
    }
    record_bundles(interfaces, &by_index, &mut placed);
    compare_macs(interfaces, &mut placed);
    for at in 0..placed.len() {
        let socket = placed[at].socket;
        if socket != at && placed[at].bundle.is_none() {
            let Placement { bundle, bundle_basis, .. } = placed[socket];
            (placed[at].bundle, placed[at].bundle_basis) = (bundle, bundle_basis);
        }
    }
    placed
}

fn is_plain(one: &Interface<'_>) -> bool {
    one.lag_if_index.is_none()
        && one.parent_if_index.is_none()
        && if_type::is_socket(one.if_type)
        && without_number(one.name).is_none()
}

/// Returns the name before the last `.` if a number follows it.
fn without_number(name: &str) -> Option<&str> {
    let (base, number) = name.trim().rsplit_once('.')?;
    let is_number = !number.is_empty() && number.bytes().all(|one| one.is_ascii_digit());
    (is_number && base.bytes().any(|one| one.is_ascii_alphanumeric())).then_some(base)
}

/// Returns the interface that each one runs over directly, as recorded or as its name tells.
fn below(
    interfaces: &[Interface<'_>],
    by_index: &HashMap<i32, usize>,
) -> Vec<Option<(usize, Basis)>> {
    // An interface by its name, unless several have it.
    let mut named: HashMap<String, Option<usize>> = HashMap::new();
    for (at, one) in interfaces.iter().enumerate() {
        let found = named.entry(normalize::interface(one.name)).or_insert(Some(at));
        if *found != Some(at) {
            *found = None;
        }
    }
    let below = |(at, one): (usize, &Interface<'_>)| {
        let recorded = one.parent_if_index.and_then(|index| by_index.get(&index).copied());
        if let Some(parent) = recorded.filter(|parent| *parent != at) {
            let base = &interfaces[parent];
            return is_part_of(one, base).then_some((parent, Basis::Recorded));
        }
        let mut name = without_number(one.name)?;
        let base = loop {
            match named.get(&normalize::interface(name)) {
                Some(found) => break *found,
                None => name = without_number(name)?,
            }
        };
        base.filter(|base| *base != at && may_run_over(one, &interfaces[*base]))
            .map(|base| (base, Basis::Name))
    };
    interfaces.iter().enumerate().map(below).collect()
}

/// Returns whether an interface that is recorded above another is a part of it. A port is not: the
/// bridge or the aggregate above it is recorded so, too, and so are channels of one module.
fn is_part_of(one: &Interface<'_>, base: &Interface<'_>) -> bool {
    let extends = || without_number(one.name).map(normalize::interface);
    !if_type::is_socket(one.if_type)
        || (if_type::is_socket(base.if_type)
            && (extends() == Some(normalize::interface(base.name))
                || (one.mac_address.is_some() && one.mac_address == base.mac_address)))
}

/// Returns whether an interface whose name extends that of another may be a part of it, rather than
/// a port with a name of its own.
fn may_run_over(one: &Interface<'_>, base: &Interface<'_>) -> bool {
    if !if_type::is_socket(one.if_type) {
        return true;
    }
    // Some agents report VLAN interfaces as Ethernet.
    match (one.mac_address, base.mac_address) {
        (Some(own), Some(other)) => own == other,
        _ => one.name.bytes().any(|letter| letter.is_ascii_alphabetic()),
    }
}

/// Adds the recorded members of aggregates; a member may be recorded as one of its units. Of several
/// records the port's own counts, then that of the lowest ifIndex; an aggregate is no member.
fn record_bundles(
    interfaces: &[Interface<'_>],
    by_index: &HashMap<i32, usize>,
    placed: &mut [Placement],
) {
    let mut claims: BTreeMap<usize, (bool, i32, usize)> = BTreeMap::new();
    for (at, one) in interfaces.iter().enumerate() {
        let find = |index: i32| by_index.get(&index).copied();
        // A port that is recorded above an aggregate is a member of it.
        let parent = one.parent_if_index.filter(|_| if_type::is_socket(one.if_type));
        let parent = parent.and_then(find);
        let parent = parent.filter(|at| if_type::is_aggregate(interfaces[*at].if_type));
        let Some(aggregate) = one.lag_if_index.and_then(find).or(parent) else { continue };
        let (member, aggregate) = (placed[at].socket, placed[aggregate].socket);
        if member != aggregate {
            let claim = (member != at, one.if_index, aggregate);
            let known = claims.entry(member).or_insert(claim);
            *known = claim.min(*known);
        }
    }
    let aggregates: HashSet<usize> = claims.values().map(|claim| claim.2).collect();
    for (member, (_, _, aggregate)) in claims {
        if !aggregates.contains(&member) {
            placed[member].bundle = Some(aggregate);
            placed[member].bundle_basis = Some(Basis::Recorded);
        }
    }
}

/// The maximum number of sockets that are taken for the members of an aggregate because they share
/// its MAC address, where others do not; many switches have one address for all of their ports.
const MAX_MEMBERS: usize = 8;

/// The same where every socket of the device shares the address.
const MAX_ALIKE: usize = 4;

/// Adds what MAC addresses tell: the members of an aggregate whose address they share, and the
/// socket or aggregate whose address a virtual interface borrows. An address that several of them
/// have tells nothing.
fn compare_macs(interfaces: &[Interface<'_>], placed: &mut [Placement]) {
    let all = interfaces.iter().filter(|one| if_type::is_socket(one.if_type)).count();
    let mut by_mac: HashMap<Mac, Vec<usize>> = HashMap::new();
    for (at, one) in interfaces.iter().enumerate().filter(|(at, _)| placed[*at].socket == *at) {
        if let Some(mac) = one.mac_address.filter(|mac| mac.is_identity()) {
            by_mac.entry(mac).or_default().push(at);
        }
    }
    for with_mac in by_mac.into_values().filter(|with_mac| with_mac.len() > 1) {
        let of = |is: fn(i32) -> bool| -> Vec<usize> {
            with_mac.iter().copied().filter(|at| is(interfaces[*at].if_type)).collect()
        };
        let (sockets, aggregates) = (of(if_type::is_socket), of(if_type::is_aggregate));
        if let [aggregate] = aggregates[..] {
            let is_recorded = placed.iter().any(|one| {
                one.bundle == Some(aggregate) && one.bundle_basis == Some(Basis::Recorded)
            });
            let most = if sockets.len() == all { MAX_ALIKE } else { MAX_MEMBERS };
            let are_members = !is_recorded && sockets.len() <= most;
            for socket in sockets.iter().filter(|_| are_members) {
                if placed[*socket].bundle.is_none() {
                    placed[*socket].bundle = Some(aggregate);
                    placed[*socket].bundle_basis = Some(Basis::Mac);
                }
            }
        }
        let lender = match (&aggregates[..], &sockets[..]) {
            ([aggregate], _) => *aggregate,
            ([], [socket]) => *socket,
            _ => continue,
        };
        for at in of(if_type::is_virtual) {
            placed[at].borrows = Some(lender);
        }
    }
}

#[cfg(test)]
mod tests;
