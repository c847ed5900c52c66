//! Interface-table entries: the sockets and logical interfaces of devices, and what they hear.

mod entity;
pub mod graphql;
mod input;
mod list;
pub mod observation;
mod places;
pub mod rest;

use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, IntoActiveModel,
    QueryFilter, QueryTrait,
    sea_query::{Alias, Expr, ExprTrait, OnConflict},
};
use serde::Serialize;

use self::places::Places;
pub use self::{
    entity::{ActiveModel, Column, Entity, MacList, Model as IfEntry},
    input::{Columns, Heard, NeighborId, NeighborType, UpdateIfEntryInput},
    list::{IfEntryFilter, IfEntryOrder, IfEntryOrderField},
    observation::Model as Observation,
};
use crate::{
    app::App,
    auth::Viewer,
    db::{IdSet, Precondition, Resource},
    error::{Error, Kind, Result},
    networks,
    types::{Id, LldpChassisId, LldpPortId, NeighborProtocol, PermissionLevel},
};

/// An entry with the first neighbor that it heard by each protocol, as REST shows it.
#[derive(Clone, Debug, Serialize)]
pub struct FullIfEntry {
    #[serde(flatten)]
    pub entry: IfEntry,
    pub neighbor: Option<NeighborId>,
    pub lldp_chassis_id: Option<LldpChassisId>,
    pub lldp_port_id: Option<LldpPortId>,
    pub lldp_sys_name: Option<String>,
    pub lldp_port_desc: Option<String>,
    pub lldp_mgmt_addr: Option<String>,
    pub lldp_sys_desc: Option<String>,
    pub cdp_device_id: Option<String>,
    pub cdp_port_id: Option<String>,
    pub cdp_platform: Option<String>,
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

impl IfEntry {
    /// The far end: the port where it is known, else the device.
    pub fn neighbor_id(&self) -> Option<NeighborId> {
        let of = |neighbor_type| move |id| NeighborId { neighbor_type, id };
        self.neighbor_if_entry_id
            .map(of(NeighborType::IfEntry))
            .or_else(|| self.neighbor_host_id.map(of(NeighborType::Host)))
    }
}

/// Replaces an entry by what the input says, in at most six statements, or nine where
/// the entry changes its network.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: UpdateIfEntryInput,
    precondition: &Precondition,
) -> Result<FullIfEntry> {
    viewer.require(PermissionLevel::Member)?;
    app.db.again(|| replace(app, viewer, id, input.clone(), precondition)).await
}

async fn replace(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: UpdateIfEntryInput,
    precondition: &Precondition,
) -> Result<FullIfEntry> {
    let precondition = precondition.or(input.expected_updated_at);
    let places = Places {
        host_id: input.host_id,
        network_id: input.network_id,
        interface_id: input.interface_id,
        neighbor: input.neighbor,
    };
    // What is wrong with the input is told only to those who may see the entry.
    let checked = input.checked();

    let transaction = app.db.begin().await?;
    let held =
        networks::touch_holder::<Entity>(&transaction, viewer, id, Some(places.network_id)).await?;
    let (entry, stored) = read(&transaction, viewer, id).await?;
    networks::require_held(&held, entry.network_id)?;
    let (columns, heard) = checked?;
    viewer.require_network(places.network_id)?;
    precondition.check(Kind::IfEntry, id, entry.updated_at)?;
    places.check(&transaction, viewer, &entry, columns.mac_address).await?;
    if columns.mac_address.is_some_and(|mac| entry.mac_address.is_some_and(|set| set != mac)) {
        return Err(Error::FieldImmutable { field: "mac_address" });
    }

    let from = entry.network_id;
    let entry = changed(entry, columns, &places);
    if from != entry.network_id {
        follow(&transaction, &entry, from).await?;
    }
    let mut row = entry.clone().into_active_model().reset_all();
    row.id = sea_orm::ActiveValue::NotSet;
    Entity::update_many().set(row).filter(Column::Id.eq(id)).exec(&transaction).await?;
    write_first_heard(&transaction, &entry, &stored, &heard).await?;
    transaction.commit().await?;
    Ok(FullIfEntry::new(entry, heard))
}

