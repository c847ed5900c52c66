//! Interface-table entries: the ports and logical interfaces of devices, and their observations.

pub(crate) mod entity;
pub(crate) mod graphql;
mod heard;
mod input;
mod keep;
mod kept;
mod links;
mod list;
pub mod observation;
mod references;
pub(crate) mod rest;
mod sync;
mod table;

use std::collections::HashMap;

use sea_orm::{
    ColumnTrait, ConnectionTrait, FromQueryResult, QueryFilter, QueryTrait,
    sea_query::{Alias, Expr, ExprTrait},
};
use serde::Serialize;
use toposcope_topology::resolution::records;
use toposcope_types::{
    AdminStatus, Id, Kind, LldpChassisId, LldpPortId, MacList, NeighborId, NeighborProtocol,
    OperStatus, PermissionLevel, Timestamp,
};
use utoipa::ToSchema;

use self::references::References;
pub use self::{
    entity::{ActiveModel, Column, Entity, Model as IfEntry},
    heard::{Heard, heard, log_heard, new_observation},
    input::{Columns, HostIfEntryInput, IfEntryInput},
    kept::Kept,
    links::{repoint, unlink},
    list::{IfEntryFilter, IfEntryOrder, IfEntryOrderField},
    observation::Model as Observation,
    sync::{park, sync},
    table::{read_tables, tables},
};
use crate::{
    app::App,
    auth::Viewer,
    error::{Error, Result},
    resolution::incremental::Connected,
    resource::{Precondition, Resource},
    write::{ShownPort, Write, later},
};

/// An entry in a device's interface table, with the first neighbor that it heard by each protocol.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = IfEntry)]
pub struct FullIfEntry {
    #[serde(flatten)]
    pub entry: IfEntry,
    /// The far end: its port if known, otherwise its device.
    pub neighbor: Option<NeighborId>,
    /// The chassis id of the LLDP neighbor.
    pub lldp_chassis_id: Option<LldpChassisId>,
    /// The port id of the LLDP neighbor.
    pub lldp_port_id: Option<LldpPortId>,
    /// The system name of the LLDP neighbor.
    pub lldp_sys_name: Option<String>,
    /// The port description of the LLDP neighbor.
    pub lldp_port_desc: Option<String>,
    /// The management address of the LLDP neighbor.
    pub lldp_mgmt_addr: Option<String>,
    /// The system description of the LLDP neighbor.
    pub lldp_sys_desc: Option<String>,
    /// The device id of the CDP neighbor.
    pub cdp_device_id: Option<String>,
    /// The port id of the CDP neighbor.
    pub cdp_port_id: Option<String>,
    /// The hardware platform of the CDP neighbor.
    pub cdp_platform: Option<String>,
    /// The management address of the CDP neighbor.
    pub cdp_address: Option<String>,
}

impl FullIfEntry {
    fn new(entry: IfEntry, heard: Vec<(NeighborProtocol, Heard)>) -> Self {
        let (mut lldp, mut cdp) = (Heard::default(), Heard::default());
        for (protocol, heard) in heard {
            match protocol {
                NeighborProtocol::Lldp => lldp = heard,
                NeighborProtocol::Cdp => cdp = heard,
            }
        }
        Self {
            neighbor: entry.neighbor_id(),
            entry,
            lldp_chassis_id: lldp.chassis_id,
            lldp_port_id: lldp.port_id,
            lldp_sys_name: lldp.sys_name,
            lldp_port_desc: lldp.port_desc,
            lldp_mgmt_addr: lldp.mgmt_addr,
            lldp_sys_desc: lldp.sys_desc,
            cdp_device_id: cdp.sys_name,
            cdp_port_id: cdp.port_name,
            cdp_platform: cdp.platform,
            cdp_address: cdp.mgmt_addr,
        }
    }
}

impl ShownPort for FullIfEntry {
    fn id(&self) -> Id {
        self.entry.id
    }

    fn connect(&mut self, connected: Connected) {
        if self.entry.neighbor_pinned {
            return;
        }
        self.entry.set_neighbor(connected.neighbor, false);
        self.entry.updated_at = connected.version.unwrap_or(self.entry.updated_at);
        self.neighbor = connected.neighbor;
    }
}

