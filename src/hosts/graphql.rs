//! Hosts over GraphQL.

use async_graphql::{ComplexObject, Context, Object, Result, Union};
use toposcope_types::{
    HostVirtualization, Id, Layer, ProxmoxVirtualization, SourceDetails, Timestamp,
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
    /// One of the hosts, if there is one with this id within reach.
    async fn host(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Its id.")] id: Id,
    ) -> Result<Option<Host>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// The hosts within reach.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<HostFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<HostOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Host>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl Host {
    /// Where the record comes from.
    async fn source_details(&self) -> SourceDetails {
        (&self.source).into()
    }

    /// The network that it belongs to.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The rows of its interface table.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn if_entries(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<
            if_entries::IfEntryFilter,
        >,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<if_entries::IfEntryOrder>,
        >,
        #[graphql(
            desc = "The first so many, 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Only those after this cursor.")] after: Option<String>,
        #[graphql(desc = "The last so many, 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Only those before this cursor.")] before: Option<String>,
    ) -> Result<Connection<IfEntry>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<if_entries::Entity>::Column(if_entries::Column::HostId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// Its addresses.
    #[graphql(deprecation = "Ask `interfacesConnection`, which comes in pages.")]
    async fn interfaces(&self, context: &Context<'_>) -> Result<Vec<Interface>> {
        loader::all_of::<interfaces::Entity>(context, interfaces::Column::HostId, self.id).await
    }

    /// Its addresses, a page at a time.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn interfaces_connection(
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
        let relation = Relation::<interfaces::Entity>::Column(interfaces::Column::HostId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// Its TCP and UDP ports.
    #[graphql(deprecation = "Ask `portsConnection`, which comes in pages.")]
    async fn ports(&self, context: &Context<'_>) -> Result<Vec<Port>> {
        loader::all_of::<ports::Entity>(context, ports::Column::HostId, self.id).await
    }

    /// Its TCP and UDP ports, a page at a time.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn ports_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<ports::PortFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<ports::PortOrder>,
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
        let relation = Relation::<ports::Entity>::Column(ports::Column::HostId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The services that it runs.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn services(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Which of them; left out, all.")] filter: Option<services::ServiceFilter>,
        #[graphql(desc = "In which order; ties are broken by creation and id.")] order_by: Option<
            Vec<services::ServiceOrder>,
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
        let relation = Relation::<services::Entity>::Column(services::Column::HostId);
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// What it runs on, if it is virtual.
    async fn virtualization_details(&self) -> Option<HostVirtualizationDetails> {
        self.virtualization.clone().map(Into::into)
    }

    /// The tags that it carries, in order.
    #[graphql(deprecation = "Ask `tagsConnection`, which comes in pages.")]
    async fn tags(&self, context: &Context<'_>) -> Result<Vec<Tag>> {
        tags::graphql::of(context, TagOwner::Host, self.id).await
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
        let owner = TagOwner::Host;
        tags::graphql::page_of(context, owner, self.id, filter, order_by, window).await
    }

    /// The devices that it is joined to, once for each link.
    async fn neighbors(&self, context: &Context<'_>) -> Result<Vec<HostNeighbor>> {
        topology::graphql::neighbors(context, self).await
    }

    /// The devices around it, the nearest first.
    async fn within(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "At most so many links away; on layer L3, so many subnets.")] hops: u32,
        #[graphql(default_with = "Layer::L2", desc = "On which layer.")] layer: Layer,
    ) -> Result<Vec<HostDistance>> {
        topology::graphql::within(context, self, hops, layer).await
    }
}

/// What runs a host.
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

/// A virtual machine of Proxmox VE.
#[derive(Clone, Debug)]
pub struct Proxmox(ProxmoxVirtualization);

/// A virtual machine of Proxmox VE.
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

    /// The id of the service that is the hypervisor.
    async fn service_id(&self) -> Id {
        self.0.service_id
    }

    /// The service that is the hypervisor.
    async fn service(&self, context: &Context<'_>) -> Result<Option<Service>> {
        loader::by_id::<services::Entity>(context, self.0.service_id).await
    }
}

/// Changes of hosts.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostMutation;

#[Object]
impl HostMutation {
    /// Makes a host; needs the level Member.
    async fn create_host(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The host to be made.")] input: Part<HostInput, New>,
    ) -> Result<Host> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.host)
    }

    /// Changes a host; what is left out stays, and null clears; needs the level Member.
    async fn update_host(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the host.")] id: Id,
        #[graphql(desc = "The fields of the host to change.")] input: HostInput,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<Host> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input, &precondition).await
        });
        Ok(changed.await?.host)
    }

    /// Deletes a host with all that hangs on it, and tells what went; needs the level Member.
    async fn delete_host(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the host.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you have seen: if it is another by now, nothing is changed."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "Only tells what would be deleted, and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of many hosts that are within reach, all or nothing; needs the level Member.
    async fn bulk_delete_hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the hosts.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }

    /// Moves all that belongs to one host to another that turned out to be the same device, and
    /// deletes the first; needs the level Member.
    async fn consolidate_hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the host that stays.")] destination: Id,
        #[graphql(desc = "The id of the host that goes.")] other: Id,
    ) -> Result<Host> {
        let merged = context::run(context, |app, viewer| async move {
            super::consolidate(&app, &viewer, destination, other).await
        });
        Ok(merged.await?.host)
    }
}
