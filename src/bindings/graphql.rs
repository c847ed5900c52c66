//! Bindings over GraphQL.

use async_graphql::{Context, Object, Result};
use toposcope_types::{BindingType, Id, Timestamp};

use async_graphql::Interface as GraphqlInterface;

use super::{BindingFilter, BindingInput, BindingOrder, Entity, Model};
use crate::{
    changes::{self, graphql::Deleted},
    graphql::{
        connection::{self, Connection},
        context, loader,
    },
    input::{New, Part},
    interfaces::{self, Interface},
    networks::{self, Network},
    ports::{self, Port},
    resource::{Precondition, page::Window},
    services::{self, Service},
    write::BulkDeleted,
};

/// Queries for bindings.
#[derive(Clone, Copy, Debug, Default)]
pub struct BindingQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl BindingQuery {
    /// Returns the binding with this id, or null if none is visible to the viewer.
    async fn binding(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id.")] id: Id,
    ) -> Result<Option<Binding>> {
        Ok(loader::by_id::<Entity>(context, id).await?.map(Into::into))
    }

    /// Lists the bindings visible to the viewer.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn bindings(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            BindingFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<BindingOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Binding>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

/// A port or interface that a service listens on.
#[expect(clippy::duplicated_attributes, reason = "fields of the interface share types")]
#[derive(Clone, Debug, GraphqlInterface)]
#[graphql(
    field(name = "id", ty = "Id", desc = "The id."),
    field(name = "created_at", ty = "Timestamp", desc = "Creation time of the record."),
    field(name = "updated_at", ty = "Timestamp", desc = "Time of the last change to the record."),
    field(name = "service_id", ty = "Id", desc = "The id of the service that listens."),
    field(name = "network_id", ty = "Id", desc = "The id of the network that it belongs to."),
    field(name = "service", ty = "Option<Service>", desc = "The service that listens."),
    field(name = "network", ty = "Option<Network>", desc = "The network that it belongs to.")
)]
pub enum Binding {
    Port(PortBinding),
    Interface(InterfaceBinding),
}

impl From<Model> for Binding {
    fn from(row: Model) -> Self {
        match row.binding_type {
            BindingType::Port => Self::Port(PortBinding(row)),
            BindingType::Interface => Self::Interface(InterfaceBinding(row)),
        }
    }
}

/// A binding to a port.
#[derive(Clone, Debug)]
pub struct PortBinding(Model);

/// A binding to an interface.
#[derive(Clone, Debug)]
pub struct InterfaceBinding(Model);

/// A port that a service listens on.
#[Object]
impl PortBinding {
    /// The id.
    pub async fn id(&self) -> Id {
        self.0.id
    }

    /// Creation time of the record.
    async fn created_at(&self) -> Timestamp {
        self.0.created_at
    }

    /// Time of the last change to the record.
    async fn updated_at(&self) -> Timestamp {
        self.0.updated_at
    }

    /// The id of the listening service.
    async fn service_id(&self) -> Id {
        self.0.service_id
    }

    /// The id of the binding's network.
    async fn network_id(&self) -> Id {
        self.0.network_id
    }

    /// The listening service.
    async fn service(&self, context: &Context<'_>) -> Result<Option<Service>> {
        loader::by_id::<services::Entity>(context, self.0.service_id).await
    }

    /// The binding's network.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.0.network_id).await
    }

    /// The id of the port.
    async fn port_id(&self) -> Option<Id> {
        self.0.port_id
    }

    /// The id of the interface; null means all interfaces of the host.
    async fn interface_id(&self) -> Option<Id> {
        self.0.interface_id
    }

    /// The port.
    async fn port(&self, context: &Context<'_>) -> Result<Option<Port>> {
        loader::by_id::<ports::Entity>(context, self.0.port_id).await
    }

    /// The interface; null means all interfaces of the host.
    async fn interface(&self, context: &Context<'_>) -> Result<Option<Interface>> {
        loader::by_id::<interfaces::Entity>(context, self.0.interface_id).await
    }
}

/// A whole interface that a service listens on.
#[Object]
impl InterfaceBinding {
    /// The id.
    pub async fn id(&self) -> Id {
        self.0.id
    }

    /// Creation time of the record.
    async fn created_at(&self) -> Timestamp {
        self.0.created_at
    }

    /// Time of the last change to the record.
    async fn updated_at(&self) -> Timestamp {
        self.0.updated_at
    }

    /// The id of the listening service.
    async fn service_id(&self) -> Id {
        self.0.service_id
    }

    /// The id of the binding's network.
    async fn network_id(&self) -> Id {
        self.0.network_id
    }

    /// The listening service.
    async fn service(&self, context: &Context<'_>) -> Result<Option<Service>> {
        loader::by_id::<services::Entity>(context, self.0.service_id).await
    }

    /// The binding's network.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.0.network_id).await
    }

    /// The id of the interface.
    async fn interface_id(&self) -> Option<Id> {
        self.0.interface_id
    }

    /// The interface.
    async fn interface(&self, context: &Context<'_>) -> Result<Option<Interface>> {
        loader::by_id::<interfaces::Entity>(context, self.0.interface_id).await
    }
}

/// Mutations for bindings.
#[derive(Clone, Copy, Debug, Default)]
pub struct BindingMutation;

#[Object]
impl BindingMutation {
    /// Creates a binding. Requires the Member permission level.
    async fn create_binding(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The binding to create.")] input: Part<BindingInput, New>,
    ) -> Result<Binding> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.into())
    }

    /// Updates a binding. Omitted fields keep their value, and null clears a field. Requires the
    /// Member permission level.
    async fn update_binding(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the binding.")] id: Id,
        #[graphql(desc = "The fields of the binding to update.")] input: BindingInput,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Binding> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.into())
    }

    /// Deletes a binding and everything that depends on it, and returns what was deleted. Requires
    /// the Member permission level.
    async fn delete_binding(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the binding.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "If true, reports what would be deleted and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of the given bindings that the viewer can see, all or nothing. Requires the
    /// Member permission level.
    async fn bulk_delete_bindings(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the bindings.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
