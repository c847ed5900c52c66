//! Groups over REST.

use axum::{Router, extract::State, routing::put};

use super::{FullGroup, UpdateGroupInput};
use crate::{
    app::App,
    db::Precondition,
    error::Result,
    rest::{
        envelope::Versioned,
        extract::{Body, Member, NoQuery, Path},
    },
};

/// The routes of groups.
pub fn router() -> Router<App> {
    Router::new().route("/groups/{id}", put(update))
}

async fn update(
    State(app): State<App>,
    Member(viewer): Member,
    Path(id): Path,
    _: NoQuery,
    precondition: Precondition,
    Body(input): Body<UpdateGroupInput>,
) -> Result<Versioned<FullGroup>> {
    let group = super::update(&app, &viewer, id, input, &precondition).await?;
    let version = group.group.updated_at;
    Ok(Versioned(group, version))
}
