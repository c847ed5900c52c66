//! Bindings over REST.

use sea_orm::ConnectionTrait;
use toposcope_types::{Id, Timestamp};

use super::{Binding, BindingFilter, BindingInput, Entity};
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

/// Returns the routes for bindings.
pub fn router() -> Routes {
    resource::all::<Entity>()
}

impl Readable for Entity {
    const PATH: &'static str = "/bindings";
    const NAMES: (&'static str, &'static str) = ("binding", "bindings");
    const TAG: &'static str = "Bindings";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "created_at",
        "updated_at",
        "service_id",
        "network_id",
        "type",
        "port_id",
        "interface_id",
    ];
    type Full = Binding;

    fn updated_at(full: &Self::Full) -> Timestamp {
        full.updated_at
    }

    fn filter(query: &mut Query) -> Result<Self::Filter> {
        Ok(BindingFilter {
            network_id: query.id("network_id")?,
            service_id: query.id("service_id")?,
            port_id: query.id("port_id")?,
            interface_id: query.id("interface_id")?,
            id: query.ids("ids")?,
            binding_type: query.value("type")?,
            ..BindingFilter::default()
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
    type Input = Part<BindingInput, New>;

    async fn create(app: &App, viewer: &Viewer, input: Self::Input) -> Result<Self::Full> {
        super::create(app, viewer, input.input).await.map(Into::into)
    }
}

impl Updatable for Entity {
    type Input = BindingInput;

    async fn update(
        app: &App,
        viewer: &Viewer,
        id: Id,
        input: Self::Input,
        precondition: &Precondition,
    ) -> Result<Self::Full> {
        super::update(app, viewer, id, input, precondition).await.map(Into::into)
    }
}
