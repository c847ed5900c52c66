//! Small networks in which everything collides: few names, few addresses, and any write upon them.

use std::ops::Range;

use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};
use toposcope::types::Id;

use crate::wiring::{Wiring, document, port};

pub(crate) const NAMES: [&str; 5] = ["sw1", "SW1", "sw1.lan", "sw2", "10.0.0.2"];
const MACS: [&str; 4] =
    ["02:00:00:00:00:01", "02:00:00:00:00:02", "02:00:00:00:00:03", "00:00:5E:00:01:01"];
const ADDRESSES: [&str; 4] = ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.1.1"];
const PORTS: [&str; 6] = ["Gi0/1", "Gi0/2", "GigabitEthernet0/1", "1", "br0/eth1", "eth1"];

const HOSTS: Range<usize> = 0..5;
const INTERFACES: Range<usize> = 0..5;
const ENTRIES: Range<usize> = 0..8;

/// A write; things are named by their slots.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    /// Makes a host in one of two networks, or replaces it where it is.
    Host(usize, usize, Value),
    Interface(usize, usize, Value),
    /// Makes an entry on a host, or replaces it, if need be from another host or network.
    Entry(usize, usize, EntryFacts),
    DropHost(usize),
    DropInterface(usize),
    DropEntry(usize),
    DropEntries(Vec<usize>),
    DropHosts(Vec<usize>),
    Consolidate(usize, usize),
    Import(usize, Vec<(&'static str, Value, Vec<Value>)>),
}

/// What an entry says, with what it refers to.
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

/// What may identify a device.
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

/// What a host says of itself, but for its name.
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
        1 => (lldp, cdp).prop_map(|(lldp, cdp)| crate::bodies::with(&lldp, &cdp)),
        4 => table,
    ]
    .boxed()
}

/// What an entry says of itself and hears; its number is that of its slot.
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
    );
    (own, heard(), refers)
        .prop_map(|((descr, name, alias, if_type, mac), heard, (interface, pin))| {
            let own = json!({ "if_descr": descr, "if_name": name, "if_alias": alias,
                "if_type": if_type, "mac_address": mac });
            EntryFacts { says: crate::bodies::with(&own, &heard), interface, pin }
        })
        .boxed()
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
    let entry = (11..14, select(PORTS.to_vec()), maybe(0.4, one_of(MACS)), heard).prop_map(
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
    (one_of(NAMES), host_facts())
        .prop_map(|(name, facts)| crate::bodies::with(&facts, &json!({ "name": name })))
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
        1 => HOSTS.prop_map(Write::DropHost),
        1 => INTERFACES.prop_map(Write::DropInterface),
        1 => ENTRIES.prop_map(Write::DropEntry),
        1 => prop::collection::vec(ENTRIES, 1..4).prop_map(Write::DropEntries),
        1 => prop::collection::vec(HOSTS, 1..3).prop_map(Write::DropHosts),
        2 => (HOSTS, HOSTS).prop_map(|(to, from)| Write::Consolidate(to, from)),
        2 => (0..2_usize, documents).prop_map(|(net, hosts)| Write::Import(net, hosts)),
    ]
}

/// What fills the slots, in two networks that have a subnet each.
pub(crate) struct Universe<'w> {
    wiring: &'w Wiring,
    pub(crate) networks: [Id; 2],
    names: [String; 2],
    subnets: [Value; 2],
    hosts: Vec<Option<(Id, usize)>>,
    interfaces: Vec<Option<Id>>,
    entries: Vec<Option<(Id, Value)>>,
}

impl<'w> Universe<'w> {
    pub(crate) async fn new(wiring: &'w Wiring) -> Self {
        let names = [(); 2].map(|()| Id::new().to_string());
        let mut networks = Vec::new();
        let mut subnets = Vec::new();
        for name in &names {
            let id = wiring.fill(name, &json!([])).await.id;
            let subnet = json!({ "network_id": id, "cidr": "10.0.0.0/16", "name": "all",
                "subnet_type": "Lan", "source": "Manual", "tags": [] });
            networks.push(id);
            subnets.push(wiring.done("POST", "/subnets", &subnet).await["id"].clone());
        }
        Self {
            wiring,
            networks: networks.try_into().unwrap(),
            names,
            subnets: subnets.try_into().unwrap(),
            hosts: vec![None; HOSTS.end],
            interfaces: vec![None; INTERFACES.end],
            entries: vec![None; ENTRIES.end],
        }
    }

    /// Makes or replaces what is in a slot; it answers the id where that succeeded. What is refused
    /// changes nothing; what fails is a bug.
    async fn put(&self, path: &str, known: Option<Id>, body: &Value) -> Option<Id> {
        let answer = match known {
            Some(id) => self.wiring.ask("PUT", &format!("{path}/{id}"), body).await,
            None => self.wiring.ask("POST", path, body).await,
        };
        assert!(!answer.status.is_server_error(), "{path} {body}: {}", answer.body);
        answer.body["data"]["id"].as_str().map(|id| id.parse().unwrap())
    }

    async fn drop(&self, path: &str, id: Id) {
        let answer = self.wiring.ask("DELETE", &format!("{path}/{id}"), &Value::Null).await;
        assert!(!answer.status.is_server_error(), "{path}/{id}: {}", answer.body);
    }

    async fn drop_all(&self, path: &str, ids: Vec<Id>) {
        let ids = json!(ids);
        let answer = self.wiring.ask("POST", &format!("{path}/bulk-delete"), &ids).await;
        assert!(!answer.status.is_server_error(), "{path}: {}", answer.body);
    }

