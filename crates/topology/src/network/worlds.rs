//! Worlds of cables whose truth is known: aggregates, units, subinterfaces, bridges and tables, held
//! against what is made of everything that their ports hear.

use std::collections::{BTreeMap, HashSet};

use proptest::{prelude::*, sample::select};
use toposcope_types::{
    AdminStatus, ChassisIdSubtype, Id, LldpChassisId, LldpPortId, Mac, Method, OperStatus,
    PortIdSubtype,
};

use super::{
    PortKind, PortNode,
    links::{End, Link, NONE, Seen, links},
};
use crate::resolution::{
    forwarding_table,
    identity_index::IdentityIndex,
    if_type, meet,
    records::{HostFacts, PortFacts},
    resolve,
    resolved::Resolution,
    sighting::{Heard, Sighting},
    sockets::{Interface, placements},
    superseded::{Explained, Sockets},
};

const NETWORK: u128 = 1 << 100;

/// What one side of a cable does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speech {
    /// It hears nothing.
    Silent,
    /// The port hears.
    Port,
    /// Its logical unit or subinterface hears.
    Unit,
    /// Both hear the same neighbor.
    Both,
    /// The aggregate hears, if there is one; else the port.
    Aggregate,
    /// A bridge hears that has the MAC address of the first of the ports.
    Bridge,
}

/// What a neighbor calls its port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Port,
    Unit,
    Aggregate,
}

/// How the members of an aggregate are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Membership {
    /// Each port is recorded as a member.
    Port,
    /// The unit of each port is.
    Unit,
    /// The ports have the MAC address of the aggregate.
    Mac,
}

/// One side of some parallel cables.
#[derive(Clone, Copy, Debug)]
struct Side {
    speech: Speech,
    named: Named,
    /// How the ports are members of an aggregate, if they are.
    bundled: Option<Membership>,
    /// Whether `parent` says what a unit runs over, and not its name alone.
    is_recorded: bool,
    /// Whether the forwarding table of the port or the aggregate has one address: that of this
    /// device if the cable is heard, and that of the neighbor if not.
    table: Option<usize>,
}

/// Parallel cables between two devices.
#[derive(Clone, Debug)]
struct Cables {
    hosts: [usize; 2],
    /// The device at the other end of every second cable, if the first side has an aggregate that
    /// ends at two switches.
    peer: Option<usize>,
    count: usize,
    sides: [Side; 2],
}

fn side() -> impl Strategy<Value = Side> {
    let speech = select(vec![
        Speech::Silent,
        Speech::Port,
        Speech::Port,
        Speech::Unit,
        Speech::Both,
        Speech::Aggregate,
        Speech::Bridge,
    ]);
    let named = select(vec![Named::Port, Named::Port, Named::Unit, Named::Aggregate]);
    let bundled =
        prop::option::of(select(vec![Membership::Port, Membership::Unit, Membership::Mac]));
    (speech, named, bundled, any::<bool>(), prop::option::of(0..6_usize)).prop_map(
        |(speech, named, bundled, is_recorded, table)| Side {
            speech,
            named,
            bundled,
            is_recorded,
            table,
        },
    )
}

fn world() -> impl Strategy<Value = Vec<Cables>> {
    let hosts = (0..6_usize, 0..6_usize, prop::option::weighted(0.3, 0..6_usize));
    let cables = (hosts, 1..4_usize, [side(), side()]).prop_filter_map(
        "a cable to itself",
        |((one, other, peer), count, sides)| {
            let peer = peer.filter(|peer| *peer != one && sides[0].bundled.is_some());
            (one != other).then_some(Cables { hosts: [one, other], peer, count, sides })
        },
    );
    prop::collection::vec(cables, 1..7)
}

/// A socket of a cable: its host, and the port, unit and aggregate by their positions.
#[derive(Clone, Copy, Debug)]
struct Socket {
    host: usize,
    port: usize,
    unit: usize,
    aggregate: Option<usize>,
    bridge: Option<usize>,
}

#[derive(Default)]
struct World {
    hosts: Vec<HostFacts>,
    ports: Vec<PortFacts>,
    sightings: Vec<Sighting>,
    tables: Vec<(usize, Mac)>,
    /// The cables that somebody hears.
    heard: Vec<[Socket; 2]>,
    /// The cables whose neighbor is alone in a table.
    learned: Vec<[Socket; 2]>,
}

fn id(number: usize) -> Id {
    Id::of_octets((NETWORK + number as u128 + 1).to_be_bytes())
}

fn mac(kind: u8, number: usize) -> Mac {
    let number = u16::try_from(number).unwrap().to_be_bytes();
    format!("02:00:00:{kind:02x}:{:02x}:{:02x}", number[0], number[1]).parse().unwrap()
}

