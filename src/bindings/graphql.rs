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
    /// One of the bindings, if there is one with this id within reach.
    async fn binding(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Its id.")] id: Id,
    ) -> Result<Option<Binding>> {
        Ok(loader::by_id::<Entity>(context, id).await?.map(Into::into))
    }

    /// The bindings within reach.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn bindings(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<BindingFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<BindingOrder>,
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
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

/// What a service listens on.
#[expect(clippy::duplicated_attributes, reason = "fields of the interface share types")]
#[derive(Clone, Debug, GraphqlInterface)]
#[graphql(
    field(name = "id", ty = "Id", desc = "The id."),
    field(name = "created_at", ty = "Timestamp", desc = "When it was recorded."),
    field(name = "updated_at", ty = "Timestamp", desc = "When it was last changed."),
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

/// A binding whose type is a port.
#[derive(Clone, Debug)]
pub struct PortBinding(Model);

/// A binding whose type is an interface.
#[derive(Clone, Debug)]
pub struct InterfaceBinding(Model);

/// A port that a service listens on.
#[Object]
impl PortBinding {
    /// The id.
    pub async fn id(&self) -> Id {
        self.0.id
    }

    /// When it was recorded.
    async fn created_at(&self) -> Timestamp {
        self.0.created_at
    }

    /// When it was last changed.
    async fn updated_at(&self) -> Timestamp {
        self.0.updated_at
    }

    /// The id of the service that listens.
    async fn service_id(&self) -> Id {
        self.0.service_id
    }

    /// The id of the network that it belongs to.
    async fn network_id(&self) -> Id {
        self.0.network_id
    }

    /// The service that listens.
    async fn service(&self, context: &Context<'_>) -> Result<Option<Service>> {
        loader::by_id::<services::Entity>(context, self.0.service_id).await
    }

    /// The network that it belongs to.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.0.network_id).await
    }

    /// The id of the port.
    async fn port_id(&self) -> Option<Id> {
        self.0.port_id
    }

    /// The id of the interface; none means all of the host's.
    async fn interface_id(&self) -> Option<Id> {
        self.0.interface_id
    }

    /// The port.
    async fn port(&self, context: &Context<'_>) -> Result<Option<Port>> {
        loader::by_id::<ports::Entity>(context, self.0.port_id).await
    }

    /// The interface; none means all of the host's.
    async fn interface(&self, context: &Context<'_>) -> Result<Option<Interface>> {
        loader::by_id::<interfaces::Entity>(context, self.0.interface_id).await
    }
}

/// An interface that a service listens on as a whole.
#[Object]
impl InterfaceBinding {
    /// The id.
    pub async fn id(&self) -> Id {
        self.0.id
    }

    /// When it was recorded.
    async fn created_at(&self) -> Timestamp {
        self.0.created_at
    }

    /// When it was last changed.
    async fn updated_at(&self) -> Timestamp {
        self.0.updated_at
    }

    /// The id of the service that listens.
    async fn service_id(&self) -> Id {
        self.0.service_id
    }

    /// The id of the network that it belongs to.
    async fn network_id(&self) -> Id {
        self.0.network_id
    }

    /// The service that listens.
    async fn service(&self, context: &Context<'_>) -> Result<Option<Service>> {
        loader::by_id::<services::Entity>(context, self.0.service_id).await
    }

    /// The network that it belongs to.
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

/// Changes of bindings.
#[derive(Clone, Copy, Debug, Default)]
pub struct BindingMutation;

#[Object]
impl BindingMutation {
    /// Makes a binding; needs the level Member.
    async fn create_binding(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The binding to be made.")] input: Part<BindingInput, New>,
    ) -> Result<Binding> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.into())
    }

    /// Changes a binding; what is left out stays, and null clears; needs the level Member.
    async fn update_binding(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the binding.")] id: Id,
        #[graphql(desc = "The fields of the binding to change.")] input: BindingInput,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Binding> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.into())
    }

    /// Deletes a binding with all that hangs on it, and tells what went; needs the level Member.
    async fn delete_binding(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the binding.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "Only tells what would be deleted, and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of many bindings that are within reach, all or nothing; needs the level Member.
    async fn bulk_delete_bindings(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the bindings.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
