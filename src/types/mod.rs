//! The values of the field, valid by construction: what parses here needs no check anywhere else.

pub mod big_int;
pub mod change_action;
pub mod cidr;
pub mod enums;
pub mod id;
pub mod ip;
pub mod json;
pub mod late;
pub mod listen;
pub mod lldp;
pub mod mac;
pub mod mac_list;
pub(crate) mod named;
pub mod neighbor_id;
pub(crate) mod object;
mod parse;
pub mod service_category;
pub mod source;
pub mod status;
pub mod text;
pub mod timestamp;
pub mod virtualization;
pub(crate) mod whole;

pub use big_int::BigInt;
pub use change_action::ChangeAction;
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
pub use mac_list::MacList;
pub use neighbor_id::{NeighborId, NeighborType};
pub use service_category::{ServiceCategory, UnknownCategory};
pub use source::{Source, SourceDetails};
pub use status::{AdminStatus, OperStatus};
pub use timestamp::Timestamp;
pub use virtualization::{
    DockerVirtualization, HostVirtualization, ProxmoxVirtualization, ServiceVirtualization,
};
