//! Why a port has no link.

#[cfg(feature = "graphql")]
use async_graphql::Enum;

/// Why a port has no link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "graphql", derive(Enum))]
pub enum UnlinkedReason {
    /// It heard a neighbor that is not known.
    UnknownNeighbor,
    /// What its forwarding table says, or that of a port which names it, speaks for a link between
    /// other ports of the same two devices.
    Outranked,
    /// What it heard, or who heard it, stands against a link that is known with more authority.
    Contradicted,
    /// It is no port, but a VLAN, a bridge, a tunnel or the like.
    NotAPort,
    /// It does not work, and nothing was heard on it.
    Down,
    /// Neither LLDP nor CDP heard a neighbor, and it has no forwarding table.
    NothingHeard,
    /// Its forwarding table has no address that belongs to a single other device.
    NoUsableAddress,
    /// Its forwarding table has addresses of several devices, so that none of them is its neighbor.
    SeveralAddresses,
}
