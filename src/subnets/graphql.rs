//! Subnets over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result};

use super::{Entity, Subnet, SubnetFilter, SubnetOrder};
use crate::{
    db::page::Window,
    graphql::{
        connection::{self, Connection},
        loader,
    },
    interfaces::{self, Interface},
    networks::{self, Network},
    tags::{self, Tag, TagOwner},
    types::Id,
};

/// Queries for subnets.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubnetQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl SubnetQuery {
    /// One of the subnets, if there is one with this id within reach.
    async fn subnet(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Its id.")] id: Id,
    ) -> Result<Option<Subnet>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// The subnets within reach.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn subnets(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<SubnetFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<SubnetOrder>,
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
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl Subnet {
    /// The network that it belongs to.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The addresses in it.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn interfaces(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<
            interfaces::InterfaceFilter,
        >,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<interfaces::InterfaceOrder>,
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
        let column = interfaces::Column::SubnetId;
        connection::of_parent::<interfaces::Entity, _>(
            context, column, self.id, filter, order_by, window,
        )
        .await
    }

    /// The tags that it carries, in order.
    async fn tags(&self, context: &Context<'_>) -> Result<Vec<Tag>> {
        tags::graphql::of(context, TagOwner::Subnet, self.id).await
    }
}
