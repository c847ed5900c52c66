//! Client input before it is validated: absent and null fields, nested lists, texts.

pub(crate) mod given;
pub(crate) mod listed;
pub(crate) mod nested;
pub(crate) mod position;
pub(crate) mod text;

pub use self::nested::{Input, New, OfHost, OfService, Part, Whole};
