//! Interfaces over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result};

use super::{Entity, Interface, InterfaceFilter, InterfaceOrder};
use crate::{
    bindings::{self, graphql::Binding},
    db::page::Window,
    graphql::{
        connection::{self, Connection},
        loader,
    },
    hosts::{self, Host},
    if_entries::{self, IfEntry},
    networks::{self, Network},
    subnets::{self, Subnet},
    types::Id,
};

/// Queries for interfaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct InterfaceQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl InterfaceQuery {
    /// One of the interfaces, if there is one with this id within reach.
    async fn interface(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Its id.")] id: Id,
    ) -> Result<Option<Interface>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// The interfaces within reach.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn interfaces(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<InterfaceFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<InterfaceOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Interface>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[ComplexObject]
impl Interface {
    /// The network that it belongs to.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The host that it belongs to.
    async fn host(&self, context: &Context<'_>) -> Result<Option<Host>> {
        loader::by_id::<hosts::Entity>(context, self.host_id).await
    }

    /// The subnet that the address is in.
    async fn subnet(&self, context: &Context<'_>) -> Result<Option<Subnet>> {
        loader::by_id::<subnets::Entity>(context, self.subnet_id).await
    }

    /// What listens on this address alone.
    async fn bindings(&self, context: &Context<'_>) -> Result<Vec<Binding>> {
        let rows =
            loader::all_of::<bindings::Entity>(context, bindings::Column::InterfaceId, self.id)
                .await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }

    /// The rows of the interface table through which it is reached.
    async fn if_entries(&self, context: &Context<'_>) -> Result<Vec<IfEntry>> {
        loader::all_of::<if_entries::Entity>(context, if_entries::Column::InterfaceId, self.id)
            .await
    }
}
