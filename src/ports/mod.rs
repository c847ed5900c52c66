//! TCP and UDP ports of hosts.

pub(crate) mod entity;
pub(crate) mod graphql;
mod list;
mod name;
pub(crate) mod rest;
mod sync;

use async_graphql::InputObject;
use sea_orm::QueryFilter as _;
use serde::{Deserialize, Serialize};
use toposcope_types::{Id, PermissionLevel, Timestamp, TransportProtocol, whole};
use utoipa::ToSchema;

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Port},
    list::{PortFilter, PortOrder, PortOrderField},
    sync::sync,
};
use crate::{
    app::App,
    auth::Viewer,
    bindings,
    error::{Error, Result},
    hosts::entity as hosts,
    input::{Input, OfHost, Part, given},
    resource::{Precondition, Resource as _, referred, require_same},
    write::{Removable, Write, later},
};

/// A TCP or UDP port of a host.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Port)]
pub struct FullPort {
    #[serde(flatten)]
    pub port: Port,
    /// The usual listener on the port, such as `Https`; `Custom` if unknown.
    #[serde(rename = "type")]
    pub port_type: &'static str,
}

impl From<Port> for FullPort {
    fn from(port: Port) -> Self {
        Self { port_type: name::of(port.number, port.protocol), port }
    }
}

impl Port {
    /// Returns the usual listener on the port, such as `Https`; `Custom` if unknown.
    pub fn usual(&self) -> &'static str {
        name::of(self.number, self.protocol)
    }
}

/// Fields of a port to create or update; an update keeps omitted fields.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdatePortInput")]
pub struct PortInput {
    /// The id of the port's host; an update cannot change it.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub host_id: Option<Id>,
    /// The id of the host's network.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub network_id: Option<Id>,
    /// The number, 1 to 65535; unique per host and protocol.
    #[serde(default, deserialize_with = "whole::given")]
    #[schema(value_type = i64, minimum = 1, maximum = 65_535)]
    pub number: Option<i64>,
    /// The protocol.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = TransportProtocol)]
    pub protocol: Option<TransportProtocol>,
    /// The `updatedAt` that you last read; if it no longer matches, the server rejects the update.
    pub expected_updated_at: Option<Timestamp>,
}

/// A port in the list of a host.
pub type HostPortInput = Part<PortInput, OfHost>;

impl Input for PortInput {
    const REQUIRED: &'static [&'static str] = &["host_id", "network_id", "number", "protocol"];
}

impl PortInput {
    fn number(&self) -> Result<Option<i32>> {
        let checked = |number| {
            let number = i32::try_from(number).ok().filter(|number| (1..=65_535).contains(number));
            let field = "number".to_owned();
            number.ok_or(Error::OutOfRange { field, min: 1, max: 65_535 })
        };
        self.number.map(checked).transpose()
    }
}

/// Creates a port.
pub async fn create(app: &App, viewer: &Viewer, input: PortInput) -> Result<FullPort> {
    viewer.require(PermissionLevel::Member)?;
    let number = given::required("number", input.number()?)?;
    let protocol = given::required("protocol", input.protocol)?;
    let host_id = given::required("host_id", input.host_id)?;
    let network_id = given::required("network_id", input.network_id)?;
    let make = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        write.hold_network(network_id).await?;
        let viewer = &write.viewer.clone();
        referred::<hosts::Entity>(&write.db, viewer, "host_id", host_id, network_id).await?;
        let now = Timestamp::now();
        let port = Port {
            id: Id::new(),
            created_at: now,
            updated_at: now,
            host_id,
            network_id,
            number,
            protocol,
        };
        write.insert::<Entity>(vec![port.clone()]).await?;
        write.commit().await?;
        Ok(port.into())
    };
    app.db.again(make).await
}

/// Updates a port; omitted fields keep their value.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: PortInput,
    precondition: &Precondition,
) -> Result<FullPort> {
    viewer.require(PermissionLevel::Member)?;
    let precondition = precondition.or(input.expected_updated_at);
    let replace = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        let port = write.current::<Entity>(id, None, &precondition).await?;
        require_same("host_id", port.host_id, input.host_id)?;
        require_same("network_id", port.network_id, input.network_id)?;
        let updated_at = later(port.updated_at);
        let number = input.number()?.unwrap_or(port.number);
        let protocol = input.protocol.unwrap_or(port.protocol);
        let after = Port { updated_at, number, protocol, ..port.clone() };
        write.replace::<Entity>(vec![(port, after.clone())]).await?;
        write.commit().await?;
        Ok(after.into())
    };
    app.db.again(replace).await
}

impl Removable for Entity {
    const LEVEL: PermissionLevel = PermissionLevel::Member;

    /// Deletes ports with their bindings.
    async fn remove(write: &mut Write<'_>, rows: Vec<Port>) -> Result<()> {
        let ids = write.app.db.ids(rows.iter().map(|port| port.id).collect::<Vec<_>>());
        let bound = bindings::Entity::visible_to(&write.viewer)
            .filter(ids.includes(bindings::Column::PortId))
            .all(&write.db)
            .await?;
        bindings::Entity::remove(write, bound).await?;
        write.remove::<Self>(&rows).await
    }
}
