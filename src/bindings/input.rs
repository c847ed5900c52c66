//! What can be said of a binding, and the rules for it.

use std::collections::HashSet;

use async_graphql::{InputObject, MaybeUndefined};
use sea_orm::{ColumnTrait as _, QueryFilter as _, QuerySelect as _, QueryTrait as _};
use serde::Deserialize;
use toposcope_types::{BindingType, Id, Kind, Timestamp};
use utoipa::ToSchema;

use super::entity::{Column, Entity, Model};
use crate::{
    error::{Error, Result},
    input::{Input, OfService, Part, given},
    interfaces::entity as interfaces,
    ports::entity as ports,
    resource::{self, Resource},
    services::entity as services,
    write::Write,
};

/// What is said of a binding; what a change leaves out stays as it is.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateBindingInput")]
pub struct BindingInput {
    /// The service that listens; it stays that of the binding.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub service_id: Option<Id>,
    /// The network of the service.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub network_id: Option<Id>,
    /// Whether it is a port or an interface as a whole.
    #[serde(rename = "type", default, deserialize_with = "given::value")]
    #[schema(value_type = BindingType)]
    #[graphql(name = "type")]
    pub binding_type: Option<BindingType>,
    /// The port on the host of the service; required if the type is a port.
    #[serde(default)]
    #[schema(value_type = Option<Id>)]
    pub port_id: MaybeUndefined<Id>,
    /// The interface on the host of the service; required if the type is an interface, and of a
    /// port, null means all.
    #[serde(default)]
    #[schema(value_type = Option<Id>)]
    pub interface_id: MaybeUndefined<Id>,
    /// The `updatedAt` that you have seen: if it is another by now, nothing is changed.
    pub expected_updated_at: Option<Timestamp>,
}

/// A binding of a service, in the list of its bindings.
pub type ServiceBindingInput = Part<BindingInput, OfService>;

/// What can be listened on at a host, and what is listened on.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// The ports of the host.
    pub ports: HashSet<Id>,
    /// The interfaces of the host.
    pub interfaces: HashSet<Id>,
    /// The bindings of all its services.
    pub bindings: Vec<Model>,
}

impl Targets {
    /// Reads them, in three statements.
    pub async fn of_host(write: &Write<'_>, host_id: Id) -> Result<Self> {
        let ports = ids::<ports::Entity>(write, ports::Column::HostId, host_id).await?;
        let interfaces =
            ids::<interfaces::Entity>(write, interfaces::Column::HostId, host_id).await?;
        let services = services::Entity::visible_to(&write.viewer)
            .filter(services::Column::HostId.eq(host_id))
            .select_only()
            .column(services::Column::Id)
            .into_query();
        let bindings = Entity::visible_to(&write.viewer)
            .filter(Column::ServiceId.in_subquery(services))
            .all(&write.db)
            .await?;
        Ok(Self { ports, interfaces, bindings })
    }
}

async fn ids<E: Resource>(write: &Write<'_>, host: E::Column, host_id: Id) -> Result<HashSet<Id>> {
    let rows: Vec<Id> = E::visible_to(&write.viewer)
        .filter(host.eq(host_id))
        .select_only()
        .column(E::ID)
        .into_tuple()
        .all(&write.db)
        .await?;
    Ok(rows.into_iter().collect())
}

impl Input for BindingInput {
    const REQUIRED: &'static [&'static str] = &["service_id", "network_id", "type"];
}

impl BindingInput {
    /// The binding as the input wants it, on targets of the host of its service.
    pub fn apply(&self, before: Model, targets: &Targets) -> Result<Model> {
        let required = |field: &str| Error::Required { field: field.to_owned() };
        let known = |kind: Kind, field: &str, ids: &HashSet<Id>, id: Option<Id>| match id {
            Some(id) if !ids.contains(&id) => {
                Err(Error::ReferenceInvalid { kind, field: field.to_owned(), id })
            }
            id => Ok(id),
        };
        let binding_type = self.binding_type.unwrap_or(before.binding_type);
        let port_id = given::or_stored(&self.port_id, before.port_id);
        let interface_id = given::or_stored(&self.interface_id, before.interface_id);
        let interface_id =
            known(Kind::Interface, "interface_id", &targets.interfaces, interface_id)?;
        let port_id = match binding_type {
            BindingType::Port if port_id.is_none() => return Err(required("port_id")),
            BindingType::Port => known(Kind::Port, "port_id", &targets.ports, port_id)?,
            BindingType::Interface if self.port_id.is_value() => {
                return Err(Error::invalid("port_id", "a binding of an interface has no port"));
            }
            BindingType::Interface if interface_id.is_none() => {
                return Err(required("interface_id"));
            }
            BindingType::Interface => None,
        };
        Ok(Model { binding_type, port_id, interface_id, ..before })
    }
}

/// The same error, or a better one where the port or interface exists and is only elsewhere.
pub async fn explained(write: &Write<'_>, network_id: Id, error: Error) -> Error {
    let Error::ReferenceInvalid { kind, field, id } = &error else { return error };
    let (db, viewer) = (&write.db, &write.viewer);
    let found = match kind {
        Kind::Port => {
            let found = resource::find::<ports::Entity>(db, viewer, *id).await;
            found.map(|row| row.map(|row| row.network_id))
        }
        Kind::Interface => {
            let found = resource::find::<interfaces::Entity>(db, viewer, *id).await;
            found.map(|row| row.map(|row| row.network_id))
        }
        _ => return error,
    };
    match found {
        Err(error) => error,
        Ok(None) => error,
        Ok(Some(network)) if network != network_id => Error::NetworkMismatch { kind: *kind },
        Ok(Some(_)) => Error::invalid(field, format!("the {kind} is on another host")),
    }
}

/// Refuses a binding of what another binding among `others` listens on already. All interfaces
/// overlap with any; an interface as a whole may be shared by services. A service says nothing twice,
/// also not as a port of an interface that it has as a whole.
pub fn require_apart(others: &[Model], binding: &Model) -> Result<()> {
    let twice = others.iter().any(|other| {
        let other_kind = other.binding_type != binding.binding_type;
        is_another(other, binding)
            && other.service_id == binding.service_id
            && (is_same(other, binding) || (other_kind && overlap(other, binding)))
    });
    if twice {
        let field = match binding.binding_type {
            BindingType::Port => "port_id",
            BindingType::Interface => "interface_id",
        };
        return Err(Error::AlreadyExists { kind: Kind::Binding, field });
    }
    if is_taken(others, binding) {
        return Err(Error::InUse { kind: Kind::Port, used_by: Kind::Binding });
    }
    Ok(())
}

/// Whether another binding listens on the same port of the same addresses, or says the same.
pub fn is_taken(others: &[Model], binding: &Model) -> bool {
    others.iter().filter(|other| is_another(other, binding)).any(|other| {
        let same_port = binding.port_id.is_some() && other.port_id == binding.port_id;
        let same_service = other.service_id == binding.service_id;
        (same_port && overlap(other, binding)) || (same_service && is_same(other, binding))
    })
}

fn is_another(other: &Model, binding: &Model) -> bool {
    other.id != binding.id
}

fn is_same(other: &Model, binding: &Model) -> bool {
    other.port_id == binding.port_id && other.interface_id == binding.interface_id
}

fn overlap(other: &Model, binding: &Model) -> bool {
    let all = other.interface_id.is_none() || binding.interface_id.is_none();
    all || other.interface_id == binding.interface_id
}
