//! Groups over REST.

use sea_orm::ConnectionTrait;
use toposcope_types::{Id, Timestamp};

use super::{Entity, FullGroup, GroupFilter, GroupInput};
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    input::{New, Part, Whole},
    resource::Precondition,
    rest::{
        query::Query,
        resource::{self, Creatable, REPLACES, Readable, Updatable},
        routes::Routes,
    },
};

/// Returns the routes for groups.
pub fn router() -> Routes {
    resource::all::<Entity>()
}

impl Readable for Entity {
    const PATH: &'static str = "/groups";
    const NAMES: (&'static str, &'static str) = ("group", "groups");
    const TAG: &'static str = "Groups";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "created_at",
        "updated_at",
        "name",
        "network_id",
        "description",
        "group_type",
        "source",
        "color",
        "edge_style",
        "binding_ids",
        "tags",
    ];
    type Full = FullGroup;

    fn updated_at(full: &Self::Full) -> Timestamp {
        full.group.updated_at
    }

    fn filter(query: &mut Query) -> Result<Self::Filter> {
        Ok(GroupFilter {
            network_id: query.id("network_id")?,
            id: query.ids("ids")?,
            tag_id: query.ids("tag_ids")?,
            name: query.text("name")?,
            group_type: query.value("group_type")?,
            // Both must match, so two different values match nothing.
            and: query.value("dependency_type")?.map(|group_type| {
                vec![GroupFilter { group_type: Some(group_type), ..GroupFilter::default() }]
            }),
            ..GroupFilter::default()
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
    type Input = Part<GroupInput, New>;

    async fn create(app: &App, viewer: &Viewer, input: Self::Input) -> Result<Self::Full> {
        super::create(app, viewer, input.input).await
    }
}

impl Updatable for Entity {
    const SUMMARY: &'static str = REPLACES;
    type Input = Part<GroupInput, Whole>;

    async fn update(
        app: &App,
        viewer: &Viewer,
        id: Id,
        input: Self::Input,
        precondition: &Precondition,
    ) -> Result<Self::Full> {
        super::update(app, viewer, id, input.input, precondition).await
    }
}
