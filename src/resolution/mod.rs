//! Resolutions as they are stored: which neighbor is which device and port, kept in line with every
//! write.

mod affected;
mod change_set;
mod diff;
pub mod entity;
mod full;
pub mod incremental;
pub mod reader;
pub mod rows;
mod writer;
