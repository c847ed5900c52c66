//! Assigning tags to entities and removing them.

use async_graphql::{Enum, InputObject, SimpleObject};
use sea_orm::{
    ConnectionTrait as _, QueryFilter as _,
    sea_query::{Alias, Condition, Expr, Query},
};
use serde::{Deserialize, Serialize};
use toposcope_types::{Id, PermissionLevel, Timestamp};
use utoipa::ToSchema;

use super::{TagOwner, check, ids_of, no_repeats, replace_many};
use crate::{
    app::App,
    auth::Viewer,
    db::IdSet,
    error::{Error, Result},
    groups, hosts, networks,
    resource::Resource,
    services, subnets,
    write::{Write, later},
};

/// The kinds of entity that tags can be assigned to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
pub enum TaggedEntity {
    /// A device.
    Host,
    /// A service that a host runs.
    Service,
    /// Bindings that belong together.
    Group,
    /// A range of addresses.
    Subnet,
    /// A network; requires the Admin permission level.
    Network,
}

/// The complete list of tags of one entity.
#[derive(Clone, Debug, Serialize, Deserialize, InputObject, SimpleObject, ToSchema)]
#[graphql(name = "TagAssignment", input_name = "AssignTagsInput")]
pub struct TagAssignment {
    /// The kind of entity.
    pub entity_type: TaggedEntity,
    /// The id of the entity.
    pub entity_id: Id,
    /// All its tags, in order.
    pub tag_ids: Vec<Id>,
}

/// A tag to add to or remove from many entities.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
pub struct BulkTagInput {
    /// The kind of the entities.
    pub entity_type: TaggedEntity,
    /// The ids of the entities; ids out of reach are skipped.
    pub entity_ids: Vec<Id>,
    /// The tag.
    pub tag_id: Id,
}

/// The number of entities whose tags changed.
#[derive(Clone, Copy, Debug, Serialize, SimpleObject, ToSchema)]
pub struct Affected {
    /// The number of entities whose tags changed; entities already in the requested state do not
    /// count.
    pub affected_count: u64,
}

impl TaggedEntity {
    const fn level(self) -> PermissionLevel {
        match self {
            Self::Network => PermissionLevel::Admin,
            _ => PermissionLevel::Member,
        }
    }
}

/// Sets the tags of one entity to exactly these.
pub async fn assign_to_one(
    app: &App,
    viewer: &Viewer,
    input: TagAssignment,
) -> Result<TagAssignment> {
    viewer.require(PermissionLevel::Member)?;
    viewer.require(input.entity_type.level())?;
    no_repeats("tag_ids", &input.tag_ids)?;
    let wanted = |_: &[Id]| input.tag_ids.clone();
    let one = [input.entity_id];
    let work = || retag(app, viewer, input.entity_type, &one, &input.tag_ids, true, wanted);
    app.db.again(work).await?;
    Ok(input)
}

/// Adds a tag to many entities, after the tags that they already carry.
pub async fn add_to_many(app: &App, viewer: &Viewer, input: BulkTagInput) -> Result<Affected> {
    let add = |tags: &[Id]| {
        let mut tags = tags.to_vec();
        if !tags.contains(&input.tag_id) {
            tags.push(input.tag_id);
        }
        tags
    };
    many(app, viewer, &input, add).await
}

/// Removes a tag from many entities.
pub async fn remove_from_many(app: &App, viewer: &Viewer, input: BulkTagInput) -> Result<Affected> {
    let without = |tags: &[Id]| tags.iter().copied().filter(|tag| *tag != input.tag_id).collect();
    many(app, viewer, &input, without).await
}

async fn many(
    app: &App,
    viewer: &Viewer,
    input: &BulkTagInput,
    wanted: impl Fn(&[Id]) -> Vec<Id> + Copy,
) -> Result<Affected> {
    viewer.require(PermissionLevel::Member)?;
    viewer.require(input.entity_type.level())?;
    let (kind, ids) = (input.entity_type, input.entity_ids.as_slice());
    let tags = [input.tag_id];
    let work = || retag(app, viewer, kind, ids, &tags, false, wanted);
    Ok(Affected { affected_count: app.db.again(work).await? })
}

/// Sets the tags of entities of a kind to what `wanted` makes of their current ones. Returns how
/// many entities changed. All `tags` must be within reach.
async fn retag(
    app: &App,
    viewer: &Viewer,
    kind: TaggedEntity,
    ids: &[Id],
    tags: &[Id],
    all: bool,
    wanted: impl Fn(&[Id]) -> Vec<Id>,
) -> Result<u64> {
    let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
    let field = if all { "tag_ids" } else { "tag_id" };
    let tags = app.db.ids(tags);
    let (owner, owners) = tag_changes(&mut write, kind, (ids, all, wanted)).await?;
    let viewer = &write.viewer.clone();
    check(&write.db, viewer, field, &tags).await.map_err(|error| match error {
        Error::ReferenceInvalid { kind, id, .. } if !all => {
            Error::ReferenceInvalid { kind, field: field.to_owned(), id }
        }
        error => error,
    })?;
    let affected = owners.len() as u64;
    replace_many(&mut write, owner, owners).await?;
    write.commit().await?;
    Ok(affected)
}

