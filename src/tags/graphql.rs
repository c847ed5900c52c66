//! Tags over GraphQL.

use async_graphql::{Context, Object, Result};

use std::{collections::HashMap, sync::Arc};

use async_graphql::dataloader::Loader;

use super::{Entity, Tag, TagFilter, TagOrder, TagOwner};
use crate::{
    db::page::Window,
    graphql::{
        connection::{self, Connection},
        context,
        loader::{self, Batch, LoadError},
    },
    types::Id,
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
    let tags = context::loaders(context)?.load_one(TagsOf(owner, id)).await?;
    Ok(context::list(context, tags)?)
}
