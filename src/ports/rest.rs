//! Ports over REST.

use sea_orm::ConnectionTrait;
use toposcope_types::{Id, Timestamp};

use super::{Entity, FullPort, PortFilter, PortInput};
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

/// Returns the routes for ports.
pub fn router() -> Routes {
    resource::all::<Entity>()
}

impl Readable for Entity {
    const PATH: &'static str = "/ports";
    const NAMES: (&'static str, &'static str) = ("port", "ports");
    const TAG: &'static str = "Ports";
    const COLUMNS: &'static [&'static str] =
        &["id", "created_at", "updated_at", "host_id", "network_id", "number", "protocol", "type"];
    type Full = FullPort;

    fn updated_at(full: &Self::Full) -> Timestamp {
        full.port.updated_at
    }

    fn filter(query: &mut Query) -> Result<Self::Filter> {
        Ok(PortFilter {
            network_id: query.id("network_id")?,
            host_id: query.id("host_id")?,
            id: query.ids("ids")?,
            number: query.int("number")?,
            protocol: query.value("protocol")?,
            ..PortFilter::default()
        })
    }

    async fn full(
        _: &App,
        _: &impl ConnectionTrait,
        _: &Viewer,
        rows: Vec<Self::Model>,
    ) -> Result<Vec<Self::Full>> {
        Ok(rows.into_iter().map(Into::into).collect())
    }
}

impl Creatable for Entity {
    type Input = Part<PortInput, New>;

    async fn create(app: &App, viewer: &Viewer, input: Self::Input) -> Result<Self::Full> {
        super::create(app, viewer, input.input).await
    }
}

impl Updatable for Entity {
    type Input = PortInput;

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
