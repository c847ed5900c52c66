//! The network as a graph: what is joined to what, and what that means when something fails.
//!
//! Pure and deterministic: an answer depends on the graph and the question alone, and where
//! several would do, the smaller number wins. Nothing recurses, so that the longest chain does not
//! overflow the stack. A number that is not the graph's own panics, as an index does.

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
