//! Settings of ports as they take effect on links.

use std::collections::HashMap;

use toposcope_types::{StpState, VlanSet};

use super::{
    Snapshot,
    links::{End, Link},
    settings::{PortSettings, Vlans},
};

impl Snapshot {
    /// Returns a setting of a port, or else of the aggregate that it is a member of.
    pub(crate) fn setting<T>(
        &self,
        port: u32,
        of: impl Fn(&PortSettings) -> Option<T>,
    ) -> Option<T> {
        let node = self.ports.get(port as usize)?;
        let own = node.settings.as_deref().and_then(&of);
        own.or_else(|| self.ports.get(node.bundle as usize)?.settings.as_deref().and_then(&of))
    }

    fn vlans(&self) -> &HashMap<u32, Vlans> {
        self.caches.vlans.get_or_init(|| {
            let mut all: HashMap<u32, Vlans> = HashMap::new();
            for (place, port) in (0_u32..).zip(&self.ports) {
                let Some(settings) = &port.settings else { continue };
                if settings.native_vlan.is_none() && settings.tagged_vlans.is_none() {
                    continue;
                }
                let vlans = all.entry(port.socket).or_default();
                if port.socket == place {
                    vlans.native = settings.native_vlan;
                } else {
                    // The only VLAN of a subinterface is tagged on its socket.
                    let own = settings.native_vlan.and_then(|vlan| VlanSet::new([vlan]).ok());
                    vlans.tagged.extend(own);
                    vlans.is_divided = true;
                }
                vlans.is_complete |= settings.tagged_vlans.is_some() || port.socket != place;
                vlans.tagged.extend(settings.tagged_vlans.clone());
            }
            all
        })
    }

    /// Returns the VLANs of the aggregate of a port, or else its own, if they are known.
    pub(crate) fn vlans_of(&self, port: u32) -> Option<&Vlans> {
        let node = self.ports.get(port as usize)?;
        self.vlans().get(&node.bundle).or_else(|| self.vlans().get(&node.socket))
    }

    /// Returns whether a link carries a VLAN, as far as its ports tell.
    pub fn may_carry(&self, link: &Link, vlan: u16) -> bool {
        let carries = |end: &End| {
            let vlans = self.vlans_of(end.port);
            vlans.is_none_or(|vlans| !vlans.is_complete || vlans.carries(vlan))
        };
        link.ends.iter().all(carries)
    }

    /// Returns the devices with a port that carries a VLAN.
    pub(crate) fn hosts_with_vlan(&self, vlan: u16) -> Vec<u32> {
        let carrying = self.vlans().iter().filter(|(_, vlans)| vlans.carries(vlan));
        carrying.map(|(port, _)| self.ports[*port as usize].host).collect()
    }

    /// Returns whether both ports of a link forward frames: the spanning tree blocks neither. The
    /// state of an aggregate is that of its members.
    pub fn forwards(&self, link: &Link) -> bool {
        let blocks = |end: &End| {
            let port = self.ports.get(end.port as usize);
            let state = |place: u32| self.ports.get(place as usize)?.settings.as_ref()?.stp_state;
            let state = port.and_then(|port| state(port.bundle).or_else(|| state(end.port)));
            state.is_some_and(|state| {
                matches!(
                    state,
                    StpState::Blocking
                        | StpState::Listening
                        | StpState::Learning
                        | StpState::Broken
                )
            })
        };
        !link.ends.iter().any(blocks)
    }
}
