//! HTTP on the wire, below every route: which connections are accepted, how long each may take, and
//! where a request says it comes from.

mod body;
mod connection;
pub mod cors;
mod descriptors;
pub mod error_headers;
pub mod forwarded;
mod listener;
pub mod origin;
mod places;
pub mod private;
mod progress;
pub mod request_body;
mod stream;

pub use self::{body::hold, listener::serve};
