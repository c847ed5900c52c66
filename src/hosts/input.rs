//! Input for hosts.

use async_graphql::{InputObject, MaybeUndefined};
use serde::Deserialize;
use toposcope_types::{HostVirtualization, Id, Source, StackMember, Timestamp};
use utoipa::ToSchema;

use super::{entity::Model as Host, stack};
use crate::{
    error::Result,
    if_entries::HostIfEntryInput,
    input::{Input, given, text},
    interfaces::HostInterfaceInput,
    ports::HostPortInput,
    services::HostServiceInput,
    tags,
};

/// Fields of a host to create or update. An update keeps omitted fields, null clears a field, and a
/// given list replaces the host's whole list.
#[derive(Clone, Debug, Deserialize, InputObject, ToSchema)]
#[graphql(name = "UpdateHostInput")]
pub struct HostInput {
    /// The id of the host's network; an update cannot change it.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Id)]
    pub network_id: Option<Id>,
    /// The name that people use for the host, 1 to 255 characters.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = String, min_length = 1, max_length = 255)]
    pub name: Option<String>,
    /// The DNS name.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 255)]
    pub hostname: MaybeUndefined<String>,
    /// Notes that people made about the host.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub description: MaybeUndefined<String>,
    /// Whether drawings omit the host.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = bool)]
    pub hidden: Option<bool>,
    /// The virtualization platform that the host runs on, if it is virtual.
    #[serde(default, deserialize_with = "given::object")]
    #[schema(value_type = Option<HostVirtualization>)]
    pub virtualization: MaybeUndefined<HostVirtualization>,
    /// The device's own name (sysName).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub sys_name: MaybeUndefined<String>,
    /// The device's own description (sysDescr).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub sys_descr: MaybeUndefined<String>,
    /// The vendor's identification of the device type (sysObjectID).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub sys_object_id: MaybeUndefined<String>,
    /// The physical location of the device (sysLocation).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub sys_location: MaybeUndefined<String>,
    /// The contact person for the device (sysContact).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub sys_contact: MaybeUndefined<String>,
    /// URL of the management page.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub management_url: MaybeUndefined<String>,
    /// The management IP address.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub management_address: MaybeUndefined<String>,
    /// The chassis id that the device announces by LLDP.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub chassis_id: MaybeUndefined<String>,
    /// The manufacturer.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub manufacturer: MaybeUndefined<String>,
    /// The model.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub model: MaybeUndefined<String>,
    /// The serial number.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub serial_number: MaybeUndefined<String>,
    /// The version of the software (entPhysicalSoftwareRev).
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub software_version: MaybeUndefined<String>,
    /// The devices of which the host consists if it is a stack, at most 64 (entPhysicalTable).
    #[serde(default, deserialize_with = "stack::given")]
    #[schema(value_type = Option<Vec<StackMember>>, max_items = 64)]
    pub stack_members: MaybeUndefined<Vec<StackMember>>,
    /// The tag ids; an empty list clears them.
    #[serde(default, deserialize_with = "given::value")]
    #[schema(value_type = Vec<Id>)]
    pub tags: Option<Vec<Id>>,
    /// The host's addresses; if omitted, they stay as stored. REST also accepts `ip_addresses`.
    pub interfaces: Option<Vec<HostInterfaceInput>>,
    /// The same addresses, under the name that later versions of the contract use. If the two lists
    /// differ, the one that differs from the stored addresses counts.
    #[graphql(skip)]
    #[schema(ignore)]
    pub ip_addresses: Option<Vec<HostInterfaceInput>>,
    /// The host's TCP and UDP ports; if omitted, they stay as stored.
    pub ports: Option<Vec<HostPortInput>>,
    /// The host's services; if omitted, they stay as stored.
    pub services: Option<Vec<HostServiceInput>>,
    /// The host's interface-table entries; if omitted, they stay as stored.
    pub if_entries: Option<Vec<HostIfEntryInput>>,
    /// The `updatedAt` that you last read; if it no longer matches, the server rejects the update.
    pub expected_updated_at: Option<Timestamp>,
}

impl Input for HostInput {
    const REQUIRED: &'static [&'static str] = &["network_id", "name", "tags"];
}

impl HostInput {
    /// Returns the host with the input applied; its network stays the same.
    pub(super) fn apply(&self, before: Host) -> Result<Host> {
        tags::no_repeats("tags", self.tags.as_deref().unwrap_or_default())?;
        let name = self.name.clone().unwrap_or(before.name);
        let long = |field: &str, given: &MaybeUndefined<String>, stored: Option<String>| {
            given::text_or_stored(field, given, stored, text::MAX_TEXT)
        };
        let hostname =
            given::text_or_stored("hostname", &self.hostname, before.hostname, text::MAX_NAME);
        Ok(Host {
            name: text::required("name", name, 1, text::MAX_NAME)?,
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
            software_version: long(
                "software_version",
                &self.software_version,
                before.software_version,
            )?,
            stack_members: stack::or_stored(self.stack_members.clone(), before.stack_members)?,
            ..before
        })
    }
}

impl Host {
    /// Returns a host about which nothing is known yet.
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
            software_version: None,
            stack_members: None,
        }
    }
}
