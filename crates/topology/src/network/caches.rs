//! What is worked out from a snapshot when it is first asked for, and kept with it.

use std::sync::OnceLock;

use super::layers::Layers;

/// What is kept of a snapshot beside its facts.
#[derive(Debug, Default)]
pub struct Caches {
    /// The layers as graphs.
    pub(crate) layers: Layers,
    /// Who names what, and yet has no link there.
    pub(crate) claimed: OnceLock<OverruledEvidence>,
    /// Who was heard and is not known, in groups.
    pub(crate) unknown: OnceLock<Vec<Vec<u32>>>,
}

/// Something seen that names a port, and the link that is known with more authority.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overruled {
    /// The port that is named.
    pub port: u32,
    pub seen: u32,
    pub link: u32,
}

/// Who names what, and yet has no link there.
#[derive(Debug, Default)]
pub(crate) struct OverruledEvidence {
    /// What names a port, in the order of ports.
    pub ports: Vec<Overruled>,
    /// What names a device where a link ends at no port that is known, in the order of devices.
    pub devices: Vec<(u32, u32)>,
}
