//! Data that is computed from a snapshot on first use and kept with it.

use std::{collections::HashMap, sync::OnceLock};

use super::{layers::Layers, settings::Vlans};

/// The data kept with a snapshot besides its facts.
#[derive(Debug, Default)]
pub struct Caches {
    /// The layers as graphs.
    pub(crate) layers: Layers,
    /// Evidence that names a port or device, and yet forms no link there.
    pub(crate) claimed: OnceLock<OverruledEvidence>,
    /// The observations by LLDP and CDP, by the socket or bundle that they are at or speak of.
    pub(crate) heard: OnceLock<Vec<(u32, u32)>>,
    /// The VLANs of sockets and aggregates.
    pub(crate) vlans: OnceLock<HashMap<u32, Vlans>>,
    /// The unknown neighbors, in groups.
    pub(crate) unknown: OnceLock<Vec<Vec<u32>>>,
}

/// An observation that names a port, and the link that has stronger evidence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overruled {
    /// The named port.
    pub port: u32,
    pub seen: u32,
    pub link: u32,
}

/// Evidence that names a port or device, and yet forms no link there.
#[derive(Debug, Default)]
pub(crate) struct OverruledEvidence {
    /// Evidence that names a port, ordered by port.
    pub ports: Vec<Overruled>,
    /// Evidence that names a device at which a link ends without a known port, ordered by device.
    pub devices: Vec<(u32, u32)>,
}
