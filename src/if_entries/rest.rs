//! Interface-table entries over REST.

use axum::{Router, extract::State, routing::put};

use super::{FullIfEntry, UpdateIfEntryInput};
use crate::{
    app::App,
    db::Precondition,
    error::Result,
    rest::{
        envelope::Versioned,
        extract::{Body, Member, NoQuery, Path},
    },
};

/// The routes of interface-table entries.
pub fn router() -> Router<App> {
    Router::new().route("/if-entries/{id}", put(update))
}

async fn update(
    State(app): State<App>,
    Member(viewer): Member,
    Path(id): Path,
    _: NoQuery,
    precondition: Precondition,
    Body(input): Body<UpdateIfEntryInput>,
) -> Result<Versioned<FullIfEntry>> {
    let entry = super::update(&app, &viewer, id, input, &precondition).await?;
    let version = entry.entry.updated_at;
    Ok(Versioned(entry, version))
}
