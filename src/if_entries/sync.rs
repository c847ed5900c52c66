//! The interface table of a host, given as one list.

use std::collections::HashSet;

use sea_orm::{
    QueryFilter as _,
    sea_query::{Expr, ExprTrait as _},
};
use toposcope_types::{Id, Kind, NeighborProtocol, NeighborType, Timestamp};

use super::{
    Column, Entity, Heard, IfEntry, IfEntryInput, blank, changed,
    heard::{self, heard, log_heard},
    observation,
    references::{References, Referred, ReferredRows},
};
use crate::{
    error::{Error, Result},
    hosts::entity::{self as hosts, Model as Host},
    input::{OfHost, Part, listed},
    interfaces::entity as interfaces,
    resource::Resource,
    write::{Removable as _, Write, later},
};

/// Replaces the interface table of a host with a list. Matches entries by id, then by `if_index`;
/// deletes entries that are not in the list.
pub async fn sync(
    write: &mut Write<'_>,
    host: &Host,
    given: &[Part<IfEntryInput, OfHost>],
) -> Result<()> {
    let host_id = write.app.db.ids([host.id]);
    let stored = Entity::visible_to(&write.viewer)
        .filter(host_id.includes(Column::HostId))
        .all(&write.db)
        .await?;
    let before = listed::matched(
        &stored,
        given,
        |row| row.id,
        |row, input| i64::from(row.if_index) == input.if_index,
    )
    .map_err(|error| error.within("if_entries"))?;
    let gone = listed::unmatched(&stored, &before, |row| row.id);
    let gone_ids = write.app.db.ids(gone.iter().map(|row| row.id).collect::<Vec<_>>());
    let stored_ids = write.app.db.ids(stored.iter().map(|row| row.id).collect::<Vec<_>>());
    let heard = heard(&write.db, &write.viewer, &stored_ids).await?;
    let now = Timestamp::now();
    let planned: Vec<(IfEntry, IfEntryInput)> = given
        .iter()
        .zip(&before)
        .map(|(given, before)| {
            let new = || blank(given.id.unwrap_or_else(Id::new), host.id, host.network_id, now);
            let mut row = before.map_or_else(new, Clone::clone);
            row.point_past(&gone_ids);
            let input = IfEntryInput {
                host_id: host.id,
                network_id: host.network_id,
                ..given.input.clone()
            };
            let input = input.or_stored(&row, &heard);
            (row, input)
        })
        .collect();
    let mut known = known(write, host, given, &planned).await?;
    // An entry that this request deletes is no longer a valid neighbor.
    known.retain(|(kind, id), _| *kind != Kind::IfEntry || !gone_ids.contains(*id));
    let (mut seen, mut all) = (HashSet::new(), Vec::with_capacity(given.len()));
    let (mut created, mut replaced, mut said) = (Vec::new(), Vec::new(), Vec::new());
    for ((nth, (row, input)), before) in planned.into_iter().enumerate().zip(&before) {
        let place = |error: Error| error.within(&format!("if_entries[{nth}]"));
        let table = row.fdb_macs.clone().filter(|_| input.fdb_macs.is_undefined());
        let references = References::of(&input);
        let (columns, heard) = input.checked().map_err(place)?;
        if !seen.insert(columns.if_index) {
            return Err(Error::Duplicate { field: format!("if_entries[{nth}].if_index") });
        }
        let mac = columns.mac_address;
        if mac.is_some_and(|mac| row.mac_address.is_some_and(|set| set != mac)) {
            return Err(place(Error::FieldImmutable { field: "mac_address".to_owned() }));
        }
        references.check_among(&row, mac, &known).map_err(place)?;
        let version = row.updated_at;
        let entry = changed(row, columns, &references).map_err(place)?;
        let mut entry = IfEntry { updated_at: version, ..entry };
        entry.fdb_macs = table.or(entry.fdb_macs);
        said.push((entry.clone(), heard));
        listed::sort_in(*before, entry, &mut created, &mut replaced, &mut all, |row| {
            row.updated_at = later(version);
        });
    }
    Entity::remove(write, gone).await?;
    save(write, replaced, created, &stored, said, heard).await
}

