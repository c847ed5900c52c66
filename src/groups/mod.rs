//! Groups: bindings in a meaningful order.

pub(crate) mod entity;
pub(crate) mod graphql;
mod list;
mod members;
pub(crate) mod rest;

use async_graphql::InputObject;
use sea_orm::ConnectionTrait;
use serde::{Deserialize, Serialize};
use toposcope_types::{Color, EdgeStyle, GroupType, Id, Kind, PermissionLevel, Source, Timestamp};
use utoipa::ToSchema;

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Group},
    list::{GroupFilter, GroupOrder, GroupOrderField},
    members::{MEMBERS, OF_SERVICES, bindings_of, forget, insert_bindings, of_services},
};
use crate::{
    app::App,
    auth::Viewer,
    db::IdSet,
    error::Result,
    input::{Input, given, text},
    resource::Precondition,
    tags::{self, TagOwner},
    write::{Removable, Write, later},
};

/// A group with its bindings and tags.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Group)]
pub struct FullGroup {
    #[serde(flatten)]
    pub group: Group,
    /// The same value as `group_type`, under its name in later versions of the contract.
    pub dependency_type: GroupType,
    /// The ids of the group's bindings, in order.
    pub binding_ids: Vec<Id>,
    /// The ids of the group's tags.
    pub tags: Vec<Id>,
}

/// Fields of a group to create or replace; omitted fields become empty.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "AnyGroupInput")]
pub struct GroupInput {
    /// The name, 1 to 100 characters.
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
    /// The id of the group's network.
    pub network_id: Id,
    /// Notes that people made about the group, up to 500 characters; an empty string means none.
    #[schema(max_length = 500)]
    pub description: Option<String>,
    /// The meaning of the binding order; REST also accepts `dependency_type`.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = GroupType)]
    pub group_type: Option<GroupType>,
    /// The same value, under its name in later versions of the contract. If the two differ, the one
    /// that differs from the stored value counts.
    #[serde(default, deserialize_with = "given::value")]
    #[graphql(skip)]
    // Not documented: if the two differ, a new group could use neither.
    #[schema(ignore)]
    pub dependency_type: Option<GroupType>,
    /// The display color.
    pub color: Color,
    /// The line style of the edges.
    pub edge_style: EdgeStyle,
    /// The bindings in order, each once, all in the same network.
    pub binding_ids: Vec<Id>,
    /// The tags; an empty list clears them.
    pub tags: Vec<Id>,
    /// The `updatedAt` that you last read; if it no longer matches, the server rejects the update.
    pub expected_updated_at: Option<Timestamp>,
}

/// Returns the validated name and description of a group.
pub fn check_texts(name: String, description: Option<String>) -> Result<(String, Option<String>)> {
    let name = text::required("name", name, 1, text::MAX_TITLE)?;
    let description = text::optional("description", description, text::MAX_DESCRIPTION)?;
    Ok((name, description.filter(|text| !text.is_empty())))
}

/// Adds the bindings and tags of each group, in two statements.
pub async fn full(
    app: &App,
    db: &impl ConnectionTrait,
    groups: Vec<Group>,
) -> Result<Vec<FullGroup>> {
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    let ids = app.db.ids(groups.iter().map(|group| group.id).collect::<Vec<_>>());
    let mut bindings = members::ids_of(db, &ids).await?;
    let mut tags = tags::ids_of(db, TagOwner::Group, &ids).await?;
    let full = groups.into_iter().map(|group| FullGroup {
        dependency_type: group.group_type,
        binding_ids: bindings.remove(&group.id).unwrap_or_default(),
        tags: tags.remove(&group.id).unwrap_or_default(),
        group,
    });
    Ok(full.collect())
}

/// The fields of a group input, validated as far as the input alone allows.
struct Checked {
    name: String,
    description: Option<String>,
    bindings: IdSet,
    tags: IdSet,
}

impl GroupInput {
    fn checked(&self, app: &App) -> Result<Checked> {
        let (name, description) = check_texts(self.name.clone(), self.description.clone())?;
        tags::no_repeats("binding_ids", &self.binding_ids)?;
        tags::no_repeats("tags", &self.tags)?;
        let (bindings, tags) =
            (app.db.ids(self.binding_ids.as_slice()), app.db.ids(self.tags.as_slice()));
        Ok(Checked { name, description, bindings, tags })
    }

