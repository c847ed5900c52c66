//! What can be said of a host.

use async_graphql::InputObject;
use serde::Deserialize;
use utoipa::ToSchema;

use super::entity::Model as Host;
use crate::{
    error::{Error, Result},
    if_entries::HostIfEntryInput,
    interfaces::HostInterfaceInput,
    ports::HostPortInput,
    services::HostServiceInput,
    tags,
    types::{HostVirtualization, Id, Source, Timestamp, object, text},
};

const MAX_NAME: usize = 255;
const MAX_TEXT: usize = 4096;

/// A host as it shall be: what is left out becomes empty, but a list that is left out stays as it
/// is, and one that is given is all that the host has of it.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateHostInput")]
pub struct HostInput {
    /// The network that it belongs to; it stays that of the host.
    pub network_id: Id,
    /// The name by which people call it, 1 to 255 characters.
    #[schema(min_length = 1, max_length = 255)]
    pub name: String,
    /// The DNS name.
    #[schema(max_length = 255)]
    pub hostname: Option<String>,
    /// What people noted about it.
    #[schema(max_length = 4096)]
    pub description: Option<String>,
    /// Whether it is left out of drawings.
    #[serde(default)]
    #[graphql(default)]
    pub hidden: bool,
    /// What it runs on, if it is virtual.
    #[serde(default, deserialize_with = "object::optional")]
    pub virtualization: Option<HostVirtualization>,
    /// The name that the device gives itself (sysName).
    #[schema(max_length = 4096)]
    pub sys_name: Option<String>,
    /// What the device says it is (sysDescr).
    #[schema(max_length = 4096)]
    pub sys_descr: Option<String>,
    /// The vendor's identification of the device type (sysObjectID).
    #[schema(max_length = 4096)]
    pub sys_object_id: Option<String>,
    /// Where the device stands (sysLocation).
    #[schema(max_length = 4096)]
    pub sys_location: Option<String>,
    /// Who is responsible for it (sysContact).
    #[schema(max_length = 4096)]
    pub sys_contact: Option<String>,
    /// Where its management page is.
    #[schema(max_length = 4096)]
    pub management_url: Option<String>,
    /// The IP address by which it is managed.
    #[schema(max_length = 4096)]
    pub management_address: Option<String>,
    /// The chassis id that it announces by LLDP.
    #[schema(max_length = 4096)]
    pub chassis_id: Option<String>,
    /// Who made it.
    #[schema(max_length = 4096)]
    pub manufacturer: Option<String>,
    /// Which model it is.
    #[schema(max_length = 4096)]
    pub model: Option<String>,
    /// Its serial number.
    #[schema(max_length = 4096)]
    pub serial_number: Option<String>,
    /// The tags; an empty list clears them.
    pub tags: Vec<Id>,
    /// Its addresses; left out, those that it has.
    pub interfaces: Option<Vec<HostInterfaceInput>>,
    /// Its TCP and UDP ports; left out, those that it has.
    pub ports: Option<Vec<HostPortInput>>,
    /// Its services; left out, those that it has.
    pub services: Option<Vec<HostServiceInput>>,
    /// The rows of its interface table; left out, those that it has.
    pub if_entries: Option<Vec<HostIfEntryInput>>,
    /// The `updatedAt` that you have seen: if it is another by now, nothing is changed.
    pub expected_updated_at: Option<Timestamp>,
}

impl HostInput {
    /// The host as the input wants it; its network stays.
    pub(super) fn apply(&self, before: Host) -> Result<Host> {
        tags::no_repeats("tags", &self.tags)?;
        let short = |field: &str, value: &Option<String>, max| {
            let text = text::optional(field, value.clone(), max)?;
            Ok::<_, Error>(text.filter(|text| !text.is_empty()))
        };
        let long = |field: &str, value: &Option<String>| short(field, value, MAX_TEXT);
        Ok(Host {
            name: text::required("name", self.name.clone(), 1, MAX_NAME)?,
            hostname: short("hostname", &self.hostname, MAX_NAME)?,
            description: long("description", &self.description)?,
            hidden: self.hidden,
            virtualization: self.virtualization.clone(),
            sys_name: long("sys_name", &self.sys_name)?,
            sys_descr: long("sys_descr", &self.sys_descr)?,
            sys_object_id: long("sys_object_id", &self.sys_object_id)?,
            sys_location: long("sys_location", &self.sys_location)?,
            sys_contact: long("sys_contact", &self.sys_contact)?,
            management_url: long("management_url", &self.management_url)?,
            management_address: long("management_address", &self.management_address)?,
            chassis_id: long("chassis_id", &self.chassis_id)?,
            manufacturer: long("manufacturer", &self.manufacturer)?,
            model: long("model", &self.model)?,
            serial_number: long("serial_number", &self.serial_number)?,
            ..before
        })
    }
}

impl Host {
    /// A host of which nothing is known yet.
    pub fn blank(id: Id, network_id: Id, now: Timestamp) -> Self {
        Self {
            id,
            created_at: now,
            updated_at: now,
            name: String::new(),
            network_id,
            hostname: None,
            description: None,
            source: Source::Manual,
            virtualization: None,
            hidden: false,
            sys_name: None,
            sys_descr: None,
            sys_object_id: None,
            sys_location: None,
            sys_contact: None,
            management_url: None,
            management_address: None,
            chassis_id: None,
            manufacturer: None,
            model: None,
            serial_number: None,
        }
    }
}
