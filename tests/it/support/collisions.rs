//! Writes upon small networks in which everything collides: few names, few addresses.

use std::ops::Range;

use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};

use crate::support::{bodies::with, wiring::port};

pub(crate) const NAMES: [&str; 8] =
    ["sw1", "SW1", "sw1.lan", "sw2", "10.0.0.2", "sw1(A)", "sw1(B)", "sw1.lan(A)"];
const MACS: [&str; 4] =
    ["02:00:00:00:00:01", "02:00:00:00:00:02", "02:00:00:00:00:03", "00:00:5E:00:01:01"];
const ADDRESSES: [&str; 4] = ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.1.1"];
const PORTS: [&str; 7] =
    ["Gi0/1", "Gi0/2", "GigabitEthernet0/1", "Gi0/1.7", "1", "br0/eth1", "eth1"];

pub(crate) const HOSTS: Range<usize> = 0..6;
pub(crate) const INTERFACES: Range<usize> = 0..5;
pub(crate) const ENTRIES: Range<usize> = 0..8;

/// A write; things are named by their slots.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    /// Makes a host in one of two networks, or replaces it where it is.
    Host(usize, usize, Value),
    Interface(usize, usize, Value),
    /// Makes an entry on a host, or replaces it, if need be from another host or network.
    Entry(usize, usize, EntryFacts),
    /// Gives an entry other numbers of an aggregate and a parent, and nothing else.
    Reshape(usize, [Value; 2]),
    DropHost(usize),
    DropInterface(usize),
    DropEntry(usize),
    DropEntries(Vec<usize>),
    DropHosts(Vec<usize>),
    Consolidate(usize, usize),
    /// Teaches that what an entry hears is a host, or a port of it.
    Teach(usize, usize, Option<usize>),
    Forget(usize),
    Import(usize, Vec<(&'static str, Value, Vec<Value>)>),
}

/// The facts of an entry, and the things that it refers to.
#[derive(Clone, Debug)]
pub(crate) struct EntryFacts {
    pub(crate) says: Value,
    pub(crate) interface: Option<usize>,
    /// The host or entry that it is pinned to.
    pub(crate) pin: Option<(bool, usize)>,
}

fn maybe<S: Strategy<Value = Value> + 'static>(
    likely: f64,
    value: S,
) -> impl Strategy<Value = Value> + Clone {
    prop::option::weighted(likely, value).prop_map(|value| value.unwrap_or(Value::Null)).boxed()
}

fn one_of<const N: usize>(texts: [&'static str; N]) -> impl Strategy<Value = Value> + Clone {
    select(texts.to_vec()).prop_map(Value::from)
}

/// Generates the LLDP ids of devices.
fn chassis() -> impl Strategy<Value = Value> + Clone {
    let of = |subtype: &'static str, value: BoxedStrategy<Value>| {
        value.prop_map(move |value| json!({ "subtype": subtype, "value": value }))
    };
    prop_oneof![
        of("MacAddress", one_of(MACS).boxed()),
        of("NetworkAddress", one_of(ADDRESSES).boxed()),
        of("LocallyAssigned", prop_oneof![one_of(NAMES), one_of(MACS)].boxed()),
    ]
    .boxed()
}

fn port_id() -> impl Strategy<Value = Value> + Clone {
    let of = |subtype: &'static str, value: BoxedStrategy<Value>| {
        value.prop_map(move |value| json!({ "subtype": subtype, "value": value }))
    };
    prop_oneof![
        4 => of("InterfaceName", one_of(PORTS).boxed()),
        1 => of("MacAddress", one_of(MACS).boxed()),
        1 => of("NetworkAddress", one_of(ADDRESSES).boxed()),
        1 => of("LocallyAssigned", prop_oneof![one_of(["1", "2", "none"]), one_of(MACS)].boxed()),
    ]
    .boxed()
}

/// Generates what a host says of itself, but for its name.
pub(crate) fn host_facts() -> impl Strategy<Value = Value> + Clone {
    let chassis_id = prop_oneof![one_of(MACS), one_of(NAMES), one_of(ADDRESSES)];
    (
        maybe(0.3, one_of(NAMES)),
        maybe(0.3, one_of(NAMES)),
        maybe(0.3, chassis_id),
        maybe(0.2, one_of(ADDRESSES)),
    )
        .prop_map(|(hostname, sys_name, chassis_id, address)| {
            json!({ "hostname": hostname, "sys_name": sys_name, "chassis_id": chassis_id,
                "management_address": address })
        })
        .boxed()
}

