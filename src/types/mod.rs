//! The values of the field, valid by construction: what parses here needs no check anywhere else.

pub mod big_int;
pub mod cidr;
pub mod enums;
pub(crate) mod given;
pub mod id;
pub mod ip;
pub mod json;
pub mod listed;
pub mod listen;
pub mod lldp;
pub mod mac;
pub(crate) mod named;
pub(crate) mod object;
mod parse;
pub mod part;
pub mod source;
pub mod status;
pub mod text;
pub mod timestamp;
pub mod virtualization;
pub(crate) mod whole;

pub use big_int::BigInt;
pub use cidr::Cidr;
pub use enums::{
    BindingType, Color, EdgeStyle, GroupType, NeighborProtocol, OrderDirection, PermissionLevel,
    SubnetType, TransportProtocol,
};
pub use id::Id;
pub use ip::IpAddress;
pub use json::Json;
pub use listen::Listen;
pub use lldp::{ChassisIdSubtype, LldpChassisId, LldpPortId, PortIdSubtype};
pub use mac::Mac;
pub use part::{Input, New, OfHost, OfService, Part, Whole};
pub use source::{Source, SourceDetails};
pub use status::{AdminStatus, OperStatus};
pub use timestamp::Timestamp;
pub use virtualization::{
    DockerVirtualization, HostVirtualization, ProxmoxVirtualization, ServiceVirtualization,
};
