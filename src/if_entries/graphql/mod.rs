//! Interface-table entries over GraphQL.

mod numbered;

use async_graphql::{ComplexObject, Context, Object, Result};
use toposcope_types::{Id, LldpChassisId, LldpPortId, Mac, NeighborProtocol, Timestamp};

use std::{collections::HashMap, sync::Arc};

use async_graphql::{Union, dataloader::Loader};

use super::{Entity, IfEntry, IfEntryFilter, IfEntryInput, IfEntryOrder, Observation, observation};
use crate::{
    changes::{self, graphql::Deleted},
    graphql::{
        connection::{self, Connection},
        context,
        loader::{self, Batch, LoadError},
    },
    hosts::{self, Host},
    input::{New, Part, Whole},
    interfaces::{self, Interface},
    networks::{self, Network},
    resource::{Precondition, children::Relation, page::Window},
    topology,
    write::BulkDeleted,
};

/// Queries for interface-table entries.
#[derive(Clone, Copy, Debug, Default)]
pub struct IfEntryQuery;

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[Object]
impl IfEntryQuery {
    /// Returns the interface-table entry with this id, or null if none is visible to the viewer.
    async fn if_entry(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id.")] id: Id,
    ) -> Result<Option<IfEntry>> {
        loader::by_id::<Entity>(context, id).await
    }

    /// Lists the interface-table entries visible to the viewer.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn if_entries(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            IfEntryFilter,
        >,
        #[graphql(desc = "How to order the rows; ties are broken by creation time and id.")]
        order_by: Option<Vec<IfEntryOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<IfEntry>> {
        let window = Window::new(after, before, first, last)?;
        connection::of_everything::<Entity, _>(context, filter, order_by, window).await
    }
}

#[expect(clippy::too_many_arguments, reason = "they are the arguments of a connection")]
#[ComplexObject]
impl IfEntry {
    /// The entry's network.
    async fn network(&self, context: &Context<'_>) -> Result<Option<Network>> {
        loader::by_id::<networks::Entity>(context, self.network_id).await
    }

    /// The entry's host.
    async fn host(&self, context: &Context<'_>) -> Result<Option<Host>> {
        loader::by_id::<hosts::Entity>(context, self.host_id).await
    }

    /// The host's address that is reached through the interface.
    async fn interface(&self, context: &Context<'_>) -> Result<Option<Interface>> {
        loader::by_id::<interfaces::Entity>(context, self.interface_id).await
    }

    /// The MAC addresses learned on the port (dot1dTpFdbTable, RFC 4188).
    async fn fdb_macs(&self, context: &Context<'_>) -> Result<Option<Vec<Mac>>> {
        let entry = topology::graphql::with_table(context, self).await?;
        let macs = entry.fdb_macs.as_ref().map(|table| table.macs().to_vec());
        if self.late() == 0 {
            let bytes = macs.as_ref().map_or(0, |macs| macs.len() * WRITTEN);
            context::count_bytes(context, bytes as u64)?;
        }
        Ok(macs)
    }

    /// The VLANs of tagged frames, in order (dot1qVlanStaticTable, Q-BRIDGE-MIB, RFC 4363).
    async fn tagged_vlans(&self, context: &Context<'_>) -> Result<Option<Vec<u16>>> {
        let Some(vlans) = &self.tagged_vlans else { return Ok(None) };
        context::count_bytes(context, self.unfolded())?;
        Ok(Some(vlans.iter().collect()))
    }

    /// The aggregate that the interface is a member of, if it is recorded.
    async fn lag(&self, context: &Context<'_>) -> Result<Option<Self>> {
        numbered::lag(context, self).await
    }

    /// The members of the aggregate, by their numbers; empty if the interface is not one.
    async fn lag_members(&self, context: &Context<'_>) -> Result<Vec<Self>> {
        numbered::lag_members(context, self).await
    }

    /// The interface that this one runs over, if it is recorded.
    async fn parent(&self, context: &Context<'_>) -> Result<Option<Self>> {
        numbered::parent(context, self).await
    }

    /// The subinterfaces and logical units that run over the interface, by their numbers.
    async fn subinterfaces(&self, context: &Context<'_>) -> Result<Vec<Self>> {
        numbered::subinterfaces(context, self).await
    }

