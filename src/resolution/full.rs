//! Resolves a whole network at once: reads it in four statements and resolves it while reading.
//!
//! The rule: the database packs the rows of each device, and another thread unpacks them, so that
//! neither waits for the other and no other request is held up.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use foldhash::{HashMap, HashMapExt as _};
use sea_orm::{ConnectionTrait, StreamTrait};
use toposcope_topology::resolution::{
    identity::Identity,
    identity_index::IdentityIndex,
    meet,
    neighbor::neighbors,
    normalize,
    records::{AddressFacts, AliasFacts, HostFacts, PortFacts},
    resolve,
    resolved::Resolution,
    sighting::Sighting,
    superseded::{Explained, Sockets},
};
use toposcope_types::{Id, Mac, Method, NeighborId};

use super::{
    diff::{self, ByHost},
    reader::Reader,
    rows::{Entry, HeardRow, TableRow},
    writer::Difference,
};
use crate::{
    db::{
        columns::{FromColumns as _, One},
        json_rows::{self, Rows, unpack},
        packer::Packer,
    },
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
        let mut known = NetworkFacts::read(aliases, facts)?;
        let after = known.resolutions(network_id, sightings)?;
        let neighbors = known.neighbors(&after);
        let sightings = after.values().map(Vec::len).sum();
        let (difference, same) = diff::compare(after, stored)?;
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

/// Returns the columns of a device, its ports, its addresses and its keys.
fn facts_of(packer: Packer) -> Vec<String> {
    let mut port = PortFacts::packed(packer, "if_entry");
    port.extend(TableRow::packed(packer, "if_entry"));
    let address = AddressFacts::packed(packer, "interface");
    let mut all: Vec<String> = HostFacts::NAMES.iter().map(|name| format!("host.{name}")).collect();
    all.push(packer.rows(&port, "if_entry WHERE host_id = host.id"));
    all.push(packer.rows(&address, "interface WHERE host_id = host.id"));
    all.push(packer.rows(&["\"key\"".to_owned()], "host_key WHERE host_id = host.id"));
    all
}

/// Returns the columns of what the ports of a device heard by protocols.
fn heard_of(packer: Packer) -> Vec<String> {
    let heard_by = "if_entry JOIN observation ON observation.if_entry_id = if_entry.id \
                    WHERE if_entry.host_id = host.id";
    let heard = HeardRow::packed(packer, "observation");
    vec!["host.id".to_owned(), packer.rows(&heard, heard_by)]
}

/// The facts of a network, and the other data from which its sightings derive.
#[derive(Debug, Default)]
struct NetworkFacts {
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

impl NetworkFacts {
    fn read(aliases: Vec<AliasFacts>, rows: Rows) -> Result<Self> {
        let mut known = Self::default();
        known.facts.teach(aliases);
        for row in rows {
            let mut at = 0;
            let host = HostFacts::read(&row, &mut at)?;
            let (ports, addresses) = (unpack(&row, at)?, unpack(&row, at + 1)?);
            let keys = unpack::<One<String>>(&row, at + 2)?;
            known.add(host, ports, addresses, &keys.into_iter().map(|One(key)| key).collect());
        }
        known.find_pins();
        known.said.sort_unstable_by_key(|(port, _)| *port);
        Ok(known)
    }

    fn add(
        &mut self,
        host: HostFacts,
        ports: Vec<(PortFacts, TableRow)>,
        addresses: Vec<AddressFacts>,
        stored: &BTreeSet<String>,
    ) {
        let host_id = host.id;
        let identities = host.identities();
        let keys: BTreeSet<String> = identities.iter().map(Identity::key).collect();
        if keys != *stored {
            self.keys.insert(host_id, keys);
        }
        let of_chassis = host.chassis_id.as_deref().and_then(normalize::mac);
        self.facts.add_called(identities, host);
        if ports.iter().any(|(_, table)| table.fdb_macs.is_some()) {
            let of_ports = ports.iter().filter_map(|(port, _)| port.mac_address);
            let of_addresses = addresses.iter().filter_map(|address| address.mac_address);
            let own = of_ports.chain(of_addresses).chain(of_chassis).collect();
            self.own_macs.insert(host_id, own);
        }
        for (port, table) in ports {
            self.said.push((port.id, table.neighbor()));
            // The devices of pinned ports are known once all devices are read.
            let unknown = table.neighbor_if_entry_id;
            let entry = Entry::new(&port, table, unknown);
            if entry.fdb.is_some() || entry.pin.is_some() {
                self.entries.entry(host_id).or_default().push(entry);
            }
            self.facts.add_port(port);
        }
        for address in addresses {
            self.facts.add_address(address);
        }
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
            let heard = unpack::<HeardRow>(&row, 1)?.into_iter();
            let sightings = self.sightings(host_id, heard.map(|one| one.sighting(host_id)));
            let resolved = sightings.iter().map(|one| resolve(&self.facts, network_id, one));
            all.insert(host_id, resolved.collect());
        }
        let sockets = self.sockets_of_tables(all.values().flatten());
        let explained = Explained::by(&sockets, all.values().flatten());
        for row in all.values_mut().flatten() {
            row.superseded = explained.supersedes(row);
        }
        meet(all.values_mut().flatten());
        Ok(all)
    }

    /// Returns the sockets of the devices at the ends of forwarding tables.
    fn sockets_of_tables<'r>(&self, rows: impl Iterator<Item = &'r Resolution>) -> Sockets {
        let tables = rows.filter(|row| row.method == Method::Fdb);
        let hosts: BTreeSet<Id> =
            tables.flat_map(|row| [Some(row.host_id), row.far_host_id]).flatten().collect();
        let mut sockets = Sockets::default();
        for host in hosts {
            sockets.add(&self.facts.ports_at(host).collect::<Vec<_>>());
        }
        sockets
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
