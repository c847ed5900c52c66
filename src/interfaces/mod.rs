//! Interfaces: the addresses of hosts in subnets.

pub(crate) mod entity;
pub(crate) mod graphql;
mod list;
pub(crate) mod rest;
mod sync;

use async_graphql::{InputObject, MaybeUndefined};
use sea_orm::{ColumnTrait as _, ConnectionTrait, QueryFilter as _, QuerySelect as _};
use serde::Deserialize;
use toposcope_types::{Id, IpAddress, Mac, PermissionLevel, Timestamp, whole};
use utoipa::ToSchema;

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Interface},
    list::{InterfaceFilter, InterfaceOrder, InterfaceOrderField},
    sync::{are, sync},
};
use crate::{
    app::App,
    auth::Viewer,
    bindings,
    error::{Error, Result},
    hosts::entity as hosts,
    if_entries,
    input::{Input, OfHost, Part, given, position, text},
    resource::{Precondition, Resource as _, referred, require_same},
    subnets::entity::{self as subnets, Model as Subnet},
    write::{Removable, Write, later},
};

/// Fields of a host's address to create or update; an update keeps omitted fields.
#[derive(Clone, Debug, PartialEq, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateInterfaceInput")]
pub struct InterfaceInput {
    /// The id of the host's network.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub network_id: Option<Id>,
    /// The id of the interface's host; an update cannot change it.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub host_id: Option<Id>,
    /// The id of the subnet that contains the address.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub subnet_id: Option<Id>,
    /// The address, within the subnet; unique per host and subnet.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = IpAddress)]
    pub ip_address: Option<IpAddress>,
    /// The MAC address behind the IP address.
    #[serde(default)]
    #[schema(value_type = Option<Mac>)]
    pub mac_address: MaybeUndefined<Mac>,
    /// The name, such as `eth0`, up to 255 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 255)]
    pub name: MaybeUndefined<String>,
    /// The position among the host's interfaces, from 0. If omitted: the index in a host's list,
    /// otherwise the last on creation, and unchanged on update.
    #[serde(default, deserialize_with = "whole::optional")]
    #[schema(minimum = 0)]
    pub position: Option<i32>,
    /// The `updatedAt` that you last read; if it no longer matches, the server rejects the update.
    pub expected_updated_at: Option<Timestamp>,
}

/// An interface in the list of a host.
pub type HostInterfaceInput = Part<InterfaceInput, OfHost>;

/// Rejects an address outside its subnet.
fn check_address(subnet: &Subnet, ip: IpAddress) -> Result<()> {
    if subnet.cidr.contains(ip) {
        return Ok(());
    }
    Err(Error::IpOutOfRange { ip, subnet: subnet.cidr })
}

impl Input for InterfaceInput {
    const REQUIRED: &'static [&'static str] = &["network_id", "host_id", "subnet_id", "ip_address"];
}

impl InterfaceInput {
    /// Returns the subnet and the address, both required for a new interface.
    fn place(&self) -> Result<(Id, IpAddress)> {
        let subnet_id = given::required("subnet_id", self.subnet_id)?;
        Ok((subnet_id, given::required("ip_address", self.ip_address)?))
    }

    /// Returns the interface with the input applied; its host and network stay the same.
    fn apply(&self, before: Interface) -> Result<Interface> {
        Ok(Interface {
            subnet_id: self.subnet_id.unwrap_or(before.subnet_id),
            ip_address: self.ip_address.unwrap_or(before.ip_address),
            mac_address: given::or_stored(&self.mac_address, before.mac_address),
            name: given::text_or_stored("name", &self.name, before.name, text::MAX_NAME)?,
            position: position::check(self.position)?.unwrap_or(before.position),
            ..before
        })
    }
}

impl Interface {
    fn blank(
        id: Id,
        host_id: Id,
        network_id: Id,
        (subnet_id, ip_address): (Id, IpAddress),
        position: i32,
    ) -> Self {
        let now = Timestamp::now();
        Self {
            id,
            created_at: now,
            updated_at: now,
            network_id,
            host_id,
            subnet_id,
            ip_address,
            mac_address: None,
            name: None,
            position,
        }
    }
}