/// The entry as the input wants it; what was resolved or pinned follows from `places`.
fn changed(entry: IfEntry, columns: Columns, places: &Places) -> IfEntry {
    let moved = entry.network_id != places.network_id;
    let mut entry = IfEntry {
        updated_at: networks::later(entry.updated_at),
        host_id: places.host_id,
        network_id: places.network_id,
        interface_id: places.interface_id,
        if_index: columns.if_index,
        if_descr: columns.if_descr,
        if_type: columns.if_type,
        admin_status: columns.admin_status,
        oper_status: columns.oper_status,
        if_name: columns.if_name,
        if_alias: columns.if_alias,
        mac_address: columns.mac_address.or(entry.mac_address),
        speed_bps: columns.speed_bps,
        fdb_macs: columns.fdb_macs.map(MacList),
        ..entry
    };
    match places.neighbor {
        None if moved || entry.neighbor_host_id == Some(places.host_id) => {
            entry.set_neighbor(None, false);
        }
        // Without a pin the server decides, so a pin that was there is taken off.
        None if entry.neighbor_pinned => entry.set_neighbor(None, false),
        None => {}
        Some(neighbor) if entry.neighbor_id() == Some(neighbor) => {}
        Some(neighbor) => entry.set_neighbor(Some(neighbor), true),
    }
    entry
}

impl IfEntry {
    fn set_neighbor(&mut self, neighbor: Option<NeighborId>, pinned: bool) {
        let of = |wanted: NeighborType| {
            neighbor.filter(|far| far.neighbor_type == wanted).map(|far| far.id)
        };
        self.neighbor_if_entry_id = of(NeighborType::IfEntry);
        self.neighbor_host_id = of(NeighborType::Host);
        self.neighbor_pinned = pinned;
    }
}

/// Takes along what hangs on an entry that changes its network, and cuts what cannot follow.
async fn follow(db: &impl ConnectionTrait, entry: &IfEntry, from: Id) -> Result<()> {
    networks::count_moved(db, "if_entry_count", from, entry.network_id).await?;
    observation::Entity::update_many()
        .col_expr(observation::Column::NetworkId, Expr::val(entry.network_id))
        .filter(observation::Column::IfEntryId.eq(entry.id))
        .exec(db)
        .await?;
    Entity::update_many()
        .col_expr(Column::NeighborIfEntryId, Expr::val(None::<Id>))
        .col_expr(Column::NeighborPinned, Expr::val(false))
        .col_expr(Column::UpdatedAt, Expr::val(entry.updated_at))
        .filter(Column::NeighborIfEntryId.eq(entry.id))
        .exec(db)
        .await?;
    Ok(())
}

/// The entry and the first neighbor that it heard by each protocol, in one statement.
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

/// Makes the first observation of each protocol say what the input says, in two statements at
/// most; those further down the list stay as they are.
async fn write_first_heard(
    db: &impl ConnectionTrait,
    entry: &IfEntry,
    stored: &[Observation],
    heard: &[(NeighborProtocol, Heard)],
) -> Result<()> {
    let mut gone = Vec::new();
    let mut said = Vec::new();
    for (protocol, heard) in heard {
        let row = stored.iter().find(|row| row.protocol == *protocol);
        match row {
            Some(row) if heard.is_empty() => gone.push(row.id),
            Some(row) if heard.same_as(row) && row.network_id == entry.network_id => {}
            None if heard.is_empty() => {}
            row => said.push(new_observation(entry, *protocol, 0, heard.clone(), row)),
        }
    }
    if !gone.is_empty() {
        observation::Entity::delete_many()
            .filter(observation::Column::Id.is_in(gone))
            .exec(db)
            .await?;
    }
    if said.is_empty() {
        return Ok(());
    }
    let columns = <observation::Column as sea_orm::Iterable>::iter().filter(|column| {
        !matches!(column, observation::Column::Id | observation::Column::CreatedAt)
    });
    observation::Entity::insert_many(
        said.into_iter().map(|row| row.into_active_model().reset_all()),
    )
    .on_conflict(OnConflict::column(observation::Column::Id).update_columns(columns).to_owned())
    .exec_without_returning(db)
    .await?;
    Ok(())
}

/// The row for what an entry heard, in place of `before` if that is given.
pub fn new_observation(
    entry: &IfEntry,
    protocol: NeighborProtocol,
    position: i32,
    heard: Heard,
    before: Option<&Observation>,
) -> Observation {
    heard.into_row(&Observation {
        id: before.map_or_else(Id::new, |row| row.id),
        created_at: before.map_or(entry.updated_at, |row| row.created_at),
        updated_at: entry.updated_at,
        network_id: entry.network_id,
        if_entry_id: entry.id,
        protocol,
        position,
        chassis_id_subtype: None,
        chassis_id: None,
        port_id_subtype: None,
        port_id: None,
        port_desc: None,
        sys_name: None,
        sys_desc: None,
        mgmt_addr: None,
        platform: None,
    })
}

/// What many entries heard, in the order in which they heard it, in one statement.
pub async fn heard(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    entries: &IdSet,
) -> Result<Vec<Observation>> {
    use sea_orm::QueryOrder;
    Ok(observation::Entity::visible_to(viewer)
        .filter(entries.includes(observation::Column::IfEntryId))
        .order_by_asc(observation::Column::Protocol)
        .order_by_asc(observation::Column::Position)
        .all(db)
        .await?)
}
