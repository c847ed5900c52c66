//! What ports say of the frames that they carry: VLANs, spanning tree, duplex mode and MTU.

use toposcope_types::{Duplex, StpState, VlanSet};

/// The settings of a port, as far as it reports them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortSettings {
    /// The largest packet, in octets (ifMtu, RFC 2863).
    pub mtu: Option<i32>,
    /// The duplex mode (dot3StatsDuplexStatus, RFC 3635).
    pub duplex: Option<Duplex>,
    /// The VLAN of untagged frames (dot1qPvid, RFC 4363).
    pub native_vlan: Option<u16>,
    /// The VLANs of tagged frames (dot1qVlanStaticTable, RFC 4363).
    pub tagged_vlans: Option<VlanSet>,
    /// The state in the spanning tree (dot1dStpPortState, RFC 4188).
    pub stp_state: Option<StpState>,
}

/// The VLANs of a socket or aggregate: its own, and those of what runs over it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vlans {
    /// The VLAN of untagged frames.
    pub(crate) native: Option<u16>,
    /// The VLANs of tagged frames, by the interfaces that have them.
    pub(crate) tagged: Vec<VlanSet>,
    /// Whether interfaces that run over it have VLANs of their own.
    pub(crate) is_divided: bool,
    /// Whether all of its VLANs are known, and not the native one alone.
    pub(crate) is_complete: bool,
}

impl Vlans {
    pub(crate) fn carries(&self, vlan: u16) -> bool {
        self.native == Some(vlan) || self.tagged.iter().any(|set| set.contains(vlan))
    }
}
