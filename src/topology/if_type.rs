//! What interfaces are, by the IANA ifType numbers that matter for links.

/// Whether it is a socket: Ethernet in its spellings (6, 62, 69, 117), or wireless (71).
pub const fn is_socket(if_type: i32) -> bool {
    matches!(if_type, 6 | 62 | 69 | 117 | 71)
}

/// Whether it is a link aggregation group (ieee8023adLag).
pub(super) const fn is_aggregate(if_type: i32) -> bool {
    if_type == 161
}

/// Whether frames are switched in software behind it, under a MAC address that a socket shares:
/// propVirtual, softwareLoopback, tunnel, l2vlan, l3ipvlan, bridge.
pub(super) const fn is_virtual(if_type: i32) -> bool {
    matches!(if_type, 24 | 53 | 131 | 135 | 136 | 209)
}
