//! Interfaces over REST.

use sea_orm::ConnectionTrait;
use toposcope_types::{Id, Timestamp};

use super::{Entity, Interface, InterfaceFilter, InterfaceInput};
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

/// Returns the routes for interfaces.
pub fn router() -> Routes {
    resource::all::<Entity>()
}

impl Readable for Entity {
    const PATH: &'static str = "/interfaces";
    const NAMES: (&'static str, &'static str) = ("interface", "interfaces");
    const TAG: &'static str = "Interfaces";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "created_at",
        "updated_at",
        "network_id",
        "host_id",
        "subnet_id",
        "ip_address",
        "mac_address",
        "name",
        "position",
    ];
    type Full = Interface;

    fn updated_at(full: &Self::Full) -> Timestamp {
        full.updated_at
    }

    fn filter(query: &mut Query) -> Result<Self::Filter> {
        Ok(InterfaceFilter {
            network_id: query.id("network_id")?,
            host_id: query.id("host_id")?,
            subnet_id: query.id("subnet_id")?,
            id: query.ids("ids")?,
            name: query.text("name")?,
            ip_address: query.address("ip_address")?,
            mac_address: query.address("mac_address")?,
            ..InterfaceFilter::default()
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

impl Creatable for Entity {
    type Input = Part<InterfaceInput, New>;

    async fn create(app: &App, viewer: &Viewer, input: Self::Input) -> Result<Self::Full> {
        super::create(app, viewer, input.input).await
    }
}

impl Updatable for Entity {
    type Input = InterfaceInput;

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
