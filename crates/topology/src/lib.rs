//! Topology: turns what ports hear into links that can be trusted, and derives results from them.
//!
//! Pure: the same facts give the same result, wherever they were read.
#![warn(missing_docs)]

pub mod explanation;
pub mod export;
pub mod findings;
pub mod graph;
pub mod layout;
pub mod network;
pub mod resolution;
pub mod rollup;
pub mod text;
pub mod view;
pub mod wording;
