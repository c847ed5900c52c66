//! Records of devices, ports, addresses and aliases, reduced to the fields that identify them.

use toposcope_types::{Id, IpAddress, Mac, MacList, NeighborId};

use super::{
    identity::{ChassisValue, Identity},
    normalize,
};

/// A row, reduced to what resolution reads of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// A device.
    Host(HostFacts),
    /// A port, with what it hears besides the neighbors that announce themselves.
    Port(PortFacts, Learned),
    /// An address of a device.
    Address(AddressFacts),
    /// A neighbor that the port with this id heard.
    Observation(Id),
    /// The key by which an alias is looked up.
    Alias(String),
}

/// The forwarding table of a port, and what a person says of its neighbor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learned {
    /// The MAC addresses learned on the port (dot1dTpFdbTable, RFC 4188).
    pub macs: Option<MacList>,
    /// The far end that a person pinned.
    pub pin: Option<NeighborId>,
}

/// The identifying fields of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFacts {
    /// Its id.
    pub id: Id,
    /// The name that people gave it.
    pub name: String,
    /// Its DNS name.
    pub hostname: Option<String>,
    /// The system name that it reports.
    pub sys_name: Option<String>,
    /// Its recorded chassis id.
    pub chassis_id: Option<String>,
    /// Its management address.
    pub management_address: Option<String>,
    /// The URL of its management page.
    pub management_url: Option<String>,
}

/// The identifying fields of a port or logical interface.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// The text that people wrote on it (ifAlias, RFC 2863).
    pub if_alias: Option<String>,
    /// Its type (IANA ifType).
    pub if_type: i32,
    /// Its MAC address.
    pub mac_address: Option<Mac>,
    /// The interface whose address is reached through it.
    pub interface_id: Option<Id>,
    /// The ifIndex of the aggregate that it is a member of (IEEE8023-LAG-MIB).
    pub lag_if_index: Option<i32>,
    /// The ifIndex of the interface that it runs over (ifStackTable, RFC 2863).
    pub parent_if_index: Option<i32>,
}

/// An address of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// An alias: a person's identification of a neighbor that ports hear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliasFacts {
    /// The identity that the neighbor announces, as one text for each kind of identity.
    pub identity: String,
    /// The port that the neighbor announces, folded, if the alias covers only that port.
    pub port: Option<String>,
    /// The device that the alias identifies.
    pub host_id: Id,
    /// The port that the alias identifies.
    pub if_entry_id: Option<Id>,
}

impl HostFacts {
    /// Returns all identities in the device's own record.
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

impl AddressFacts {
    /// Returns the address, an IPv4 address as such even if it is written as an IPv6 one.
    pub fn canonical_address(&self) -> IpAddress {
        self.ip_address.addr().to_canonical().into()
    }
}

impl PortFacts {
    /// Returns the name that people know the port by.
    pub fn label(&self) -> &str {
        label(self.if_name.as_deref(), &self.if_descr)
    }
}

/// Returns the name that people know a port by: its short name, otherwise its description.
pub fn label<'p>(if_name: Option<&'p str>, if_descr: &'p str) -> &'p str {
    if_name.filter(|name| !name.is_empty()).unwrap_or(if_descr)
}

/// Returns the address in a URL, if its host is one.
fn in_url(url: &str) -> Option<IpAddress> {
    match url::Url::parse(url).ok()?.host()? {
        url::Host::Ipv4(address) => Some(std::net::IpAddr::from(address).into()),
        url::Host::Ipv6(address) => Some(std::net::IpAddr::from(address).to_canonical().into()),
        url::Host::Domain(_) => None,
    }
}
