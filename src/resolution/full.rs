//! Resolves a whole network at once: reads it in four statements and resolves it while reading.
//!
//! The rule: the database packs the rows of each device, and another thread unpacks them, so that
//! neither waits for the other and no other request is held up.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use foldhash::{HashMap, HashMapExt as _};
use sea_orm::{ConnectionTrait, DbBackend, StreamTrait};
use serde::Deserialize;
use toposcope_topology::resolution::{
    identity::Identity,
    identity_index::IdentityIndex,
    meet,
    neighbor::neighbors,
    normalize,
    records::{AddressFacts, AliasFacts, HostFacts, PortFacts},
    resolve,
    sighting::{Heard, Sighting},
};
use toposcope_types::{
    ChassisIdSubtype, Id, IpAddress, Mac, MacList, Method, NeighborId, NeighborProtocol,
    PortIdSubtype,
};

use super::{
    diff::{self, ByHost},
    reader::Reader,
    rows::{Entry, HOST, host, said},
    writer::Difference,
};
use crate::{
    db::json_rows::{self, Packer, Rows, flag, optional_id, unpack},
    error::Result,
};

/// The differences between stored data and the facts.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The number of sightings.
    pub(super) sightings: usize,
    /// The correct keys of devices whose stored keys differ.
    pub(super) keys: BTreeMap<Id, BTreeSet<String>>,
    /// The resolutions that differ.
    pub(super) difference: Difference,
    /// The correct connections of ports whose stored connection differs.
    pub(super) neighbors: Vec<(Id, Option<NeighborId>)>,
}

/// Resolves a whole network and compares it with what is stored.
pub(super) async fn resolve_network<C: ConnectionTrait + StreamTrait>(
    reader: &Reader<'_, C>,
) -> Result<Outcome> {
    let aliases = reader.aliases(None).await?;
    let packer = Packer(ConnectionTrait::get_database_backend(reader.db));
    let (to_facts, facts) = json_rows::pipe();
    let (to_sightings, sightings) = json_rows::pipe();
    let (to_stored, stored) = json_rows::pipe();
    let network_id = reader.network_id;
    let work = tokio::task::spawn_blocking(move || {
        let mut known = Known::read(aliases, facts)?;
        let after = known.resolutions(network_id, sightings)?;
        let neighbors = known.neighbors(&after);
        let sightings = after.values().map(Vec::len).sum();
        let (difference, same) = diff::compare(network_id, after, stored)?;
        let keys = std::mem::take(&mut known.keys);
        // Freeing so much memory takes time, and no caller has to wait for it.
        tokio::task::spawn_blocking(move || drop((known, same)));
        Ok(Outcome { sightings, keys, difference, neighbors })
    });
    json_rows::pour(reader.db, packer.hosts(network_id, &facts_of(packer)), to_facts).await?;
    json_rows::pour(reader.db, packer.hosts(network_id, &heard_of(packer)), to_sightings).await?;
    json_rows::pour(reader.db, diff::packed(packer, network_id), to_stored).await?;
    work.await.map_err(anyhow::Error::from)?
}

