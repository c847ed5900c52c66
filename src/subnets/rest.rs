//! Subnets over REST.

use sea_orm::ConnectionTrait;
use toposcope_types::{Id, Timestamp};

use super::{Entity, FullSubnet, SubnetFilter, SubnetInput};
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

/// Returns the routes for subnets.
pub fn router() -> Routes {
    resource::all::<Entity>()
}

impl Readable for Entity {
    const PATH: &'static str = "/subnets";
    const NAMES: (&'static str, &'static str) = ("subnet", "subnets");
    const TAG: &'static str = "Subnets";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "created_at",
        "updated_at",
        "cidr",
        "network_id",
        "name",
        "description",
        "subnet_type",
        "source",
        "tags",
    ];
    type Full = FullSubnet;

    fn updated_at(full: &Self::Full) -> Timestamp {
        full.subnet.updated_at
    }

    fn filter(query: &mut Query) -> Result<Self::Filter> {
        Ok(SubnetFilter {
            network_id: query.id("network_id")?,
            id: query.ids("ids")?,
            tag_id: query.ids("tag_ids")?,
            name: query.text("name")?,
            cidr: query.address("cidr")?,
            subnet_type: query.value("subnet_type")?,
            ..SubnetFilter::default()
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
    type Input = Part<SubnetInput, New>;

    fn asked(query: &mut Query) -> Result<fn(&mut Self::Input)> {
        let overlap = |new: &mut Self::Input| new.input.allow_overlap = Some(true);
        Ok(if query.flag("allow_overlap")? { overlap } else { |_| () })
    }

    async fn create(app: &App, viewer: &Viewer, input: Self::Input) -> Result<Self::Full> {
        super::create(app, viewer, input.input).await
    }
}

impl Updatable for Entity {
    type Input = SubnetInput;

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
