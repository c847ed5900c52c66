//! Services over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result};

use super::{Entity, Service, ServiceCategory, ServiceFilter, ServiceOrder};
use crate::{
    bindings::{self, graphql::Binding},
    db::page::Window,
    graphql::{
        connection::{self, Connection},
        context, loader,
    },
    groups::{self, Group},
    hosts::{self, Host},
    networks::{self, Network},
    tags::{self, Tag, TagOwner},
    types::Id,
};

/// Queries for services.
#[derive(Clone, Copy, Debug, Default)]
pub struct ServiceQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl ServiceQuery {
    /// One of the services, if there is one with this id within reach.
    async fn service(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Its id.")] id: Id,
    ) -> Result<Option<Service>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// The services within reach.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn services(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<ServiceFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<ServiceOrder>,
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
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[ComplexObject]
impl Service {
    /// What kind of service it is, by its definition.
    async fn category(&self, context: &Context<'_>) -> Result<ServiceCategory> {
        Ok(context::app(context)?.definitions.category_of(&self.service_definition))
    }

    /// The network that it belongs to.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The host that it belongs to.
    async fn host(&self, context: &Context<'_>) -> Result<Option<Host>> {
        loader::by_id::<hosts::Entity>(context, self.host_id).await
    }

    /// What it listens on.
    async fn bindings(&self, context: &Context<'_>) -> Result<Vec<Binding>> {
        let rows =
            loader::all_of::<bindings::Entity>(context, bindings::Column::ServiceId, self.id)
                .await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }

    /// The groups that one of its bindings is in.
    async fn groups(&self, context: &Context<'_>) -> Result<Vec<Group>> {
        groups::graphql::of_service(context, self.id).await
    }

    /// The tags that it carries, in order.
    async fn tags(&self, context: &Context<'_>) -> Result<Vec<Tag>> {
        tags::graphql::of(context, TagOwner::Service, self.id).await
    }
}
