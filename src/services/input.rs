//! What can be said of a service.

use async_graphql::InputObject;
use serde::Deserialize;
use utoipa::ToSchema;

use super::entity::Model as Service;
use crate::{
    bindings::ServiceBindingInput,
    error::Result,
    interfaces::check_position,
    tags,
    types::{Id, OfHost, Part, ServiceVirtualization, Source, Timestamp, object, text, whole},
};

const MAX_NAME: usize = 255;

/// A service as it shall be: what is left out becomes empty, except the bindings.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateServiceInput")]
pub struct ServiceInput {
    /// The host that it runs on; it stays that of the service.
    pub host_id: Id,
    /// The network of the host.
    pub network_id: Id,
    /// The name, 1 to 255 characters.
    #[schema(min_length = 1, max_length = 255)]
    pub name: String,
    /// Which well-known service it is, or any other text, 1 to 255 characters.
    #[schema(min_length = 1, max_length = 255)]
    pub service_definition: String,
    /// What it listens on; left out, what it does now.
    pub bindings: Option<Vec<ServiceBindingInput>>,
    /// What it runs in, if it is contained.
    #[serde(default, deserialize_with = "object::optional")]
    pub virtualization: Option<ServiceVirtualization>,
    /// The tags; left out or empty, none.
    #[serde(default)]
    #[graphql(default)]
    pub tags: Vec<Id>,
    /// Its place among the services of the host, from 0; left out, the last, or where it is.
    #[serde(default, deserialize_with = "whole::optional")]
    #[schema(minimum = 0)]
    pub position: Option<i32>,
    /// The `updatedAt` that you have seen: if it is another by now, nothing is changed.
    pub expected_updated_at: Option<Timestamp>,
}

/// A service of a host, in the list of its services.
pub type HostServiceInput = Part<ServiceInput, OfHost>;

impl ServiceInput {
    /// The service as the input wants it; its host and network stay.
    pub(super) fn apply(&self, before: Service) -> Result<Service> {
        tags::no_repeats("tags", &self.tags)?;
        let definition = self.service_definition.clone();
        Ok(Service {
            name: text::required("name", self.name.clone(), 1, MAX_NAME)?,
            service_definition: text::required("service_definition", definition, 1, MAX_NAME)?,
            virtualization: self.virtualization.clone(),
            position: check_position(self.position)?.unwrap_or(before.position),
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
