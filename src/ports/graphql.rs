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
    /// One of the ports, if there is one with this id within reach.
    async fn port(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Its id.")] id: Id,
    ) -> Result<Option<Port>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// The ports within reach.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn ports(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<PortFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<PortOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Port>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl Port {
    /// What usually listens on it, such as `Https`; `Custom` where nothing is known.
    #[graphql(name = "type")]
    async fn port_type(&self) -> &'static str {
        self.usual()
    }

    /// The network that it belongs to.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The host that it belongs to.
    async fn host(&self, context: &Context<'_>) -> Result<Option<Host>> {
        loader::by_id::<hosts::Entity>(context, self.host_id).await
    }

    /// What listens on this port.
    #[graphql(deprecation = "Ask `bindingsConnection`, which comes in pages.")]
    async fn bindings(&self, context: &Context<'_>) -> Result<Vec<Binding>> {
        let rows =
            loader::all_of::<bindings::Entity>(context, bindings::Column::PortId, self.id).await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }

    /// What listens on this port, a page at a time.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn bindings_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<bindings::BindingFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
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
        let relation = Relation::<bindings::Entity>::Column(bindings::Column::PortId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }
}

/// Changes of ports.
#[derive(Clone, Copy, Debug, Default)]
pub struct PortMutation;

#[Object]
impl PortMutation {
    /// Makes a port; needs the level Member.
    async fn create_port(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The port to be made.")] input: Part<PortInput, New>,
    ) -> Result<Port> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.port)
    }

    /// Changes a port; what is left out stays, and null clears; needs the level Member.
    async fn update_port(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the port.")] id: Id,
        #[graphql(desc = "The fields of the port to change.")] input: PortInput,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Port> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.port)
    }

    /// Deletes a port with all that hangs on it, and tells what went; needs the level Member.
    async fn delete_port(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the port.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "Only tells what would be deleted, and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of many ports that are within reach, all or nothing; needs the level Member.
    async fn bulk_delete_ports(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the ports.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
