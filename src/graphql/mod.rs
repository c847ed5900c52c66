//! The GraphQL transport: requests in one task, loaders, connections, guards, HTTP.

pub(crate) mod batch_driver;
pub(crate) mod connection;
pub(crate) mod context;
pub(crate) mod cost;
pub(crate) mod filter_cost;
pub(crate) mod guard;
pub mod http;
pub(crate) mod loader;
mod media_type;
mod persisted;
mod takes;
mod unset;
