//! Users over REST.

mod session;

use axum::{
    extract::{Request, State},
    http::Method,
    response::IntoResponse,
};
use sea_orm::ConnectionTrait;
use toposcope_types::{Id, PermissionLevel, Timestamp};

use super::{Entity, FullUser, UserFilter, UserInput};
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    resource::Precondition,
    rest::{
        endpoint::Access,
        extract,
        query::Query,
        resource::{self, Readable, Updatable},
        routes::Routes,
    },
};

/// Returns the routes for users.
pub fn router() -> Routes {
    let admin = resource::endpoint::<Entity>(
        Method::PUT,
        "/{id}/admin",
        "update_user_as_admin".to_owned(),
        "Updates the permission level and networks of a user whose level is not above yours.",
    )
    .access(Access::Level(PermissionLevel::Admin))
    .guarded()
    .body::<UserInput>()
    .answers::<FullUser>()
    .versioned();
    resource::shown::<Entity>()
        .merge(resource::changed::<Entity>())
        .add(admin, update_as_admin)
        .merge(resource::deleted::<Entity>())
        .merge(resource::deleted_many::<Entity>())
}

impl Readable for Entity {
    const PATH: &'static str = "/users";
    const NAMES: (&'static str, &'static str) = ("user", "users");
    const TAG: &'static str = "Users";
    const KEYS: Option<PermissionLevel> = Some(PermissionLevel::Admin);
    const WRITE: PermissionLevel = PermissionLevel::Viewer;
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "created_at",
        "updated_at",
        "email",
        "organization_id",
        "permissions",
        "has_password",
        "network_ids",
        "email_verified",
        "terms_accepted_at",
    ];
    type Full = FullUser;

    fn updated_at(full: &Self::Full) -> Timestamp {
        full.user.updated_at
    }

    fn filter(query: &mut Query) -> Result<Self::Filter> {
        Ok(UserFilter {
            id: query.ids("ids")?,
            permissions: query.value("permissions")?,
            ..UserFilter::default()
        })
    }

    async fn full(
        app: &App,
        db: &impl ConnectionTrait,
        viewer: &Viewer,
        rows: Vec<Self::Model>,
    ) -> Result<Vec<Self::Full>> {
        super::full(app, db, Some(&viewer.networks), rows).await
    }
}

impl Updatable for Entity {
    type Input = UserInput;

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

async fn update_as_admin(
    State(app): State<App>,
    request: Request,
) -> Result<impl IntoResponse + use<>> {
    let (parts, body) = request.into_parts();
    extract::viewer(&parts)?.require(PermissionLevel::Admin)?;
    resource::update_one::<Entity>(State(app), Request::from_parts(parts, body)).await
}

/// Returns the routes for setup and login.
pub fn session() -> Routes {
    session::router()
}
