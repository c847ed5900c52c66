//! Device identities in one spelling, and the keys to look them up by.

use std::fmt::{self, Display, Formatter};

use toposcope_types::{IpAddress, Mac};

use super::normalize;

/// A value that identifies a device.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Identity {
    /// A recorded chassis id: a MAC address, or folded text.
    Chassis(ChassisValue),
    /// A MAC address of a device or of one of its ports.
    Mac(Mac),
    /// A network address of a device.
    Address(IpAddress),
    /// A whole name, folded.
    Name(String),
    /// A name without the serial number after it, folded; for a device recorded with one.
    Bare(String),
    /// The first label of a name, folded.
    Label(String),
}

/// A chassis id in comparable form: addresses compare as addresses.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChassisValue {
    /// A MAC address.
    Mac(Mac),
    /// A network address.
    Address(IpAddress),
    /// Any other text, folded.
    Text(String),
}

impl ChassisValue {
    /// Returns the comparable form of a recorded or announced id, if it can identify one device.
    pub fn of(text: &str) -> Option<Self> {
        if let Some(mac) = normalize::mac(text) {
            return mac.is_identity().then_some(Self::Mac(mac));
        }
        let text = normalize::folded(text);
        if let Some(address) = normalize::plain_address(&text) {
            return Self::of_address(address);
        }
        (!text.is_empty() && !normalize::is_nobody(&text)).then_some(Self::Text(text))
    }

    /// Returns the comparable form of an address, if it can identify one device.
    pub fn of_address(address: IpAddress) -> Option<Self> {
        address.is_identity().then_some(Self::Address(address))
    }
}

impl Identity {
    /// Returns the coarse lookup key. Every device that carries this identity has this key.
    pub fn key(&self) -> String {
        match self {
            Self::Mac(mac) | Self::Chassis(ChassisValue::Mac(mac)) => format!("m:{mac}"),
            Self::Address(address) | Self::Chassis(ChassisValue::Address(address)) => {
                format!("i:{address}")
            }
            Self::Chassis(ChassisValue::Text(text)) => key_of_name(&normalize::device(text)),
            Self::Name(name) => key_of_name(normalize::bare(name)),
            Self::Bare(name) => key_of_name(name),
            Self::Label(label) => key_of_label(label),
        }
    }

    /// Returns the text that an alias records: an address or a name, whichever field announces it.
    pub fn exact(&self) -> String {
        let kind = match self {
            Self::Mac(_) | Self::Chassis(ChassisValue::Mac(_)) => "mac",
            Self::Address(_) | Self::Chassis(ChassisValue::Address(_)) => "address",
            Self::Chassis(ChassisValue::Text(_))
            | Self::Name(_)
            | Self::Bare(_)
            | Self::Label(_) => "name",
        };
        format!("{kind} {self}")
    }

    /// Returns the name without its serial number, if it has one.
    pub(crate) fn without_serial(&self) -> Option<Self> {
        let Self::Name(name) = self else { return None };
        let bare = normalize::bare(name);
        (bare != name).then(|| Self::Bare(bare.to_owned()))
    }
}

/// Returns the key of a name: that of the network or MAC address that it spells, else that of its
/// first label. All identities by which one text may find a neighbor share one key.
fn key_of_name(name: &str) -> String {
    if let Some(address) = normalize::plain_address(name) {
        return format!("i:{address}");
    }
    normalize::mac(name)
        .map_or_else(|| key_of_label(normalize::label(name)), |mac| format!("m:{mac}"))
}

fn key_of_label(label: &str) -> String {
    normalize::mac(label).map_or_else(|| format!("n:{label}"), |mac| format!("m:{mac}"))
}

impl Display for Identity {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mac(mac) | Self::Chassis(ChassisValue::Mac(mac)) => mac.fmt(f),
            Self::Address(address) | Self::Chassis(ChassisValue::Address(address)) => {
                address.fmt(f)
            }
            Self::Chassis(ChassisValue::Text(text))
            | Self::Name(text)
            | Self::Bare(text)
            | Self::Label(text) => text.fmt(f),
        }
    }
}