impl IfEntry {
    /// Returns the name that people use: the short name, otherwise the description.
    pub fn label(&self) -> &str {
        records::label(self.if_name.as_deref(), &self.if_descr)
    }

    /// Returns the far end: its port if known, otherwise its device.
    pub fn neighbor_id(&self) -> Option<NeighborId> {
        NeighborId::of_columns(self.neighbor_if_entry_id, self.neighbor_host_id)
    }
}

/// Creates an entry.
pub async fn create(app: &App, viewer: &Viewer, input: IfEntryInput) -> Result<FullIfEntry> {
    viewer.require(PermissionLevel::Member)?;
    let make = || async {
        let references = References::of(&input);
        let (columns, heard) = input.clone().checked()?;
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        write.hold_network(references.network_id).await?;
        let viewer = &write.viewer.clone();
        let new = blank(Id::new(), references.host_id, references.network_id, Timestamp::now());
        references.check(&write.db, viewer, &new, columns.mac_address).await?;
        let now = new.created_at;
        let entry = IfEntry { updated_at: now, ..changed(new, columns, &references)? };
        write.insert::<Entity>(vec![entry.clone()]).await?;
        write_first_heard(&mut write, &entry, &[], heard.clone()).await?;
        let mut full = FullIfEntry::new(entry, heard);
        write.commit_with([&mut full]).await?;
        Ok(full)
    };
    app.db.again(make).await
}

/// Replaces an entry with the input. It takes at most eight statements, or twelve if the entry
/// changes its network, plus those that resolve neighbors if the resolution may change.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: IfEntryInput,
    precondition: &Precondition,
) -> Result<FullIfEntry> {
    viewer.require(PermissionLevel::Member)?;
    app.db.again(|| replace(app, viewer, id, input.clone(), precondition)).await
}

async fn replace(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: IfEntryInput,
    precondition: &Precondition,
) -> Result<FullIfEntry> {
    let precondition = precondition.or(input.expected_updated_at);
    let references = References::of(&input);
    // Only viewers who can see the entry learn what is wrong with the input.
    let checked = input.checked();

    let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
    write.hold_holder::<Entity>(id, Some(references.network_id)).await?;
    let viewer = &write.viewer.clone();
    let (before, stored) = read(&write.db, viewer, id).await?;
    write.require_held(before.network_id)?;
    let (columns, heard) = checked?;
    viewer.require_network(references.network_id)?;
    precondition.check(Kind::IfEntry, id, before.updated_at)?;
    references.check(&write.db, viewer, &before, columns.mac_address).await?;
    if columns.mac_address.is_some_and(|mac| before.mac_address.is_some_and(|set| set != mac)) {
        return Err(Error::FieldImmutable { field: "mac_address".to_owned() });
    }

    let entry = changed(before.clone(), columns, &references)?;
    if before.network_id != entry.network_id {
        links::follow(&mut write, &entry).await?;
    }
    write.replace::<Entity>(vec![(before, entry.clone())]).await?;
    write_first_heard(&mut write, &entry, &stored, heard.clone()).await?;
    let mut full = FullIfEntry::new(entry, heard);
    write.commit_with([&mut full]).await?;
    Ok(full)
}

/// The kind of interface without an ifType number of its own (ifType other).
const OTHER: i32 = 1;

/// Returns an entry about which nothing is known yet.
pub fn blank(id: Id, host_id: Id, network_id: Id, now: Timestamp) -> IfEntry {
    IfEntry {
        id,
        created_at: now,
        updated_at: now,
        host_id,
        network_id,
        if_index: 0,
        if_descr: String::new(),
        if_name: None,
        if_alias: None,
        if_type: OTHER,
        speed_bps: None,
        admin_status: AdminStatus::Up,
        oper_status: OperStatus::Unknown,
        mac_address: None,
        interface_id: None,
        lag_if_index: None,
        parent_if_index: None,
        mtu: None,
        duplex: None,
        native_vlan: None,
        tagged_vlans: None,
        stp_state: None,
        fdb_macs: None,
        neighbor_if_entry_id: None,
        neighbor_host_id: None,
        neighbor_pinned: false,
    }
}