    /// The far end: its port if known, otherwise its device.
    async fn neighbor(&self, context: &Context<'_>) -> Result<Option<Neighbor>> {
        if self.neighbor_if_entry_id.is_some() {
            let port = loader::by_id::<Entity>(context, self.neighbor_if_entry_id).await?;
            return Ok(port.map(Neighbor::IfEntry));
        }
        let host = loader::by_id::<hosts::Entity>(context, self.neighbor_host_id).await?;
        Ok(host.map(Neighbor::Host))
    }

    /// All observations of neighbors on the interface.
    #[graphql(deprecation = "Ask `observationsConnection`, which comes in pages.")]
    async fn observations(&self, context: &Context<'_>) -> Result<Vec<Observation>> {
        let heard = loader::loaders(context)?.load_one(HeardBy(self.id)).await?;
        Ok(context::list(context, heard)?)
    }

    /// All observations of neighbors on the interface, in pages.
    #[graphql(complexity = "connection::cost(first, last, child_complexity)")]
    async fn observations_connection(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only rows that match this filter.")] filter: Option<
            observation::ObservationFilter,
        >,
        #[graphql(desc = "How to order them; by default in the order of observation.")]
        order_by: Option<Vec<observation::ObservationOrder>>,
        #[graphql(
            desc = "Returns at most this many, from the start: 0 to 1000; 50 if neither `first` nor `last` is given."
        )]
        first: Option<i32>,
        #[graphql(desc = "Returns only rows after this cursor.")] after: Option<String>,
        #[graphql(desc = "Returns at most this many, from the end: 0 to 1000.")] last: Option<i32>,
        #[graphql(desc = "Returns only rows before this cursor.")] before: Option<String>,
    ) -> Result<Connection<Observation>> {
        let window = Window::new(after, before, first, last)?;
        let relation = Relation::<observation::Entity>::Column(observation::Column::IfEntryId);
        let order_by = order_by.or_else(|| Some(observation::as_heard()));
        connection::of_parent(context, relation, self.id, filter, order_by, window).await
    }

    /// The links that end at the interface, from what it heard and what others heard of it.
    async fn links(&self, context: &Context<'_>) -> Result<Vec<topology::graphql::Link>> {
        topology::graphql::links_of(context, self).await
    }

    /// The reason why the interface has no link, and what to do about it; null if it has one.
    async fn unlinked(&self, context: &Context<'_>) -> Result<Option<topology::graphql::Unlinked>> {
        topology::graphql::unlinked(context, self).await
    }

    /// The chassis id of the first LLDP neighbor.
    async fn lldp_chassis_id(&self, context: &Context<'_>) -> Result<Option<LldpChassisId>> {
        Ok(first_heard(context, self.id, NeighborProtocol::Lldp)
            .await?
            .and_then(|heard| heard.chassis()))
    }

    /// The port id of the first LLDP neighbor.
    async fn lldp_port_id(&self, context: &Context<'_>) -> Result<Option<LldpPortId>> {
        Ok(first_heard(context, self.id, NeighborProtocol::Lldp)
            .await?
            .and_then(|heard| heard.port()))
    }

    /// The port description of the first LLDP neighbor.
    async fn lldp_port_desc(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(first_heard(context, self.id, NeighborProtocol::Lldp)
            .await?
            .and_then(|heard| heard.port_desc))
    }

    /// The system name of the first LLDP neighbor.
    async fn lldp_sys_name(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(first_heard(context, self.id, NeighborProtocol::Lldp)
            .await?
            .and_then(|heard| heard.sys_name))
    }

    /// The system description of the first LLDP neighbor.
    async fn lldp_sys_desc(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(first_heard(context, self.id, NeighborProtocol::Lldp)
            .await?
            .and_then(|heard| heard.sys_desc))
    }

    /// The management address of the first LLDP neighbor.
    async fn lldp_mgmt_addr(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(first_heard(context, self.id, NeighborProtocol::Lldp)
            .await?
            .and_then(|heard| heard.mgmt_addr))
    }

    /// The device id of the first CDP neighbor.
    async fn cdp_device_id(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(first_heard(context, self.id, NeighborProtocol::Cdp)
            .await?
            .and_then(|heard| heard.sys_name))
    }

    /// The port id of the first CDP neighbor.
    async fn cdp_port_id(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(first_heard(context, self.id, NeighborProtocol::Cdp)
            .await?
            .and_then(|heard| heard.port_id))
    }

    /// The hardware platform of the first CDP neighbor.
    async fn cdp_platform(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(first_heard(context, self.id, NeighborProtocol::Cdp)
            .await?
            .and_then(|heard| heard.platform))
    }

    /// The management address of the first CDP neighbor.
    async fn cdp_address(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(first_heard(context, self.id, NeighborProtocol::Cdp)
            .await?
            .and_then(|heard| heard.mgmt_addr))
    }
}