pub(crate) fn interface_facts() -> impl Strategy<Value = Value> + Clone {
    (one_of(ADDRESSES), maybe(0.6, one_of(MACS)))
        .prop_map(|(address, mac)| json!({ "ip_address": address, "mac_address": mac }))
        .boxed()
}

fn heard() -> impl Strategy<Value = Value> + Clone {
    let lldp = (
        maybe(0.7, chassis()),
        maybe(0.8, port_id()),
        maybe(0.3, one_of(PORTS)),
        maybe(0.4, one_of(NAMES)),
        maybe(0.3, one_of(ADDRESSES)),
    )
        .prop_map(|(chassis, port, desc, name, address)| {
            json!({ "lldp_chassis_id": chassis, "lldp_port_id": port, "lldp_port_desc": desc,
                "lldp_sys_name": name, "lldp_mgmt_addr": address })
        });
    let cdp = (one_of(NAMES), maybe(0.8, one_of(PORTS)), maybe(0.3, one_of(ADDRESSES))).prop_map(
        |(name, port, address)| {
            json!({ "cdp_device_id": name, "cdp_port_id": port, "cdp_address": address })
        },
    );
    let macs = prop::collection::vec(one_of(MACS), 1..3);
    let table = macs.prop_map(|macs| json!({ "fdb_macs": macs }));
    prop_oneof![
        2 => Just(json!({})),
        4 => lldp.clone(),
        2 => cdp.clone(),
        1 => (lldp, cdp).prop_map(|(lldp, cdp)| with(&lldp, &cdp)),
        4 => table,
    ]
    .boxed()
}

/// Generates what an entry says of itself and hears. Its number is that of its slot.
pub(crate) fn entry_facts() -> impl Strategy<Value = EntryFacts> + Clone {
    let types = select(vec![6, 6, 6, 6, 53, 161, 131]);
    let own = (
        one_of(PORTS),
        maybe(0.6, one_of(PORTS)),
        maybe(0.2, one_of(PORTS)),
        types,
        maybe(0.4, one_of(MACS)),
    );
    let refers = (
        prop::option::weighted(0.3, INTERFACES),
        prop::option::weighted(0.1, (any::<bool>(), ENTRIES)),
        [number(), number()],
    );
    (own, heard(), refers)
        .prop_map(|((descr, name, alias, if_type, mac), heard, (interface, pin, numbers))| {
            let [lag, parent] = numbers;
            let own = json!({ "if_descr": descr, "if_name": name, "if_alias": alias,
                "if_type": if_type, "mac_address": mac, "lag_if_index": lag,
                "parent_if_index": parent });
            EntryFacts { says: with(&own, &heard), interface, pin }
        })
        .boxed()
}

/// The ifIndex of another entry, mostly of none.
fn number() -> impl Strategy<Value = Value> + Clone {
    maybe(0.2, ENTRIES.prop_map(|slot| json!(slot + 1)))
}

/// Takes away the numbers by which an entry would name itself.
pub(crate) fn named_apart(mut entry: Value) -> Value {
    for key in ["lag_if_index", "parent_if_index"] {
        if entry[key] == entry["if_index"] {
            entry[key] = Value::Null;
        }
    }
    entry
}

/// A device of a document: its ports hear several neighbors each.
fn imported() -> impl Strategy<Value = (&'static str, Value, Vec<Value>)> {
    let neighbor = (chassis(), port_id(), maybe(0.3, one_of(NAMES))).prop_map(
        |(chassis, port, name)| {
            json!({ "protocol": "LLDP", "chassis_id": chassis, "port_id": port, "sys_name": name })
        },
    );
    let by_cdp = (one_of(NAMES), one_of(PORTS))
        .prop_map(|(name, port)| json!({ "protocol": "CDP", "sys_name": name, "port_id": port }));
    let heard = prop::collection::vec(prop_oneof![3 => neighbor, 1 => by_cdp], 0..4);
    let entry = (11..14, select(PORTS.to_vec()), maybe(0.7, one_of(MACS)), heard).prop_map(
        |(number, name, mac, heard)| {
            port(number, name, &json!({ "mac_address": mac, "neighbors_heard": heard }))
        },
    );
    let entries = prop::collection::vec(entry, 0..3).prop_map(|mut entries| {
        entries.sort_by_key(|entry| entry["if_index"].as_i64());
        entries.dedup_by_key(|entry| entry["if_index"].as_i64());
        entries
    });
    (select(NAMES.to_vec()), host_facts(), entries)
}