/// Removes tags that are being deleted from every entity that carries them, so that each gets a new
/// version and the log records it. The transaction already holds the networks of these entities.
pub(super) async fn strip(write: &mut Write<'_>, gone: &IdSet) -> Result<()> {
    let viewer = write.viewer.clone();
    // Tags belong to the organization, whatever the reach of the viewer who deletes them.
    let held: Vec<Id> = write.held().collect();
    write.viewer = viewer.within(write.app.db.ids(held));
    for (kind, owner) in [
        (TaggedEntity::Host, TagOwner::Host),
        (TaggedEntity::Service, TagOwner::Service),
        (TaggedEntity::Group, TagOwner::Group),
        (TaggedEntity::Subnet, TagOwner::Subnet),
        (TaggedEntity::Network, TagOwner::Network),
    ] {
        let carriers = carriers(write, owner, gone).await?;
        let left = |tags: &[Id]| tags.iter().copied().filter(|tag| !gone.contains(*tag)).collect();
        let (owner, owners) = tag_changes(write, kind, (&carriers, false, left)).await?;
        replace_many(write, owner, owners).await?;
    }
    write.viewer = viewer;
    let keys = carriers(write, TagOwner::ApiKey, gone).await?;
    let keys = write.app.db.ids(keys).includes(Expr::col(Alias::new("id")));
    write.touch("api_key", Condition::all().add(keys), Timestamp::now()).await
}

async fn carriers(write: &Write<'_>, owner: TagOwner, tags: &IdSet) -> Result<Vec<Id>> {
    let statement = Query::select()
        .distinct()
        .column(Alias::new(owner.column()))
        .from(Alias::new(owner.table()))
        .and_where(tags.includes(Expr::col(Alias::new("tag_id"))))
        .to_owned();
    let rows = write.db.query_all(&statement).await?;
    Ok(rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?)
}

/// Gives the owners whose tags change a new version, and returns these changes.
async fn tag_changes(
    write: &mut Write<'_>,
    kind: TaggedEntity,
    named: (&[Id], bool, impl Fn(&[Id]) -> Vec<Id>),
) -> Result<TagChanges> {
    match kind {
        TaggedEntity::Host => {
            let touch = |row: &mut hosts::Host| later_than(&mut row.updated_at);
            of_kind::<hosts::Entity>(write, TagOwner::Host, named, touch).await
        }
        TaggedEntity::Service => {
            let touch = |row: &mut services::Service| later_than(&mut row.updated_at);
            of_kind::<services::Entity>(write, TagOwner::Service, named, touch).await
        }
        TaggedEntity::Group => {
            let touch = |row: &mut groups::Group| later_than(&mut row.updated_at);
            of_kind::<groups::Entity>(write, TagOwner::Group, named, touch).await
        }
        TaggedEntity::Subnet => {
            let touch = |row: &mut subnets::Subnet| later_than(&mut row.updated_at);
            of_kind::<subnets::Entity>(write, TagOwner::Subnet, named, touch).await
        }
        TaggedEntity::Network => {
            let touch = |row: &mut networks::Network| later_than(&mut row.updated_at);
            of_kind::<networks::Entity>(write, TagOwner::Network, named, touch).await
        }
    }
}

fn later_than(version: &mut Timestamp) {
    *version = later(*version);
}

/// The owners whose tags change: id, tags before, tags after.
type TagChanges = (TagOwner, Vec<(Id, Vec<Id>, Vec<Id>)>);

async fn of_kind<E: Resource>(
    write: &mut Write<'_>,
    owner: TagOwner,
    (ids, all, wanted): (&[Id], bool, impl Fn(&[Id]) -> Vec<Id>),
    touch: impl Fn(&mut E::Model),
) -> Result<TagChanges> {
    if ids.is_empty() {
        return Ok((owner, Vec::new()));
    }
    let ids = write.app.db.ids(ids);
    write.hold_holders::<E>(&ids).await?;
    let rows = E::visible_to(&write.viewer).filter(ids.includes(E::ID)).all(&write.db).await?;
    if all && let Some(id) = ids.ids().iter().find(|id| !rows.iter().any(|row| E::id(row) == **id))
    {
        return Err(Error::NotFound { kind: E::KIND, id: *id });
    }
    let mut before = ids_of(&write.db, owner, &ids).await?;
    let (mut changed, mut owners) = (Vec::new(), Vec::new());
    for row in rows {
        write.require_held(E::network_id(&row).unwrap_or_default())?;
        let before = before.remove(&E::id(&row)).unwrap_or_default();
        let after = wanted(&before);
        if before == after {
            continue;
        }
        owners.push((E::id(&row), before, after));
        let mut touched = row.clone();
        touch(&mut touched);
        changed.push((row, touched));
    }
    write.replace::<E>(changed).await?;
    Ok((owner, owners))
}
