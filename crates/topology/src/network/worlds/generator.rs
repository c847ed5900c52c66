//! Random worlds, and what the ports in them hear.

use std::collections::{BTreeMap, HashSet};

use proptest::{prelude::*, sample::select};
use toposcope_types::{
    ChassisIdSubtype, Id, LldpChassisId, LldpPortId, Mac, Method, PortIdSubtype,
};

use crate::resolution::{
    records::{HostFacts, PortFacts},
    sighting::{Heard, Sighting},
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
    /// Nothing that is known.
    Nothing,
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
pub(super) struct Cables {
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
    let named =
        select(vec![Named::Port, Named::Port, Named::Unit, Named::Aggregate, Named::Nothing]);
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

pub(super) fn world() -> impl Strategy<Value = Vec<Cables>> {
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
pub(super) struct Socket {
    pub(super) host: usize,
    pub(super) port: usize,
    pub(super) unit: usize,
    pub(super) aggregate: Option<usize>,
    pub(super) bridge: Option<usize>,
    /// Whether a port or aggregate at either end of the cable hears it and the port at its other
    /// end, or a table alone knows it.
    pub(super) is_certain: bool,
}

#[derive(Default)]
pub(super) struct World {
    pub(super) hosts: Vec<HostFacts>,
    pub(super) ports: Vec<PortFacts>,
    pub(super) sightings: Vec<Sighting>,
    pub(super) tables: Vec<(usize, Mac)>,
    /// The cables that somebody hears.
    heard: Vec<[Socket; 2]>,
    /// The cables whose neighbor is alone in a table.
    learned: Vec<[Socket; 2]>,
}

pub(super) fn id(number: usize) -> Id {
    Id::of_octets((NETWORK + number as u128 + 1).to_be_bytes())
}

fn mac(kind: u8, number: usize) -> Mac {
    let number = u16::try_from(number).unwrap().to_be_bytes();
    format!("02:00:00:{kind:02x}:{:02x}:{:02x}", number[0], number[1]).parse().unwrap()
}

impl World {
    pub(super) fn of(cables: &[Cables]) -> Self {
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
        let hears = |is: fn(Speech) -> bool| bundle.sides.iter().any(|side| is(side.speech));
        let is_heard = hears(|speech| speech != Speech::Silent);
        // A bridge tells nothing of its ports, and so nothing against their tables.
        let speaks =
            |which: usize| !matches!(bundle.sides[which].speech, Speech::Silent | Speech::Bridge);
        let is_named =
            |which: usize| speaks(1 - which) && bundle.sides[which].named != Named::Nothing;
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
                Socket {
                    host,
                    port,
                    unit,
                    aggregate,
                    bridge,
                    is_certain: is_named(0) || is_named(1) || !is_heard,
                }
            }));
        }
        for cable in &sockets {
            for which in [0, 1] {
                self.speak(cable[which], cable[1 - which], bundle.sides, which);
            }
        }
        let mut in_table = vec![false; sockets.len()];
        for which in [0, 1] {
            let Some(stray) = bundle.sides[which].table else { continue };
            for (nth, (cable, seen)) in sockets.iter().zip(&mut in_table).enumerate() {
                let (near, far) = (cable[which], cable[1 - which]);
                // A cable that somebody hears may have any address behind it.
                let lends = nth == 0 && bundle.sides[which].speech == Speech::Bridge;
                let learned = if speaks(which) || is_named(which) || lends {
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
    pub(super) fn known(&self) -> Vec<[Socket; 2]> {
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
            Named::Port => Some(far.port),
            Named::Unit => Some(far.unit),
            Named::Aggregate => Some(far.aggregate.unwrap_or(far.port)),
            Named::Nothing => None,
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
                port: named.map(|named| LldpPortId {
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
}
