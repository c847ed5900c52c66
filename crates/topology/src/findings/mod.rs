//! Contradictions in a network, and the reasons for missing links.

pub mod mac_owners;
pub mod miscabling;
pub mod overruled;
pub mod settings;
mod shared_port;
pub mod unlinked;