impl World {
    fn of(cables: &[Cables]) -> Self {
        let mut world = Self::default();
        for host in 0..6 {
            world.hosts.push(HostFacts {
                id: id(host),
                name: format!("h{host}"),
                hostname: None,
                sys_name: None,
                chassis_id: Some(mac(1, host).to_string()),
                management_address: None,
                management_url: None,
            });
        }
        for (nth, bundle) in cables.iter().enumerate() {
            world.add(nth, bundle);
        }
        world
    }

    fn port(&mut self, host: usize, name: String, if_type: i32) -> usize {
        let at = self.ports.len();
        self.ports.push(PortFacts {
            id: id(100 + at),
            host_id: id(host),
            if_index: i32::try_from(at + 1).unwrap(),
            if_descr: name,
            if_name: None,
            if_alias: None,
            if_type,
            mac_address: Some(mac(2, at)),
            interface_id: None,
            lag_if_index: None,
            parent_if_index: None,
        });
        at
    }

    fn add(&mut self, nth: usize, bundle: &Cables) {
        let mut sockets: Vec<[Socket; 2]> = Vec::new();
        let mut aggregates: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut bridges: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for cable in 0..bundle.count {
            let peer = bundle.peer.filter(|_| cable % 2 == 1).unwrap_or(bundle.hosts[1]);
            sockets.push([0, 1].map(|which| {
                let (host, side) = ([bundle.hosts[0], peer][which], bundle.sides[which]);
                let port = self.port(host, format!("xe-{nth}/{cable}"), 6);
                let unit = self.port(host, format!("xe-{nth}/{cable}.{}", nth * 5), 53);
                let of_port = self.ports[port].if_index;
                let aggregate = side.bundled.map(|_| {
                    *aggregates
                        .entry((which, host))
                        .or_insert_with(|| self.port(host, format!("ae{nth}"), 161))
                });
                if let (Some(aggregate), Some(membership)) = (aggregate, side.bundled) {
                    let of_aggregate = Some(self.ports[aggregate].if_index);
                    match membership {
                        Membership::Port => self.ports[port].lag_if_index = of_aggregate,
                        Membership::Unit => self.ports[unit].lag_if_index = of_aggregate,
                        Membership::Mac => {
                            self.ports[port].mac_address = self.ports[aggregate].mac_address;
                        }
                    }
                }
                self.ports[unit].mac_address = self.ports[port].mac_address;
                self.ports[unit].parent_if_index = side.is_recorded.then_some(of_port);
                let mac = self.ports[port].mac_address;
                let bridge = (side.speech == Speech::Bridge).then(|| {
                    *bridges.entry((which, host)).or_insert_with(|| {
                        let bridge = self.port(host, format!("br{nth}"), 209);
                        self.ports[bridge].mac_address = mac;
                        bridge
                    })
                });
                Socket { host, port, unit, aggregate, bridge }
            }));
        }
        let hears = |is: fn(Speech) -> bool| bundle.sides.iter().any(|side| is(side.speech));
        let is_heard = hears(|speech| speech != Speech::Silent);
        // A bridge tells nothing of its ports, and so nothing against their tables.
        let at_ports = hears(|speech| !matches!(speech, Speech::Silent | Speech::Bridge));
        for cable in &sockets {
            for which in [0, 1] {
                self.speak(cable[which], cable[1 - which], bundle.sides, which);
            }
        }
        let mut in_table = vec![false; sockets.len()];
        for which in [0, 1] {
            let Some(stray) = bundle.sides[which].table else { continue };
            for (cable, seen) in sockets.iter().zip(&mut in_table) {
                let (near, far) = (cable[which], cable[1 - which]);
                // A cable that somebody hears may have any address behind it.
                let learned = if at_ports {
                    mac(2, stray * 3 % self.ports.len())
                } else if is_heard {
                    continue;
                } else if near.aggregate.is_none() && far.aggregate.is_none() {
                    *seen = true;
                    self.ports[far.port].mac_address.unwrap()
                } else {
                    continue;
                };
                self.tables.push((near.aggregate.unwrap_or(near.port), learned));
            }
        }
        for (cable, seen) in sockets.into_iter().zip(in_table) {
            if is_heard {
                self.heard.push(cable);
            } else if seen {
                self.learned.push(cable);
            }
        }
    }

    /// Returns the cables that can be known: a table between devices that are joined already is
    /// more evidence, and no other cable.
    fn known(&self) -> Vec<[Socket; 2]> {
        let pair = |cable: &[Socket; 2]| {
            let [one, other] = cable.map(|socket| socket.host);
            (one.min(other), one.max(other))
        };
        let joined: HashSet<(usize, usize)> = self.heard.iter().map(pair).collect();
        let learned = self.learned.iter().filter(|cable| !joined.contains(&pair(cable)));
        self.heard.iter().chain(learned).copied().collect()
    }

