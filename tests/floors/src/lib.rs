//! Who may import whom in Toposcope: read from the sources, in seconds, before anything is compiled.

pub mod house;
pub mod paths;
pub mod plan;
pub mod rules;
