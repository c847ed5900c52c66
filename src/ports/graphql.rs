//! Ports over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result};
use toposcope_types::{Id, Timestamp};

use super::{Entity, Port, PortFilter, PortInput, PortOrder};
use crate::{
    bindings::{self, graphql::Binding},
    changes::{self, graphql::Deleted},
    graphql::{
        connection::{self, Connection},
        context, loader,
    },
    hosts::{self, Host},
    input::{New, Part},
    networks::{self, Network},
    resource::{Precondition, children::Relation, page::Window},
    write::BulkDeleted,
};

/// Queries for ports.
#[derive(Clone, Copy, Debug, Default)]
pub struct PortQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl PortQuery {
    /// Returns the port with this id, or null if none is visible to the viewer.
    async fn port(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id.")] id: Id,
    ) -> Result<Option<Port>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// Lists the ports visible to the viewer.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn ports(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<PortFilter>,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<PortOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Port>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl Port {
    /// The usual listener on the port, such as `Https`; `Custom` if unknown.
    #[graphql(name = "type")]
    async fn port_type(&self) -> &'static str {
        self.usual()
    }

    /// The port's network.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The port's host.
    async fn host(&self, context: &Context<'_>) -> Result<Option<Host>> {
        loader::by_id::<hosts::Entity>(context, self.host_id).await
    }

    /// The bindings that listen on this port.
    #[graphql(deprecation = "Ask `bindingsConnection`, which comes in pages.")]
    async fn bindings(&self, context: &Context<'_>) -> Result<Vec<Binding>> {
        let rows =
            loader::all_of::<bindings::Entity>(context, bindings::Column::PortId, self.id).await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }

    /// The bindings that listen on this port, in pages.
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
        let relation = Relation::<bindings::Entity>::Column(bindings::Column::PortId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }
}

/// Mutations for ports.
#[derive(Clone, Copy, Debug, Default)]
pub struct PortMutation;

#[Object]
impl PortMutation {
    /// Creates a port. Requires the Member permission level.
    async fn create_port(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The port to create.")] input: Part<PortInput, New>,
    ) -> Result<Port> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.port)
    }

    /// Updates a port. Omitted fields keep their value, and null clears a field. Requires the
    /// Member permission level.
    async fn update_port(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the port.")] id: Id,
        #[graphql(desc = "The fields of the port to update.")] input: PortInput,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Port> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.port)
    }

    /// Deletes a port and everything that depends on it, and returns what was deleted. Requires the
    /// Member permission level.
    async fn delete_port(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the port.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "If true, reports what would be deleted and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of the given ports that the viewer can see, all or nothing. Requires the
    /// Member permission level.
    async fn bulk_delete_ports(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the ports.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
