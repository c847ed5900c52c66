//! Topology: from what ports hear to links that can be trusted, and what follows from those.
//!
//! Pure: the same facts give the same answer, wherever they were read.

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
