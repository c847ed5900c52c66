//! Reasons why a port has no link.

#[cfg(feature = "graphql")]
use async_graphql::Enum;

/// The reason why a port has no link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "graphql", derive(Enum))]
pub enum UnlinkedReason {
    /// The port heard an unknown neighbor.
    UnknownNeighbor,
    /// The port's forwarding table, or that of a port that names it, supports a link between other
    /// ports of the same two devices, or proves nothing since LLDP or CDP knows the cable.
    Outranked,
    /// An observation by the port, or one that names it, contradicts a link known with more
    /// authority.
    Contradicted,
    /// The interface is not a port, but a VLAN, a bridge, a tunnel or the like.
    NotAPort,
    /// The port is not working, and nothing was heard on it.
    Down,
    /// Neither LLDP nor CDP heard a neighbor, and the port has no forwarding table.
    NothingHeard,
    /// The port's forwarding table has no address that belongs to a single other device.
    NoUsableAddress,
    /// The port's forwarding table has addresses of several devices, so none of them is its
    /// neighbor.
    SeveralAddresses,
}
