//! The common ground of tests: applications, networks, requests, and what is expected of them.

pub(crate) mod app;
pub(crate) mod binary;
pub(crate) mod bodies;
pub(crate) mod bulk;
pub(crate) mod collisions;
pub(crate) mod database;
pub(crate) mod faces;
pub(crate) mod introspection;
pub(crate) mod plenty;
pub(crate) mod requests;
pub(crate) mod resolutions;
pub(crate) mod universe;
pub(crate) mod wiring;
pub(crate) mod world;
