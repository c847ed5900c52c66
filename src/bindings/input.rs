//! Input for bindings, and its rules.

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

/// Fields of a binding to create or update; an update keeps omitted fields.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateBindingInput")]
pub struct BindingInput {
    /// The id of the listening service; an update cannot change it.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub service_id: Option<Id>,
    /// The id of the service's network.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub network_id: Option<Id>,
    /// The type of the binding: a port or a whole interface.
    #[serde(rename = "type", default, deserialize_with = "given::value")]
    #[schema(value_type = BindingType)]
    #[graphql(name = "type")]
    pub binding_type: Option<BindingType>,
    /// The id of a port on the service's host; required if the type is a port.
    #[serde(default)]
    #[schema(value_type = Option<Id>)]
    pub port_id: MaybeUndefined<Id>,
    /// The id of an interface on the service's host; required if the type is an interface. For a
    /// port, null means all interfaces.
    #[serde(default)]
    #[schema(value_type = Option<Id>)]
    pub interface_id: MaybeUndefined<Id>,
    /// The `updatedAt` that you last read; if it no longer matches, the server rejects the update.
    pub expected_updated_at: Option<Timestamp>,
}

/// A binding in the list of a service.
pub type ServiceBindingInput = Part<BindingInput, OfService>;

/// The ports and interfaces of a host, and the bindings that listen on them.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// The ports of the host.
    pub ports: HashSet<Id>,
    /// The interfaces of the host.
    pub interfaces: HashSet<Id>,
    /// The bindings of all the host's services.
    pub bindings: Vec<Model>,
}

impl Targets {
    /// Reads the targets of a host, in three statements.
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
    /// Returns the binding with the input applied, on targets of its service's host.
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

/// Returns the same error, or a better one if the port or interface exists elsewhere.
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

/// Rejects a binding to a target that another binding in `others` already listens on. A binding to
/// all interfaces overlaps with any; services may share a whole interface. A service cannot bind
/// the same target twice, nor a port of an interface that it binds as a whole.
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

/// Returns whether another binding listens on the same port of the same addresses, or repeats this
/// one.
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
