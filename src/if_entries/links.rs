//! Repoints or clears the references of if-entries whose target is deleted or moved.

use std::{collections::HashMap, hash::BuildHasher};

use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _,
    sea_query::{Expr, ExprTrait as _, SimpleExpr},
};
use toposcope_types::{Id, PermissionLevel};

use super::{
    Column, Entity, IfEntry,
    heard::{heard, log_heard},
    observation,
};
use crate::{
    db::IdSet,
    error::Result,
    resource::Resource as _,
    write::{Removable, Write, later},
};

/// Moves the observations of an entry to its new network, and clears references that cannot follow.
pub(super) async fn follow(write: &mut Write<'_>, entry: &IfEntry) -> Result<()> {
    observation::Entity::update_many()
        .col_expr(observation::Column::NetworkId, Expr::val(entry.network_id))
        .filter(observation::Column::IfEntryId.eq(entry.id))
        .exec(&write.db)
        .await?;
    let gone = write.app.db.ids([entry.id]);
    unlink(write, gone.includes(Column::NeighborIfEntryId), &gone).await
}

/// Clears the references to `gone` in the entries outside `gone` that match `pointing`.
pub async fn unlink(write: &mut Write<'_>, pointing: SimpleExpr, gone: &IdSet) -> Result<()> {
    let pointing = Entity::visible_to(&write.viewer)
        .filter(pointing)
        .filter(gone.includes(Column::Id).not())
        .all(&write.db)
        .await?;
    if pointing.is_empty() {
        return Ok(());
    }
    let unlinked = pointing.into_iter().map(|before| {
        let mut after = before.clone();
        after.updated_at = later(before.updated_at);
        (before, after)
    });
    let mut unlinked: Vec<(IfEntry, IfEntry)> = unlinked.collect();
    for (_, entry) in &mut unlinked {
        entry.point_past(gone);
    }
    write.replace::<Entity>(unlinked).await
}

impl IfEntry {
    /// Clears references to deleted rows.
    pub fn point_past(&mut self, gone: &IdSet) {
        let goes = |id: Option<Id>| id.is_some_and(|id| gone.contains(id));
        if goes(self.neighbor_if_entry_id) || goes(self.neighbor_host_id) {
            self.set_neighbor(None, false);
        }
        if goes(self.interface_id) {
            self.interface_id = None;
        }
    }
}

/// Repoints entries from duplicates, the keys of `alike`, to their counterparts.
pub async fn repoint<S: BuildHasher>(
    write: &mut Write<'_>,
    alike: &HashMap<Id, Id, S>,
) -> Result<()> {
    if alike.is_empty() {
        return Ok(());
    }
    let from = write.app.db.ids(alike.keys().copied().collect::<Vec<_>>());
    let pointing = Entity::visible_to(&write.viewer)
        .filter(from.includes(Column::NeighborIfEntryId))
        .all(&write.db)
        .await?;
    let turned = pointing.into_iter().map(|row| {
        let to = row.neighbor_if_entry_id.and_then(|id| alike.get(&id).copied());
        let own = to == Some(row.id);
        let after = IfEntry {
            neighbor_if_entry_id: to.filter(|_| !own),
            neighbor_pinned: row.neighbor_pinned && !own,
            updated_at: later(row.updated_at),
            ..row.clone()
        };
        (row, after)
    });
    write.replace::<Entity>(turned.collect()).await
}

impl Removable for Entity {
    const LEVEL: PermissionLevel = PermissionLevel::Member;

    async fn remove(write: &mut Write<'_>, rows: Vec<IfEntry>) -> Result<()> {
        let ids = write.app.db.ids(rows.iter().map(|row| row.id).collect::<Vec<_>>());
        unlink(write, ids.includes(Column::NeighborIfEntryId), &ids).await?;
        let before = heard(&write.db, &write.viewer, &ids).await?;
        write.remove::<Self>(&rows).await?;
        log_heard(write, before, Vec::new());
        Ok(())
    }
}
