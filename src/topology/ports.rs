//! The ports of a snapshot: which of them are sockets, and what belongs to each socket.

use std::collections::HashSet;

use sea_orm::ActiveEnum as _;
use toposcope_topology::{
    network::{
        layers::count,
        links::NONE,
        ports::{PortKind, PortNode},
        settings::PortSettings,
    },
    resolution::{
        if_type,
        sockets::{Interface, placements},
    },
};
use toposcope_types::{AdminStatus, Duplex, Id, Mac, OperStatus, StpState};

use crate::db::columns::columns;

/// The speed of ports that are faster than their counter can tell (ifSpeed, RFC 2863), in bits per
/// second.
const MORE: i64 = 4_294_967_295;

/// A port as it is read.
#[derive(Debug)]
pub(super) struct PortRow {
    id: Id,
    name: String,
    speed_bps: Option<i64>,
    admin_status: AdminStatus,
    oper_status: OperStatus,
    if_type: i32,
    if_index: i32,
    mac_address: Option<Mac>,
    lag_if_index: Option<i32>,
    parent_if_index: Option<i32>,
    settings: Option<String>,
}

columns!(PortRow {
    id: Id,
    name: String = "coalesce(nullif(if_name, ''), if_descr)",
    speed_bps: Option<i64>,
    admin_status: AdminStatus,
    oper_status: OperStatus,
    if_type: i32,
    if_index: i32,
    mac_address: Option<Mac>,
    lag_if_index: Option<i32>,
    parent_if_index: Option<i32>,
    settings: Option<String> = "nullif(coalesce(cast(mtu AS text), '') || ' ' || coalesce(duplex, '') || ' ' || \
         coalesce(cast(native_vlan AS text), '') || ' ' || coalesce(stp_state, '') || ' ' || \
         coalesce(tagged_vlans, ''), '    ')",
});

/// Adds all ports of a device.
pub(super) fn add(ports: &mut Vec<PortNode>, host: u32, rows: Vec<PortRow>) {
    let placements = placements(&rows.iter().map(interface).collect::<Vec<_>>());
    let first = count(ports.len());
    let place = |at: usize| first + count(at);
    let bundles: HashSet<usize> = placements.iter().filter_map(|placed| placed.bundle).collect();
    let rows = rows.into_iter().zip(placements).enumerate();
    ports.extend(rows.map(|(at, (row, placed))| PortNode {
        id: row.id,
        host,
        name: row.name.into(),
        speed_bps: row.speed_bps.filter(|speed| *speed != MORE),
        admin_status: row.admin_status,
        oper_status: row.oper_status,
        kind: if placed.socket == at { kind(row.if_type) } else { PortKind::Other },
        socket: place(placed.socket),
        basis: placed.basis,
        borrows: placed.borrows.map_or(NONE, place),
        bundle: placed.bundle.map_or(NONE, place),
        bundle_basis: placed.bundle_basis,
        has_members: bundles.contains(&at),
        settings: row.settings.as_deref().map(settings).map(Box::new),
    }));
}

fn interface(row: &PortRow) -> Interface<'_> {
    Interface {
        if_index: row.if_index,
        name: &row.name,
        if_type: row.if_type,
        mac_address: row.mac_address,
        lag_if_index: row.lag_if_index,
        parent_if_index: row.parent_if_index,
    }
}

/// Reads the settings of a port from one text, in which a blank follows each of the first four.
fn settings(text: &str) -> PortSettings {
    let mut parts = text.splitn(5, ' ');
    let mut next = || parts.next().filter(|part| !part.is_empty());
    PortSettings {
        mtu: next().and_then(|part| part.parse().ok()),
        duplex: next().and_then(|part| Duplex::try_from_value(&part.to_owned()).ok()),
        native_vlan: next().and_then(|part| part.parse().ok()),
        stp_state: next().and_then(|part| StpState::try_from_value(&part.to_owned()).ok()),
        tagged_vlans: next().and_then(|part| part.parse().ok()),
    }
}

fn kind(if_type: i32) -> PortKind {
    if if_type::has_one_cable(if_type) {
        PortKind::Socket
    } else if if_type::is_aggregate(if_type) {
        PortKind::Aggregate
    } else if if_type::is_virtual(if_type) {
        PortKind::Virtual
    } else {
        PortKind::Other
    }
}

/// Sorts ports by id, and lets them refer to each other by their new places.
pub(super) fn sort(ports: &mut [PortNode]) {
    let mut order: Vec<u32> = (0_u32..).zip(&*ports).map(|(place, _)| place).collect();
    order.sort_unstable_by_key(|port| ports[*port as usize].id);
    let mut places = vec![0; order.len()];
    for (place, port) in (0_u32..).zip(&order) {
        places[*port as usize] = place;
    }
    for port in &mut *ports {
        for other in [&mut port.socket, &mut port.borrows, &mut port.bundle] {
            *other = places.get(*other as usize).copied().unwrap_or(NONE);
        }
    }
    ports.sort_unstable_by_key(|port| port.id);
}