    /// Returns the group with the fields of the input.
    fn apply(&self, checked: &Checked, group: Group) -> Result<Group> {
        Ok(Group {
            name: checked.name.clone(),
            network_id: self.network_id,
            description: checked.description.clone(),
            group_type: self.group_type(Some(group.group_type))?,
            color: self.color,
            edge_style: self.edge_style,
            ..group
        })
    }

    /// Returns the type that the input gives under either name.
    fn group_type(&self, stored: Option<GroupType>) -> Result<GroupType> {
        let (one, other) = (self.group_type, self.dependency_type);
        let said = given::either(("group_type", one), ("dependency_type", other), |said| {
            stored == Some(*said)
        });
        given::required("group_type", said?)
    }
}

impl Input for GroupInput {
    const REQUIRED: &'static [&'static str] = &["group_type"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[("dependency_type", "group_type")];
}

/// Creates a group.
pub async fn create(app: &App, viewer: &Viewer, input: GroupInput) -> Result<FullGroup> {
    viewer.require(PermissionLevel::Member)?;
    let checked = input.checked(app)?;
    let make = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        write.hold_network(input.network_id).await?;
        let viewer = &write.viewer.clone();
        members::check(&write, input.network_id, &checked.bindings).await?;
        tags::check(&write.db, viewer, "tags", &checked.tags).await?;
        let now = Timestamp::now();
        let new = Group {
            id: Id::new(),
            created_at: now,
            updated_at: now,
            name: String::new(),
            network_id: input.network_id,
            description: None,
            group_type: input.group_type(None)?,
            source: Source::Manual,
            color: input.color,
            edge_style: input.edge_style,
        };
        let group = input.apply(&checked, new)?;
        write.insert::<Entity>(vec![group.clone()]).await?;
        members::replace(&mut write, group.id, &[], checked.bindings.ids()).await?;
        tags::replace(&mut write, TagOwner::Group, group.id, &[], &checked.tags).await?;
        write.commit().await?;
        Ok(checked.full(group))
    };
    app.db.again(make).await
}

/// Replaces a group with the input, all or nothing, in at most eleven statements, or twelve if its
/// network changes.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: GroupInput,
    precondition: &Precondition,
) -> Result<FullGroup> {
    viewer.require(PermissionLevel::Member)?;
    let precondition = precondition.or(input.expected_updated_at);
    let replace = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        let group = write.current::<Entity>(id, Some(input.network_id), &precondition).await?;
        let viewer = &write.viewer.clone();
        // Only a viewer who may see the group learns what is wrong with the input.
        let checked = input.checked(app)?;
        viewer.require_network(input.network_id)?;
        let before = full(app, &write.db, vec![group.clone()]).await?;
        let (bindings, tags) =
            before.into_iter().next().map(|full| (full.binding_ids, full.tags)).unwrap_or_default();
        // Bindings and tags that the group already has are in its network and within reach.
        let moves = group.network_id != input.network_id;
        if moves || checked.bindings.ids().iter().any(|id| !bindings.contains(id)) {
            members::check(&write, input.network_id, &checked.bindings).await?;
        }
        if checked.tags.ids().iter().any(|id| !tags.contains(id)) {
            tags::check(&write.db, viewer, "tags", &checked.tags).await?;
        }
        let updated_at = later(group.updated_at);
        let after = Group { updated_at, ..input.apply(&checked, group.clone())? };
        write.replace::<Entity>(vec![(group, after.clone())]).await?;
        members::replace(&mut write, id, &bindings, checked.bindings.ids()).await?;
        tags::replace(&mut write, TagOwner::Group, id, &tags, &checked.tags).await?;
        write.commit().await?;
        Ok(checked.full(after))
    };
    app.db.again(replace).await
}

impl Checked {
    fn full(&self, group: Group) -> FullGroup {
        FullGroup {
            dependency_type: group.group_type,
            group,
            binding_ids: self.bindings.ids().to_vec(),
            tags: self.tags.ids().to_vec(),
        }
    }
}

impl Removable for Entity {
    const LEVEL: PermissionLevel = PermissionLevel::Member;

    async fn remove(write: &mut Write<'_>, rows: Vec<Group>) -> Result<()> {
        let before = full(write.app, &write.db, rows.clone()).await?;
        write.remove::<Self>(&rows).await?;
        for group in before {
            write.log_part((Kind::Group, group.group.id), "binding_ids", &group.binding_ids, ());
            write.log_part((Kind::Group, group.group.id), "tags", &group.tags, ());
        }
        Ok(())
    }
}
