//! Stored resolutions, which map neighbors to devices and ports and stay current with every write.

mod affected;
mod change_set;
mod diff;
mod full;
pub mod incremental;
pub mod reader;
pub mod rows;
mod writer;
