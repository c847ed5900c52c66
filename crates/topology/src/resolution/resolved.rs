//! What became of each neighbor that was heard or pinned.

use toposcope_types::{HostTier, Id, Method, PortTier};

/// What became of one neighbor of one port. It follows from other tables alone, and is kept so that
/// a write works out again only what it can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// The port that heard it.
    pub if_entry_id: Id,
    /// How it was heard.
    pub method: Method,
    /// Its place among those heard in the same way, from 0.
    pub position: i32,
    /// The id of the observation; of a pin or a forwarding table, that of the port.
    pub observation_id: Id,
    /// The network of the port.
    pub network_id: Id,
    /// The device of the port.
    pub host_id: Id,
    /// The key of the chassis id, or of the MAC address of a forwarding table.
    pub chassis_key: Option<String>,
    /// The key of the address by which it is managed.
    pub address_key: Option<String>,
    /// The key of its name.
    pub name_key: Option<String>,
    /// The device that was heard.
    pub far_host_id: Option<Id>,
    /// By which evidence the device was found.
    pub host_tier: Option<HostTier>,
    /// The port of it that was heard, by what was said of it.
    pub far_if_entry_id: Option<Id>,
    /// By which evidence the port was found.
    pub port_tier: Option<PortTier>,
    /// The ports of it that what was said leaves, where it leaves some but not one: their ids, in
    /// order, with blanks between them; the port that heard, which is none of them, for too many.
    pub possible_if_entry_ids: Option<String>,
    /// The port of it that says that it hears this one, where nothing was said that names one.
    pub met_if_entry_id: Option<Id>,
    /// Whether better evidence already joins the two devices, so that this joins no other ports.
    pub outranked: bool,
}

impl Resolution {
    /// The port of the far device, by whatever evidence.
    pub fn far_port(&self) -> Option<Id> {
        self.far_if_entry_id.or(self.met_if_entry_id)
    }

    /// Whether what was said leaves a port of the far device possible.
    pub fn leaves(&self, port: Id) -> bool {
        let possible = self.possible_if_entry_ids.as_deref();
        possible.is_none_or(|ids| ids.split(' ').any(|id| id.parse() == Ok(port)))
    }

    /// The port that heard, and the one that was heard.
    pub fn ports(&self) -> impl Iterator<Item = Id> + use<> {
        std::iter::once(self.if_entry_id).chain(self.far_port())
    }

    /// The two devices, if the far one is known.
    pub fn pair(&self) -> Option<(Id, Id)> {
        let far = self.far_host_id?;
        Some((self.host_id.min(far), self.host_id.max(far)))
    }

    /// What tells it apart from every other.
    pub const fn key(&self) -> (Id, Method, i32) {
        (self.if_entry_id, self.method, self.position)
    }
}
