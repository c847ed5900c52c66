//! The inventory document, format `toposcope.inventory/1`: one network by names instead of ids.
//!
//! If an optional key of a host, subnet or group is omitted, its stored value stays; `null` clears
//! it. An element of `interfaces`, `if_entries`, `ports` or `services` is complete: its omitted
//! keys are empty.

use async_graphql::MaybeUndefined;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::Value;
use toposcope_types::{
    AdminStatus, BigInt, BindingType, Cidr, Color, EdgeStyle, GroupType, IpAddress, LldpChassisId,
    LldpPortId, Mac, NeighborProtocol, OperStatus, Source, SubnetType, TransportProtocol,
    json_path, object,
};

use crate::error::{Error, Result};

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
    pub tags: Option<Vec<Tag>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subnets: Option<Vec<Subnet>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hosts: Option<Vec<Host>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<Group>>,
}

#[derive(Debug, Deserialize, Serialize)]
pub struct Network {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
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
    pub tags: Option<Vec<String>>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interfaces: Option<Vec<Interface>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_entries: Option<Vec<IfEntry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ports: Option<Vec<Port>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub services: Option<Vec<Service>>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighbors_heard: Option<Vec<Neighbor>>,
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
    pub tags: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bindings: Option<Vec<Binding>>,
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
    pub tags: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bindings: Option<Vec<Member>>,
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

/// Parses a document; returns it with the paths of unknown keys.
pub fn parse(text: &str) -> Result<(Document, Vec<String>)> {
    let text = text.trim_start_matches('\u{feff}');
    require_object(text)?;
    let mut unknown = Vec::new();
    let mut json = serde_json::Deserializer::from_str(text);
    let mut note = |path: serde_ignored::Path<'_>| unknown.push(json_path::of_ignored(&path));
    let reader = serde_ignored::Deserializer::new(&mut json, &mut note);
    let document: Document =
        serde_path_to_error::deserialize(reader).map_err(|error| malformed(&error))?;
    json.end().map_err(|_| Error::invalid("document", "there is something after its end"))?;
    if document.format != FORMAT {
        return Err(Error::invalid("format", format!("it must be `{FORMAT}`")));
    }
    Ok((document, unknown))
}

/// Rejects anything but an object; a list would be taken for the values of one.
fn require_object(text: &str) -> Result<()> {
    let text = text.trim_start();
    if text.starts_with('{') {
        return Ok(());
    }
    let fault = match serde_json::from_str(text) {
        Ok(Value::Array(_)) => "it is a list".to_owned(),
        Ok(_) => "it is a single value".to_owned(),
        Err(_) if text.is_empty() => "it is empty".to_owned(),
        Err(error) => format!("this is not JSON: {error}"),
    };
    Err(Error::invalid(
        "document",
        format!(
            "{fault}; it must be an object like {{\"format\": \"{FORMAT}\", \"network\": \
             {{\"name\": \"Lab\"}}, \"hosts\": [{{\"name\": \"switch1\"}}]}}; `toposcope export` \
             writes a whole one"
        ),
    ))
}

/// Returns which field is wrong and how, based on the error from serde.
fn malformed(error: &serde_path_to_error::Error<serde_json::Error>) -> Error {
    let path = error.path().to_string();
    let path = if [".", "?"].contains(&path.as_str()) { "" } else { path.as_str() };
    let whole = if path.is_empty() { "document" } else { path };
    let message = error.inner().to_string();
    if error.inner().is_eof() {
        let reason = format!("the document ends too early: {message}; is the file complete?");
        return Error::invalid(whole, reason);
    }
    if error.inner().is_syntax() {
        return Error::invalid(whole, format!("this is not JSON: {message}"));
    }
    if message.starts_with("invalid type: null") {
        return Error::Required { field: whole.to_owned() };
    }
    // The position in the text helps to find an element that the path names only by index.
    let (fault, _) = message.rsplit_once(" at line ").unwrap_or((&message, ""));
    let missing = fault.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    match missing {
        Some(field) => Error::Required { field: json_path::join(path, field) },
        None => Error::invalid(whole, message),
    }
}
