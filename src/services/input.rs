//! Input for services.

use async_graphql::{InputObject, MaybeUndefined};
use serde::Deserialize;
use toposcope_types::{Id, ServiceVirtualization, Source, Timestamp, whole};
use utoipa::ToSchema;

use super::entity::Model as Service;
use crate::{
    bindings::ServiceBindingInput,
    error::Result,
    input::{Input, OfHost, Part, given, position, text},
    tags,
};

/// Fields of a service to create or update; an update keeps omitted fields.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateServiceInput")]
pub struct ServiceInput {
    /// The id of the service's host; an update cannot change it.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub host_id: Option<Id>,
    /// The id of the host's network.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub network_id: Option<Id>,
    /// The name, 1 to 255 characters.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = String, min_length = 1, max_length = 255)]
    pub name: Option<String>,
    /// The well-known service, or any other text, 1 to 255 characters.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = String, min_length = 1, max_length = 255)]
    pub service_definition: Option<String>,
    /// The service's bindings; if omitted, they stay as stored.
    pub bindings: Option<Vec<ServiceBindingInput>>,
    /// The container that the service runs in, if any.
    #[serde(default, deserialize_with = "given::object")]
    #[schema(value_type = Option<ServiceVirtualization>)]
    pub virtualization: MaybeUndefined<ServiceVirtualization>,
    /// The tag ids; an empty list clears them.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Vec<Id>)]
    pub tags: Option<Vec<Id>>,
    /// The position among the host's services, from 0. If omitted: the index in a host's list,
    /// otherwise the last on creation, and unchanged on update.
    #[serde(default, deserialize_with = "whole::optional")]
    #[schema(minimum = 0)]
    pub position: Option<i32>,
    /// The `updatedAt` that you last read; if it no longer matches, the server rejects the update.
    pub expected_updated_at: Option<Timestamp>,
}

/// A service in the list of a host.
pub type HostServiceInput = Part<ServiceInput, OfHost>;

impl Input for ServiceInput {
    const REQUIRED: &'static [&'static str] =
        &["host_id", "network_id", "name", "service_definition"];
}

impl ServiceInput {
    /// Returns the service with the input applied; its host and network stay the same.
    pub(super) fn apply(&self, before: Service) -> Result<Service> {
        tags::no_repeats("tags", self.tags.as_deref().unwrap_or_default())?;
        let name = self.name.clone().unwrap_or(before.name);
        let definition = self.service_definition.clone().unwrap_or(before.service_definition);
        Ok(Service {
            name: text::required("name", name, 1, text::MAX_NAME)?,
            service_definition: text::required(
                "service_definition",
                definition,
                1,
                text::MAX_NAME,
            )?,
            virtualization: given::or_stored(&self.virtualization, before.virtualization),
            position: position::check(self.position)?.unwrap_or(before.position),
            ..before
        })
    }

    pub(super) fn blank(id: Id, host_id: Id, network_id: Id, position: i32) -> Service {
        let now = Timestamp::now();
        Service {
            id,
            created_at: now,
            updated_at: now,
            host_id,
            network_id,
            service_definition: String::new(),
            name: String::new(),
            virtualization: None,
            source: Source::Manual,
            position,
        }
    }
}