/// Writes that make a few hosts with addresses and ports, and then any writes.
pub(crate) fn writes(more: Range<usize>) -> impl Strategy<Value = Vec<Write>> {
    let hosts = prop::collection::vec(named_host(), 4);
    let interfaces = prop::collection::vec((0..4_usize, interface_facts()), 3);
    let entries = prop::collection::vec((0..4_usize, entry_facts()), 6);
    let any = prop::collection::vec(write(), more);
    (hosts, interfaces, entries, any).prop_map(|(hosts, interfaces, entries, any)| {
        let slots = 0_usize..;
        let hosts = slots.clone().zip(hosts).map(|(slot, facts)| Write::Host(slot, 0, facts));
        let interfaces = slots.clone().zip(interfaces);
        let interfaces =
            interfaces.map(|(slot, (host, facts))| Write::Interface(slot, host, facts));
        let entries = slots.zip(entries);
        let entries = entries.map(|(slot, (host, facts))| Write::Entry(slot, host, facts));
        hosts.chain(interfaces).chain(entries).chain(any).collect()
    })
}

fn named_host() -> impl Strategy<Value = Value> {
    (one_of(NAMES), host_facts()).prop_map(|(name, facts)| with(&facts, &json!({ "name": name })))
}

fn write() -> impl Strategy<Value = Write> {
    let documents = prop::collection::vec(imported(), 1..3).prop_map(|mut hosts| {
        hosts.sort_by_key(|(name, ..)| *name);
        hosts.dedup_by_key(|(name, ..)| *name);
        hosts
    });
    prop_oneof![
        6 => (HOSTS, prop_oneof![4 => Just(0_usize), 1 => Just(1)], named_host())
            .prop_map(|(slot, net, facts)| Write::Host(slot, net, facts)),
        4 => (INTERFACES, HOSTS, interface_facts())
            .prop_map(|(slot, host, facts)| Write::Interface(slot, host, facts)),
        14 => (ENTRIES, HOSTS, entry_facts())
            .prop_map(|(slot, host, facts)| Write::Entry(slot, host, facts)),
        4 => (ENTRIES, [number(), number()])
            .prop_map(|(slot, numbers)| Write::Reshape(slot, numbers)),
        1 => HOSTS.prop_map(Write::DropHost),
        1 => INTERFACES.prop_map(Write::DropInterface),
        1 => ENTRIES.prop_map(Write::DropEntry),
        1 => prop::collection::vec(ENTRIES, 1..4).prop_map(Write::DropEntries),
        1 => prop::collection::vec(HOSTS, 1..3).prop_map(Write::DropHosts),
        2 => (HOSTS, HOSTS).prop_map(|(to, from)| Write::Consolidate(to, from)),
        2 => (ENTRIES, HOSTS, prop::option::weighted(0.3, ENTRIES))
            .prop_map(|(heard, host, port)| Write::Teach(heard, host, port)),
        1 => ENTRIES.prop_map(Write::Forget),
        3 => (0..2_usize, documents).prop_map(|(net, hosts)| Write::Import(net, hosts)),
    ]
}

/// The facts of a network in the end, and the detours on which it comes to them.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    hosts: Vec<Value>,
    /// Of each of the first hosts, an address.
    interfaces: Vec<Value>,
    entries: Vec<(usize, EntryFacts)>,
    detours: Vec<Write>,
    /// In which order the final writes come.
    orders: [Vec<usize>; 4],
}

pub(crate) fn facts() -> impl Strategy<Value = Facts> {
    let (hosts, interfaces, entries) = (4, 3, 6);
    let order = |length: usize| Just((0..length).collect::<Vec<_>>()).prop_shuffle();
    let entry = (0..hosts, entry_facts());
    let all = (
        prop::collection::vec(host_facts(), hosts),
        prop::collection::vec(interface_facts(), interfaces),
        prop::collection::vec(entry, entries),
    );
    let detours = (
        prop::collection::vec(host_facts(), hosts + 2),
        prop::collection::vec((HOSTS, entry_facts()), entries + 2),
        Just((0..2 * hosts + entries + interfaces + 4).collect::<Vec<_>>()).prop_shuffle(),
    );
    let orders = [order(hosts), order(interfaces), order(entries), order(entries)];
    (all, detours, orders, any::<bool>()).prop_map(
        |((hosts, interfaces, mut entries), (before, other, mix), orders, plain)| {
            if plain {
                for (_, entry) in &mut entries {
                    (entry.interface, entry.pin) = (None, None);
                }
            }
            // An address is tied to a port of its own host.
            for (host, entry) in &mut entries {
                entry.interface = entry.interface.map(|_| *host);
            }
            let detours = detours_of(&before, other, &entries, &interfaces, &mix);
            Facts { hosts, interfaces, entries, detours, orders }
        },
    )
}

