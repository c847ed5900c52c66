//! Services over REST.

use sea_orm::ConnectionTrait;
use toposcope_types::{Id, Timestamp};

use super::{Entity, FullService, ServiceFilter, ServiceInput};
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    input::{New, Part},
    resource::{Precondition, filter::EnumFilter},
    rest::{
        query::Query,
        resource::{self, Creatable, Readable, Updatable},
        routes::Routes,
    },
};

/// Returns the routes for services.
pub fn router() -> Routes {
    resource::all::<Entity>()
}

impl Readable for Entity {
    const PATH: &'static str = "/services";
    const NAMES: (&'static str, &'static str) = ("service", "services");
    const TAG: &'static str = "Services";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "created_at",
        "updated_at",
        "host_id",
        "network_id",
        "service_definition",
        "name",
        "virtualization",
        "source",
        "position",
        "bindings",
        "tags",
    ];
    type Full = FullService;

    fn updated_at(full: &Self::Full) -> Timestamp {
        full.service.updated_at
    }

    fn filter(query: &mut Query) -> Result<Self::Filter> {
        Ok(ServiceFilter {
            network_id: query.id("network_id")?,
            host_id: query.id("host_id")?,
            id: query.ids("ids")?,
            tag_id: query.ids("tag_ids")?,
            not: query.many("exclude_categories")?.map(|categories| {
                let category = Some(EnumFilter::any_of(categories));
                Box::new(ServiceFilter { category, ..ServiceFilter::default() })
            }),
            ..ServiceFilter::default()
        })
    }

    async fn full(
        app: &App,
        db: &impl ConnectionTrait,
        viewer: &Viewer,
        rows: Vec<Self::Model>,
    ) -> Result<Vec<Self::Full>> {
        super::with_children(app, db, viewer, rows).await
    }
}

impl Creatable for Entity {
    type Input = Part<ServiceInput, New>;

    async fn create(app: &App, viewer: &Viewer, input: Self::Input) -> Result<Self::Full> {
        super::create(app, viewer, input.input).await
    }
}

impl Updatable for Entity {
    type Input = ServiceInput;

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
