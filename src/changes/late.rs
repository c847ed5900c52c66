//! What a change tells, where that is long: it is read when it is shown.

use std::collections::HashMap;

use sea_orm::{ConnectionTrait, QueryFilter as _, QuerySelect as _};
use serde_json::Value;
use toposcope_types::Id;

use super::{Change, Column, Entity};
use crate::{app::App, auth::Viewer, error::Result, resource::Resource as _};

/// How many bytes of a thing are not read yet. A thing is an object, and never a number.
pub(super) fn late(thing: Option<&Value>) -> u64 {
    thing.and_then(Value::as_u64).unwrap_or_default()
}

/// What changes tell, before and after, in one statement.
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
    /// How many bytes of it are not read yet.
    pub(super) fn late(&self) -> u64 {
        late(self.before.as_ref()) + late(self.after.as_ref())
    }
}
