//! Tags over GraphQL.

use async_graphql::{Context, Object, Result};
use toposcope_types::{Id, Timestamp};

use std::{collections::HashMap, sync::Arc};

use async_graphql::dataloader::Loader;

use super::{
    Affected, BulkTagInput, Entity, Tag, TagAssignment, TagFilter, TagInput, TagOrder, TagOwner,
};
use crate::{
    changes::{self, graphql::Deleted},
    graphql::{
        connection::{self, Connection},
        context,
        loader::{self, Batch, LoadError},
    },
    input::{New, Part},
    resource::{Precondition, page::Window},
    write::BulkDeleted,
};

/// Queries for tags.
#[derive(Clone, Copy, Debug, Default)]
pub struct TagQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl TagQuery {
    /// Returns the tag with this id, or null if none is visible to the viewer.
    async fn tag(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id.")] id: Id,
    ) -> Result<Option<Tag>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// Lists the tags visible to the viewer.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn tags(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<TagFilter>,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<TagOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Tag>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

/// The loader key for the tags of one owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct TagsOf(TagOwner, Id);

impl Loader<TagsOf> for Batch {
    type Value = Arc<Vec<Tag>>;
    type Error = LoadError;

    async fn load(
        &self,
        keys: &[TagsOf],
    ) -> std::result::Result<HashMap<TagsOf, Self::Value>, LoadError> {
        let mut ids: HashMap<TagOwner, Vec<Id>> = HashMap::new();
        for TagsOf(owner, id) in keys {
            ids.entry(*owner).or_default().push(*id);
        }
        let mut tags = HashMap::new();
        for (owner, ids) in ids {
            let ids = self.app.db.ids(ids);
            let found = super::of(self.app.db.reader(), &self.viewer, owner, &ids).await;
            for (id, found) in found.map_err(Arc::new)? {
                tags.insert(TagsOf(owner, id), Arc::new(found));
            }
        }
        Ok(tags)
    }
}

/// Returns the tags of an owner.
pub async fn of(context: &Context<'_>, owner: TagOwner, id: Id) -> Result<Vec<Tag>> {
    let tags = loader::loaders(context)?.load_one(TagsOf(owner, id)).await?;
    Ok(context::list(context, tags)?)
}

/// Returns a page of the tags of an owner.
pub async fn page_of(
    context: &Context<'_>,
    owner: TagOwner,
    id: Id,
    filter: Option<TagFilter>,
    order_by: Option<Vec<TagOrder>>,
    window: Window,
) -> Result<Connection<Tag>> {
    connection::of_parent(context, owner.tags(), id, filter, order_by, window).await
}

/// Mutations for tags.
#[derive(Clone, Copy, Debug, Default)]
pub struct TagMutation;

#[Object]
impl TagMutation {
    /// Creates a tag. Requires the Admin permission level.
    async fn create_tag(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The tag to create.")] input: Part<TagInput, New>,
    ) -> Result<Tag> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?)
    }

    /// Updates a tag. Omitted fields keep their value, and null clears a field. Requires the Admin
    /// permission level.
    async fn update_tag(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the tag.")] id: Id,
        #[graphql(desc = "The fields of the tag to update.")] input: TagInput,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Tag> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?)
    }

    /// Deletes a tag and everything that depends on it, and returns what was deleted. Requires the
    /// Admin permission level.
    async fn delete_tag(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the tag.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "If true, reports what would be deleted and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of the given tags that the viewer can see, all or nothing. Requires the Admin
    /// permission level.
    async fn bulk_delete_tags(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the tags.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }

    /// Sets the tags of one entity to exactly these, in this order. Requires the Member permission
    /// level.
    async fn assign_tags(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The object and its tags.")] input: TagAssignment,
    ) -> Result<TagAssignment> {
        let assigned = context::run(context, |app, viewer| async move {
            super::assign_to_one(&app, &viewer, input).await
        });
        Ok(assigned.await?)
    }

    /// Adds a tag to many entities, after the tags that they already carry. Requires the Member
    /// permission level.
    async fn bulk_add_tag(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The objects and the tag.")] input: BulkTagInput,
    ) -> Result<Affected> {
        let added = context::run(context, |app, viewer| async move {
            super::add_to_many(&app, &viewer, input).await
        });
        Ok(added.await?)
    }

    /// Removes a tag from many entities. Requires the Member permission level.
    async fn bulk_remove_tag(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The objects and the tag.")] input: BulkTagInput,
    ) -> Result<Affected> {
        let removed = context::run(context, |app, viewer| async move {
            super::remove_from_many(&app, &viewer, input).await
        });
        Ok(removed.await?)
    }
}
