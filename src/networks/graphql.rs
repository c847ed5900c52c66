//! Networks over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result};
use toposcope_types::{Id, Timestamp};

use super::{Entity, Network, NetworkFilter, NetworkInput, NetworkOrder};
use crate::{
    changes::{self, graphql::Deleted},
    graphql::{
        connection::{self, Connection},
        context, loader,
    },
    groups::{self, Group},
    hosts::{self, Host},
    input::{New, Part},
    resource::{Precondition, children::Relation, page::Window},
    services::{self, Service},
    subnets::{self, Subnet},
    tags::{self, Tag, TagOwner},
    write::BulkDeleted,
};

/// Queries for networks.
#[derive(Clone, Copy, Debug, Default)]
pub struct NetworkQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl NetworkQuery {
    /// Returns the network with this id, or null if none is visible to the viewer.
    async fn network(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id.")] id: Id,
    ) -> Result<Option<Network>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// Lists the networks visible to the viewer.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn networks(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            NetworkFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<NetworkOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Network>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl Network {
    /// The network's hosts.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            hosts::HostFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<hosts::HostOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Host>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<hosts::Entity>::Column(hosts::Column::NetworkId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The network's services.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn services(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            services::ServiceFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<services::ServiceOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Service>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<services::Entity>::Column(services::Column::NetworkId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The network's groups.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn groups(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            groups::GroupFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<groups::GroupOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Group>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<groups::Entity>::Column(groups::Column::NetworkId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The network's subnets.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn subnets(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            subnets::SubnetFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<subnets::SubnetOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Subnet>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<subnets::Entity>::Column(subnets::Column::NetworkId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The network's tags, in order.
    #[graphql(deprecation = "Ask `tagsConnection`, which comes in pages.")]
    async fn tags(&self, context: &Context<'_>) -> Result<Vec<Tag>> {
        tags::graphql::of(context, TagOwner::Network, self.id).await
    }

    /// The network's tags, in pages.
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
        let owner = TagOwner::Network;
        tags::graphql::page_of(context, owner, self.id, filter, order_by, window).await
    }
}

/// Mutations for networks.
#[derive(Clone, Copy, Debug, Default)]
pub struct NetworkMutation;

#[Object]
impl NetworkMutation {
    /// Creates a network. Requires the Admin permission level.
    async fn create_network(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The network to create.")] input: Part<NetworkInput, New>,
    ) -> Result<Network> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.network)
    }

    /// Updates a network. Omitted fields keep their value, and null clears a field. Requires the
    /// Admin permission level.
    async fn update_network(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the network.")] id: Id,
        #[graphql(desc = "The fields of the network to update.")] input: NetworkInput,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Network> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.network)
    }

    /// Deletes a network and everything that depends on it, and returns what was deleted. Requires
    /// the Admin permission level.
    async fn delete_network(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the network.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "If true, reports what would be deleted and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of the given networks that the viewer can see, all or nothing. Requires the
    /// Admin permission level.
    async fn bulk_delete_networks(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the networks.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
