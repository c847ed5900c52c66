//! API keys over REST; every route requires a session.

use axum::{extract::State, http::Method};
use sea_orm::ConnectionTrait;
use serde::{Deserialize, Serialize};
use toposcope_types::{Id, PermissionLevel, Timestamp};
use utoipa::ToSchema;

use super::{ApiKeyFilter, ApiKeyInput, CreateApiKeyInput, CreatedApiKey, Entity, FullApiKey};
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    resource::Precondition,
    rest::{
        endpoint::Access,
        envelope::{Beside, Noticed},
        extract::{NoQuery, Noted, Path, Session},
        query::Query,
        resource::{self, Readable, Updatable},
        routes::Routes,
    },
};

/// Returns the routes for API keys.
pub fn router() -> Routes {
    let session = Access::Session(PermissionLevel::Viewer);
    let create = resource::endpoint::<Entity>(
        Method::POST,
        "",
        "create_user_api_key".to_owned(),
        "Creates a key and returns its secret once.",
    )
    .access(session)
    .body::<CreateBody>()
    .answers::<CreatedApiKey>()
    .notes();
    let rotate = resource::endpoint::<Entity>(
        Method::POST,
        "/{id}/rotate",
        "rotate_user_api_key".to_owned(),
        "Issues a new secret for a key and returns it once, as `data`; the old secret stops working.",
    )
    .access(session)
    .answers::<String>()
    .beside::<Rotated>();
    resource::shown::<Entity>()
        .add(create, create_one)
        .merge(resource::changed::<Entity>())
        .merge(resource::deleted::<Entity>())
        .merge(resource::deleted_many::<Entity>())
        .add(rotate, rotate_one)
}

impl Readable for Entity {
    const PATH: &'static str = "/auth/keys";
    const NAMES: (&'static str, &'static str) = ("user_api_key", "user_api_keys");
    const TAG: &'static str = "API keys";
    const KEYS: Option<PermissionLevel> = None;
    const WRITE: PermissionLevel = PermissionLevel::Viewer;
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "created_at",
        "updated_at",
        "name",
        "organization_id",
        "user_id",
        "permissions",
        "last_used",
        "expires_at",
        "is_enabled",
        "all_networks",
        "tags",
        "network_ids",
    ];
    type Full = FullApiKey;

    fn updated_at(full: &Self::Full) -> Timestamp {
        full.api_key.updated_at
    }

    /// Returns when the key was last used.
    fn besides(full: &Self::Full) -> Option<Timestamp> {
        full.api_key.last_used
    }

    fn filter(query: &mut Query) -> Result<Self::Filter> {
        Ok(ApiKeyFilter {
            id: query.ids("ids")?,
            name: query.text("name")?,
            ..ApiKeyFilter::default()
        })
    }

    async fn full(
        app: &App,
        db: &impl ConnectionTrait,
        _: &Viewer,
        rows: Vec<Self::Model>,
    ) -> Result<Vec<Self::Full>> {
        super::full(app, db, rows).await
    }
}

impl Updatable for Entity {
    const SUMMARY: &'static str = "Replaces one; the permission level, the networks and whether it is enabled keep their value if omitted.";
    type Input = ApiKeyInput;

    async fn update(
        app: &App,
        viewer: &Viewer,
        id: Id,
        input: Self::Input,
        precondition: &Precondition,
    ) -> Result<Self::Full> {
        super::update(app, viewer, id, input, precondition).await
    }
}

/// Fields of an API key to create; REST requires more of them than GraphQL.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = CreateUserApiKeyInput)]
struct CreateBody {
    /// The name, 1 to 100 characters.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// Your organization; the nil id means the same.
    organization_id: Id,
    /// Your own user id; the nil id means the same.
    user_id: Id,
    /// The tags.
    tags: Vec<Id>,
    /// The highest permission level of the key, at most yours; defaults to Viewer.
    permissions: Option<PermissionLevel>,
    /// The networks that the key reaches, all within your reach. Defaults to those that you reach
    /// now; an empty list means no network.
    network_ids: Option<Vec<Id>>,
    /// Whether the key reaches every network that you reach, including future ones; defaults to
    /// false.
    all_networks: Option<bool>,
    /// The time at which the key expires; never if omitted.
    expires_at: Option<Timestamp>,
    /// Whether the key works immediately; defaults to true.
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
            all_networks: body.all_networks,
            expires_at: body.expires_at,
            is_enabled: body.is_enabled,
            tags: Some(body.tags),
        }
    }
}

async fn create_one(
    State(app): State<App>,
    Session(viewer): Session,
    _: NoQuery,
    Noted(input, ignored): Noted<CreateBody>,
) -> Result<Noticed<CreatedApiKey>> {
    Ok(Noticed(super::create(&app, &viewer, input.into()).await?, ignored))
}

/// The key that a response returns alongside its new secret.
#[derive(Debug, Serialize, ToSchema)]
struct Rotated {
    /// The key with the new secret.
    api_key: FullApiKey,
}

async fn rotate_one(
    State(app): State<App>,
    Session(viewer): Session,
    Path(id): Path,
    _: NoQuery,
) -> Result<Beside<String, Rotated>> {
    let CreatedApiKey { api_key, key } = super::rotate(&app, &viewer, id).await?;
    Ok(Beside(key, Rotated { api_key }))
}
