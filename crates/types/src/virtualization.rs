//! The hypervisor or container engine behind a host or service that is not its own machine or
//! process.

#[cfg(feature = "graphql")]
use async_graphql::{InputValueResult, Scalar, ScalarType, Value};
#[cfg(feature = "sql")]
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use super::{Id, object, text};
#[cfg(feature = "graphql")]
use super::{object::Object, parse};

/// The container engine that runs a service, stored as its JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "sql", derive(FromJsonQueryResult))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", content = "details")]
pub enum ServiceVirtualization {
    /// The service is a container of a Docker engine.
    Docker(#[serde(deserialize_with = "object::required")] DockerVirtualization),
}

/// The details of a service that is a container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DockerVirtualization {
    /// The name of the container, if known.
    #[serde(default, deserialize_with = "clean")]
    pub container_name: Option<String>,
    /// The id that the engine gave the container, if known.
    #[serde(default, deserialize_with = "clean")]
    pub container_id: Option<String>,
    /// The id of the container engine, which is itself a service.
    pub service_id: Id,
}

/// The hypervisor that runs a host, stored as its JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "sql", derive(FromJsonQueryResult))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", content = "details")]
pub enum HostVirtualization {
    /// The host is a virtual machine of Proxmox VE.
    Proxmox(#[serde(deserialize_with = "object::required")] ProxmoxVirtualization),
}

/// The details of a host that is a virtual machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProxmoxVirtualization {
    /// The name of the virtual machine, if known.
    #[serde(default, deserialize_with = "clean")]
    pub vm_name: Option<String>,
    /// The id that the hypervisor gave the virtual machine, if known.
    #[serde(default, deserialize_with = "clean")]
    pub vm_id: Option<String>,
    /// The id of the hypervisor, which is itself a service.
    pub service_id: Id,
}

/// Reads a text like every other text of an input.
fn clean<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(text::cleaned).transpose().map_err(D::Error::custom)
}

impl ServiceVirtualization {
    /// Returns the id of the service that runs this one.
    pub const fn service_id(&self) -> Id {
        match self {
            Self::Docker(details) => details.service_id,
        }
    }
}

impl HostVirtualization {
    /// Returns the id of the service that runs this host.
    pub const fn service_id(&self) -> Id {
        match self {
            Self::Proxmox(details) => details.service_id,
        }
    }
}

/// The container engine that runs a service, as JSON: `{"type": "Docker", "details":
/// {"container_name": "web", "container_id": null, "service_id": "…"}}`, where `service_id` is the
/// engine.
#[cfg(feature = "graphql")]
#[Scalar(
    name = "ServiceVirtualization",
    specified_by_url = "https://datatracker.ietf.org/doc/html/rfc8259#section-4"
)]
impl ScalarType for ServiceVirtualization {
    fn parse(value: Value) -> InputValueResult<Self> {
        let Object(read) = async_graphql::from_value(value).map_err(parse::invalid_format)?;
        Ok(read)
    }

    fn to_value(&self) -> Value {
        async_graphql::to_value(self).expect("it has only string keys and no failing part")
    }
}

/// The hypervisor that runs a host, as JSON: `{"type": "Proxmox", "details": {"vm_name": "db",
/// "vm_id": "101", "service_id": "…"}}`, where `service_id` is the hypervisor.
#[cfg(feature = "graphql")]
#[Scalar(
    name = "HostVirtualization",
    specified_by_url = "https://datatracker.ietf.org/doc/html/rfc8259#section-4"
)]
impl ScalarType for HostVirtualization {
    fn parse(value: Value) -> InputValueResult<Self> {
        let Object(read) = async_graphql::from_value(value).map_err(parse::invalid_format)?;
        Ok(read)
    }

    fn to_value(&self) -> Value {
        async_graphql::to_value(self).expect("it has only string keys and no failing part")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_not_known_is_written_as_null() {
        let service: ServiceVirtualization = serde_json::from_value(
            json!({"type": "Docker", "details": {"service_id": Id::nil(), "container_name": "web"}}),
        )
        .unwrap();
        assert_eq!(service.service_id(), Id::nil());
        assert_eq!(
            serde_json::to_value(&service).unwrap(),
            json!({"type": "Docker", "details":
                {"container_name": "web", "container_id": null, "service_id": Id::nil()}})
        );
        assert_eq!(ServiceVirtualization::parse(service.to_value()).unwrap(), service);

        let host: HostVirtualization = serde_json::from_value(
            json!({"type": "Proxmox", "details": {"service_id": Id::nil(), "vm_id": "101"}}),
        )
        .unwrap();
        assert_eq!(host.service_id(), Id::nil());
        assert_eq!(
            serde_json::to_value(&host).unwrap(),
            json!({"type": "Proxmox", "details":
                {"vm_name": null, "vm_id": "101", "service_id": Id::nil()}})
        );
        assert_eq!(HostVirtualization::parse(host.to_value()).unwrap(), host);
    }

    #[test]
    fn its_texts_are_read_like_any_text() {
        let read = |name: &str| {
            let details = json!({"service_id": Id::nil(), "vm_name": name});
            serde_json::from_value(json!({"type": "Proxmox", "details": details}))
        };
        let HostVirtualization::Proxmox(details) = read("db\0\0").unwrap();
        assert_eq!(details.vm_name.as_deref(), Some("db"));
        for name in ["d\0b", "db\u{f}"] {
            let error = read(name).unwrap_err().to_string();
            assert!(error.starts_with("control character"), "{error}");
        }
    }

    #[test]
    fn a_list_is_no_object_in_graphql_either() {
        let of = |kind: &str| json!([kind, {"service_id": Id::nil()}]);
        let parse = |value: serde_json::Value| Value::from_json(value).unwrap();
        assert!(HostVirtualization::parse(parse(of("Proxmox"))).is_err());
        assert!(ServiceVirtualization::parse(parse(of("Docker"))).is_err());
        let details = json!({"type": "Docker", "details": ["web", null, Id::nil()]});
        assert!(ServiceVirtualization::parse(parse(details)).is_err());
    }

    #[test]
    fn a_service_that_runs_it_is_required() {
        for value in [
            json!({"type": "Docker"}),
            json!({"type": "Docker", "details": {"container_name": "web"}}),
            json!({"type": "Docker", "details": {"service_id": "17"}}),
            json!({"type": "Podman", "details": {"service_id": Id::nil()}}),
        ] {
            assert!(serde_json::from_value::<ServiceVirtualization>(value).is_err());
        }
    }
}
