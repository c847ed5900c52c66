//! Resolutions of the neighbors that ports heard or are pinned to.

use toposcope_types::{HostTier, Id, Method, PortTier};

/// The resolution of one neighbor of one port. It derives from other tables alone, and is stored so
/// that a write recomputes only the resolutions that it can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// The port that heard it.
    pub if_entry_id: Id,
    /// The method by which the port heard it.
    pub method: Method,
    /// Its position among the neighbors that the port heard in the same way, from 0.
    pub position: i32,
    /// The id of the observation; for a pin or a forwarding table, the id of the port.
    pub observation_id: Id,
    /// The port's network.
    pub network_id: Id,
    /// The port's device.
    pub host_id: Id,
    /// The lookup key of the chassis id, or of a forwarding table's MAC address.
    pub chassis_key: Option<String>,
    /// The lookup key of the management address.
    pub address_key: Option<String>,
    /// The lookup key of the system name.
    pub name_key: Option<String>,
    /// The far device.
    pub far_host_id: Option<Id>,
    /// The evidence that identified the far device.
    pub host_tier: Option<HostTier>,
    /// The far port, as identified from this side.
    pub far_if_entry_id: Option<Id>,
    /// The evidence that identified the far port.
    pub port_tier: Option<PortTier>,
    /// The far ports that the announced values leave, if some but not one: their ids, in order,
    /// separated by blanks; for too many, the port that heard, which is none of them.
    pub possible_if_entry_ids: Option<String>,
    /// The far port that reports hearing this one, if no announced value names a port.
    pub met_if_entry_id: Option<Id>,
    /// Whether better evidence already joins the two devices, so that this joins no other ports.
    pub outranked: bool,
    /// Whether LLDP or CDP explains one of its sockets, so that the forwarding table proves no
    /// neighbor there.
    pub superseded: bool,
}

impl Resolution {
    /// Returns whether it tells by itself what its port is connected to.
    pub const fn counts(&self) -> bool {
        !self.outranked && !self.superseded
    }

    /// Returns the far port, whichever evidence identified it.
    pub fn far_port(&self) -> Option<Id> {
        self.far_if_entry_id.or(self.met_if_entry_id)
    }

    /// Returns whether the announced values leave a port of the far device possible.
    pub fn leaves(&self, port: Id) -> bool {
        let possible = self.possible_if_entry_ids.as_deref();
        possible.is_none_or(|ids| ids.split(' ').any(|id| id.parse() == Ok(port)))
    }

    /// Returns the port that heard and, if known, the far port.
    pub fn ports(&self) -> impl Iterator<Item = Id> + use<> {
        std::iter::once(self.if_entry_id).chain(self.far_port())
    }

    /// Returns the two devices, if the far one is known.
    pub fn pair(&self) -> Option<(Id, Id)> {
        let far = self.far_host_id?;
        Some((self.host_id.min(far), self.host_id.max(far)))
    }

    /// Returns the key that identifies the resolution.
    pub const fn key(&self) -> (Id, Method, i32) {
        (self.if_entry_id, self.method, self.position)
    }
}
