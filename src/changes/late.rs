//! Long entities in changes, which are read only when a response shows them.

use std::collections::HashMap;

use sea_orm::{ConnectionTrait, QueryFilter as _, QuerySelect as _};
use serde_json::Value;
use toposcope_types::Id;

use super::{Change, Column, Entity};
use crate::{app::App, auth::Viewer, error::Result, resource::Resource as _};

/// Returns how many bytes of an entity have not been read yet. An entity is an object, never a
/// number.
pub(super) fn late(thing: Option<&Value>) -> u64 {
    thing.and_then(Value::as_u64).unwrap_or_default()
}

/// Reads the entities of changes, before and after, in one statement.
pub(super) async fn things(
    app: &App,
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    changes: Vec<Id>,
) -> Result<HashMap<Id, (Option<Value>, Option<Value>)>> {
    let rows: Vec<(Id, Option<Value>, Option<Value>)> = Entity::visible_to(viewer)
        .filter(app.db.ids(changes).includes(Column::Id))
        .select_only()
        .columns([Column::Id, Column::Before, Column::After])
        .into_tuple()
        .all(db)
        .await?;
    Ok(rows.into_iter().map(|(id, before, after)| (id, (before, after))).collect())
}

impl Change {
    /// Returns how many of its bytes have not been read yet.
    pub(super) fn late(&self) -> u64 {
        late(self.before.as_ref()) + late(self.after.as_ref())
    }
}
