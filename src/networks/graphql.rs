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
    /// One of the networks, if there is one with this id within reach.
    async fn network(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Its id.")] id: Id,
    ) -> Result<Option<Network>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// The networks within reach.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn networks(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<NetworkFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<NetworkOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Network>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl Network {
    /// Its hosts.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<hosts::HostFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<hosts::HostOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Host>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<hosts::Entity>::Column(hosts::Column::NetworkId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// Its services.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn services(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<services::ServiceFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<services::ServiceOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Service>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<services::Entity>::Column(services::Column::NetworkId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// Its groups.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn groups(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<groups::GroupFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<groups::GroupOrder>,
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
        let relation = Relation::<groups::Entity>::Column(groups::Column::NetworkId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// Its subnets.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn subnets(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<subnets::SubnetFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<subnets::SubnetOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Subnet>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<subnets::Entity>::Column(subnets::Column::NetworkId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The tags that it carries, in order.
    #[graphql(deprecation = "Ask `tagsConnection`, which comes in pages.")]
    async fn tags(&self, context: &Context<'_>) -> Result<Vec<Tag>> {
        tags::graphql::of(context, TagOwner::Network, self.id).await
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
        let owner = TagOwner::Network;
        tags::graphql::page_of(context, owner, self.id, filter, order_by, window).await
    }
}

/// Changes of networks.
#[derive(Clone, Copy, Debug, Default)]
pub struct NetworkMutation;

#[Object]
impl NetworkMutation {
    /// Makes a network; needs the level Admin.
    async fn create_network(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The network to be made.")] input: Part<NetworkInput, New>,
    ) -> Result<Network> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.network)
    }

    /// Changes a network; what is left out stays, and null clears; needs the level Admin.
    async fn update_network(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the network.")] id: Id,
        #[graphql(desc = "The fields of the network to change.")] input: NetworkInput,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Network> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.network)
    }

    /// Deletes a network with all that hangs on it, and tells what went; needs the level Admin.
    async fn delete_network(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the network.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "Only tells what would be deleted, and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of many networks that are within reach, all or nothing; needs the level Admin.
    async fn bulk_delete_networks(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the networks.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
