//! The network as a graph: which nodes are connected, and what a failure means for them.
//!
//! Pure and deterministic: a result depends only on the graph and the query, and ties go to the
//! smaller number. Nothing recurses, so that the longest chain cannot overflow the stack. A number
//! outside the graph panics, as an index does.

mod alternatives;
mod components;
mod cuts;
mod cycles;
mod forest;
mod impact;
mod neighborhood;
mod numbers;
mod paths;
#[cfg(test)]
mod reference;
mod search;
mod structure;

pub use self::{
    alternatives::{Alternatives, MOST_ALTERNATIVES},
    components::Components,
    cuts::{ArticulationPoint, Bridge, Cuts},
    cycles::{Cycle, Cycles},
    impact::Impact,
    neighborhood::Reached,
    numbers::NumberSet,
    search::Path,
    structure::{Graph, Incidence, Without},
};
