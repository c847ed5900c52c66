//! Bindings: the ports and interfaces that services listen on.

pub(crate) mod entity;
pub(crate) mod graphql;
mod input;
mod list;
pub(crate) mod rest;

use sea_orm::QueryFilter as _;
use serde::Serialize;
use toposcope_types::{BindingType, Id, PermissionLevel, Timestamp};
use utoipa::ToSchema;

pub use self::{
    entity::{ActiveModel, Column, Entity, Model},
    input::{BindingInput, ServiceBindingInput, Targets, explained, is_taken, require_apart},
    list::{BindingFilter, BindingOrder, BindingOrderField},
};
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    groups,
    input::given,
    resource::{Precondition, Resource as _, referred, require_same},
    services::entity as services,
    write::{Removable, Write, later},
};

/// A target that a service listens on: a port, on one interface or all, or a whole interface.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Binding {
    /// The id.
    pub id: Id,
    /// Creation time of the record.
    pub created_at: Timestamp,
    /// Time of the last change to the record.
    pub updated_at: Timestamp,
    /// The id of the listening service.
    pub service_id: Id,
    /// The id of the binding's network.
    pub network_id: Id,
    /// The type of the binding: port or interface.
    #[serde(rename = "type")]
    pub binding_type: BindingType,
    /// The id of the port, in a port binding only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_id: Option<Id>,
    /// The id of the interface; in a port binding, null means all.
    pub interface_id: Option<Id>,
}

impl From<Model> for Binding {
    fn from(row: Model) -> Self {
        Self {
            id: row.id,
            created_at: row.created_at,
            updated_at: row.updated_at,
            service_id: row.service_id,
            network_id: row.network_id,
            binding_type: row.binding_type,
            port_id: row.port_id,
            interface_id: row.interface_id,
        }
    }
}

/// Creates a binding.
pub async fn create(app: &App, viewer: &Viewer, input: BindingInput) -> Result<Model> {
    viewer.require(PermissionLevel::Member)?;
    let make = || async {
        let service_id = given::required("service_id", input.service_id)?;
        let network_id = given::required("network_id", input.network_id)?;
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        write.hold_network(network_id).await?;
        let viewer = &write.viewer.clone();
        let service =
            referred::<services::Entity>(&write.db, viewer, "service_id", service_id, network_id);
        let service = service.await?;
        let targets = Targets::of_host(&write, service.host_id).await?;
        let now = Timestamp::now();
        let new = Model {
            id: Id::new(),
            created_at: now,
            updated_at: now,
            service_id,
            network_id,
            binding_type: given::required("type", input.binding_type)?,
            port_id: None,
            interface_id: None,
        };
        let binding = match input.apply(new, &targets) {
            Ok(binding) => binding,
            Err(error) => return Err(explained(&write, network_id, error).await),
        };
        require_apart(&targets.bindings, &binding)?;
        write.insert::<Entity>(vec![binding.clone()]).await?;
        write.commit().await?;
        Ok(binding)
    };
    app.db.again(make).await
}

/// Updates a binding; omitted fields keep their value.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: BindingInput,
    precondition: &Precondition,
) -> Result<Model> {
    viewer.require(PermissionLevel::Member)?;
    let precondition = precondition.or(input.expected_updated_at);
    let replace = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        let before = write.current::<Entity>(id, None, &precondition).await?;
        let viewer = &write.viewer.clone();
        require_same("service_id", before.service_id, input.service_id)?;
        require_same("network_id", before.network_id, input.network_id)?;
        let service = referred::<services::Entity>(
            &write.db,
            viewer,
            "service_id",
            before.service_id,
            before.network_id,
        );
        let targets = Targets::of_host(&write, service.await?.host_id).await?;
        let updated_at = later(before.updated_at);
        let after = match input.apply(before.clone(), &targets) {
            Ok(after) => Model { updated_at, ..after },
            Err(error) => return Err(explained(&write, before.network_id, error).await),
        };
        require_apart(&targets.bindings, &after)?;
        write.replace::<Entity>(vec![(before, after.clone())]).await?;
        write.commit().await?;
        Ok(after)
    };
    app.db.again(replace).await
}

impl Removable for Entity {
    const LEVEL: PermissionLevel = PermissionLevel::Member;

    /// Deletes bindings and removes them from their groups.
    async fn remove(write: &mut Write<'_>, rows: Vec<Model>) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let ids = write.app.db.ids(rows.iter().map(|binding| binding.id).collect::<Vec<_>>());
        groups::forget(write, &ids).await?;
        write.remove::<Self>(&rows).await
    }
}

/// Reads the bindings of many services.
pub async fn of_services(write: &Write<'_>, services: &crate::db::IdSet) -> Result<Vec<Model>> {
    let rows = Entity::visible_to(&write.viewer).filter(services.includes(Column::ServiceId));
    Ok(rows.all(&write.db).await?)
}
