//! HTTP on the wire, below every route: which connections are accepted, how long each may take, and
//! where a request says it comes from.

mod body;
mod connection;
mod connection_slots;
pub mod cors;
mod descriptors;
pub(crate) mod error_headers;
pub(crate) mod forwarded;
mod listener;
pub(crate) mod origin;
pub(crate) mod private;
pub mod progress;
pub(crate) mod request_body;
mod stream;

pub use self::{body::hold, listener::serve};
