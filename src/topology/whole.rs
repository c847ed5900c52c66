//! All of a network at once: read in four statements and worked out while it is being read.
//!
//! The rule: the database packs the rows of each device, and another thread unpacks them, so that
//! nothing waits for anything else and no other request is held up.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sea_orm::{ConnectionTrait, DbBackend, Statement, StreamTrait};
use serde::Deserialize;

use super::{
    entity::Model as Resolution,
    facts::{AddressFacts, AliasFacts, Facts, HostFacts, PortFacts},
    identity::Identity,
    observation::{Heard, Method, Sighting},
    packed::{self, Packer, Rows, flag, optional_code, optional_id, unpack},
    read::Reader,
    resolve::{meet, resolve},
    rows::{Entry, HOST, host, said},
    settle::{Neighbors, neighbors},
    step::{HostTier, PortTier},
    store::Difference,
};
use crate::{
    error::Result,
    if_entries::{MacList, NeighborId},
    types::{ChassisIdSubtype, Id, IpAddress, Mac, NeighborProtocol, PortIdSubtype},
};

/// What is not as the facts say.
#[derive(Debug)]
pub(super) struct Outcome {
    /// How many sightings there are.
    pub(super) sightings: usize,
    /// The keys of devices that have others.
    pub(super) keys: BTreeMap<Id, BTreeSet<String>>,
    /// The resolutions.
    pub(super) difference: Difference,
    /// What ports are connected to that are said to be connected otherwise.
    pub(super) neighbors: Neighbors,
}

/// Works out all of a network, and compares it with what is stored.
pub(super) async fn work_out<C: ConnectionTrait + StreamTrait>(
    reader: &Reader<'_, C>,
) -> Result<Outcome> {
    let aliases = reader.aliases(None).await?;
    let packer = Packer(ConnectionTrait::get_database_backend(reader.db));
    let (to_facts, facts) = packed::pipe();
    let (to_sightings, sightings) = packed::pipe();
    let (to_stored, stored) = packed::pipe();
    let network_id = reader.network_id;
    let work = tokio::task::spawn_blocking(move || {
        let known = Known::read(aliases, facts)?;
        let after = known.resolutions(network_id, sightings)?;
        let neighbors = known.neighbors(&after);
        let sightings = after.len();
        let difference = Difference::between(&stored_resolutions(network_id, stored)?, after);
        Ok(Outcome { sightings, keys: known.keys, difference, neighbors })
    });
    packed::pour(reader.db, packer.hosts(network_id, &facts_of(packer)), to_facts).await?;
    packed::pour(reader.db, packer.hosts(network_id, &heard_of(packer)), to_sightings).await?;
    packed::pour(reader.db, stored_of(packer, network_id), to_stored).await?;
    work.await.map_err(anyhow::Error::from)?
}

