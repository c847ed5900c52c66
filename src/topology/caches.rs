//! Evidence that stronger links overrule, computed once per snapshot.

/// Something seen that names a port, and the link that is known with more authority.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overruled {
    /// The port that is named.
    pub(super) port: u32,
    pub(super) seen: u32,
    pub(super) link: u32,
}

/// Who names what, and yet has no link there.
#[derive(Debug, Default)]
pub(super) struct Claimed {
    /// What names a port, in the order of ports.
    pub(super) ports: Vec<Overruled>,
    /// What names a device where a link ends at no port that is known, in the order of devices.
    pub(super) devices: Vec<(u32, u32)>,
}
