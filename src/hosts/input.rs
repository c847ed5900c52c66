//! What can be said of a host.

use async_graphql::{InputObject, MaybeUndefined};
use serde::Deserialize;
use toposcope_types::{HostVirtualization, Id, Source, Timestamp};
use utoipa::ToSchema;

use super::entity::Model as Host;
use crate::{
    error::Result,
    if_entries::HostIfEntryInput,
    input::{Input, given, text},
    interfaces::HostInterfaceInput,
    ports::HostPortInput,
    services::HostServiceInput,
    tags,
};

const MAX_NAME: usize = 255;
const MAX_TEXT: usize = 4096;

/// What is said of a host; what a change leaves out stays as it is, null is nothing, and a list that
/// is given is all that the host has of it.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateHostInput")]
pub struct HostInput {
    /// The network that it belongs to; it stays that of the host.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub network_id: Option<Id>,
    /// The name by which people call it, 1 to 255 characters.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = String, min_length = 1, max_length = 255)]
    pub name: Option<String>,
    /// The DNS name.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 255)]
    pub hostname: MaybeUndefined<String>,
    /// What people noted about it.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub description: MaybeUndefined<String>,
    /// Whether it is left out of drawings.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = bool)]
    pub hidden: Option<bool>,
    /// What it runs on, if it is virtual.
    #[serde(default, deserialize_with = "given::object")]
    #[schema(value_type = Option<HostVirtualization>)]
    pub virtualization: MaybeUndefined<HostVirtualization>,
    /// The name that the device gives itself (sysName).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub sys_name: MaybeUndefined<String>,
    /// What the device says it is (sysDescr).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub sys_descr: MaybeUndefined<String>,
    /// The vendor's identification of the device type (sysObjectID).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub sys_object_id: MaybeUndefined<String>,
    /// Where the device stands (sysLocation).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub sys_location: MaybeUndefined<String>,
    /// Who is responsible for it (sysContact).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub sys_contact: MaybeUndefined<String>,
    /// Where its management page is.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub management_url: MaybeUndefined<String>,
    /// The IP address by which it is managed.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub management_address: MaybeUndefined<String>,
    /// The chassis id that it announces by LLDP.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub chassis_id: MaybeUndefined<String>,
    /// Who made it.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub manufacturer: MaybeUndefined<String>,
    /// Which model it is.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub model: MaybeUndefined<String>,
    /// Its serial number.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub serial_number: MaybeUndefined<String>,
    /// The tags; an empty list clears them.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Vec<Id>)]
    pub tags: Option<Vec<Id>>,
    /// Its addresses; left out, those that it has; `ip_addresses` is read over REST as well.
    pub interfaces: Option<Vec<HostInterfaceInput>>,
    /// The same, as later versions of the contract call it. Of two lists that differ, the one counts
    /// that is another than what is stored.
    #[graphql(skip)]
    #[schema(ignore)]
    pub ip_addresses: Option<Vec<HostInterfaceInput>>,
    /// Its TCP and UDP ports; left out, those that it has.
    pub ports: Option<Vec<HostPortInput>>,
    /// Its services; left out, those that it has.
    pub services: Option<Vec<HostServiceInput>>,
    /// The rows of its interface table; left out, those that it has.
    pub if_entries: Option<Vec<HostIfEntryInput>>,
    /// The `updatedAt` that you have seen: if it is another by now, nothing is changed.
    pub expected_updated_at: Option<Timestamp>,
}

impl Input for HostInput {
    const REQUIRED: &'static [&'static str] = &["network_id", "name", "tags"];
}

impl HostInput {
    /// The host as the input wants it; its network stays.
    pub(super) fn apply(&self, before: Host) -> Result<Host> {
        tags::no_repeats("tags", self.tags.as_deref().unwrap_or_default())?;
        let name = self.name.clone().unwrap_or(before.name);
        let long = |field: &str, given: &MaybeUndefined<String>, stored: Option<String>| {
            given::text_or_stored(field, given, stored, MAX_TEXT)
        };
        let hostname = given::text_or_stored("hostname", &self.hostname, before.hostname, MAX_NAME);
        Ok(Host {
            name: text::required("name", name, 1, MAX_NAME)?,
            hostname: hostname?,
            description: long("description", &self.description, before.description)?,
            hidden: self.hidden.unwrap_or(before.hidden),
            virtualization: given::or_stored(&self.virtualization, before.virtualization),
            sys_name: long("sys_name", &self.sys_name, before.sys_name)?,
            sys_descr: long("sys_descr", &self.sys_descr, before.sys_descr)?,
            sys_object_id: long("sys_object_id", &self.sys_object_id, before.sys_object_id)?,
            sys_location: long("sys_location", &self.sys_location, before.sys_location)?,
            sys_contact: long("sys_contact", &self.sys_contact, before.sys_contact)?,
            management_url: long("management_url", &self.management_url, before.management_url)?,
            management_address: long(
                "management_address",
                &self.management_address,
                before.management_address,
            )?,
            chassis_id: long("chassis_id", &self.chassis_id, before.chassis_id)?,
            manufacturer: long("manufacturer", &self.manufacturer, before.manufacturer)?,
            model: long("model", &self.model, before.model)?,
            serial_number: long("serial_number", &self.serial_number, before.serial_number)?,
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
