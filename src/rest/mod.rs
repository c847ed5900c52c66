//! The REST transport: extractors for requests, and responses.

pub(crate) mod absent;
mod chapters;
mod composition;
pub mod csv;
pub(crate) mod document;
pub(crate) mod endpoint;
pub(crate) mod envelope;
pub(crate) mod extract;
pub mod file_name;
mod ignored;
pub mod layers;
mod parts;
mod pieces;
pub mod query;
pub(crate) mod readable;
pub(crate) mod resource;
mod responses;
pub(crate) mod routes;
mod sample;
pub mod spool;
