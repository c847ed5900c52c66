//! Hosts over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result, Union};
use toposcope_types::{
    HostVirtualization, Id, Layer, ProxmoxVirtualization, SourceDetails, StackMember, Timestamp,
};

use super::{Entity, Host, HostFilter, HostInput, HostOrder};
use crate::{
    changes::{self, graphql::Deleted},
    graphql::{
        connection::{self, Connection},
        context, loader,
    },
    if_entries::{self, IfEntry},
    input::{New, Part},
    interfaces::{self, Interface},
    networks::{self, Network},
    ports::{self, Port},
    resource::{Precondition, children::Relation, page::Window},
    services::{self, Service},
    tags::{self, Tag, TagOwner},
    topology::{
        self,
        graphql::{HostDistance, HostNeighbor},
    },
    write::BulkDeleted,
};

/// Queries for hosts.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl HostQuery {
    /// Returns the host with this id, or null if none is visible to the viewer.
    async fn host(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id.")] id: Id,
    ) -> Result<Option<Host>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// Lists the hosts visible to the viewer.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<HostFilter>,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<HostOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Host>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl Host {
    /// Origin of the record.
    async fn source_details(&self) -> SourceDetails {
        (&self.source).into()
    }

    /// The host's network.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The host's interface-table entries.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn if_entries(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            if_entries::IfEntryFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<if_entries::IfEntryOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<IfEntry>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<if_entries::Entity>::Column(if_entries::Column::HostId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The host's addresses.
    #[graphql(deprecation = "Ask `interfacesConnection`, which comes in pages.")]
    async fn interfaces(&self, context: &Context<'_>) -> Result<Vec<Interface>> {
        loader::all_of::<interfaces::Entity>(context, interfaces::Column::HostId, self.id).await
    }

    /// The host's addresses, in pages.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn interfaces_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            interfaces::InterfaceFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<interfaces::InterfaceOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Interface>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<interfaces::Entity>::Column(interfaces::Column::HostId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The host's TCP and UDP ports.
    #[graphql(deprecation = "Ask `portsConnection`, which comes in pages.")]
    async fn ports(&self, context: &Context<'_>) -> Result<Vec<Port>> {
        loader::all_of::<ports::Entity>(context, ports::Column::HostId, self.id).await
    }

    /// The host's TCP and UDP ports, in pages.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn ports_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            ports::PortFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<ports::PortOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Port>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<ports::Entity>::Column(ports::Column::HostId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The services that the host runs.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn services(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            services::ServiceFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<services::ServiceOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Service>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<services::Entity>::Column(services::Column::HostId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The virtualization platform that the host runs on, if it is virtual.
    async fn virtualization_details(&self) -> Option<HostVirtualizationDetails> {
        self.virtualization.clone().map(Into::into)
    }

    /// The devices of which the host consists if it is a stack (entPhysicalTable, ENTITY-MIB,
    /// RFC 6933).
    async fn stack_members(&self) -> Option<&[StackMember]> {
        self.stack_members.as_ref().map(|members| members.0.as_slice())
    }

    /// The host's tags, in order.
    #[graphql(deprecation = "Ask `tagsConnection`, which comes in pages.")]
    async fn tags(&self, context: &Context<'_>) -> Result<Vec<Tag>> {
        tags::graphql::of(context, TagOwner::Host, self.id).await
    }

    /// The host's tags, in pages.
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
        let owner = TagOwner::Host;
        tags::graphql::page_of(context, owner, self.id, filter, order_by, window).await
    }

    /// The devices linked to the host, once for each link.
    async fn neighbors(&self, context: &Context<'_>) -> Result<Vec<HostNeighbor>> {
        topology::graphql::neighbors(context, self).await
    }

    /// The devices around the host, nearest first.
    async fn within(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The greatest distance in links; on layer L3, in subnets.")] hops: u32,
        #[graphql(default_with = "Layer::L2", desc = "The layer to walk.")] layer: Layer,
    ) -> Result<Vec<HostDistance>> {
        topology::graphql::within(context, self, hops, layer).await
    }
}

/// The virtualization platform that runs a host.
#[derive(Clone, Debug, Union)]
pub enum HostVirtualizationDetails {
    Proxmox(Proxmox),
}

impl From<HostVirtualization> for HostVirtualizationDetails {
    fn from(virtualization: HostVirtualization) -> Self {
        match virtualization {
            HostVirtualization::Proxmox(machine) => Self::Proxmox(Proxmox(machine)),
        }
    }
}

/// A Proxmox VE virtual machine.
#[derive(Clone, Debug)]
pub struct Proxmox(ProxmoxVirtualization);

/// A Proxmox VE virtual machine.
#[Object(name = "ProxmoxVirtualization")]
impl Proxmox {
    /// The name of the virtual machine, if known.
    async fn vm_name(&self) -> Option<&str> {
        self.0.vm_name.as_deref()
    }

    /// The id that the hypervisor gave the virtual machine, if known.
    async fn vm_id(&self) -> Option<&str> {
        self.0.vm_id.as_deref()
    }

    /// The id of the hypervisor service.
    async fn service_id(&self) -> Id {
        self.0.service_id
    }

    /// The hypervisor service.
    async fn service(&self, context: &Context<'_>) -> Result<Option<Service>> {
        loader::by_id::<services::Entity>(context, self.0.service_id).await
    }
}

/// Mutations for hosts.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostMutation;

#[Object]
impl HostMutation {
    /// Creates a host. Requires the Member permission level.
    async fn create_host(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The host to create.")] input: Part<HostInput, New>,
    ) -> Result<Host> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.host)
    }

    /// Updates a host. Omitted fields keep their value, and null clears a field. Requires the
    /// Member permission level.
    async fn update_host(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the host.")] id: Id,
        #[graphql(desc = "The fields of the host to update.")] input: HostInput,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Host> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.host)
    }

    /// Deletes a host and everything that depends on it, and returns what was deleted. Requires the
    /// Member permission level.
    async fn delete_host(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the host.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "If true, reports what would be deleted and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of the given hosts that the viewer can see, all or nothing. Requires the
    /// Member permission level.
    async fn bulk_delete_hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the hosts.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }

    /// Moves everything that belongs to one host to another that turned out to be the same device,
    /// and deletes the first. Requires the Member permission level.
    async fn consolidate_hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the host to keep.")] destination: Id,
        #[graphql(desc = "The id of the host to merge into it and delete.")] other: Id,
    ) -> Result<Host> {
        let merged = context::run(context, |app, viewer| async move {
            super::consolidate(&app, &viewer, destination, other).await
        });
        Ok(merged.await?.host)
    }
}
