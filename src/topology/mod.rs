//! Topology: from what ports hear to links that can be trusted, and what follows from those.
//!
//! Which neighbor is which device and port is worked out within every write, by the same pure rules
//! that work out a whole network from its facts.

pub mod alias;
mod build;
mod caches;
mod claimed;
mod crowded;
mod doubt;
pub mod entity;
mod explain;
pub mod export;
mod facts;
mod find_host;
mod find_port;
mod forwarding;
mod given;
pub mod graph;
pub mod graphql;
mod identify;
mod identity;
mod if_type;
mod impact;
mod layer;
mod layered;
mod links;
mod miscabling;
mod name;
mod neighbor;
mod observation;
mod owners;
mod packed;
mod picture;
mod port_names;
mod read;
mod read_concerned;
mod records;
mod refresh;
mod region;
mod remedy;
mod resolve;
pub mod rest;
mod rows;
mod sentence;
mod settle;
mod snapshot;
mod snapshots;
mod step;
mod store;
mod stored;
mod touched;
mod unknown;
mod unlinked;
mod whole;
mod wording;

pub use self::{
    explain::{Explanation, explain},
    identify::{forget, identify},
    if_type::is_socket,
    impact::{Lost, around},
    layer::{EdgeAt, Layer, LayerGraph, NodeAt},
    links::{End, Link, Seen},
    miscabling::{Miscabling, MiscablingKind},
    name::interface as interface_name,
    observation::Method,
    refresh::{RULES, refresh},
    region::Region,
    sentence::StepTaken,
    settle::{Connected, Neighbors, Settled, from_scratch, settle},
    snapshot::Snapshot,
    snapshots::{current, snapshot},
    step::{HostTier, Outcome, PortTier},
    unknown::UnknownNeighbor,
    unlinked::UnlinkedReason,
};
