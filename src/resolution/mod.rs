//! Stored resolutions, which map neighbors to devices and ports and stay current with every write.

mod affected;
pub(crate) mod change_set;
mod diff;
mod full;
pub mod incremental;
pub(crate) mod reader;
pub(crate) mod rows;
mod tables;
mod writer;
