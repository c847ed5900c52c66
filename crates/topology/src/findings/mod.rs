//! What does not fit together in a network, and why there is no link.

pub mod mac_owners;
pub mod miscabling;
pub mod overruled;
pub mod shared_port;
pub mod unlinked;