/// Returns the entry with the input applied; its resolved or pinned neighbor follows from `references`.
fn changed(entry: IfEntry, columns: Columns, references: &References) -> Result<IfEntry> {
    let moved = entry.network_id != references.network_id;
    let mut entry = IfEntry {
        updated_at: later(entry.updated_at),
        host_id: references.host_id,
        network_id: references.network_id,
        interface_id: references.interface_id,
        if_index: columns.if_index,
        if_descr: columns.if_descr,
        if_type: columns.if_type,
        admin_status: columns.admin_status,
        oper_status: columns.oper_status,
        if_name: columns.if_name,
        if_alias: columns.if_alias,
        mac_address: columns.mac_address.or(entry.mac_address),
        speed_bps: columns.speed_bps,
        fdb_macs: columns.fdb_macs.map(MacList::Read),
        ..entry
    };
    match references.neighbor {
        None if moved || entry.neighbor_host_id == Some(references.host_id) => {
            entry.set_neighbor(None, false);
        }
        // Without a pin the server decides, so remove an existing pin.
        None if entry.neighbor_pinned => entry.set_neighbor(None, false),
        None => {}
        Some(neighbor) if entry.neighbor_id() == Some(neighbor) && !references.pinned => {}
        Some(neighbor) => entry.set_neighbor(Some(neighbor), true),
    }
    columns.kept.applied_to(entry)
}

impl IfEntry {
    fn set_neighbor(&mut self, neighbor: Option<NeighborId>, pinned: bool) {
        (self.neighbor_if_entry_id, self.neighbor_host_id) = NeighborId::columns(neighbor);
        self.neighbor_pinned = pinned;
    }
}

/// Adds to each entry the first neighbor that it heard by each protocol, in one statement.
pub async fn full(
    app: &App,
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    entries: Vec<IfEntry>,
) -> Result<Vec<FullIfEntry>> {
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let ids = app.db.ids(entries.iter().map(|entry| entry.id).collect::<Vec<_>>());
    let mut first: HashMap<Id, Vec<(NeighborProtocol, Heard)>> = HashMap::new();
    for row in heard(db, viewer, &ids).await? {
        if row.position == 0 {
            let heard = first.entry(row.if_entry_id).or_default();
            heard.push((row.protocol, Heard::from(row)));
        }
    }
    let full = entries.into_iter().map(|entry| {
        let heard = first.remove(&entry.id).unwrap_or_default();
        FullIfEntry::new(entry, heard)
    });
    Ok(full.collect())
}

/// Reads the entry and the first neighbor that it heard by each protocol, in one statement.
async fn read(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    id: Id,
) -> Result<(IfEntry, Vec<Observation>)> {
    let mut statement = Entity::visible_to(viewer).filter(Column::Id.eq(id)).into_query();
    let first = |column| Expr::col((Alias::new("first"), column));
    for column in <observation::Column as sea_orm::Iterable>::iter() {
        let name = format!("first_{}", sea_orm::Iden::to_string(&column));
        statement.expr_as(first(column), Alias::new(name));
    }
    statement.join_as(
        sea_orm::JoinType::LeftJoin,
        observation::Entity,
        Alias::new("first"),
        first(observation::Column::IfEntryId)
            .equals((Entity, Column::Id))
            .and(first(observation::Column::Position).eq(0)),
    );
    let rows = db.query_all(&statement).await?;
    let Some(row) = rows.first() else {
        return Err(Error::NotFound { kind: Kind::IfEntry, id });
    };
    let entry = IfEntry::from_query_result(row, "")?;
    let mut heard = Vec::with_capacity(rows.len());
    for row in &rows {
        heard.extend(Observation::from_query_result_optional(row, "first_")?);
    }
    Ok((entry, heard))
}

async fn write_first_heard(
    write: &mut Write<'_>,
    entry: &IfEntry,
    stored: &[Observation],
    said: Vec<(NeighborProtocol, Heard)>,
) -> Result<()> {
    let changes = heard::changes(stored, vec![(entry.clone(), said)]);
    if changes.touched().next().is_none() {
        return Ok(());
    }
    log_heard(write, stored.to_vec(), changes.after(stored));
    changes.write(write).await
}