    /// Empties both networks, so that the next may be read whole.
    pub(crate) async fn clear(self) {
        for network in self.networks {
            let sql = match self.wiring.test.app.db.backend() {
                sea_orm::DbBackend::Postgres => "DELETE FROM network WHERE id = $1",
                _ => "DELETE FROM network WHERE id = ?",
            };
            self.wiring.test.sql(sql, [network.into()]).await;
        }
    }

    /// Does a write as the API does it.
    pub(crate) async fn apply(&mut self, write: &Write) {
        match write {
            Write::Host(slot, net, facts) => self.host(*slot, *net, facts).await,
            Write::Interface(slot, host, facts) => self.interface(*slot, *host, facts).await,
            Write::Entry(slot, host, facts) => self.entry(*slot, *host, facts).await,
            Write::DropHost(slot) => {
                if let Some((id, _)) = self.hosts[*slot].take() {
                    self.drop("/hosts", id).await;
                }
            }
            Write::DropInterface(slot) => {
                if let Some(id) = self.interfaces[*slot].take() {
                    self.drop("/interfaces", id).await;
                }
            }
            Write::DropEntry(slot) => {
                if let Some((id, _)) = self.entries[*slot].take() {
                    self.drop("/if-entries", id).await;
                }
            }
            Write::DropEntries(slots) => {
                let rows = slots.iter().filter_map(|slot| self.entries[*slot].take());
                let ids = rows.map(|(id, _)| id).collect();
                self.drop_all("/if-entries", ids).await;
            }
            Write::DropHosts(slots) => {
                let rows = slots.iter().filter_map(|slot| self.hosts[*slot].take());
                let ids = rows.map(|(id, _)| id).collect();
                self.drop_all("/hosts", ids).await;
            }
            Write::Consolidate(to, from) => {
                if let (Some((to, _)), Some((other, _))) = (self.hosts[*to], self.hosts[*from]) {
                    let path = format!("/hosts/{to}/consolidate/{other}");
                    let answer = self.wiring.ask("PUT", &path, &Value::Null).await;
                    assert!(!answer.status.is_server_error(), "{path}: {}", answer.body);
                    if answer.status.is_success() {
                        self.hosts[*from] = None;
                    }
                }
            }
            Write::Import(net, hosts) => self.import(*net, hosts).await,
        }
    }

    async fn host(&mut self, slot: usize, net: usize, facts: &Value) {
        let net = self.hosts[slot].map_or(net, |(_, net)| net);
        let more = json!({ "network_id": self.networks[net], "hidden": false, "tags": [] });
        let body = crate::bodies::with(facts, &more);
        let known = self.hosts[slot].map(|(id, _)| id);
        self.hosts[slot] = self.put("/hosts", known, &body).await.map(|id| (id, net));
    }

    async fn interface(&mut self, slot: usize, host: usize, facts: &Value) {
        let Some((host, net)) = self.hosts[host] else { return };
        let more = json!({ "network_id": self.networks[net], "host_id": host,
            "subnet_id": self.subnets[net] });
        let body = crate::bodies::with(facts, &more);
        if let Some(id) = self.put("/interfaces", self.interfaces[slot], &body).await {
            self.interfaces[slot] = Some(id);
        }
    }

    async fn entry(&mut self, slot: usize, host: usize, facts: &EntryFacts) {
        let Some((host, net)) = self.hosts[host] else { return };
        let neighbor = facts.pin.and_then(|(port, far)| {
            let id = match port {
                true => self.entries[far].as_ref().map(|(id, _)| *id)?,
                false => self.hosts[far % HOSTS.end].map(|(id, _)| id)?,
            };
            Some(json!({ "type": if port { "IfEntry" } else { "Host" }, "id": id }))
        });
        let more = json!({ "network_id": self.networks[net], "host_id": host,
            "if_index": slot + 1, "admin_status": "Up", "oper_status": "Up",
            "interface_id": facts.interface.and_then(|slot| self.interfaces[slot]),
            "neighbor": neighbor });
        let mut body = crate::bodies::with(&facts.says, &more);
        let known = self.entries[slot].clone();
        if let Some((_, mac)) = known.as_ref().filter(|(_, mac)| !mac.is_null()) {
            body["mac_address"] = mac.clone();
        }
        // What it refers to may be elsewhere: then it is written without.
        for missing in [&[][..], &["neighbor"], &["neighbor", "interface_id"]] {
            for key in missing {
                body[*key] = Value::Null;
            }
            let id = known.as_ref().map(|(id, _)| *id);
            if let Some(id) = self.put("/if-entries", id, &body).await {
                self.entries[slot] = Some((id, body["mac_address"].clone()));
                return;
            }
        }
        self.entries[slot] = None;
    }

    async fn import(&self, net: usize, hosts: &[(&str, Value, Vec<Value>)]) {
        let hosts: Vec<Value> = hosts
            .iter()
            .map(|(name, facts, ports)| {
                crate::bodies::with(facts, &json!({ "name": name, "if_entries": ports }))
            })
            .collect();
        let text = document(&self.names[net], &json!(hosts)).to_string();
        if let Err(error) = self.wiring.import_into(&text).await {
            let internal = matches!(error, toposcope::error::Error::Internal(_));
            assert!(!internal, "{text}: {error:?}");
        }
    }
}
