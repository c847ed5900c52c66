//! Plans the if-entries of one host and their observations from a document.

use std::collections::{HashMap, HashSet};

use async_graphql::MaybeUndefined;
use toposcope_types::{Id, IpAddress, MacList, NeighborProtocol};

use super::{
    document,
    host_parts::{Address, Doubt, Parent},
    list::List,
    matching::matched,
    planner::Planner,
};
use crate::{
    error::{Error, Result},
    if_entries::{self, Columns, Heard, IfEntry, IfEntryInput, Observation},
    input::given::said,
    interfaces::Interface,
};

impl Planner<'_> {
    pub(super) fn if_entries(
        &mut self,
        host: &Parent<'_>,
        given: List<document::IfEntry>,
        readdressed: bool,
    ) -> Result<()> {
        let stored = self.index.if_entries.get(&host.id).cloned().unwrap_or_default();
        let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
        for (nth, address) in host.addresses.iter().enumerate() {
            for name in &address.if_names {
                named.entry(name).or_default().push(nth);
            }
        }
        let (mut is_whole, faults) = (given.is_whole(), self.faults.count());
        let (rows, rest) = self.checked_entries(host, given)?;
        is_whole &= faults == self.faults.count();
        let matched = matched(&stored, &rows);
        let renumbered: HashMap<i32, i32> = matched
            .iter()
            .zip(&rows)
            .filter_map(|(found, row)| Some((found.as_ref()?.row.if_index, row.if_index)))
            .collect();
        let mut replaced = Vec::new();
        let (mut kept, mut numbers) = (HashSet::new(), HashSet::new());
        for ((columns, Rest { nth, tie, heard, neighbors }), found) in
            rows.into_iter().zip(rest).zip(matched)
        {
            let before = found.map(|found| found.row);
            let name =
                self.faults.name(|| Some(label(columns.if_name.as_ref(), &columns.if_descr)));
            let entry = self.entry(host, columns, before, &renumbered).and_then(|entry| {
                let tied = tie.value().map(|address| self.explicit(host, &entry, *address));
                Ok((tied.transpose()?, entry))
            });
            let place = || host.path("if_entries", nth);
            let Some((tied, entry)) = self.faults.sift(place, name, entry)? else {
                is_whole = false;
                continue;
            };
            kept.extend(before.map(|row| row.id));
            numbers.insert(entry.if_index);
            if let Some(alone) = found.and_then(|found| found.alone) {
                self.doubtful.insert(entry.id, Doubt::Name(entry.label().to_owned(), alone));
            }
            let macs = before.and_then(|row| row.mac_address).zip(entry.mac_address);
            if let Some((old, new)) = macs.filter(|(old, new)| old != new) {
                self.doubtful.insert(entry.id, Doubt::Mac { old, new });
                replaced.push((entry.label().to_owned(), old, new));
            }
            let interface_id = match tie {
                MaybeUndefined::Value(_) => tied,
                MaybeUndefined::Null => None,
                MaybeUndefined::Undefined if !readdressed && before.is_some() => {
                    let own = |address: &&Address| Some(address.interface.id) == entry.interface_id;
                    let address = host.addresses.iter().find(own);
                    let stays = |address: &&Address| same_mac(&address.interface, &entry);
                    let kept = address.filter(stays).map(|address| address.interface.id);
                    if let (Some(address), None) = (address, kept) {
                        self.untied(host, &entry, nth, &address.interface);
                    }
                    kept
                }
                MaybeUndefined::Undefined => self.tie(host, &entry, &named, nth),
            };
            let entry = IfEntry { interface_id, ..entry };
            let heard = self.all_heard(host, nth, &entry, (heard, neighbors))?;
            let changed = self.heard(&entry, heard);
            self.plan.if_entries.add(before, entry, changed, |row| &mut row.updated_at);
        }
        if let Some((port, old, new)) = replaced.first() {
            self.plan.notes.push(format!(
                "hosts[{}] `{}`: another MAC address than before at {} of its ports, such as \
                 `{port}`, which had `{old}` and has `{new}`; by their names they are the same",
                host.nth,
                host.name,
                replaced.len(),
            ));
        }
        // A stored row may be what is left out, unless its number is that of another now.
        let is_gone = |row: &&&IfEntry| {
            !kept.contains(&row.id) && (is_whole || numbers.contains(&row.if_index))
        };
        for row in stored.iter().filter(is_gone) {
            self.plan.if_entries.removed.push(row.id);
            let heard = self.index.observations.get(&row.id).into_iter().flatten();
            self.plan.observations.removed.extend(heard.map(|row| row.id));
        }
        Ok(())
    }

    /// Checks if-entries by themselves; returns their columns, and the rest of each.
    fn checked_entries(
        &mut self,
        host: &Parent<'_>,
        given: List<document::IfEntry>,
    ) -> Result<(Vec<Columns>, Vec<Rest>)> {
        let mut seen = HashSet::new();
        let (mut rows, mut rest) = (Vec::new(), Vec::new());
        for (nth, mut given) in given {
            let tie = std::mem::take(&mut given.ip_address);
            let neighbors = given.neighbors_heard.take();
            let name =
                self.faults.name(|| given.if_name.clone().or_else(|| Some(given.if_descr.clone())));
            let checked = input(given).checked().and_then(|(columns, heard)| {
                let field = "if_index".to_owned();
                if seen.insert(columns.if_index) {
                    Ok((columns, heard))
                } else {
                    Err(Error::Duplicate { field })
                }
            });
            let place = || host.path("if_entries", nth);
            if let Some((columns, heard)) = self.faults.sift(place, name, checked)? {
                rows.push(columns);
                rest.push(Rest { nth, tie, heard, neighbors });
            }
        }
        Ok((rows, rest))
    }

    /// Returns everything that an if-entry heard: what it gives itself, and its neighbors. If one is
    /// left out, what it heard before stays.
    fn all_heard(
        &mut self,
        host: &Parent<'_>,
        nth: usize,
        entry: &IfEntry,
        (mut heard, neighbors): (Vec<(NeighborProtocol, Heard)>, Option<List<document::Neighbor>>),
    ) -> Result<Vec<(NeighborProtocol, Heard)>> {
        let mut is_whole = neighbors.as_ref().is_none_or(List::is_whole);
        for (place, neighbor) in neighbors.into_iter().flatten() {
            let name = self.faults.name(|| neighbor.sys_name.clone());
            let checked = neighbor_heard(neighbor)
                .and_then(|(protocol, neighbor)| Ok((protocol, neighbor.checked(str::to_owned)?)));
            let path = || format!("{}.neighbors_heard[{place}]", host.path("if_entries", nth));
            let checked = self.faults.sift(path, name, checked)?;
            is_whole &= checked.is_some();
            heard.extend(checked);
        }
        heard.retain(|(_, heard)| !heard.is_empty());
        if is_whole {
            return Ok(heard);
        }
        let mut stored: Vec<&Observation> =
            self.index.observations.get(&entry.id).cloned().unwrap_or_default();
        stored.sort_by_key(|row| row.position);
        let is_same = |(protocol, heard): &(NeighborProtocol, Heard), row: &Observation| {
            *protocol == row.protocol && heard.same_as(row)
        };
        if heard.iter().all(|one| stored.iter().any(|row| is_same(one, row))) {
            heard.clear();
        }
        stored.retain(|row| !heard.iter().any(|one| is_same(one, row)));
        heard.extend(stored.into_iter().map(|row| (row.protocol, Heard::from(row.clone()))));
        Ok(heard)
    }

    /// Builds the row of an if-entry; keeps what a person or the server decided about its neighbor,
    /// and what the document does not mention. References follow the if-entries that get other
    /// numbers.
    fn entry(
        &self,
        host: &Parent<'_>,
        columns: Columns,
        before: Option<&IfEntry>,
        renumbered: &HashMap<i32, i32>,
    ) -> Result<IfEntry> {
        let stored = |number: fn(&IfEntry) -> Option<i32>| {
            let number = before.and_then(number)?;
            let number = renumbered.get(&number).copied().unwrap_or(number);
            // Another interface had the number that is now the if-entry's own.
            Some(number).filter(|number| *number != columns.if_index)
        };
        let entry = IfEntry {
            lag_if_index: stored(|row| row.lag_if_index),
            parent_if_index: stored(|row| row.parent_if_index),
            id: before.map_or_else(Id::new, |row| row.id),
            created_at: before.map_or(self.now, |row| row.created_at),
            updated_at: before.map_or(self.now, |row| row.updated_at),
            host_id: host.id,
            network_id: self.network_id,
            if_index: columns.if_index,
            if_descr: columns.if_descr,
            if_name: columns.if_name,
            if_alias: columns.if_alias,
            if_type: columns.if_type,
            speed_bps: columns.speed_bps,
            admin_status: columns.admin_status,
            oper_status: columns.oper_status,
            mac_address: columns.mac_address.or(before.and_then(|row| row.mac_address)),
            interface_id: before.and_then(|row| row.interface_id),
            mtu: before.and_then(|row| row.mtu),
            duplex: before.and_then(|row| row.duplex),
            native_vlan: before.and_then(|row| row.native_vlan),
            tagged_vlans: before.and_then(|row| row.tagged_vlans.clone()),
            stp_state: before.and_then(|row| row.stp_state),
            fdb_macs: columns.fdb_macs.map(MacList::Read),
            neighbor_if_entry_id: before.and_then(|row| row.neighbor_if_entry_id),
            neighbor_host_id: before.and_then(|row| row.neighbor_host_id),
            neighbor_pinned: before.is_some_and(|row| row.neighbor_pinned),
        };
        columns.kept.applied_to(entry)
    }

    /// Returns the interface with the address that an if-entry names explicitly.
    fn explicit(&self, host: &Parent<'_>, entry: &IfEntry, address: IpAddress) -> Result<Id> {
        let interface = host.address(address).map_err(|error| {
            let list = format!("hosts[{}].interfaces", host.nth);
            self.faults.referring(&list, &address.to_string(), error)
        })?;
        if same_mac(interface, entry) {
            return Ok(interface.id);
        }
        Err(Error::invalid("ip_address", "the interface has another MAC address than the entry"))
    }

    /// Returns the first interface that names an if-entry and has no MAC address different from its
    /// own.
    fn tie(
        &mut self,
        host: &Parent<'_>,
        entry: &IfEntry,
        named: &HashMap<&str, Vec<usize>>,
        nth: usize,
    ) -> Option<Id> {
        let of = |name: &str| named.get(name);
        let places = entry.if_name.as_deref().and_then(of).or_else(|| of(&entry.if_descr))?;
        let mut interfaces = places.iter().map(|nth| &host.addresses[*nth].interface);
        let found = interfaces.clone().find(|interface| same_mac(interface, entry));
        if let (None, Some(first)) = (found, interfaces.next()) {
            self.untied(host, entry, nth, first);
        }
        found.map(|interface| interface.id)
    }

    fn untied(&mut self, host: &Parent<'_>, entry: &IfEntry, nth: usize, address: &Interface) {
        self.plan.notes.push(format!(
            "hosts[{}].if_entries[{nth}] `{}` of `{}`: not tied to its address {}, which has another \
             MAC address",
            host.nth, entry.if_descr, host.name, address.ip_address,
        ));
    }

    /// Plans the observations of an if-entry; returns whether they differ from the stored ones.
    fn heard(&mut self, entry: &IfEntry, heard: Vec<(NeighborProtocol, Heard)>) -> bool {
        let stored = self.index.observations.get(&entry.id).cloned().unwrap_or_default();
        let mut kept = HashSet::new();
        let mut places: HashMap<NeighborProtocol, i32> = HashMap::new();
        let mut changes = false;
        for (protocol, heard) in heard {
            let place = places.entry(protocol).or_default();
            let position = *place;
            *place += 1;
            let before =
                stored.iter().find(|row| row.protocol == protocol && row.position == position);
            kept.extend(before.map(|row| row.id));
            match before {
                Some(row) if heard.same_as(row) => self.plan.observations.unchanged += 1,
                before => {
                    changes = true;
                    // The version of the if-entry changes with its observations; both get this
                    // timestamp.
                    let mut row = if_entries::new_observation(
                        entry,
                        protocol,
                        position,
                        heard,
                        before.copied(),
                    );
                    row.updated_at = self.now;
                    match before {
                        None => {
                            row.created_at = self.now;
                            self.plan.observations.created.push(row);
                        }
                        Some(_) => self.plan.observations.changed.push(row),
                    }
                }
            }
        }
        let gone = stored.iter().map(|row| row.id).filter(|id| !kept.contains(id));
        let before = self.plan.observations.removed.len();
        self.plan.observations.removed.extend(gone);
        changes || self.plan.observations.removed.len() > before
    }
}

