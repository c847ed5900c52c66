//! What can be said of a service.

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

const MAX_NAME: usize = 255;

/// What is said of a service; what a change leaves out stays as it is.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateServiceInput")]
pub struct ServiceInput {
    /// The host that it runs on; it stays that of the service.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub host_id: Option<Id>,
    /// The network of the host.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub network_id: Option<Id>,
    /// The name, 1 to 255 characters.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = String, min_length = 1, max_length = 255)]
    pub name: Option<String>,
    /// Which well-known service it is, or any other text, 1 to 255 characters.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = String, min_length = 1, max_length = 255)]
    pub service_definition: Option<String>,
    /// What it listens on; left out, what it does now.
    pub bindings: Option<Vec<ServiceBindingInput>>,
    /// What it runs in, if it is contained.
    #[serde(default, deserialize_with = "given::object")]
    #[schema(value_type = Option<ServiceVirtualization>)]
    pub virtualization: MaybeUndefined<ServiceVirtualization>,
    /// The tags; an empty list clears them.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Vec<Id>)]
    pub tags: Option<Vec<Id>>,
    /// Its place among the services of the host, from 0; left out, the last, or where it is.
    #[serde(default, deserialize_with = "whole::optional")]
    #[schema(minimum = 0)]
    pub position: Option<i32>,
    /// The `updatedAt` that you have seen: if it is another by now, nothing is changed.
    pub expected_updated_at: Option<Timestamp>,
}

/// A service of a host, in the list of its services.
pub type HostServiceInput = Part<ServiceInput, OfHost>;

impl Input for ServiceInput {
    const REQUIRED: &'static [&'static str] =
        &["host_id", "network_id", "name", "service_definition"];
}

impl ServiceInput {
    /// The service as the input wants it; its host and network stay.
    pub(super) fn apply(&self, before: Service) -> Result<Service> {
        tags::no_repeats("tags", self.tags.as_deref().unwrap_or_default())?;
        let name = self.name.clone().unwrap_or(before.name);
        let definition = self.service_definition.clone().unwrap_or(before.service_definition);
        Ok(Service {
            name: text::required("name", name, 1, MAX_NAME)?,
            service_definition: text::required("service_definition", definition, 1, MAX_NAME)?,
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
