//! Deletes one object or many, with their dependents, in one transaction.

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
    /// The permission level that deleting it requires.
    const LEVEL: PermissionLevel;
    /// Whether deleting it changes what viewers can reach.
    const REACH: bool = false;

    /// Locks the logs that deleting these rows writes to.
    fn hold(write: &mut Write<'_>, ids: &IdSet) -> impl Future<Output = Result<()>> + Send {
        write.hold_holders::<Self>(ids)
    }

    /// Deletes rows, and their dependents first; refuses to strand other rows.
    fn remove(
        write: &mut Write<'_>,
        rows: Vec<Self::Model>,
    ) -> impl Future<Output = Result<()>> + Send;
}

/// The objects that a delete removed, or that a dry run would remove.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Deleted {
    /// The id of the deleted object.
    pub id: Id,
    /// Whether this was a dry run, which deletes nothing.
    pub dry_run: bool,
    /// The number of deleted objects by kind, including the object itself.
    #[schema(value_type = BTreeMap<String, u64>)]
    pub deleted: BTreeMap<Kind, u64>,
}

/// The result of a bulk delete.
#[derive(Clone, Copy, Debug, Serialize, SimpleObject, utoipa::ToSchema)]
pub struct BulkDeleted {
    /// The number of requested objects that existed and were deleted; dependents are not counted.
    pub deleted_count: u64,
    /// The number of requested ids, each counted once.
    pub requested_count: u64,
}

/// Deletes one object with its dependents and returns what was deleted; with `dry_run`, deletes
/// nothing and returns what would be.
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

/// Deletes the objects in the viewer's reach, with their dependents, all or nothing.
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
