//! Topology: what is known of how a network is connected, as it is asked for.
//!
//! Which neighbor is which device and port is worked out within every write, by the same pure rules
//! that work out a whole network from its facts.

pub mod current;
pub mod entity;
pub mod explain;
pub mod graphql;
pub mod identify;
mod load_network;
mod mac_owners;
pub mod region;
pub mod reresolve;
pub mod rest;
