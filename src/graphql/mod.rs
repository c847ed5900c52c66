//! The GraphQL transport: requests in one task, loaders, connections, guards, HTTP.

pub mod batch_driver;
pub mod connection;
pub mod context;
pub mod cost;
pub mod filter_cost;
pub mod guard;
pub mod http;
pub mod loader;
mod media_type;
mod persisted;
mod takes;
mod unset;
