//! HTTP as it comes over the wire, below every route: who is let in, how long each may take, and
//! what a request says about where it comes from.

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
