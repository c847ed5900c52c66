//! Organizations over REST.

use sea_orm::ConnectionTrait;

use super::{Entity, Organization, OrganizationFilter, OrganizationInput};
use crate::{
    app::App,
    auth::Viewer,
    db::Precondition,
    error::Result,
    rest::{
        query::Query,
        resource::{self, Changed, Shown},
        routes::Routes,
    },
    types::{Id, PermissionLevel, Timestamp},
};

/// The routes of organizations.
pub fn router() -> Routes {
    resource::shown::<Entity>().merge(resource::changed::<Entity>())
}

impl Shown for Entity {
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

impl Changed for Entity {
    const SUMMARY: &'static str = "Changes it: what is left out stays.";
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
