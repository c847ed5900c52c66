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
    /// Returns the group with this id, or null if none is visible to the viewer.
    async fn group(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id.")] id: Id,
    ) -> Result<Option<Group>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// Lists the groups visible to the viewer.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn groups(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<GroupFilter>,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<GroupOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Group>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl Group {
    /// Origin of the record.
    async fn source_details(&self) -> SourceDetails {
        (&self.source).into()
    }

    /// The group's network.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The group's bindings, in order.
    #[graphql(deprecation = "Ask `bindingsConnection`, which comes in pages.")]
    async fn bindings(&self, context: &Context<'_>) -> Result<Vec<Binding>> {
        let bindings = loader::loaders(context)?.load_one(BindingsOf(self.id)).await?;
        Ok(context::list(context, bindings)?.into_iter().map(Into::into).collect())
    }

    /// The group's bindings, in pages.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn bindings_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            bindings::BindingFilter,
        >,
        #[graphql(desc = "How to order them; by default in the order of the group.")]
        order_by: Option<Vec<bindings::BindingOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Binding>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_parent(context, super::MEMBERS, self.id, filter, order_by, window).await
    }

    /// The edges that the binding order implies: for a request path, from each binding to the next;
    /// for hub and spoke, from the first binding to every other.
    async fn edges(&self, context: &Context<'_>) -> Result<Vec<GroupEdge>> {
        let bindings = loader::loaders(context)?.load_one(BindingsOf(self.id)).await?;
        let bindings = bindings.unwrap_or_default();
        context::count(context, bindings.len())?;
        Ok(edges(self.group_type, &bindings))
    }

    /// The group's tags, in order.
    #[graphql(deprecation = "Ask `tagsConnection`, which comes in pages.")]
    async fn tags(&self, context: &Context<'_>) -> Result<Vec<Tag>> {
        tags::graphql::of(context, TagOwner::Group, self.id).await
    }

    /// The group's tags, in pages.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn tags_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            tags::TagFilter,
        >,
        #[graphql(desc = "How to order them; by default in the order of assignment.")]
        order_by: Option<Vec<tags::TagOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Tag>> {
        let window = Window::new(after, before, first, last)?;
        let owner = TagOwner::Group;
        tags::graphql::page_of(context, owner, self.id, filter, order_by, window).await
    }
}

/// An edge between two bindings of a group.
#[derive(Clone, Debug, SimpleObject)]
pub struct GroupEdge {
    /// The start of the edge: the earlier step, or the hub.
    source: Binding,
    /// The end of the edge: the later step, or the spoke.
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

/// The loader key for the bindings of one group, in order.
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

/// The loader key for the groups that contain bindings of one service.
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

/// Returns the groups that contain bindings of a service, in creation order.
pub async fn of_service(context: &Context<'_>, service_id: Id) -> Result<Vec<Group>> {
    let groups = loader::loaders(context)?.load_one(GroupsOf(service_id)).await?;
    Ok(context::list(context, groups)?)
}

/// Mutations for groups.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupMutation;

#[Object]
impl GroupMutation {
    /// Creates a group. Requires the Member permission level.
    async fn create_group(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The group to create.")] input: Part<GroupInput, New>,
    ) -> Result<Group> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.group)
    }

    /// Replaces all fields of a group with the input. Requires the Member permission level.
    async fn update_group(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the group.")] id: Id,
        #[graphql(desc = "The group to store.")] input: Part<GroupInput, Whole>,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Group> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input.input, &precondition).await
        });
        Ok(changed.await?.group)
    }

    /// Deletes a group and everything that depends on it, and returns what was deleted. Requires
    /// the Member permission level.
    async fn delete_group(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the group.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "If true, reports what would be deleted and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of the given groups that the viewer can see, all or nothing. Requires the
    /// Member permission level.
    async fn bulk_delete_groups(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the groups.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
