//! Tags over REST.

use axum::{extract::State, http::Method};
use sea_orm::ConnectionTrait;
use toposcope_types::{Id, PermissionLevel, Timestamp};

use super::{Affected, BulkTagInput, Entity, Tag, TagAssignment, TagFilter, TagInput};
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    input::{New, Part},
    resource::Precondition,
    rest::{
        endpoint::{Access, Endpoint},
        envelope::Noticed,
        extract::{Member, NoQuery, Noted},
        query::Query,
        resource::{self, Creatable, Readable, Updatable},
        routes::Routes,
    },
};

/// Returns the routes for tags.
pub fn router() -> Routes {
    let assign = |method, path, id: &str, summary: &str| {
        Endpoint::new(method, path, id, summary)
            .tag(Entity::TAG)
            .access(Access::Level(PermissionLevel::Member))
            .notes()
    };
    let one = assign(
        Method::PUT,
        "/tags/assign",
        "assign_tags",
        "Sets the tags of one object to exactly these, in the order given.",
    )
    .body::<TagAssignment>()
    .answers::<TagAssignment>()
    .not_found();
    let add = assign(
        Method::POST,
        "/tags/assign/bulk-add",
        "bulk_add_tag",
        "Adds a tag to many objects, after the tags that they already carry.",
    )
    .body::<BulkTagInput>()
    .answers::<Affected>();
    let remove = assign(
        Method::POST,
        "/tags/assign/bulk-remove",
        "bulk_remove_tag",
        "Removes a tag from many objects.",
    )
    .body::<BulkTagInput>()
    .answers::<Affected>();
    resource::all::<Entity>().add(one, assign_to_one).add(add, bulk_add).add(remove, bulk_remove)
}

async fn assign_to_one(
    State(app): State<App>,
    Member(viewer): Member,
    _: NoQuery,
    Noted(input, ignored): Noted<TagAssignment>,
) -> Result<Noticed<TagAssignment>> {
    Ok(Noticed(super::assign_to_one(&app, &viewer, input).await?, ignored))
}

async fn bulk_add(
    State(app): State<App>,
    Member(viewer): Member,
    _: NoQuery,
    Noted(input, ignored): Noted<BulkTagInput>,
) -> Result<Noticed<Affected>> {
    Ok(Noticed(super::add_to_many(&app, &viewer, input).await?, ignored))
}

async fn bulk_remove(
    State(app): State<App>,
    Member(viewer): Member,
    _: NoQuery,
    Noted(input, ignored): Noted<BulkTagInput>,
) -> Result<Noticed<Affected>> {
    Ok(Noticed(super::remove_from_many(&app, &viewer, input).await?, ignored))
}

impl Readable for Entity {
    const PATH: &'static str = "/tags";
    const NAMES: (&'static str, &'static str) = ("tag", "tags");
    const TAG: &'static str = "Tags";
    const WRITE: PermissionLevel = PermissionLevel::Admin;
    const COLUMNS: &'static [&'static str] =
        &["id", "created_at", "updated_at", "name", "description", "color", "organization_id"];
    type Full = Tag;

    fn updated_at(full: &Self::Full) -> Timestamp {
        full.updated_at
    }

    fn filter(query: &mut Query) -> Result<Self::Filter> {
        Ok(TagFilter { id: query.ids("ids")?, name: query.text("name")?, ..TagFilter::default() })
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
    type Input = Part<TagInput, New>;

    async fn create(app: &App, viewer: &Viewer, input: Self::Input) -> Result<Self::Full> {
        super::create(app, viewer, input.input).await
    }
}

impl Updatable for Entity {
    type Input = TagInput;

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
