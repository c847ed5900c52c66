//! Ports, and how they take part in cabling.

use toposcope_types::{AdminStatus, Id, OperStatus};

use super::settings::PortSettings;
use crate::resolution::sockets::Basis;

/// How a port takes part in cabling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortKind {
    /// It is a socket for one cable.
    Socket,
    /// It is a link aggregation group.
    Aggregate,
    /// Software switches or routes frames behind it: a VLAN, a bridge, a tunnel.
    Virtual,
    /// It is a radio, an interface that runs over another port, or of an unknown type.
    Other,
}

/// A port.
#[derive(Debug)]
pub struct PortNode {
    /// Its id.
    pub id: Id,
    /// The index of its device.
    pub host: u32,
    /// Its name.
    pub name: Box<str>,
    /// Its speed in bits per second.
    pub speed_bps: Option<i64>,
    /// The status that the operator wants.
    pub admin_status: AdminStatus,
    /// The actual status.
    pub oper_status: OperStatus,
    /// How it takes part in cabling.
    pub kind: PortKind,
    /// The port whose socket it belongs to: itself, unless it runs over another one.
    pub socket: u32,
    /// The evidence that it runs over that one.
    pub basis: Option<Basis>,
    /// The port whose MAC address it borrows, or `NONE`.
    pub borrows: u32,
    /// The aggregate that its socket is a member of, or `NONE`.
    pub bundle: u32,
    /// The evidence that it is a member.
    pub bundle_basis: Option<Basis>,
    /// Whether the members of this aggregate are known.
    pub has_members: bool,
    /// Its VLANs and other settings, if it reports any.
    pub settings: Option<Box<PortSettings>>,
}

impl PortNode {
    /// Returns whether it is a socket for one cable.
    pub fn has_one_cable(&self) -> bool {
        self.kind == PortKind::Socket
    }

    /// Returns whether it is a link aggregation group.
    pub fn is_aggregate(&self) -> bool {
        self.kind == PortKind::Aggregate
    }

    pub(crate) fn is_virtual(&self) -> bool {
        self.kind == PortKind::Virtual
    }

    /// Returns how little it says about a cable: 0 for a socket, 1 for an aggregate, 2 for an
    /// interface without a socket.
    pub(crate) fn looseness(&self) -> u8 {
        match self.kind {
            PortKind::Socket | PortKind::Other => 0,
            PortKind::Aggregate => 1,
            PortKind::Virtual => 2,
        }
    }
}
