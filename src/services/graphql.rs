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
    /// Returns the service with this id, or null if none is visible to the viewer.
    async fn service(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id.")] id: Id,
    ) -> Result<Option<Service>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// Lists the services visible to the viewer.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn services(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            ServiceFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<ServiceOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Service>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl Service {
    /// Origin of the record.
    async fn source_details(&self) -> SourceDetails {
        (&self.source).into()
    }

    /// The category of the service, from its definition.
    async fn category(&self, context: &Context<'_>) -> Result<ServiceCategory> {
        Ok(context::app(context)?.definitions.category_of(&self.service_definition))
    }

    /// The service's network.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The service's host.
    async fn host(&self, context: &Context<'_>) -> Result<Option<Host>> {
        loader::by_id::<hosts::Entity>(context, self.host_id).await
    }

    /// The service's bindings.
    #[graphql(deprecation = "Ask `bindingsConnection`, which comes in pages.")]
    async fn bindings(&self, context: &Context<'_>) -> Result<Vec<Binding>> {
        let rows =
            loader::all_of::<bindings::Entity>(context, bindings::Column::ServiceId, self.id)
                .await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }

    /// The service's bindings, in pages.
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
        let relation = Relation::<bindings::Entity>::Column(bindings::Column::ServiceId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The groups that contain one of the service's bindings.
    #[graphql(deprecation = "Ask `groupsConnection`, which comes in pages.")]
    async fn groups(&self, context: &Context<'_>) -> Result<Vec<Group>> {
        groups::graphql::of_service(context, self.id).await
    }

    /// The groups that contain one of the service's bindings, in pages.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn groups_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            groups::GroupFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<groups::GroupOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Group>> {
        let window = Window::new(after, before, first, last)?;
        let relation = groups::OF_SERVICES;
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The container that the service runs in, if any.
    async fn virtualization_details(&self) -> Option<ServiceVirtualizationDetails> {
        self.virtualization.clone().map(Into::into)
    }

    /// The service's tags, in order.
    #[graphql(deprecation = "Ask `tagsConnection`, which comes in pages.")]
    async fn tags(&self, context: &Context<'_>) -> Result<Vec<Tag>> {
        tags::graphql::of(context, TagOwner::Service, self.id).await
    }

    /// The service's tags, in pages.
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
        let owner = TagOwner::Service;
        tags::graphql::page_of(context, owner, self.id, filter, order_by, window).await
    }
}

/// The container engine that runs a service.
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

/// A Docker container.
#[derive(Clone, Debug)]
pub struct Docker(DockerVirtualization);

/// A Docker container.
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

    /// The id of the engine service.
    async fn service_id(&self) -> Id {
        self.0.service_id
    }

    /// The engine service.
    async fn service(&self, context: &Context<'_>) -> Result<Option<Service>> {
        loader::by_id::<Entity>(context, self.0.service_id).await
    }
}

/// Mutations for services.
#[derive(Clone, Copy, Debug, Default)]
pub struct ServiceMutation;

#[Object]
impl ServiceMutation {
    /// Creates a service. Requires the Member permission level.
    async fn create_service(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The service to create.")] input: Part<ServiceInput, New>,
    ) -> Result<Service> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.service)
    }

    /// Updates a service. Omitted fields keep their value, and null clears a field. Requires the
    /// Member permission level.
    async fn update_service(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the service.")] id: Id,
        #[graphql(desc = "The fields of the service to update.")] input: ServiceInput,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Service> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.service)
    }

    /// Deletes a service and everything that depends on it, and returns what was deleted. Requires
    /// the Member permission level.
    async fn delete_service(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the service.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "If true, reports what would be deleted and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of the given services that the viewer can see, all or nothing. Requires the
    /// Member permission level.
    async fn bulk_delete_services(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the services.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
