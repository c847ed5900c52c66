//! Networks over REST.

use sea_orm::ConnectionTrait;
use toposcope_types::{Id, PermissionLevel, Timestamp};

use super::{Entity, FullNetwork, NetworkFilter, NetworkInput};
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    input::{New, Part},
    resource::Precondition,
    rest::{
        query::Query,
        resource::{self, Creatable, Readable, Updatable},
        routes::Routes,
    },
};

/// Returns the routes for networks.
pub fn router() -> Routes {
    resource::all::<Entity>()
}

impl Readable for Entity {
    const PATH: &'static str = "/networks";
    const NAMES: (&'static str, &'static str) = ("network", "networks");
    const TAG: &'static str = "Networks";
    const WRITE: PermissionLevel = PermissionLevel::Admin;
    const COLUMNS: &'static [&'static str] =
        &["id", "created_at", "updated_at", "name", "organization_id", "tags"];
    type Full = FullNetwork;

    fn updated_at(full: &Self::Full) -> Timestamp {
        full.network.updated_at
    }

    fn filter(query: &mut Query) -> Result<Self::Filter> {
        Ok(NetworkFilter {
            id: query.ids("ids")?,
            tag_id: query.ids("tag_ids")?,
            name: query.text("name")?,
            ..NetworkFilter::default()
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

impl Creatable for Entity {
    type Input = Part<NetworkInput, New>;

    async fn create(app: &App, viewer: &Viewer, input: Self::Input) -> Result<Self::Full> {
        super::create(app, viewer, input.input).await
    }
}

impl Updatable for Entity {
    type Input = NetworkInput;

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
