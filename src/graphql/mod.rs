//! The GraphQL transport: requests in one task, loaders, connections, guards, HTTP.

pub(crate) mod batch_driver;
pub(crate) mod connection;
pub(crate) mod context;
pub(crate) mod cost;
pub(crate) mod filter_cost;
pub mod guard;
pub mod http;
pub(crate) mod loader;
mod media_type;
pub mod persisted;
pub mod takes;
pub mod unset;
