//! Client input before it is validated: absent and null fields, nested lists, texts.

pub(crate) mod given;
pub mod listed;
pub mod nested;
pub(crate) mod position;
pub mod text;

pub use self::nested::{Input, New, OfHost, OfService, Part, Whole};
