//! Ports over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result};

use super::{Entity, Port, PortFilter, PortOrder};
use crate::{
    bindings::{self, graphql::Binding},
    db::page::Window,
    graphql::{
        connection::{self, Connection},
        loader,
    },
    hosts::{self, Host},
    networks::{self, Network},
    types::Id,
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

#[ComplexObject]
impl Port {
    /// The network that it belongs to.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The host that it belongs to.
    async fn host(&self, context: &Context<'_>) -> Result<Option<Host>> {
        loader::by_id::<hosts::Entity>(context, self.host_id).await
    }

    /// What listens on this port.
    async fn bindings(&self, context: &Context<'_>) -> Result<Vec<Binding>> {
        let rows =
            loader::all_of::<bindings::Entity>(context, bindings::Column::PortId, self.id).await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }
}