/// The far end of a port: a port if known, otherwise a device.
#[expect(clippy::large_enum_variant, reason = "it lives for one answer, and a box costs more")]
#[derive(Clone, Debug, Union)]
pub enum Neighbor {
    IfEntry(IfEntry),
    Host(Host),
}

#[ComplexObject]
impl Observation {
    /// The neighbor's chassis id.
    async fn chassis_id(&self) -> Option<LldpChassisId> {
        self.chassis()
    }

    /// The neighbor's LLDP port id.
    async fn port_id(&self) -> Option<LldpPortId> {
        self.port()
    }

    /// The neighbor's name for its port, whatever the protocol.
    async fn port_name(&self) -> Option<&str> {
        self.port_id.as_deref()
    }
}

/// The size of a MAC address in a list, in bytes.
const WRITTEN: usize = 20;

/// Loader key for the observations of one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct HeardBy(Id);

impl Loader<HeardBy> for Batch {
    type Value = Arc<Vec<Observation>>;
    type Error = LoadError;

    async fn load(
        &self,
        keys: &[HeardBy],
    ) -> std::result::Result<HashMap<HeardBy, Self::Value>, LoadError> {
        let ids = self.app.db.ids(keys.iter().map(|key| key.0).collect::<Vec<_>>());
        let rows = super::heard(self.app.db.reader(), &self.viewer, &ids).await;
        let mut heard: HashMap<HeardBy, Vec<Observation>> = HashMap::new();
        for row in rows.map_err(Arc::new)? {
            heard.entry(HeardBy(row.if_entry_id)).or_default().push(row);
        }
        Ok(loader::shared(heard))
    }
}

async fn first_heard(
    context: &Context<'_>,
    id: Id,
    protocol: NeighborProtocol,
) -> Result<Option<Observation>> {
    let heard = loader::loaders(context)?.load_one(HeardBy(id)).await?.unwrap_or_default();
    let first = |heard: &&Observation| heard.protocol == protocol && heard.position == 0;
    Ok(heard.iter().find(first).cloned())
}

/// Mutations for interface-table entries.
#[derive(Clone, Copy, Debug, Default)]
pub struct IfEntryMutation;

#[Object]
impl IfEntryMutation {
    /// Creates an interface-table entry. Requires the Member permission level.
    async fn create_if_entry(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The interface-table entry to create.")] input: Part<IfEntryInput, New>,
    ) -> Result<IfEntry> {
        let made = context::run(context, |app, viewer| async move {
            super::create(&app, &viewer, input.input).await
        });
        Ok(made.await?.entry)
    }

    /// Replaces an interface-table entry with the input. Requires the Member permission level.
    async fn update_if_entry(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the interface-table entry.")] id: Id,
        #[graphql(desc = "The interface-table entry to store.")] input: Part<IfEntryInput, Whole>,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
    ) -> Result<IfEntry> {
        let precondition = Precondition::default().or(expected_updated_at);
        let changed = context::run(context, |app, viewer| async move {
            super::update(&app, &viewer, id, input.input, &precondition).await
        });
        Ok(changed.await?.entry)
    }

    /// Deletes an interface-table entry and everything that depends on it, and returns what was
    /// deleted. Requires the Member permission level.
    async fn delete_if_entry(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the interface-table entry.")] id: Id,
        #[graphql(
            desc = "The `updatedAt` that you last read; if it no longer matches, nothing is changed and the mutation fails."
        )]
        expected_updated_at: Option<Timestamp>,
        #[graphql(default, desc = "If true, reports what would be deleted and deletes nothing.")]
        dry_run: bool,
    ) -> Result<Deleted> {
        changes::graphql::delete::<Entity>(context, id, expected_updated_at, dry_run).await
    }

    /// Deletes those of the given interface-table entries that the viewer can see, all or nothing.
    /// Requires the Member permission level.
    async fn bulk_delete_if_entries(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The ids of the interface-table entries.")] ids: Vec<Id>,
    ) -> Result<BulkDeleted> {
        changes::graphql::bulk_delete::<Entity>(context, ids).await
    }
}
