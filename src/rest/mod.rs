//! The REST transport: extractors for requests, and responses.

pub mod absent;
mod chapters;
mod composition;
pub mod csv;
pub mod document;
pub mod endpoint;
pub mod envelope;
pub mod extract;
mod ignored;
pub mod layers;
mod parts;
mod pieces;
pub mod query;
pub mod readable;
pub mod resource;
mod responses;
pub mod routes;
mod sample;
pub mod spool;