fn columns(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A device, its ports, its addresses and its keys.
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

/// What the ports of a device heard by protocols.
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

/// What is stored of what ports heard, by the device that the port had when it was stored.
fn stored_of(packer: Packer, network_id: Id) -> Statement {
    let id = |name| packer.id(name);
    let mut stored = vec![id("if_entry_id")];
    stored.extend(columns(&["method", "position"]));
    stored.push(id("observation_id"));
    stored.extend(columns(&["chassis_key", "address_key", "name_key"]));
    stored.extend([id("far_host_id"), "host_tier".to_owned(), id("far_if_entry_id")]);
    stored.extend(["port_tier".to_owned(), id("met_if_entry_id"), packer.flag("outranked")]);
    let sql = format!(
        "SELECT host_id, {} FROM resolution WHERE network_id = $1 GROUP BY host_id",
        packer.list(&stored)
    );
    Statement::from_sql_and_values(packer.0, sql, [network_id.into()])
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

#[derive(Debug, Deserialize)]
struct PackedResolution {
    if_entry_id: Id,
    #[serde(deserialize_with = "packed::code")]
    method: Method,
    position: i32,
    observation_id: Id,
    chassis_key: Option<String>,
    address_key: Option<String>,
    name_key: Option<String>,
    #[serde(deserialize_with = "optional_id")]
    far_host_id: Option<Id>,
    #[serde(deserialize_with = "optional_code")]
    host_tier: Option<HostTier>,
    #[serde(deserialize_with = "optional_id")]
    far_if_entry_id: Option<Id>,
    #[serde(deserialize_with = "optional_code")]
    port_tier: Option<PortTier>,
    #[serde(deserialize_with = "optional_id")]
    met_if_entry_id: Option<Id>,
    #[serde(deserialize_with = "flag")]
    outranked: bool,
}

impl PackedResolution {
    fn resolution(self, network_id: Id, host_id: Id) -> Resolution {
        Resolution {
            if_entry_id: self.if_entry_id,
            method: self.method,
            position: self.position,
            observation_id: self.observation_id,
            network_id,
            host_id,
            chassis_key: self.chassis_key,
            address_key: self.address_key,
            name_key: self.name_key,
            far_host_id: self.far_host_id,
            host_tier: self.host_tier,
            far_if_entry_id: self.far_if_entry_id,
            port_tier: self.port_tier,
            met_if_entry_id: self.met_if_entry_id,
            outranked: self.outranked,
        }
    }
}

fn stored_resolutions(network_id: Id, mut rows: Rows) -> Result<Vec<Resolution>> {
    let mut all = Vec::new();
    while let Some(row) = rows.blocking_recv() {
        let host_id: Id = row.try_get_by_index(0)?;
        let stored = unpack::<PackedResolution>(&row, 1)?.into_iter();
        all.extend(stored.map(|stored| stored.resolution(network_id, host_id)));
    }
    Ok(all)
}

/// The facts of a network, and what beside them says what its ports heard.
#[derive(Debug, Default)]
struct Known {
    facts: Facts,
    /// The ports of each device that have a forwarding table or a pin.
    entries: HashMap<Id, Vec<Entry>>,
    /// The MAC addresses of the devices that have a forwarding table.
    own_macs: HashMap<Id, HashSet<Mac>>,
    /// What each port is said to be connected to.
    said: Vec<(Id, Option<NeighborId>)>,
    /// The keys of devices that have others than they should.
    keys: BTreeMap<Id, BTreeSet<String>>,
}

impl Known {
    fn read(aliases: Vec<AliasFacts>, mut rows: Rows) -> Result<Self> {
        let mut known = Self::default();
        known.facts.teach(aliases);
        while let Some(row) = rows.blocking_recv() {
            let stored: BTreeSet<String> =
                unpack::<(String,)>(&row, 9)?.into_iter().map(|(key,)| key).collect();
            known.add(host(&row)?, unpack(&row, 7)?, unpack(&row, 8)?, &stored)?;
        }
        known.find_pins();
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
        let keys: BTreeSet<String> = host.identities().iter().map(Identity::key).collect();
        if keys != *stored {
            self.keys.insert(host_id, keys);
        }
        self.facts.add_host(host);
        if ports.iter().any(|port| port.fdb_macs.is_some()) {
            let of_ports = ports.iter().filter_map(|port| port.mac_address);
            let of_addresses = addresses.iter().filter_map(|(.., mac)| *mac);
            self.own_macs.insert(host_id, of_ports.chain(of_addresses).collect());
        }
        for port in ports {
            let far = NeighborId::of_columns(port.neighbor_if_entry_id, port.neighbor_host_id);
            self.said.push((port.id, far));
            let fdb: Option<MacList> =
                port.fdb_macs.as_deref().map(packed::unpack_text).transpose()?;
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

    /// A pin names a port or a device: the device of the port is known when all are read.
    fn find_pins(&mut self) {
        for entry in self.entries.values_mut().flatten() {
            if let Some((pin, host)) = &mut entry.pin
                && let Some(port) = self.facts.ports.get(&pin.id)
            {
                *host = port.host_id;
            }
        }
    }

    fn resolutions(&self, network_id: Id, mut rows: Rows) -> Result<Vec<Resolution>> {
        let mut all = Vec::with_capacity(self.said.len());
        while let Some(row) = rows.blocking_recv() {
            let host_id: Id = row.try_get_by_index(0)?;
            let mut heard: HashMap<Id, Vec<Sighting>> = HashMap::new();
            for one in unpack::<PackedHeard>(&row, 1)? {
                heard.entry(one.if_entry_id).or_default().push(one.sighting(host_id));
            }
            let mut sightings = Vec::with_capacity(heard.len());
            let own = self.own_macs.get(&host_id);
            for entry in self.entries.get(&host_id).into_iter().flatten() {
                let heard = heard.remove(&entry.id).unwrap_or_default();
                entry.sightings(heard, own, &mut sightings);
            }
            sightings.extend(heard.into_values().flatten());
            let each = sightings.iter();
            all.extend(each.map(|sighting| resolve(&self.facts, network_id, sighting)));
        }
        meet(&mut all);
        Ok(all)
    }

    /// What ports are connected to that are said to be connected otherwise.
    fn neighbors(&self, resolutions: &[Resolution]) -> Neighbors {
        let ports = self.said.iter().map(|(port, _)| *port);
        let mut neighbors = neighbors(ports, resolutions);
        for (port, far) in &self.said {
            if neighbors.get(port) == Some(far) {
                neighbors.remove(port);
            }
        }
        neighbors
    }
}
