//! Groups over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result};
use toposcope_types::{GroupType, Id, SourceDetails, Timestamp};

use std::{collections::HashMap, sync::Arc};

use async_graphql::{SimpleObject, dataloader::Loader};

use super::{Entity, Group, GroupFilter, GroupInput, GroupOrder};
use crate::{
    bindings::{self, graphql::Binding},
    changes::{self, graphql::Deleted},
    graphql::{
        connection::{self, Connection},
        context,
        loader::{self, Batch, LoadError},
    },
    input::{New, Part, Whole},
    networks::{self, Network},
    resource::{Precondition, page::Window},
    tags::{self, Tag, TagOwner},
    write::BulkDeleted,
};

/// Queries for groups.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl GroupQuery {
    /// One of the groups, if there is one with this id within reach.
    async fn group(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Its id.")] id: Id,
    ) -> Result<Option<Group>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// The groups within reach.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn groups(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<GroupFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<GroupOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Group>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl Group {
    /// Where the record comes from.
    async fn source_details(&self) -> SourceDetails {
        (&self.source).into()
    }

    /// The network that it belongs to.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// Its bindings, in order.
    #[graphql(deprecation = "Ask `bindingsConnection`, which comes in pages.")]
    async fn bindings(&self, context: &Context<'_>) -> Result<Vec<Binding>> {
        let bindings = loader::loaders(context)?.load_one(BindingsOf(self.id)).await?;
        Ok(context::list(context, bindings)?.into_iter().map(Into::into).collect())
    }

    /// Its bindings, a page at a time.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn bindings_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<bindings::BindingFilter>,
        #[graphql(desc = "In which order; left out, that of the group.")] order_by: Option<
            Vec<bindings::BindingOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Binding>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_parent(context, super::MEMBERS, self.id, filter, order_by, window).await
    }

    /// What the order of the bindings means: for a request path each binding to the next, for hub
    /// and spoke the first binding to each other.
    async fn edges(&self, context: &Context<'_>) -> Result<Vec<GroupEdge>> {
        let bindings = loader::loaders(context)?.load_one(BindingsOf(self.id)).await?;
        let bindings = bindings.unwrap_or_default();
        context::count(context, bindings.len())?;
        Ok(edges(self.group_type, &bindings))
    }

    /// The tags that it carries, in order.
    #[graphql(deprecation = "Ask `tagsConnection`, which comes in pages.")]
    async fn tags(&self, context: &Context<'_>) -> Result<Vec<Tag>> {
        tags::graphql::of(context, TagOwner::Group, self.id).await
    }

    /// The tags that it carries, a page at a time.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn tags_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<tags::TagFilter>,
        #[graphql(desc = "In which order; left out, that in which it carries them.")]
        order_by: Option<Vec<tags::TagOrder>>,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Tag>> {
        let window = Window::new(after, before, first, last)?;
        let owner = TagOwner::Group;
        tags::graphql::page_of(context, owner, self.id, filter, order_by, window).await
    }
}

/// What two bindings of a group are to each other.
#[derive(Clone, Debug, SimpleObject)]
pub struct GroupEdge {
    /// Where it starts: the earlier step, or the hub.
    source: Binding,
    /// Where it ends: the later step, or the spoke.
    target: Binding,
}

fn edges(group_type: GroupType, bindings: &[bindings::Model]) -> Vec<GroupEdge> {
    let edge = |source: &bindings::Model, target: &bindings::Model| GroupEdge {
        source: source.clone().into(),
        target: target.clone().into(),
    };
    match (group_type, bindings) {
        (GroupType::RequestPath, _) => {
            bindings.windows(2).map(|pair| edge(&pair[0], &pair[1])).collect()
        }
        (GroupType::HubAndSpoke, [hub, spokes @ ..]) => {
            spokes.iter().map(|spoke| edge(hub, spoke)).collect()
        }
        (GroupType::HubAndSpoke, []) => Vec::new(),
    }
}

/// The bindings of one group, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct BindingsOf(Id);

impl Loader<BindingsOf> for Batch {
    type Value = Arc<Vec<bindings::Model>>;
    type Error = LoadError;

    async fn load(
        &self,
        keys: &[BindingsOf],
    ) -> std::result::Result<HashMap<BindingsOf, Self::Value>, LoadError> {
        let ids = self.app.db.ids(keys.iter().map(|key| key.0).collect::<Vec<_>>());
        let found = super::bindings_of(self.app.db.reader(), &self.viewer, &ids).await;
        let found = loader::shared(found.map_err(Arc::new)?);
        Ok(found.into_iter().map(|(id, rows)| (BindingsOf(id), rows)).collect())
    }
}

/// The groups that the bindings of one service are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct GroupsOf(Id);

impl Loader<GroupsOf> for Batch {
    type Value = Arc<Vec<Group>>;
    type Error = LoadError;

    async fn load(
        &self,
        keys: &[GroupsOf],
    ) -> std::result::Result<HashMap<GroupsOf, Self::Value>, LoadError> {
        let ids = self.app.db.ids(keys.iter().map(|key| key.0).collect::<Vec<_>>());
        let found = super::of_services(self.app.db.reader(), &self.viewer, &ids).await;
        let found = loader::shared(found.map_err(Arc::new)?);
        Ok(found.into_iter().map(|(id, rows)| (GroupsOf(id), rows)).collect())
    }
}

/// The groups that the bindings of a service are in, in the order of creation.
pub async fn of_service(context: &Context<'_>, service_id: Id) -> Result<Vec<Group>> {
    let groups = loader::loaders(context)?.load_one(GroupsOf(service_id)).await?;
    Ok(context::list(context, groups)?)
}

/// Changes of groups.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupMutation;

#[Object]
impl GroupMutation {
    /// Makes a group; needs the level Member.
    async fn create_group(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The group to be made.")] input: Part<GroupInput, New>,
    ) -> Result<Group> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.group)
    }

    /// Replaces a group by what the input says; needs the level Member.
    async fn update_group(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the group.")] id: Id,
        #[graphql(desc = "The group as it shall be.")] input: Part<GroupInput, Whole>,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Group> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input.input, &precondition).await
        });
        Ok(changed.await?.group)
    }

    /// Deletes a group with all that hangs on it, and tells what went; needs the level Member.
    async fn delete_group(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the group.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "Only tells what would be deleted, and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of many groups that are within reach, all or nothing; needs the level Member.
    async fn bulk_delete_groups(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the groups.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
