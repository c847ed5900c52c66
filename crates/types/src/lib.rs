//! Domain values, valid by construction: once parsed, a value needs no further check.
#![warn(missing_docs)]

pub mod big_int;
pub mod change_action;
pub mod cidr;
pub mod enums;
pub mod evidence;
pub mod id;
pub mod ip;
#[cfg(feature = "graphql")]
pub mod json;
pub mod json_path;
pub mod kind;
pub mod late;
pub mod layer;
pub mod listen;
pub mod lldp;
pub mod mac;
pub mod mac_list;
pub mod method;
pub mod miscabling_kind;
pub mod named;
pub mod natural;
pub mod neighbor_id;
pub mod object;
mod parse;
pub mod port_state;
pub mod service_category;
pub mod source;
#[cfg(feature = "graphql")]
pub mod source_details;
pub mod stack_member;
pub mod status;
pub mod text;
pub mod timestamp;
pub mod unlinked_reason;
pub mod virtualization;
pub mod vlans;
pub mod whole;

pub use big_int::BigInt;
pub use change_action::ChangeAction;
pub use cidr::Cidr;
pub use enums::{
    BindingType, Color, EdgeStyle, GroupType, NeighborProtocol, OrderDirection, PermissionLevel,
    SubnetType, TransportProtocol,
};
pub use evidence::{HostTier, PortTier, Said};
pub use id::Id;
pub use ip::IpAddress;
#[cfg(feature = "graphql")]
pub use json::Json;
pub use kind::Kind;
pub use layer::Layer;
pub use listen::Listen;
pub use lldp::{ChassisIdSubtype, LldpChassisId, LldpPortId, PortIdSubtype};
pub use mac::Mac;
pub use mac_list::MacList;
pub use method::Method;
pub use miscabling_kind::MiscablingKind;
pub use neighbor_id::{NeighborId, NeighborType};
pub use port_state::{Duplex, StpState};
pub use service_category::{ServiceCategory, UnknownCategory};
pub use source::Source;
#[cfg(feature = "graphql")]
pub use source_details::SourceDetails;
pub use stack_member::{StackMember, StackMembers};
pub use status::{AdminStatus, OperStatus};
pub use timestamp::Timestamp;
pub use unlinked_reason::UnlinkedReason;
pub use virtualization::{
    DockerVirtualization, HostVirtualization, ProxmoxVirtualization, ServiceVirtualization,
};
pub use vlans::VlanSet;