/// Returns the position after the last interface of a host.
async fn next_position(db: &impl ConnectionTrait, viewer: &Viewer, host_id: Id) -> Result<i32> {
    let last: Option<Option<i32>> = Entity::visible_to(viewer)
        .filter(Column::HostId.eq(host_id))
        .select_only()
        .column_as(Column::Position.max(), "position")
        .into_tuple()
        .one(db)
        .await?;
    Ok(last.flatten().map_or(0, |last| last.saturating_add(1)))
}

/// Creates an interface.
pub async fn create(app: &App, viewer: &Viewer, input: InterfaceInput) -> Result<Interface> {
    viewer.require(PermissionLevel::Member)?;
    let make = || async {
        let host = given::required("host_id", input.host_id)?;
        let network = given::required("network_id", input.network_id)?;
        let place = input.place()?;
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        write.hold_network(network).await?;
        let viewer = &write.viewer.clone();
        referred::<hosts::Entity>(&write.db, viewer, "host_id", host, network).await?;
        let subnet =
            referred::<subnets::Entity>(&write.db, viewer, "subnet_id", place.0, network).await?;
        check_address(&subnet, place.1)?;
        let position = next_position(&write.db, viewer, host).await?;
        let interface = input.apply(Interface::blank(Id::new(), host, network, place, position))?;
        write.insert::<Entity>(vec![interface.clone()]).await?;
        write.commit().await?;
        Ok(interface)
    };
    app.db.again(make).await
}

/// Updates an interface; omitted fields keep their value.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: InterfaceInput,
    precondition: &Precondition,
) -> Result<Interface> {
    viewer.require(PermissionLevel::Member)?;
    let precondition = precondition.or(input.expected_updated_at);
    let replace = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        let before = write.current::<Entity>(id, None, &precondition).await?;
        let viewer = &write.viewer.clone();
        require_same("host_id", before.host_id, input.host_id)?;
        require_same("network_id", before.network_id, input.network_id)?;
        let after = input.apply(before.clone())?;
        let (subnet, network) = (after.subnet_id, after.network_id);
        let subnet =
            referred::<subnets::Entity>(&write.db, viewer, "subnet_id", subnet, network).await?;
        check_address(&subnet, after.ip_address)?;
        if before.mac_address != after.mac_address {
            check_entries(&write, std::slice::from_ref(&after)).await?;
        }
        let after = Interface { updated_at: later(before.updated_at), ..after };
        write.replace::<Entity>(vec![(before, after.clone())]).await?;
        write.commit().await?;
        Ok(after)
    };
    app.db.again(replace).await
}

/// Rejects interfaces whose MAC address is not that of their interface-table entries, in one
/// statement.
pub async fn check_entries(write: &Write<'_>, interfaces: &[Interface]) -> Result<()> {
    let ids = write.app.db.ids(interfaces.iter().map(|row| row.id).collect::<Vec<_>>());
    let entries = if_entries::Entity::visible_to(&write.viewer)
        .filter(ids.includes(if_entries::Column::InterfaceId))
        .filter(if_entries::Column::MacAddress.is_not_null())
        .all(&write.db)
        .await?;
    for entry in entries {
        let interface = interfaces.iter().find(|row| entry.interface_id == Some(row.id));
        let mac = interface.and_then(|row| row.mac_address);
        if mac.is_some_and(|mac| entry.mac_address != Some(mac)) {
            let reason = format!(
                "the interface-table entry `{}` of this interface has another",
                entry.if_descr
            );
            return Err(Error::invalid("mac_address", reason));
        }
    }
    Ok(())
}

impl Removable for Entity {
    const LEVEL: PermissionLevel = PermissionLevel::Member;

    /// Deletes interfaces with their bindings, and clears the references from interface-table
    /// entries.
    async fn remove(write: &mut Write<'_>, rows: Vec<Interface>) -> Result<()> {
        let ids = write.app.db.ids(rows.iter().map(|row| row.id).collect::<Vec<_>>());
        let bound = bindings::Entity::visible_to(&write.viewer)
            .filter(ids.includes(bindings::Column::InterfaceId))
            .all(&write.db)
            .await?;
        bindings::Entity::remove(write, bound).await?;
        if_entries::unlink(write, ids.includes(if_entries::Column::InterfaceId), &ids).await?;
        write.remove::<Self>(&rows).await
    }
}
