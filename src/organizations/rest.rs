//! Organizations over REST.

use axum::{
    extract::{Request, State},
    http::Method,
    response::{IntoResponse, Response},
};
use sea_orm::ConnectionTrait;
use toposcope_types::{Id, PermissionLevel, Timestamp};

use super::{Entity, Organization, OrganizationFilter, OrganizationInput};
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    resource::Precondition,
    rest::{
        endpoint::Access,
        extract::NoQuery,
        query::Query,
        resource::{self, Readable, Updatable},
        routes::Routes,
    },
};

/// Returns the routes for organizations. Every viewer belongs to one, so these routes need no id.
pub fn router() -> Routes {
    let own = resource::endpoint::<Entity>(
        Method::GET,
        "",
        "get_own_organization".to_owned(),
        "Returns your organization.",
    )
    .access(Access::Level(PermissionLevel::Viewer))
    .answers::<Organization>()
    .versioned();
    let change = resource::endpoint::<Entity>(
        Method::PUT,
        "",
        "update_own_organization".to_owned(),
        "Updates your organization; omitted fields keep their value.",
    )
    .access(Access::Level(PermissionLevel::Owner))
    .guarded()
    .body::<OrganizationInput>()
    .answers::<Organization>()
    .versioned();
    resource::shown_apart::<Entity>()
        .add(own, get_own)
        .add(change, update_own)
        .merge(resource::changed::<Entity>())
}

async fn get_own(State(app): State<App>, viewer: Viewer, _: NoQuery) -> Result<Response> {
    let id = viewer.organization_id;
    let own = super::get(&app, &viewer, id).await?;
    resource::answer::<Entity>(&app, &viewer, own).await
}

async fn update_own(State(app): State<App>, request: Request) -> Result<impl IntoResponse + use<>> {
    resource::update_own::<Entity>(app, request, |viewer| viewer.organization_id).await
}

impl Readable for Entity {
    const PATH: &'static str = "/organizations";
    const NAMES: (&'static str, &'static str) = ("organization", "organizations");
    const TAG: &'static str = "Organizations";
    const WRITE: PermissionLevel = PermissionLevel::Owner;
    const COLUMNS: &'static [&'static str] =
        &["id", "created_at", "updated_at", "name", "api_access_enabled"];
    type Full = Organization;

    fn updated_at(full: &Self::Full) -> Timestamp {
        full.updated_at
    }

    fn filter(query: &mut Query) -> Result<Self::Filter> {
        Ok(OrganizationFilter {
            id: query.ids("ids")?,
            name: query.text("name")?,
            ..OrganizationFilter::default()
        })
    }

    async fn full(
        _: &App,
        _: &impl ConnectionTrait,
        _: &Viewer,
        rows: Vec<Self::Model>,
    ) -> Result<Vec<Self::Full>> {
        Ok(rows)
    }
}

impl Updatable for Entity {
    const SUMMARY: &'static str = "Updates it; omitted fields keep their value.";
    type Input = OrganizationInput;

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
