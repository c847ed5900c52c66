//! Checks which files of Toposcope import which, in seconds, before anything is compiled.

pub mod house;
pub mod paths;
pub mod plan;
pub mod rules;
