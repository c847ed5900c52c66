//! Interfaces over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result};
use toposcope_types::{Id, Timestamp};

use super::{Entity, Interface, InterfaceFilter, InterfaceInput, InterfaceOrder};
use crate::{
    bindings::{self, graphql::Binding},
    changes::{self, graphql::Deleted},
    graphql::{
        connection::{self, Connection},
        context, loader,
    },
    hosts::{self, Host},
    if_entries::{self, IfEntry},
    input::{New, Part},
    networks::{self, Network},
    resource::{Precondition, children::Relation, page::Window},
    subnets::{self, Subnet},
    write::BulkDeleted,
};

/// Queries for interfaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct InterfaceQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl InterfaceQuery {
    /// Returns the interface with this id, or null if none is visible to the viewer.
    async fn interface(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id.")] id: Id,
    ) -> Result<Option<Interface>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// Lists the interfaces visible to the viewer.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn interfaces(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            InterfaceFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<InterfaceOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Interface>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl Interface {
    /// The interface's network.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The interface's host.
    async fn host(&self, context: &Context<'_>) -> Result<Option<Host>> {
        loader::by_id::<hosts::Entity>(context, self.host_id).await
    }

    /// The subnet that contains the address.
    async fn subnet(&self, context: &Context<'_>) -> Result<Option<Subnet>> {
        loader::by_id::<subnets::Entity>(context, self.subnet_id).await
    }

    /// The bindings that listen on this address alone.
    #[graphql(deprecation = "Ask `bindingsConnection`, which comes in pages.")]
    async fn bindings(&self, context: &Context<'_>) -> Result<Vec<Binding>> {
        let rows =
            loader::all_of::<bindings::Entity>(context, bindings::Column::InterfaceId, self.id)
                .await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }

    /// The bindings that listen on this address alone, in pages.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn bindings_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            bindings::BindingFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
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
        let relation = Relation::<bindings::Entity>::Column(bindings::Column::InterfaceId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The interface-table entries through which the address is reached.
    #[graphql(deprecation = "Ask `ifEntriesConnection`, which comes in pages.")]
    async fn if_entries(&self, context: &Context<'_>) -> Result<Vec<IfEntry>> {
        loader::all_of::<if_entries::Entity>(context, if_entries::Column::InterfaceId, self.id)
            .await
    }

    /// The interface-table entries through which the address is reached, in pages.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn if_entries_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            if_entries::IfEntryFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<if_entries::IfEntryOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<IfEntry>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<if_entries::Entity>::Column(if_entries::Column::InterfaceId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }
}

/// Mutations for interfaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct InterfaceMutation;

#[Object]
impl InterfaceMutation {
    /// Creates an interface. Requires the Member permission level.
    async fn create_interface(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The interface to create.")] input: Part<InterfaceInput, New>,
    ) -> Result<Interface> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?)
    }

    /// Updates an interface. Omitted fields keep their value, and null clears a field. Requires the
    /// Member permission level.
    async fn update_interface(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the interface.")] id: Id,
        #[graphql(desc = "The fields of the interface to update.")] input: InterfaceInput,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Interface> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?)
    }

    /// Deletes an interface and everything that depends on it, and returns what was deleted.
    /// Requires the Member permission level.
    async fn delete_interface(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the interface.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "If true, reports what would be deleted and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of the given interfaces that the viewer can see, all or nothing. Requires the
    /// Member permission level.
    async fn bulk_delete_interfaces(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the interfaces.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
