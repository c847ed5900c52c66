//! Subnets over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result};
use toposcope_types::{Id, SourceDetails, Timestamp};

use super::{Entity, Subnet, SubnetFilter, SubnetInput, SubnetOrder};
use crate::{
    changes::{self, graphql::Deleted},
    graphql::{
        connection::{self, Connection},
        context, loader,
    },
    input::{New, Part},
    interfaces::{self, Interface},
    networks::{self, Network},
    resource::{Precondition, children::Relation, page::Window},
    tags::{self, Tag, TagOwner},
    write::BulkDeleted,
};

/// Queries for subnets.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubnetQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl SubnetQuery {
    /// Returns the subnet with this id, or null if none is visible to the viewer.
    async fn subnet(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id.")] id: Id,
    ) -> Result<Option<Subnet>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// Lists the subnets visible to the viewer.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn subnets(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<SubnetFilter>,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<SubnetOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Subnet>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl Subnet {
    /// Origin of the record.
    async fn source_details(&self) -> SourceDetails {
        (&self.source).into()
    }

    /// The subnet's network.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The addresses in the subnet.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn interfaces(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            interfaces::InterfaceFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<interfaces::InterfaceOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Interface>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<interfaces::Entity>::Column(interfaces::Column::SubnetId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The subnet's tags, in order.
    #[graphql(deprecation = "Ask `tagsConnection`, which comes in pages.")]
    async fn tags(&self, context: &Context<'_>) -> Result<Vec<Tag>> {
        tags::graphql::of(context, TagOwner::Subnet, self.id).await
    }

    /// The subnet's tags, in pages.
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
        let owner = TagOwner::Subnet;
        tags::graphql::page_of(context, owner, self.id, filter, order_by, window).await
    }
}

/// Mutations for subnets.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubnetMutation;

#[Object]
impl SubnetMutation {
    /// Creates a subnet. Requires the Member permission level.
    async fn create_subnet(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The subnet to create.")] input: Part<SubnetInput, New>,
    ) -> Result<Subnet> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.subnet)
    }

    /// Updates a subnet. Omitted fields keep their value, and null clears a field. Requires the
    /// Member permission level.
    async fn update_subnet(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the subnet.")] id: Id,
        #[graphql(desc = "The fields of the subnet to update.")] input: SubnetInput,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Subnet> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.subnet)
    }

    /// Deletes a subnet and everything that depends on it, and returns what was deleted. Requires
    /// the Member permission level.
    async fn delete_subnet(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the subnet.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "If true, reports what would be deleted and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of the given subnets that the viewer can see, all or nothing. Requires the
    /// Member permission level.
    async fn bulk_delete_subnets(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the subnets.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