fn columns(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Returns the columns of a device, its ports, its addresses and its keys.
fn facts_of(packer: Packer) -> Vec<String> {
    let (id, json) = (|name| packer.id(name), |name| packer.json(name));
    let mut all: Vec<String> = HOST.map(|name| format!("host.{name}")).into();
    let mut port = vec![id("id")];
    port.extend(columns(&[
        "if_index",
        "if_descr",
        "if_name",
        "if_alias",
        "if_type",
        "mac_address",
    ]));
    port.extend([id("interface_id"), json("fdb_macs"), packer.flag("neighbor_pinned")]);
    port.extend([id("neighbor_if_entry_id"), id("neighbor_host_id")]);
    all.push(packer.rows(&port, "if_entry WHERE host_id = host.id"));
    let mut address = vec![id("id")];
    address.extend(columns(&["ip_address", "mac_address"]));
    all.push(packer.rows(&address, "interface WHERE host_id = host.id"));
    let key = match packer.0 {
        DbBackend::Postgres => "\"key\"",
        _ => "key",
    };
    all.push(packer.rows(&columns(&[key]), "host_key WHERE host_id = host.id"));
    all
}

#[derive(Debug, Deserialize)]
struct PackedPort {
    id: Id,
    if_index: i32,
    if_descr: String,
    if_name: Option<String>,
    if_alias: Option<String>,
    if_type: i32,
    mac_address: Option<Mac>,
    #[serde(deserialize_with = "optional_id")]
    interface_id: Option<Id>,
    fdb_macs: Option<String>,
    #[serde(deserialize_with = "flag")]
    neighbor_pinned: bool,
    #[serde(deserialize_with = "optional_id")]
    neighbor_if_entry_id: Option<Id>,
    #[serde(deserialize_with = "optional_id")]
    neighbor_host_id: Option<Id>,
}

/// Returns the columns of what the ports of a device heard by protocols.
fn heard_of(packer: Packer) -> Vec<String> {
    let id = |name| packer.id(name);
    let mut heard = vec![id("observation.id"), id("observation.if_entry_id")];
    heard.extend(columns(&[
        "protocol",
        "position",
        "chassis_id_subtype",
        "observation.chassis_id",
        "port_id_subtype",
        "port_id",
        "port_desc",
        "observation.sys_name",
        "mgmt_addr",
    ]));
    let heard_by = "if_entry JOIN observation ON observation.if_entry_id = if_entry.id \
                    WHERE if_entry.host_id = host.id";
    vec!["host.id".to_owned(), packer.rows(&heard, heard_by)]
}

#[derive(Debug, Deserialize)]
struct PackedHeard {
    id: Id,
    if_entry_id: Id,
    protocol: NeighborProtocol,
    position: i32,
    chassis_id_subtype: Option<ChassisIdSubtype>,
    chassis_id: Option<String>,
    port_id_subtype: Option<PortIdSubtype>,
    port_id: Option<String>,
    port_desc: Option<String>,
    sys_name: Option<String>,
    mgmt_addr: Option<String>,
}

impl PackedHeard {
    fn sighting(self, host_id: Id) -> Sighting {
        let chassis = self.chassis_id_subtype.zip(self.chassis_id);
        Sighting {
            id: self.id,
            if_entry_id: self.if_entry_id,
            host_id,
            method: Method::of(self.protocol),
            position: self.position,
            heard: Heard {
                port_desc: self.port_desc,
                sys_name: self.sys_name,
                mgmt_addr: self.mgmt_addr,
                ..said(chassis, self.port_id_subtype, self.port_id)
            },
            pin: None,
        }
    }
}

/// The facts of a network, and the other data from which its sightings derive.
#[derive(Debug, Default)]
struct Known {
    facts: IdentityIndex,
    /// The ports of each device that have a forwarding table or a pin.
    entries: HashMap<Id, Vec<Entry>>,
    /// The MAC addresses of the devices that have a forwarding table.
    own_macs: HashMap<Id, HashSet<Mac>>,
    /// The stored connection of each port.
    said: Vec<(Id, Option<NeighborId>)>,
    /// The correct keys of devices whose stored keys differ.
    keys: BTreeMap<Id, BTreeSet<String>>,
}

impl Known {
    fn read(aliases: Vec<AliasFacts>, rows: Rows) -> Result<Self> {
        let mut known = Self::default();
        known.facts.teach(aliases);
        for row in rows {
            let stored: BTreeSet<String> =
                unpack::<(String,)>(&row, 9)?.into_iter().map(|(key,)| key).collect();
            known.add(host(&row)?, unpack(&row, 7)?, unpack(&row, 8)?, &stored)?;
        }
        known.find_pins();
        known.said.sort_unstable_by_key(|(port, _)| *port);
        Ok(known)
    }

    fn add(
        &mut self,
        host: HostFacts,
        ports: Vec<PackedPort>,
        addresses: Vec<(Id, IpAddress, Option<Mac>)>,
        stored: &BTreeSet<String>,
    ) -> Result<()> {
        let host_id = host.id;
        let identities = host.identities();
        let keys: BTreeSet<String> = identities.iter().map(Identity::key).collect();
        if keys != *stored {
            self.keys.insert(host_id, keys);
        }
        let of_chassis = host.chassis_id.as_deref().and_then(normalize::mac);
        self.facts.add_called(identities, host);
        if ports.iter().any(|port| port.fdb_macs.is_some()) {
            let of_ports = ports.iter().filter_map(|port| port.mac_address);
            let of_addresses = addresses.iter().filter_map(|(.., mac)| *mac);
            let own = of_ports.chain(of_addresses).chain(of_chassis).collect();
            self.own_macs.insert(host_id, own);
        }
        for port in ports {
            let far = NeighborId::of_columns(port.neighbor_if_entry_id, port.neighbor_host_id);
            self.said.push((port.id, far));
            let fdb: Option<MacList> =
                port.fdb_macs.as_deref().map(json_rows::unpack_text).transpose()?;
            let pin = far.filter(|_| port.neighbor_pinned);
            if fdb.is_some() || pin.is_some() {
                self.entries.entry(host_id).or_default().push(Entry {
                    id: port.id,
                    host_id,
                    if_type: port.if_type,
                    fdb,
                    pin: pin.map(|pin| (pin, pin.id)),
                });
            }
            self.facts.add_port(PortFacts {
                id: port.id,
                host_id,
                if_index: port.if_index,
                if_descr: port.if_descr,
                if_name: port.if_name,
                if_alias: port.if_alias,
                if_type: port.if_type,
                mac_address: port.mac_address,
                interface_id: port.interface_id,
            });
        }
        for (id, ip_address, mac_address) in addresses {
            self.facts.add_address(AddressFacts { id, host_id, ip_address, mac_address });
        }
        Ok(())
    }

    /// Adds the devices of pinned ports, which are known once all devices are read.
    fn find_pins(&mut self) {
        for entry in self.entries.values_mut().flatten() {
            if let Some((pin, host)) = &mut entry.pin
                && let Some(port) = self.facts.ports.get(&pin.id)
            {
                *host = port.host_id;
            }
        }
    }

    fn resolutions(&self, network_id: Id, rows: Rows) -> Result<ByHost> {
        let mut all = ByHost::new();
        for row in rows {
            let host_id: Id = row.try_get_by_index(0)?;
            let heard = unpack::<PackedHeard>(&row, 1)?.into_iter();
            let sightings = self.sightings(host_id, heard.map(|one| one.sighting(host_id)));
            let resolved = sightings.iter().map(|one| resolve(&self.facts, network_id, one));
            all.insert(host_id, resolved.collect());
        }
        meet(all.values_mut().flatten());
        Ok(all)
    }

    fn sightings(&self, host_id: Id, heard: impl Iterator<Item = Sighting>) -> Vec<Sighting> {
        let Some(entries) = self.entries.get(&host_id) else { return heard.collect() };
        let mut by_port: HashMap<Id, Vec<Sighting>> = HashMap::new();
        for sighting in heard {
            by_port.entry(sighting.if_entry_id).or_default().push(sighting);
        }
        let (mut all, own) = (Vec::new(), self.own_macs.get(&host_id));
        for entry in entries {
            entry.sightings(by_port.remove(&entry.id).unwrap_or_default(), own, &mut all);
        }
        all.extend(by_port.into_values().flatten());
        all
    }

    /// Returns the correct connections of ports whose stored connection differs.
    fn neighbors(&self, resolutions: &ByHost) -> Vec<(Id, Option<NeighborId>)> {
        let ports = self.said.iter().map(|(port, _)| *port);
        let neighbors = neighbors(ports, resolutions.values().flatten());
        let each = self.said.iter().zip(neighbors);
        each.filter(|(said, neighbor)| *said != neighbor).map(|(_, neighbor)| neighbor).collect()
    }
}
