//! The neighbors that were heard, the links that follow, and what is said of them.

mod answers;
pub(crate) mod fabrics;
mod graphs;
mod guesses;
mod hosts;
mod identify;
mod laws;
mod miscablings;
mod names;
mod ports;
mod rules;
mod sentences;
mod settings;
mod sockets;
mod tables;
mod why;
mod writes;
