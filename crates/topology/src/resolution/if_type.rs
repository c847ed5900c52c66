//! Interface classes, by the IANA ifType numbers that matter for links.

/// Wireless (ieee80211).
const WIRELESS: i32 = 71;

/// Sockets: the Ethernet types (6, 62, 69, 117), and wireless.
pub const SOCKETS: [i32; 5] = [6, 62, 69, 117, WIRELESS];

/// Returns whether the interface is a socket.
pub fn is_socket(if_type: i32) -> bool {
    SOCKETS.contains(&if_type)
}

/// Returns whether the interface takes exactly one cable; a radio has many peers.
pub fn has_one_cable(if_type: i32) -> bool {
    is_socket(if_type) && if_type != WIRELESS
}

/// Returns whether the interface is a link aggregation group (ieee8023adLag).
pub const fn is_aggregate(if_type: i32) -> bool {
    if_type == 161
}

/// Returns whether software switches frames behind the interface, under a MAC address that a socket
/// shares: propVirtual, softwareLoopback, tunnel, l2vlan, l3ipvlan, bridge.
pub const fn is_virtual(if_type: i32) -> bool {
    matches!(if_type, 24 | 53 | 131 | 135 | 136 | 209)
}
