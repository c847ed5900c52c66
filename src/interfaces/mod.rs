//! Interfaces: the addresses of hosts in subnets.

mod entity;
pub mod graphql;
mod list;
pub mod rest;
mod sync;

use async_graphql::InputObject;
use sea_orm::{ColumnTrait as _, ConnectionTrait, QueryFilter as _, QuerySelect as _};
use serde::Deserialize;
use utoipa::ToSchema;

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Interface},
    list::{InterfaceFilter, InterfaceOrder, InterfaceOrderField},
    sync::sync,
};
use crate::{
    app::App,
    auth::Viewer,
    bindings,
    changes::{Removable, Write, later},
    db::{
        Precondition, Resource as _,
        resource::{referred, require_same},
    },
    error::{Error, Result},
    hosts, if_entries,
    subnets::{self, Subnet},
    types::{Id, IpAddress, Mac, OfHost, Part, PermissionLevel, Timestamp, text, whole},
};

const MAX_NAME: usize = 255;

/// An address of a host in a subnet, as it shall be.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateInterfaceInput")]
pub struct InterfaceInput {
    /// The network of the host.
    pub network_id: Id,
    /// The host that it belongs to; it stays that of the interface.
    pub host_id: Id,
    /// The subnet that the address is in.
    pub subnet_id: Id,
    /// The address, within the subnet; once on each host and subnet.
    pub ip_address: IpAddress,
    /// The MAC address behind it.
    pub mac_address: Option<Mac>,
    /// The name, such as `eth0`, up to 255 characters.
    #[schema(max_length = 255)]
    pub name: Option<String>,
    /// Its place among the interfaces of the host, from 0; left out, the last, or where it is.
    #[serde(default, deserialize_with = "whole::optional")]
    #[schema(minimum = 0)]
    pub position: Option<i32>,
    /// The `updatedAt` that you have seen: if it is another by now, nothing is changed.
    pub expected_updated_at: Option<Timestamp>,
}

/// An interface of a host, in the list of its interfaces.
pub type HostInterfaceInput = Part<InterfaceInput, OfHost>;

/// Refuses an address outside its subnet.
fn check_address(subnet: &Subnet, ip: IpAddress) -> Result<()> {
    if subnet.cidr.contains(ip) {
        return Ok(());
    }
    Err(Error::IpOutOfRange { ip, subnet: subnet.cidr })
}

/// A place in a list, if it is one.
pub fn check_position(position: Option<i32>) -> Result<Option<i32>> {
    if position.is_some_and(|position| position < 0) {
        let field = "position".to_owned();
        return Err(Error::OutOfRange { field, min: 0, max: i32::MAX.into() });
    }
    Ok(position)
}

impl InterfaceInput {
    /// The interface as the input wants it; its host and network stay.
    fn apply(&self, before: Interface) -> Result<Interface> {
        let name = text::optional("name", self.name.clone(), MAX_NAME)?;
        Ok(Interface {
            subnet_id: self.subnet_id,
            ip_address: self.ip_address,
            mac_address: self.mac_address,
            name: name.filter(|name| !name.is_empty()),
            position: check_position(self.position)?.unwrap_or(before.position),
            ..before
        })
    }

    fn blank(&self, id: Id, host_id: Id, network_id: Id, position: i32) -> Interface {
        let now = Timestamp::now();
        Interface {
            id,
            created_at: now,
            updated_at: now,
            network_id,
            host_id,
            subnet_id: self.subnet_id,
            ip_address: self.ip_address,
            mac_address: None,
            name: None,
            position,
        }
    }
}

/// The place after the last interface of a host.
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

/// Makes an interface.
pub async fn create(app: &App, viewer: &Viewer, input: InterfaceInput) -> Result<Interface> {
    viewer.require(PermissionLevel::Member)?;
    let make = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        write.hold_network(input.network_id).await?;
        let viewer = &write.viewer.clone();
        let (host, network) = (input.host_id, input.network_id);
        referred::<hosts::Entity>(&write.db, viewer, "host_id", host, network).await?;
        let subnet = input.subnet_id;
        let subnet =
            referred::<subnets::Entity>(&write.db, viewer, "subnet_id", subnet, network).await?;
        check_address(&subnet, input.ip_address)?;
        let position = next_position(&write.db, viewer, host).await?;
        let interface = input.apply(input.blank(Id::new(), host, network, position))?;
        write.insert::<Entity>(vec![interface.clone()]).await?;
        write.commit().await?;
        Ok(interface)
    };
    app.db.again(make).await
}

/// Replaces an interface.
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
        let (subnet, network) = (input.subnet_id, input.network_id);
        let subnet =
            referred::<subnets::Entity>(&write.db, viewer, "subnet_id", subnet, network).await?;
        check_address(&subnet, input.ip_address)?;
        let after = input.apply(before.clone())?;
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

/// Refuses MAC addresses that are not those of the interface-table entries of the interfaces, in one
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

    /// What is bound to an interface goes with it; interface-table entries let it go.
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
