//! A GraphQL gateway with REST-compatible endpoints for network topology: one core of operations,
//! two thin mouths.

pub mod api_keys;
pub mod app;
pub mod auth;
pub mod bindings;
pub mod changes;
pub mod cli;
pub mod config;
pub mod db;
pub mod demo;
pub mod error;
pub mod graphql;
pub mod groups;
pub mod hosts;
pub mod http;
pub mod if_entries;
pub mod interfaces;
pub mod inventory;
pub mod networks;
pub mod nodes;
pub mod organizations;
pub mod playground;
pub mod ports;
pub mod rest;
pub mod router;
pub mod schema;
pub mod server;
pub mod services;
pub mod subnets;
pub mod tags;
pub mod topology;
pub mod types;
pub mod users;
