//! API keys over REST; all of it needs a session.

use axum::{
    Router,
    extract::State,
    routing::{get, post},
};
use serde::Deserialize;

use super::{CreateApiKeyInput, CreatedApiKey, FullApiKey};
use crate::{
    app::App,
    error::Result,
    rest::{
        envelope::One,
        extract::{Body, NoQuery, Path, Session},
    },
    types::{Id, PermissionLevel, Timestamp},
};

/// The routes of API keys.
pub fn router() -> Router<App> {
    Router::new().route("/auth/keys", post(create)).route("/auth/keys/{id}", get(one))
}

/// What REST requires beyond what GraphQL does.
#[derive(Debug, Deserialize)]
struct CreateBody {
    name: String,
    organization_id: Id,
    user_id: Id,
    tags: Vec<Id>,
    permissions: Option<PermissionLevel>,
    network_ids: Option<Vec<Id>>,
    expires_at: Option<Timestamp>,
    is_enabled: Option<bool>,
}

impl From<CreateBody> for CreateApiKeyInput {
    fn from(body: CreateBody) -> Self {
        Self {
            name: body.name,
            organization_id: Some(body.organization_id),
            user_id: Some(body.user_id),
            permissions: body.permissions,
            network_ids: body.network_ids,
            expires_at: body.expires_at,
            is_enabled: body.is_enabled,
            tags: Some(body.tags),
        }
    }
}

async fn create(
    State(app): State<App>,
    Session(viewer): Session,
    _: NoQuery,
    Body(input): Body<CreateBody>,
) -> Result<One<CreatedApiKey>> {
    Ok(One(super::create(&app, &viewer, input.into()).await?))
}

async fn one(
    State(app): State<App>,
    Session(viewer): Session,
    Path(id): Path,
    _: NoQuery,
) -> Result<One<FullApiKey>> {
    Ok(One(super::get(&app, &viewer, id).await?))
}
