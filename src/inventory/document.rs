//! The inventory document, format `toposcope.inventory/1`: one network by names instead of ids.
//!
//! If an optional key of a host, subnet or group is omitted, its stored value stays; `null` clears
//! it. An element of `interfaces`, `if_entries`, `ports` or `services` is complete: its omitted
//! keys are empty, except those of an if-entry that `null` clears.

use async_graphql::MaybeUndefined;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};
use toposcope_types::{
    AdminStatus, BigInt, BindingType, Cidr, Color, Duplex, EdgeStyle, GroupType, IpAddress,
    LldpChassisId, LldpPortId, Mac, NeighborProtocol, OperStatus, Source, StackMember, StpState,
    SubnetType, TransportProtocol, object,
};

use super::list::List;
use crate::{hosts::stack, input::given};

/// The required value of `format`.
pub const FORMAT: &str = "toposcope.inventory/1";

/// A network and its contents.
#[derive(Debug, Deserialize, Serialize)]
pub struct Document {
    pub format: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<Network>,
    /// The appearance of tags that the organization does not have yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<List<Tag>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subnets: Option<List<Subnet>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hosts: Option<List<Host>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<List<Group>>,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct Network {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<List<String>>,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct Tag {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct Subnet {
    /// The name; the CIDR if there is no other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub cidr: Cidr,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subnet_type: Option<SubnetType>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub description: MaybeUndefined<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<List<String>>,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct Host {
    pub name: String,
    /// The mark that distinguishes it from other hosts with its name in this document, such as `2`;
    /// it is not stored.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub hostname: MaybeUndefined<String>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub description: MaybeUndefined<String>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub sys_name: MaybeUndefined<String>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub sys_descr: MaybeUndefined<String>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub sys_object_id: MaybeUndefined<String>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub sys_location: MaybeUndefined<String>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub sys_contact: MaybeUndefined<String>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub management_url: MaybeUndefined<String>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub management_address: MaybeUndefined<String>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub chassis_id: MaybeUndefined<String>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub manufacturer: MaybeUndefined<String>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub model: MaybeUndefined<String>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub serial_number: MaybeUndefined<String>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub software_version: MaybeUndefined<String>,
    #[serde(
        default,
        deserialize_with = "stack::given",
        skip_serializing_if = "MaybeUndefined::is_undefined"
    )]
    pub stack_members: MaybeUndefined<Vec<StackMember>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<List<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interfaces: Option<List<Interface>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_entries: Option<List<IfEntry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ports: Option<List<Port>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub services: Option<List<Service>>,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct Interface {
    pub ip_address: IpAddress,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix_length: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mac_address: Option<Mac>,
    /// The name, which is also the `if_name` or `if_descr` of its if-entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_name: Option<String>,
}

/// The writable fields of an if-entry, as in `PUT /api/v1/if-entries/{id}`.
#[derive(Debug, Deserialize, Serialize)]
pub struct IfEntry {
    pub if_index: i64,
    pub if_descr: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_alias: Option<String>,
    pub if_type: i64,
    pub admin_status: AdminStatus,
    pub oper_status: OperStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mac_address: Option<Mac>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_bps: Option<BigInt>,
    /// The address of the if-entry, unless it follows from an `if_name`; `null` if it has none.
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub ip_address: MaybeUndefined<IpAddress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(default, deserialize_with = "object::optional")]
    pub lldp_chassis_id: Option<LldpChassisId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(default, deserialize_with = "object::optional")]
    pub lldp_port_id: Option<LldpPortId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lldp_port_desc: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lldp_sys_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lldp_sys_desc: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lldp_mgmt_addr: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cdp_device_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cdp_port_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cdp_platform: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cdp_address: Option<String>,
    #[serde(
        default,
        deserialize_with = "given::number",
        skip_serializing_if = "MaybeUndefined::is_undefined"
    )]
    pub lag_if_index: MaybeUndefined<i64>,
    #[serde(
        default,
        deserialize_with = "given::number",
        skip_serializing_if = "MaybeUndefined::is_undefined"
    )]
    pub parent_if_index: MaybeUndefined<i64>,
    #[serde(
        default,
        deserialize_with = "given::number",
        skip_serializing_if = "MaybeUndefined::is_undefined"
    )]
    pub mtu: MaybeUndefined<i64>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub duplex: MaybeUndefined<Duplex>,
    #[serde(
        default,
        deserialize_with = "given::number",
        skip_serializing_if = "MaybeUndefined::is_undefined"
    )]
    pub native_vlan: MaybeUndefined<i64>,
    #[serde(
        default,
        deserialize_with = "given::numbers",
        skip_serializing_if = "MaybeUndefined::is_undefined"
    )]
    pub tagged_vlans: MaybeUndefined<Vec<i64>>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub stp_state: MaybeUndefined<StpState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighbors_heard: Option<List<Neighbor>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fdb_macs: Option<Vec<Mac>>,
}

/// One neighbor that a port heard.
#[derive(Debug, Deserialize, Serialize)]
pub struct Neighbor {
    pub protocol: NeighborProtocol,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(default, deserialize_with = "object::optional")]
    pub chassis_id: Option<LldpChassisId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_id: Option<PortId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_desc: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sys_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sys_desc: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mgmt_addr: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
}

/// A neighbor's name for its port: with a subtype, or plain, as in CDP.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum PortId {
    Typed(LldpPortId),
    Plain(String),
}

impl<'de> Deserialize<'de> for PortId {
    /// Deserializes by hand, since an untagged enum would lose the path of an error within it.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = PortId;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("`subtype` and `value`, or the name of a port")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<PortId, E> {
                Ok(PortId::Plain(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PortId, A::Error> {
                LldpPortId::deserialize(MapAccessDeserializer::new(map)).map(PortId::Typed)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

#[derive(Debug, Deserialize, Serialize)]
pub struct Port {
    pub number: u16,
    pub protocol: TransportProtocol,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct Service {
    pub name: String,
    pub service_definition: String,
    /// The position; its index in the list if there is no other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<List<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bindings: Option<List<Binding>>,
}

/// The target that a service listens on: `number` and `protocol` of a port, `ip_address` of an
/// interface.
#[derive(Debug, Deserialize, Serialize)]
pub struct Binding {
    #[serde(rename = "type")]
    pub binding_type: BindingType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<TransportProtocol>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ip_address: Option<IpAddress>,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct Group {
    pub name: String,
    /// The mark that distinguishes it from other groups with its name in this document.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    pub group_type: GroupType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge_style: Option<EdgeStyle>,
    #[serde(default, skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub description: MaybeUndefined<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<List<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bindings: Option<List<Member>>,
}

/// A binding of a service, by the properties that distinguish it from the service's other bindings.
#[derive(Debug, Deserialize, Serialize)]
pub struct Member {
    pub host: String,
    /// The `ref` of the host, if several hosts have that name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_ref: Option<String>,
    pub service: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<TransportProtocol>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ip_address: Option<IpAddress>,
}
