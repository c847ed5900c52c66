//! What clients send, before it is believed: what is given and what is left out, and what a text may be.

pub(crate) mod given;
pub mod listed;
pub mod nested;
pub(crate) mod position;
pub mod text;

pub use self::nested::{Input, New, OfHost, OfService, Part, Whole};
