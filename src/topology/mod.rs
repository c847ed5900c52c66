//! Topology: queries for how a network is connected.
//!
//! Every write resolves neighbors to devices and ports, by the same pure rules that resolve a whole
//! network from its facts.

pub mod current;
pub(crate) mod entity;
pub mod explain;
pub(crate) mod graphql;
pub mod identify;
mod load_network;
mod mac_owners;
mod ports;
pub(crate) mod region;
pub mod reresolve;
pub(crate) mod rest;
