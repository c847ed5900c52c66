//! Creating, updating and deleting tags.

use async_graphql::{InputObject, MaybeUndefined};
use sea_orm::{
    IntoSimpleExpr as _,
    sea_query::{Alias, Condition, Expr, ExprTrait as _, Query},
};
use serde::Deserialize;
use toposcope_types::{Color, Id, Kind, PermissionLevel, Timestamp};
use utoipa::ToSchema;

use super::{Entity, Tag, TagOwner, assign::strip};
use crate::{
    app::App,
    auth::Viewer,
    db::IdSet,
    error::Result,
    input::{Input, given, text},
    networks,
    resource::{self, Precondition},
    write::{Removable, Write, later},
};

/// Fields of a tag to create or update; an update keeps omitted fields.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateTagInput")]
pub struct TagInput {
    /// The name, 1 to 100 characters, unique in the organization.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = String, min_length = 1, max_length = 100)]
    pub name: Option<String>,
    /// The meaning of the tag, up to 500 characters; an empty string means none.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 500)]
    pub description: MaybeUndefined<String>,
    /// The display color.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Color)]
    pub color: Option<Color>,
    /// Your organization; the nil id means the same.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub organization_id: Option<Id>,
    /// The `updatedAt` that you last read; if it no longer matches, the server rejects the update.
    pub expected_updated_at: Option<Timestamp>,
}

impl Input for TagInput {
    const REQUIRED: &'static [&'static str] = &["name", "color", "organization_id"];
}

impl TagInput {
    fn apply(&self, viewer: &Viewer, before: Tag) -> Result<Tag> {
        viewer.require_own(self.organization_id)?;
        let (given, stored) = (&self.description, before.description);
        let name = self.name.clone().unwrap_or(before.name);
        Ok(Tag {
            name: text::required("name", name, 1, text::MAX_TITLE)?,
            description: given::text_or_stored(
                "description",
                given,
                stored,
                text::MAX_DESCRIPTION,
            )?,
            color: self.color.unwrap_or(before.color),
            ..before
        })
    }
}

/// Creates a tag.
pub async fn create(app: &App, viewer: &Viewer, input: TagInput) -> Result<Tag> {
    viewer.require(PermissionLevel::Admin)?;
    let make = || async {
        let now = Timestamp::now();
        let tag = input.apply(
            viewer,
            Tag {
                id: Id::new(),
                created_at: now,
                updated_at: now,
                name: String::new(),
                description: None,
                color: given::required("color", input.color)?,
                organization_id: viewer.organization_id,
            },
        )?;
        let mut write = Write::begin(app, viewer, PermissionLevel::Admin).await?;
        write.hold_organization().await?;
        write.insert::<Entity>(vec![tag.clone()]).await?;
        write.commit().await?;
        Ok(tag)
    };
    app.db.again(make).await
}

/// Updates a tag; omitted fields keep their value.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: TagInput,
    precondition: &Precondition,
) -> Result<Tag> {
    viewer.require(PermissionLevel::Admin)?;
    let precondition = precondition.or(input.expected_updated_at);
    let replace = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Admin).await?;
        write.hold_organization().await?;
        let viewer = &write.viewer.clone();
        let before = resource::get::<Entity>(&write.db, viewer, id).await?;
        precondition.check(Kind::Tag, id, before.updated_at)?;
        let after = input.apply(viewer, before.clone())?;
        let after = Tag { updated_at: later(before.updated_at), ..after };
        write.replace::<Entity>(vec![(before, after.clone())]).await?;
        write.commit().await?;
        Ok(after)
    };
    app.db.again(replace).await
}

impl Removable for Entity {
    const LEVEL: PermissionLevel = PermissionLevel::Admin;

    /// Also holds the networks with entities that carry the tags: the results of their filters
    /// change.
    async fn hold(write: &mut Write<'_>, ids: &IdSet) -> Result<()> {
        write.hold_organization().await?;
        let networks = Query::select()
            .column(Alias::new("network_id"))
            .from(Alias::new(TagOwner::Network.table()))
            .and_where(ids.includes(Expr::col(Alias::new("tag_id"))))
            .to_owned();
        let networks = networks::Column::Id.into_simple_expr().in_subquery(networks);
        let mut carrying = Condition::any().add(networks);
        for owner in [TagOwner::Host, TagOwner::Service, TagOwner::Group, TagOwner::Subnet] {
            let table = owner.column().trim_end_matches("_id");
            let holders = Query::select()
                .column((Alias::new(table), Alias::new("network_id")))
                .from(Alias::new(table))
                .inner_join(
                    Alias::new(owner.table()),
                    Expr::col((Alias::new(owner.table()), Alias::new(owner.column())))
                        .equals((Alias::new(table), Alias::new("id"))),
                )
                .and_where(
                    ids.includes(Expr::col((Alias::new(owner.table()), Alias::new("tag_id")))),
                )
                .to_owned();
            carrying = carrying.add(networks::Column::Id.into_simple_expr().in_subquery(holders));
        }
        write.hold_anywhere(Condition::all().add(carrying)).await
    }

    async fn remove(write: &mut Write<'_>, rows: Vec<Tag>) -> Result<()> {
        let ids = write.app.db.ids(rows.iter().map(|tag| tag.id).collect::<Vec<_>>());
        strip(write, &ids).await?;
        write.remove::<Self>(&rows).await
    }
}
