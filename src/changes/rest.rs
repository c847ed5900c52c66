//! The change log over REST.

use sea_orm::ConnectionTrait;
use toposcope_types::Timestamp;

use super::{Change, ChangeFilter, Entity, late::things};
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    rest::{
        query::Query,
        resource::{self, Readable},
        routes::Routes,
    },
};

/// Returns the routes for the change log.
pub fn router() -> Routes {
    resource::shown::<Entity>()
}

impl Readable for Entity {
    const PATH: &'static str = "/changes";
    const NAMES: (&'static str, &'static str) = ("change", "changes");
    const TAG: &'static str = "Changes";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "created_at",
        "organization_id",
        "network_id",
        "sequence",
        "entity",
        "entity_id",
        "action",
        "before",
        "after",
        "user_id",
        "api_key_id",
        "session_id",
        "request_id",
    ];
    type Full = Change;

    fn updated_at(full: &Change) -> Timestamp {
        full.created_at
    }

    fn filter(query: &mut Query) -> Result<ChangeFilter> {
        Ok(ChangeFilter {
            network_id: query.id("network_id")?,
            entity: query.value("entity")?,
            entity_id: query.id("entity_id")?,
            action: query.value("action")?,
            user_id: query.id("user_id")?,
            api_key_id: query.id("api_key_id")?,
            since: query.one("since")?,
            after_sequence: query.one::<i64>("after_sequence")?.map(Into::into),
            id: query.ids("ids")?,
            ..ChangeFilter::default()
        })
    }

    async fn full(
        _: &App,
        _: &impl ConnectionTrait,
        _: &Viewer,
        rows: Vec<Change>,
    ) -> Result<Vec<Change>> {
        Ok(rows)
    }

    fn late(full: &Change) -> u64 {
        full.late()
    }

    async fn read_late(
        app: &App,
        db: &impl ConnectionTrait,
        viewer: &Viewer,
        rows: &mut [Change],
    ) -> Result<()> {
        let ids = rows.iter().filter(|row| row.late() > 0).map(|row| row.id).collect();
        let mut things = things(app, db, viewer, ids).await?;
        for row in rows.iter_mut().filter(|row| row.late() > 0) {
            (row.before, row.after) = things.remove(&row.id).unwrap_or_default();
        }
        Ok(())
    }
}