fn label(name: Option<&String>, description: &str) -> String {
    name.map_or(description, String::as_str).to_owned()
}

/// Returns whether an interface and an if-entry can be the same, as far as MAC addresses tell.
pub(super) fn same_mac(interface: &Interface, entry: &IfEntry) -> bool {
    interface.mac_address.is_none_or(|mac| entry.mac_address.is_none_or(|own| own == mac))
}

/// The parts of an if-entry besides its columns.
struct Rest {
    /// Its place in the list.
    nth: usize,
    /// The address that it names explicitly.
    tie: MaybeUndefined<IpAddress>,
    heard: Vec<(NeighborProtocol, Heard)>,
    neighbors: Option<List<document::Neighbor>>,
}

/// Returns the columns of an if-entry and its first neighbors as the input of a `PUT`, whose rules
/// apply.
fn input(given: document::IfEntry) -> IfEntryInput {
    IfEntryInput {
        host_id: Id::nil(),
        network_id: Id::nil(),
        if_index: given.if_index,
        if_descr: given.if_descr,
        if_type: Some(given.if_type),
        admin_status: Some(given.admin_status),
        oper_status: Some(given.oper_status),
        if_name: said(given.if_name),
        if_alias: said(given.if_alias),
        mac_address: given.mac_address,
        speed_bps: said(given.speed_bps),
        interface_id: MaybeUndefined::Null,
        neighbor: MaybeUndefined::Null,
        neighbor_pinned: None,
        lldp_chassis_id: said(given.lldp_chassis_id),
        lldp_port_id: said(given.lldp_port_id),
        lldp_port_desc: said(given.lldp_port_desc),
        lldp_sys_name: said(given.lldp_sys_name),
        lldp_sys_desc: said(given.lldp_sys_desc),
        lldp_mgmt_addr: said(given.lldp_mgmt_addr),
        cdp_device_id: said(given.cdp_device_id),
        cdp_port_id: said(given.cdp_port_id),
        cdp_platform: said(given.cdp_platform),
        cdp_address: said(given.cdp_address),
        fdb_macs: said(given.fdb_macs),
        lag_if_index: given.lag_if_index,
        parent_if_index: given.parent_if_index,
        mtu: given.mtu,
        duplex: given.duplex,
        native_vlan: given.native_vlan,
        tagged_vlans: given.tagged_vlans,
        stp_state: given.stp_state,
        expected_updated_at: None,
    }
}

fn neighbor_heard(given: document::Neighbor) -> Result<(NeighborProtocol, Heard)> {
    let (port_id, port_name) = match (given.protocol, given.port_id) {
        (_, None) => (None, None),
        (NeighborProtocol::Lldp, Some(document::PortId::Typed(id))) => (Some(id), None),
        (NeighborProtocol::Lldp, Some(document::PortId::Plain(_))) => {
            return Err(Error::invalid("port_id", "LLDP says `subtype` and `value`"));
        }
        // CDP has no subtypes.
        (NeighborProtocol::Cdp, Some(document::PortId::Typed(id))) => (None, Some(id.value)),
        (NeighborProtocol::Cdp, Some(document::PortId::Plain(name))) => (None, Some(name)),
    };
    let heard = Heard {
        chassis_id: given.chassis_id,
        port_id,
        port_name,
        port_desc: given.port_desc,
        sys_name: given.sys_name,
        sys_desc: given.sys_desc,
        mgmt_addr: given.mgmt_addr,
        platform: given.platform,
    };
    Ok((given.protocol, heard))
}
