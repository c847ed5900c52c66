//! Deleting: one thing or many, with all that hangs on them, in one transaction.

use std::collections::BTreeMap;

use async_graphql::SimpleObject;
use sea_orm::QueryFilter as _;
use serde::Serialize;
use toposcope_types::{Id, Kind, PermissionLevel};

use super::Write;
use crate::{
    app::App,
    auth::Viewer,
    db::IdSet,
    error::{Error, Result},
    resource::{Precondition, Resource},
};

/// A resource that can be deleted.
pub trait Removable: Resource {
    /// The level that deleting it needs.
    const LEVEL: PermissionLevel;
    /// Whether it changes who reaches what.
    const REACH: bool = false;

    /// Holds what is written into when these rows go.
    fn hold(write: &mut Write<'_>, ids: &IdSet) -> impl Future<Output = Result<()>> + Send {
        write.hold_holders::<Self>(ids)
    }

    /// Removes rows, and before them what hangs on them; refuses to strand what does not.
    fn remove(
        write: &mut Write<'_>,
        rows: Vec<Self::Model>,
    ) -> impl Future<Output = Result<()>> + Send;
}

/// What a delete took away, or what one that was only tried would take away.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Deleted {
    /// The id of what was deleted.
    pub id: Id,
    /// Whether it was only tried: nothing is gone.
    pub dry_run: bool,
    /// How many things went, by kind, with what was deleted among them.
    #[schema(value_type = BTreeMap<String, u64>)]
    pub deleted: BTreeMap<Kind, u64>,
}

/// How many of many things were deleted.
#[derive(Clone, Copy, Debug, Serialize, SimpleObject, utoipa::ToSchema)]
pub struct BulkDeleted {
    /// How many were there and are gone; what hung on them is not counted.
    pub deleted_count: u64,
    /// How many ids were given, each counted once.
    pub requested_count: u64,
}

/// Deletes one thing with all that hangs on it and tells what went; with `dry_run` it only tells.
pub async fn delete<E: Removable>(
    app: &App,
    viewer: &Viewer,
    id: Id,
    precondition: &Precondition,
    dry_run: bool,
) -> Result<Deleted> {
    viewer.require(E::LEVEL)?;
    let one = || async {
        let (mut write, mut rows) = held::<E>(app, viewer, &[id]).await?;
        let row = rows.pop().ok_or(Error::NotFound { kind: E::KIND, id })?;
        precondition.check(E::KIND, id, E::updated_at(&row))?;
        E::remove(&mut write, vec![row]).await?;
        let deleted = write.deleted();
        if dry_run {
            write.db.rollback().await?;
        } else {
            write.commit().await?;
        }
        Ok(Deleted { id, dry_run, deleted })
    };
    app.db.again(one).await
}

/// Deletes those of many things that are in reach, with all that hangs on them, all or nothing.
pub async fn bulk_delete<E: Removable>(
    app: &App,
    viewer: &Viewer,
    mut ids: Vec<Id>,
) -> Result<BulkDeleted> {
    viewer.require(E::LEVEL)?;
    ids.sort_unstable();
    ids.dedup();
    let many = || async {
        let (mut write, rows) = held::<E>(app, viewer, &ids).await?;
        let deleted_count = rows.len() as u64;
        if rows.is_empty() {
            write.db.rollback().await?;
        } else {
            E::remove(&mut write, rows).await?;
            write.commit().await?;
        }
        Ok(BulkDeleted { deleted_count, requested_count: ids.len() as u64 })
    };
    app.db.again(many).await
}

async fn held<'a, E: Removable>(
    app: &'a App,
    viewer: &Viewer,
    ids: &[Id],
) -> Result<(Write<'a>, Vec<E::Model>)> {
    let ids = app.db.ids(ids);
    let mut write = Write::begin(app, viewer, E::LEVEL).await?;
    E::hold(&mut write, &ids).await?;
    if E::REACH {
        write.change_rights();
    }
    let viewer = &write.viewer.clone();
    let rows = E::visible_to(viewer).filter(ids.includes(E::ID)).all(&write.db).await?;
    for network in rows.iter().filter_map(E::network_id) {
        write.require_held(network)?;
    }
    Ok((write, rows))
}
