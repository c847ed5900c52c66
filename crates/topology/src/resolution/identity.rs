//! What names a device, in one spelling, and the keys by which it is looked up.

use std::fmt::{self, Display, Formatter};

use toposcope_types::{IpAddress, Mac};

use super::normalize;

/// One thing that names a device.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Identity {
    /// A recorded chassis id: a MAC address, or folded text.
    Chassis(ChassisValue),
    Mac(Mac),
    Address(IpAddress),
    /// A whole name, folded.
    Name(String),
    /// A name without the serial number behind it, folded; of a device that is recorded with one.
    Bare(String),
    /// The first label of a name, folded.
    Label(String),
}

/// A chassis id as it is compared: as addresses when both are.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChassisValue {
    Mac(Mac),
    Address(IpAddress),
    Text(String),
}

impl ChassisValue {
    /// A recorded or announced id, if it can name one device.
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

    /// An address, if it can name one device.
    pub fn of_address(address: IpAddress) -> Option<Self> {
        address.is_identity().then_some(Self::Address(address))
    }
}

impl Identity {
    /// The coarse key by which it is looked up; whoever carries it has this key among theirs.
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

    /// What a person teaches of it: an address or a name, wherever it is said.
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

    /// A name without the serial number that it has.
    pub(crate) fn without_serial(&self) -> Option<Self> {
        let Self::Name(name) = self else { return None };
        let bare = normalize::bare(name);
        (bare != name).then(|| Self::Bare(bare.to_owned()))
    }
}

/// The key of a name: of the network or MAC address that it is, else of its first label. Whatever a
/// neighbor may be found by through one text has one key.
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
