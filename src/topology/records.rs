//! Records of devices, ports, addresses and aliases, reduced to the fields that identify them.

use super::{
    identity::{ChassisValue, Identity},
    name,
};
use crate::types::{Id, IpAddress, Mac};

/// A device, by what names it.
#[derive(Clone, Debug)]
pub(super) struct HostFacts {
    /// Its id.
    pub(super) id: Id,
    /// What people call it.
    pub(super) name: String,
    /// Its DNS name.
    pub(super) hostname: Option<String>,
    /// What it calls itself.
    pub(super) sys_name: Option<String>,
    /// Its recorded chassis id.
    pub(super) chassis_id: Option<String>,
    /// The address by which it is managed.
    pub(super) management_address: Option<String>,
    /// Where its management page is.
    pub(super) management_url: Option<String>,
}

/// A port, or a logical interface, by what names it.
#[derive(Clone, Debug)]
pub(super) struct PortFacts {
    /// Its id.
    pub(super) id: Id,
    /// Its device.
    pub(super) host_id: Id,
    /// Its number within the device (ifIndex, RFC 2863).
    pub(super) if_index: i32,
    /// Its description (ifDescr, RFC 2863).
    pub(super) if_descr: String,
    /// Its short name (ifName, RFC 2863).
    pub(super) if_name: Option<String>,
    /// What people wrote on it (ifAlias, RFC 2863).
    pub(super) if_alias: Option<String>,
    /// What it is (IANA ifType).
    pub(super) if_type: i32,
    /// Its MAC address.
    pub(super) mac_address: Option<Mac>,
    /// The address that is reached through it.
    pub(super) interface_id: Option<Id>,
}

/// An address of a device.
#[derive(Clone, Copy, Debug)]
pub(super) struct AddressFacts {
    /// The id of the interface.
    pub(super) id: Id,
    /// Its device.
    pub(super) host_id: Id,
    /// The address.
    pub(super) ip_address: IpAddress,
    /// The MAC address behind it.
    pub(super) mac_address: Option<Mac>,
}

/// What a person taught of a neighbor that is heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AliasFacts {
    /// What the neighbor calls itself, as one text for each kind of identity.
    pub(super) identity: String,
    /// What it calls its port, folded, if only that port is meant.
    pub(super) port: Option<String>,
    /// The device that it is.
    pub(super) host_id: Id,
    /// The port that it is.
    pub(super) if_entry_id: Option<Id>,
}

impl HostFacts {
    /// Everything that its own record says it is called.
    pub(super) fn identities(&self) -> Vec<Identity> {
        let mut identities = Vec::with_capacity(6);
        identities
            .extend(self.chassis_id.as_deref().and_then(ChassisValue::of).map(Identity::Chassis));
        let urls = self.management_url.as_deref().and_then(in_url);
        let addresses = [self.management_address.as_deref().and_then(name::address), urls];
        let usable = addresses.into_iter().flatten().filter(|address| address.is_identity());
        identities.extend(usable.map(Identity::Address));
        let names = [Some(self.name.as_str()), self.hostname.as_deref(), self.sys_name.as_deref()];
        for name in names.into_iter().flatten().map(name::folded) {
            let bare = name::bare(&name);
            if bare.is_empty() || name::is_nobody(bare) {
                continue;
            }
            identities.push(Identity::Label(name::label(bare).to_owned()));
            if bare != name {
                identities.push(Identity::Bare(bare.to_owned()));
            }
            identities.push(Identity::Name(name));
        }
        identities.sort_unstable();
        identities.dedup();
        identities
    }
}

impl PortFacts {
    /// What people call it.
    pub(super) fn label(&self) -> &str {
        self.if_name.as_deref().filter(|name| !name.is_empty()).unwrap_or(&self.if_descr)
    }
}

/// The address in a URL, if its host is one.
fn in_url(url: &str) -> Option<IpAddress> {
    match url::Url::parse(url).ok()?.host()? {
        url::Host::Ipv4(address) => Some(std::net::IpAddr::from(address).into()),
        url::Host::Ipv6(address) => Some(std::net::IpAddr::from(address).to_canonical().into()),
        url::Host::Domain(_) => None,
    }
}
