//! Forwarding tables, and lists of VLANs: one may be a thousand times as long as the rest of its row.

use std::collections::HashMap;

use sea_orm::{ConnectionTrait, QueryFilter as _, QuerySelect as _};
use toposcope_types::{Id, MacList, VlanSet};

use super::{Column, Entity, IfEntry};
use crate::{app::App, auth::Viewer, error::Result, resource::Resource as _};

impl IfEntry {
    /// Returns how many bytes of the entry's forwarding table are still unread.
    pub fn late(&self) -> u64 {
        match self.fdb_macs {
            Some(MacList::Late(bytes)) => bytes,
            _ => 0,
        }
    }

    /// Returns how many bytes the list of the entry's VLANs has, which is stored as ranges.
    pub fn unfolded(&self) -> u64 {
        let vlans = self.tagged_vlans.as_ref().map_or(0, VlanSet::len);
        (vlans * WRITTEN_VLAN) as u64
    }
}

/// The size of a VLAN in a list, in bytes.
const WRITTEN_VLAN: usize = 5;

/// Reads the forwarding tables of entries, in one statement.
pub async fn tables(
    app: &App,
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    entries: Vec<Id>,
) -> Result<HashMap<Id, MacList>> {
    let rows: Vec<(Id, Option<MacList>)> = Entity::visible_to(viewer)
        .filter(app.db.ids(entries).includes(Column::Id))
        .select_only()
        .columns([Column::Id, Column::FdbMacs])
        .into_tuple()
        .all(db)
        .await?;
    Ok(rows.into_iter().filter_map(|(id, table)| Some((id, table?))).collect())
}

/// Reads the deferred forwarding tables into entries.
pub async fn read_tables(
    app: &App,
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    mut entries: Vec<&mut IfEntry>,
) -> Result<()> {
    entries.retain(|entry| entry.late() > 0);
    if entries.is_empty() {
        return Ok(());
    }
    let ids = entries.iter().map(|entry| entry.id).collect();
    let mut tables = tables(app, db, viewer, ids).await?;
    for entry in entries {
        // An entry deleted in the meantime has no table.
        entry.fdb_macs = tables.remove(&entry.id);
    }
    Ok(())
}
