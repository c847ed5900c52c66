//! A GraphQL gateway with REST-compatible endpoints for network topology: one core of operations,
//! two thin transports.
//!
//! The program is the product. Modules are public where the tests and the benchmarks reach in; in
//! the others the compiler reports unused items.

#![allow(rustdoc::private_intra_doc_links, reason = "the documentation is of private items, too")]
#![allow(unreachable_pub, reason = "items are public to the rooms above; the floors say to which")]

pub mod api_keys;
pub mod app;
pub mod auth;
pub mod bindings;
mod changes;
pub mod cli;
pub mod config;
pub mod db;
mod demo;
pub mod error;
pub mod graphql;
pub mod groups;
pub mod hosts;
pub mod http;
pub mod if_entries;
mod input;
pub mod interfaces;
pub mod inventory;
mod network_cache;
pub mod networks;
mod nodes;
pub mod organizations;
mod playground;
pub mod ports;
pub mod resolution;
pub mod resource;
pub mod rest;
pub mod router;
pub mod schema;
pub mod server;
pub mod service_definitions;
pub mod services;
pub mod subnets;
pub mod tags;
pub mod topology;
pub mod users;
mod write;