    fn speak(&mut self, near: Socket, far: Socket, sides: [Side; 2], which: usize) {
        let named = match sides[1 - which].named {
            Named::Port => far.port,
            Named::Unit => far.unit,
            Named::Aggregate => far.aggregate.unwrap_or(far.port),
        };
        let hearing = match sides[which].speech {
            Speech::Silent => vec![],
            Speech::Port => vec![near.port],
            Speech::Unit => vec![near.unit],
            Speech::Both => vec![near.port, near.unit],
            Speech::Aggregate => vec![near.aggregate.unwrap_or(near.port)],
            Speech::Bridge => near.bridge.into_iter().collect(),
        };
        for port in hearing {
            let heard = Heard {
                chassis: Some(LldpChassisId {
                    subtype: ChassisIdSubtype::MacAddress,
                    value: mac(1, far.host).to_string(),
                }),
                port: Some(LldpPortId {
                    subtype: PortIdSubtype::InterfaceName,
                    value: self.ports[named].if_descr.clone(),
                }),
                ..Heard::default()
            };
            let before = self.sightings.iter().filter(|one| one.if_entry_id == self.ports[port].id);
            let position = i32::try_from(before.count()).unwrap();
            self.sightings.push(Sighting {
                id: id(10_000 + self.sightings.len()),
                if_entry_id: self.ports[port].id,
                host_id: id(near.host),
                method: Method::Lldp,
                position,
                heard,
                pin: None,
            });
        }
    }

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
            assert!(if_type::is_socket(6));
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

    fn links(&self) -> (Vec<Link>, Vec<PortNode>) {
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

/// Returns whether an end may be a socket: it is the socket, its aggregate, the bridge that has
/// its MAC address, or unknown.
fn fits(end: End, socket: Socket) -> bool {
    let ports = [Some(socket.port), socket.aggregate, socket.bridge];
    end.host as usize == socket.host
        && (end.port == NONE || ports.contains(&Some(end.port as usize)))
}

fn fit(link: &Link, [one, other]: [Socket; 2]) -> bool {
    let [a, b] = link.ends;
    (fits(a, one) && fits(b, other)) || (fits(a, other) && fits(b, one))
}

/// Returns the number of cables for which a different link can be found, the most that there are.
fn matched(cables: &[[Socket; 2]], links: &[&Link]) -> usize {
    fn place(
        cable: usize,
        fitting: &[Vec<usize>],
        seen: &mut HashSet<usize>,
        of_link: &mut BTreeMap<usize, usize>,
    ) -> bool {
        fitting[cable].iter().any(|link| {
            seen.insert(*link)
                && of_link
                    .get(link)
                    .copied()
                    .is_none_or(|other| place(other, fitting, seen, of_link))
                && {
                    of_link.insert(*link, cable);
                    true
                }
        })
    }
    let fitting: Vec<Vec<usize>> = (cables.iter())
        .map(|cable| (0..links.len()).filter(|link| fit(links[*link], *cable)).collect())
        .collect();
    let mut of_link = BTreeMap::new();
    (0..cables.len())
        .filter(|cable| place(*cable, &fitting, &mut HashSet::new(), &mut of_link))
        .count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn no_cable_is_lost_and_none_is_made_up(cables in world()) {
        let world = World::of(&cables);
        let (links, ports) = world.links();
        let known = world.known();
        let told: Vec<String> = links
            .iter()
            .map(|link| {
                let end = |end: End| match ports.get(end.port as usize) {
                    Some(port) => format!("h{}:{}", end.host, port.name),
                    None => format!("h{}", end.host),
                };
                let [a, b] = link.ends.map(end);
                format!("{a} -- {b} {:?} proven {}", link.method, link.is_proven)
            })
            .collect();
        for (link, told) in links.iter().zip(&told) {
            let is_true = known.iter().any(|cable| fit(link, *cable));
            prop_assert!(is_true, "a phantom: {told}\n{told:#?}");
        }
        let proven: Vec<&Link> = links.iter().filter(|link| link.is_proven).collect();
        let found = matched(&known, &proven);
        prop_assert_eq!(found, proven.len(), "more links than cables: {:#?}", told);
        // Of cables that only aggregates tell of, one link stands for all of them.
        let single = known.iter().filter(|cable| {
            proven.iter().all(|link| !fit(link, **cable))
        });
        prop_assert_eq!(single.count(), 0, "lost: {:#?}", told);
    }
}
