//! Records of devices, ports, addresses and aliases, reduced to the fields that identify them.

use toposcope_types::{Id, IpAddress, Mac};

use super::{
    identity::{ChassisValue, Identity},
    normalize,
};

/// A device, by what names it.
#[derive(Clone, Debug)]
pub struct HostFacts {
    /// Its id.
    pub id: Id,
    /// What people call it.
    pub name: String,
    /// Its DNS name.
    pub hostname: Option<String>,
    /// What it calls itself.
    pub sys_name: Option<String>,
    /// Its recorded chassis id.
    pub chassis_id: Option<String>,
    /// The address by which it is managed.
    pub management_address: Option<String>,
    /// Where its management page is.
    pub management_url: Option<String>,
}

/// A port, or a logical interface, by what names it.
#[derive(Clone, Debug)]
pub struct PortFacts {
    /// Its id.
    pub id: Id,
    /// Its device.
    pub host_id: Id,
    /// Its number within the device (ifIndex, RFC 2863).
    pub if_index: i32,
    /// Its description (ifDescr, RFC 2863).
    pub if_descr: String,
    /// Its short name (ifName, RFC 2863).
    pub if_name: Option<String>,
    /// What people wrote on it (ifAlias, RFC 2863).
    pub if_alias: Option<String>,
    /// What it is (IANA ifType).
    pub if_type: i32,
    /// Its MAC address.
    pub mac_address: Option<Mac>,
    /// The address that is reached through it.
    pub interface_id: Option<Id>,
}

/// An address of a device.
#[derive(Clone, Copy, Debug)]
pub struct AddressFacts {
    /// The id of the interface.
    pub id: Id,
    /// Its device.
    pub host_id: Id,
    /// The address.
    pub ip_address: IpAddress,
    /// The MAC address behind it.
    pub mac_address: Option<Mac>,
}

/// What a person taught of a neighbor that is heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliasFacts {
    /// What the neighbor calls itself, as one text for each kind of identity.
    pub identity: String,
    /// What it calls its port, folded, if only that port is meant.
    pub port: Option<String>,
    /// The device that it is.
    pub host_id: Id,
    /// The port that it is.
    pub if_entry_id: Option<Id>,
}

impl HostFacts {
    /// Everything that its own record says it is called.
    pub fn identities(&self) -> Vec<Identity> {
        let mut identities = Vec::with_capacity(6);
        identities
            .extend(self.chassis_id.as_deref().and_then(ChassisValue::of).map(Identity::Chassis));
        let urls = self.management_url.as_deref().and_then(in_url);
        let addresses = [self.management_address.as_deref().and_then(normalize::address), urls];
        let usable = addresses.into_iter().flatten().filter(|address| address.is_identity());
        identities.extend(usable.map(Identity::Address));
        let names = [Some(self.name.as_str()), self.hostname.as_deref(), self.sys_name.as_deref()];
        for name in names.into_iter().flatten().map(normalize::folded) {
            let bare = normalize::bare(&name);
            if bare.is_empty() || normalize::is_nobody(bare) {
                continue;
            }
            identities.push(Identity::Label(normalize::label(bare).to_owned()));
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
    pub fn label(&self) -> &str {
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