/// Hosts under another identity, two that are gone in the end, one of them in the other network, and
/// ports that hear something else somewhere else. A MAC address stays, so no port has a wrong one.
fn detours_of(
    hosts: &[Value],
    entries: Vec<(usize, EntryFacts)>,
    last: &[(usize, EntryFacts)],
    interfaces: &[Value],
    mix: &[usize],
) -> Vec<Write> {
    let hosts = hosts.iter().enumerate().map(|(slot, facts)| {
        Write::Host(slot, usize::from(slot == 4), called(facts, NAMES[slot % NAMES.len()]))
    });
    let entries = entries.into_iter().enumerate().map(|(slot, (host, mut facts))| {
        let mac = last.get(slot).map(|(_, facts)| facts.says["mac_address"].clone());
        facts.says["mac_address"] = mac.unwrap_or_default();
        (facts.interface, facts.pin) = (None, None);
        Write::Entry(slot, host, facts)
    });
    let interfaces = (0..).zip(interfaces);
    let interfaces = interfaces.map(|(slot, facts)| Write::Interface(slot, slot, facts.clone()));
    let all: Vec<Write> = hosts.chain(entries).chain(interfaces).collect();
    mix.iter().filter_map(|place| all.get(*place).cloned()).collect()
}

fn called(facts: &Value, name: &str) -> Value {
    with(facts, &json!({ "name": name }))
}

impl Facts {
    fn host(&self, slot: usize) -> Write {
        Write::Host(slot, 0, called(&self.hosts[slot], NAMES[slot]))
    }

    fn interface(&self, slot: usize) -> Write {
        Write::Interface(slot, slot, self.interfaces[slot].clone())
    }

    fn entry(&self, slot: usize) -> Write {
        let (host, facts) = self.entries[slot].clone();
        Write::Entry(slot, host, facts)
    }

    fn ending(&self, [hosts, interfaces, entries, again]: &[Vec<usize>; 4]) -> Vec<Write> {
        let hosts = hosts.iter().map(|slot| self.host(*slot));
        let interfaces = interfaces.iter().map(|slot| self.interface(*slot));
        // Twice, since what one is pinned to may come after it.
        let entries = entries.iter().chain(again).map(|slot| self.entry(*slot));
        hosts.chain(interfaces).chain(entries).collect()
    }

    pub(crate) fn in_order(&self) -> Vec<Write> {
        let order = |length: usize| (0..length).collect::<Vec<_>>();
        let entries = order(self.entries.len());
        let orders =
            [order(self.hosts.len()), order(self.interfaces.len()), entries.clone(), entries];
        self.ending(&orders)
    }

    pub(crate) fn shuffled(&self) -> Vec<Write> {
        let mut writes = self.detours.clone();
        writes.extend(self.ending(&self.orders));
        let gone = self.entries.len();
        writes.push(Write::DropEntries(vec![gone, gone + 1]));
        writes.push(Write::DropHosts(vec![self.hosts.len(), self.hosts.len() + 1]));
        writes
    }

    /// The same as the devices of a document, if a document can say it.
    pub(crate) fn as_documents(&self) -> Option<Value> {
        if self.entries.iter().any(|(_, facts)| facts.interface.is_some() || facts.pin.is_some()) {
            return None;
        }
        let hosts = self.hosts.iter().enumerate().map(|(host, facts)| {
            let entries = self.entries.iter().enumerate().filter(|(_, (of, _))| *of == host);
            let entries: Vec<Value> = entries
                .map(|(slot, (_, facts))| {
                    let more = json!({ "if_index": slot + 1, "admin_status": "Up",
                        "oper_status": "Up" });
                    named_apart(with(&facts.says, &more))
                })
                .collect();
            let address = |facts: &Value| with(facts, &json!({ "prefix_length": 16 }));
            let interfaces: Vec<Value> =
                self.interfaces.get(host).map(address).into_iter().collect();
            let more = json!({ "name": NAMES[host], "if_entries": entries,
                "interfaces": interfaces });
            with(facts, &more)
        });
        Some(hosts.collect())
    }
}
