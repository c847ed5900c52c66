//! Services over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result, Union};
use toposcope_types::{
    DockerVirtualization, Id, ServiceCategory, ServiceVirtualization, SourceDetails, Timestamp,
};

use super::{Entity, Service, ServiceFilter, ServiceInput, ServiceOrder};
use crate::{
    bindings::{self, graphql::Binding},
    changes::{self, graphql::Deleted},
    graphql::{
        connection::{self, Connection},
        context, loader,
    },
    groups::{self, Group},
    hosts::{self, Host},
    input::{New, Part},
    networks::{self, Network},
    resource::{Precondition, children::Relation, page::Window},
    tags::{self, Tag, TagOwner},
    write::BulkDeleted,
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

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl Service {
    /// Where the record comes from.
    async fn source_details(&self) -> SourceDetails {
        (&self.source).into()
    }

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
    #[graphql(deprecation = "Ask `bindingsConnection`, which comes in pages.")]
    async fn bindings(&self, context: &Context<'_>) -> Result<Vec<Binding>> {
        let rows =
            loader::all_of::<bindings::Entity>(context, bindings::Column::ServiceId, self.id)
                .await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }

    /// What it listens on, a page at a time.
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
        let relation = Relation::<bindings::Entity>::Column(bindings::Column::ServiceId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The groups that one of its bindings is in.
    #[graphql(deprecation = "Ask `groupsConnection`, which comes in pages.")]
    async fn groups(&self, context: &Context<'_>) -> Result<Vec<Group>> {
        groups::graphql::of_service(context, self.id).await
    }

    /// The groups that one of its bindings is in, a page at a time.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn groups_connection(
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
        let relation = groups::OF_SERVICES;
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// What it runs in, if it is contained.
    async fn virtualization_details(&self) -> Option<ServiceVirtualizationDetails> {
        self.virtualization.clone().map(Into::into)
    }

    /// The tags that it carries, in order.
    #[graphql(deprecation = "Ask `tagsConnection`, which comes in pages.")]
    async fn tags(&self, context: &Context<'_>) -> Result<Vec<Tag>> {
        tags::graphql::of(context, TagOwner::Service, self.id).await
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
        let owner = TagOwner::Service;
        tags::graphql::page_of(context, owner, self.id, filter, order_by, window).await
    }
}

/// What runs a service.
#[derive(Clone, Debug, Union)]
pub enum ServiceVirtualizationDetails {
    Docker(Docker),
}

impl From<ServiceVirtualization> for ServiceVirtualizationDetails {
    fn from(virtualization: ServiceVirtualization) -> Self {
        match virtualization {
            ServiceVirtualization::Docker(container) => Self::Docker(Docker(container)),
        }
    }
}

/// A container of a Docker engine.
#[derive(Clone, Debug)]
pub struct Docker(DockerVirtualization);

/// A container of a Docker engine.
#[Object(name = "DockerVirtualization")]
impl Docker {
    /// The name of the container, if known.
    async fn container_name(&self) -> Option<&str> {
        self.0.container_name.as_deref()
    }

    /// The id that the engine gave the container, if known.
    async fn container_id(&self) -> Option<&str> {
        self.0.container_id.as_deref()
    }

    /// The id of the service that is the engine.
    async fn service_id(&self) -> Id {
        self.0.service_id
    }

    /// The service that is the engine.
    async fn service(&self, context: &Context<'_>) -> Result<Option<Service>> {
        loader::by_id::<Entity>(context, self.0.service_id).await
    }
}

/// Changes of services.
#[derive(Clone, Copy, Debug, Default)]
pub struct ServiceMutation;

#[Object]
impl ServiceMutation {
    /// Makes a service; needs the level Member.
    async fn create_service(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The service to be made.")] input: Part<ServiceInput, New>,
    ) -> Result<Service> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.service)
    }

    /// Changes a service; what is left out stays, and null clears; needs the level Member.
    async fn update_service(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the service.")] id: Id,
        #[graphql(desc = "The fields of the service to change.")] input: ServiceInput,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Service> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.service)
    }

    /// Deletes a service with all that hangs on it, and tells what went; needs the level Member.
    async fn delete_service(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the service.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "Only tells what would be deleted, and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of many services that are within reach, all or nothing; needs the level Member.
    async fn bulk_delete_services(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the services.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
