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
    /// One of the tags, if there is one with this id within reach.
    async fn tag(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Its id.")] id: Id,
    ) -> Result<Option<Tag>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// The tags within reach.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn tags(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<TagFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<TagOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Tag>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

/// The tags of one owner.
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

/// The tags of an owner.
pub async fn of(context: &Context<'_>, owner: TagOwner, id: Id) -> Result<Vec<Tag>> {
    let tags = loader::loaders(context)?.load_one(TagsOf(owner, id)).await?;
    Ok(context::list(context, tags)?)
}

/// A page of the tags of an owner.
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

/// Changes of tags.
#[derive(Clone, Copy, Debug, Default)]
pub struct TagMutation;

#[Object]
impl TagMutation {
    /// Makes a tag; needs the level Admin.
    async fn create_tag(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The tag to be made.")] input: Part<TagInput, New>,
    ) -> Result<Tag> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?)
    }

    /// Changes a tag; what is left out stays, and null clears; needs the level Admin.
    async fn update_tag(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the tag.")] id: Id,
        #[graphql(desc = "The fields of the tag to change.")] input: TagInput,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Tag> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?)
    }

    /// Deletes a tag with all that hangs on it, and tells what went; needs the level Admin.
    async fn delete_tag(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the tag.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "Only tells what would be deleted, and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of many tags that are within reach, all or nothing; needs the level Admin.
    async fn bulk_delete_tags(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the tags.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }

    /// Gives one thing exactly these tags, in this order; needs the level Member.
    async fn assign_tags(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The thing and its tags.")] input: TagAssignment,
    ) -> Result<TagAssignment> {
        let assigned = context::run(context, |app, viewer| async move {
            super::assign_to_one(&app, &viewer, input).await
        });
        Ok(assigned.await?)
    }

    /// Adds a tag to many things, after those that they carry; needs the level Member.
    async fn bulk_add_tag(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The things and the tag.")] input: BulkTagInput,
    ) -> Result<Affected> {
        let added = context::run(context, |app, viewer| async move {
            super::add_to_many(&app, &viewer, input).await
        });
        Ok(added.await?)
    }

    /// Takes a tag from many things; needs the level Member.
    async fn bulk_remove_tag(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The things and the tag.")] input: BulkTagInput,
    ) -> Result<Affected> {
        let removed = context::run(context, |app, viewer| async move {
            super::remove_from_many(&app, &viewer, input).await
        });
        Ok(removed.await?)
    }
}