/// Writes entries and their observations, in a number of statements that does not grow with the
/// number of entries.
async fn save(
    write: &mut Write<'_>,
    mut replaced: Vec<(IfEntry, IfEntry)>,
    mut created: Vec<IfEntry>,
    stored: &[IfEntry],
    said: Vec<(IfEntry, Vec<(NeighborProtocol, Heard)>)>,
    before: Vec<observation::Model>,
) -> Result<()> {
    let changes = heard::changes(&before, said);
    // An entry whose observations change gets a new version.
    for id in changes.touched() {
        if replaced.iter().any(|(row, _)| row.id == id) {
            continue;
        }
        if let Some(row) = stored.iter().find(|row| row.id == id) {
            let after = IfEntry { updated_at: later(row.updated_at), ..row.clone() };
            replaced.push((row.clone(), after));
        }
    }
    if listed::swaps(&replaced, |row| row.if_index) {
        park(write, &replaced).await?;
    }
    // Insert new entries before any entry references them, new ones included.
    for entry in &mut created {
        if entry.neighbor_if_entry_id.is_some() {
            let pointing = entry.clone();
            entry.neighbor_if_entry_id = None;
            replaced.push((entry.clone(), pointing));
        }
    }
    let renumbered = replaced.iter().filter(|(before, after)| before.if_index != after.if_index);
    let renumbered = renumbered.map(|(before, after)| {
        let moved = IfEntry { if_index: after.if_index, ..before.clone() };
        (before.clone(), moved)
    });
    write.replace::<Entity>(renumbered.collect()).await?;
    write.insert::<Entity>(created).await?;
    write.replace::<Entity>(replaced).await?;
    let touched: HashSet<Id> = changes.touched().collect();
    let after = changes.after(&before);
    let of_touched = |rows: Vec<observation::Model>| {
        rows.into_iter().filter(|row| touched.contains(&row.if_entry_id)).collect()
    };
    changes.write(write).await?;
    log_heard(write, of_touched(before), of_touched(after));
    Ok(())
}

/// Gives entries numbers that no other entry has, before they take each other's numbers.
pub async fn park(write: &Write<'_>, rows: &[(IfEntry, IfEntry)]) -> Result<()> {
    let parked = Expr::col(Column::IfIndex).mul(-1);
    write.park::<Entity>(rows, Column::IfIndex, parked).await
}

/// Reads the rows that a list references, in at most four statements.
async fn known(
    write: &Write<'_>,
    host: &Host,
    given: &[Part<IfEntryInput, OfHost>],
    planned: &[(IfEntry, IfEntryInput)],
) -> Result<ReferredRows> {
    let mut known = ReferredRows::new();
    let mut know = |kind, id, network_id, host_id, mac_address| {
        known.insert((kind, id), Referred { kind, id, network_id, host_id, mac_address });
    };
    let inputs = || planned.iter().map(|(_, input)| input);
    let far = |wanted: NeighborType| {
        let far = inputs().filter_map(|input| input.neighbor.take());
        far.filter(move |far| far.neighbor_type == wanted).map(|far| far.id)
    };
    let rows =
        named::<interfaces::Entity>(write, inputs().filter_map(|input| input.interface_id.take()));
    for row in rows.await? {
        know(Kind::Interface, row.id, row.network_id, row.host_id, row.mac_address);
    }
    for row in named::<hosts::Entity>(write, far(NeighborType::Host)).await? {
        know(Kind::Host, row.id, row.network_id, row.id, None);
    }
    for row in named::<Entity>(write, far(NeighborType::IfEntry)).await? {
        know(Kind::IfEntry, row.id, row.network_id, row.host_id, None);
    }
    // A loop cable: the same request may create both ends.
    for id in given.iter().filter_map(|given| given.id) {
        know(Kind::IfEntry, id, host.network_id, host.id, None);
    }
    Ok(known)
}

async fn named<E: Resource>(
    write: &Write<'_>,
    ids: impl Iterator<Item = Id>,
) -> Result<Vec<E::Model>> {
    let ids = write.app.db.ids(ids.collect::<Vec<_>>());
    if ids.ids().is_empty() {
        return Ok(Vec::new());
    }
    Ok(E::visible_to(&write.viewer).filter(ids.includes(E::ID)).all(&write.db).await?)
}
