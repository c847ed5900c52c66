//! MAC addresses: any vendor's spelling in, one spelling out, and which of them identify no device.

use std::fmt::{self, Debug, Display, Formatter};
use std::str::FromStr;

#[cfg(feature = "graphql")]
use async_graphql::{InputValueResult, Scalar, ScalarType, Value};
#[cfg(feature = "sql")]
use sea_orm::DeriveValueType;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "openapi")]
use utoipa::openapi::{RefOr, Schema};

use super::parse;

/// The accepted spellings, as a regular expression.
pub const PATTERN: &str = r"^([0-9A-Fa-f]{1,2}:){5}[0-9A-Fa-f]{1,2}$|^([0-9A-Fa-f]{1,2}-){5}[0-9A-Fa-f]{1,2}$|^([0-9A-Fa-f]{4}[.]){2}[0-9A-Fa-f]{4}$|^[0-9A-Fa-f]{12}$";

/// The length of `00:1A:2B:3C:4D:5E`.
const LENGTH: usize = 17;

/// The hardware address of an interface (EUI-48), written in uppercase with colons.
///
/// # Examples
///
/// ```ignore
/// assert_eq!("0a1b.2c3d.4e5f".parse::<Mac>()?.to_string(), "0A:1B:2C:3D:4E:5F");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "sql", derive(DeriveValueType))]
#[cfg_attr(feature = "sql", sea_orm(value_type = "String", column_type = "Text"))]
pub struct Mac([u8; 6]);

/// An error for text that is not a MAC address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a MAC address: expected six octets, such as `00:1A:2B:3C:4D:5E` or `001a.2b3c.4d5e`")]
pub struct MacError;

impl Mac {
    /// Returns the six octets.
    pub const fn octets(self) -> [u8; 6] {
        self.0
    }

    /// Returns whether it addresses a group of receivers, broadcast included.
    pub const fn is_multicast(self) -> bool {
        self.0[0] & 0x01 != 0
    }

    /// Returns whether it addresses every receiver.
    pub fn is_broadcast(self) -> bool {
        self.0 == [0xFF; 6]
    }

    /// Returns whether it is all zeros, the address of nothing.
    pub fn is_zero(self) -> bool {
        self.0 == [0; 6]
    }

    /// Returns whether an administrator or a hypervisor assigned it, so that no vendor vouches for
    /// it.
    pub const fn is_locally_administered(self) -> bool {
        self.0[0] & 0x02 != 0
    }

    /// Returns whether routers share it for failover: VRRP and CARP, HSRP 1, 2 and for IPv6, GLBP.
    pub const fn is_virtual_router(self) -> bool {
        matches!(
            self.0,
            [0x00, 0x00, 0x5E, 0x00, 0x01 | 0x02, _]
                | [0x00, 0x00, 0x0C, 0x07, 0xAC, _]
                | [0x00, 0x00, 0x0C, 0x9F, 0xF0..=0xFF, _]
                | [0x00, 0x05, 0x73, 0xA0, 0x00..=0x0F, _]
                | [0x00, 0x07, 0xB4, 0x00, _, _]
        )
    }

    /// Returns whether it can identify one device: not a group, not shared by routers, not all
    /// zeros.
    pub fn is_identity(self) -> bool {
        !self.is_multicast() && !self.is_zero() && !self.is_virtual_router()
    }

    fn from_bits(bits: u64) -> Self {
        let mut octets = [0; 6];
        octets.copy_from_slice(&bits.to_be_bytes()[2..]);
        Self(octets)
    }

    fn encode(self, buffer: &mut [u8; LENGTH]) -> &str {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        *buffer = [b':'; LENGTH];
        for (pair, octet) in buffer.chunks_mut(3).zip(self.0) {
            pair[0] = DIGITS[usize::from(octet >> 4)];
            pair[1] = DIGITS[usize::from(octet & 0x0F)];
        }
        str::from_utf8(buffer).expect("only ASCII was written above")
    }
}

impl From<[u8; 6]> for Mac {
    fn from(octets: [u8; 6]) -> Self {
        Self(octets)
    }
}

impl FromStr for Mac {
    type Err = MacError;

    /// Reads twelve digits, six octets, three quads or two halves, with one kind of separator.
    fn from_str(text: &str) -> Result<Self, MacError> {
        let text = text.trim_end_matches(|c: char| c == '\0' || c.is_whitespace()).trim_start();
        let Some(separator) = text.chars().find(|c| [':', '-', '.'].contains(c)) else {
            return group(text, 12, 12).map(Self::from_bits);
        };
        let (digits, least) = match text.matches(separator).count() {
            5 => (2, 1),
            2 => (4, 4),
            1 => (6, 6),
            _ => return Err(MacError),
        };
        let mut bits = 0;
        for part in text.split(separator) {
            bits = bits << (4 * digits) | group(part, least, digits)?;
        }
        Ok(Self::from_bits(bits))
    }
}

/// Parses `least` to `most` hexadecimal digits.
fn group(text: &str, least: usize, most: usize) -> Result<u64, MacError> {
    if !(least..=most).contains(&text.len()) || !text.bytes().all(|c| c.is_ascii_hexdigit()) {
        return Err(MacError);
    }
    u64::from_str_radix(text, 16).map_err(|_| MacError)
}

impl Display for Mac {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.pad(self.encode(&mut [0; LENGTH]))
    }
}

impl Debug for Mac {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, formatter)
    }
}

impl Serialize for Mac {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.encode(&mut [0; LENGTH]))
    }
}

impl<'de> Deserialize<'de> for Mac {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parse::serde_string(deserializer, "a MAC address")
    }
}

/// A MAC address: uppercase with colons in output, any common spelling in input.
#[cfg(feature = "graphql")]
#[Scalar(
    name = "MacAddress",
    specified_by_url = "https://datatracker.ietf.org/doc/html/rfc9542#section-2.1"
)]
impl ScalarType for Mac {
    fn parse(value: Value) -> InputValueResult<Self> {
        parse::graphql_string(&value)
    }

    fn is_valid(value: &Value) -> bool {
        parse::graphql_string::<Self>(value).is_ok()
    }

    fn to_value(&self) -> Value {
        Value::String(self.encode(&mut [0; LENGTH]).to_owned())
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Mac {
    fn schema() -> RefOr<Schema> {
        parse::text_schema(
            None,
            Some(PATTERN),
            "A MAC address: in capitals with colons on the way out; on the way in also with hyphens, dots or nothing between, in any case.",
            "00:1A:2B:3C:4D:5E",
        )
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Mac {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mac(text: &str) -> Mac {
        text.parse().unwrap()
    }

    #[test]
    fn every_spelling_is_the_same_address() {
        for text in [
            "0a:1b:2c:3d:4e:5f",
            "0A:1B:2C:3D:4E:5F",
            "a:1B:2c:3D:4e:5F",
            "0a-1b-2c-3d-4e-5f",
            "0a.1b.2c.3d.4e.5f",
            "0a1b.2c3d.4e5f",
            "0a1b-2c3d-4e5f",
            "0a1b2c-3d4e5f",
            "0a1b2c3d4e5f",
            "\t 0A1B2C3D4E5F\n",
            "0a:1b:2c:3d:4e:5f\0\0",
            "0a:1b:2c:3d:4e:5f \0",
        ] {
            assert_eq!(mac(text).to_string(), "0A:1B:2C:3D:4E:5F", "{text:?}");
        }
        assert_eq!(mac("0:1a:2b:0:10:0").to_string(), "00:1A:2B:00:10:00");
    }

    #[test]
    fn what_is_not_six_octets_is_refused() {
        for text in [
            "",
            "\0",
            ":::::",
            "0a:1b:2c:3d:4e",
            "0a:1b:2c:3d:4e:5f:60",
            "0a:1b:2c:3d:4e:",
            "0a:1b:2c:3d:4e:5f0",
            "0a:1b:2c-3d-4e-5f",
            "0a1b.2c3d.4e5",
            "0a1b2c3d4e5",
            "0a1b2c3d4e5f6",
            "+a1b2c3d4e5f",
            "+a:1b:2c:3d:4e:5f",
            "0a 1b 2c 3d 4e 5f",
            "\u{0}0a1b2c3d4e5f",
            "0g:1b:2c:3d:4e:5f",
            "é:1b:2c:3d:4e:5f",
        ] {
            assert_eq!(text.parse::<Mac>(), Err(MacError), "{text:?}");
        }
    }

    #[test]
    fn groups_shared_and_empty_addresses_name_no_device() {
        for text in [
            "FF:FF:FF:FF:FF:FF",
            "01:80:C2:00:00:0E",
            "33:33:00:00:00:01",
            "00:00:00:00:00:00",
            "00:00:5E:00:01:0A",
            "00:00:5E:00:02:0A",
            "00:00:0C:07:AC:01",
            "00:00:0C:9F:F0:01",
            "00:00:0C:9F:FF:FF",
            "00:05:73:A0:0F:FF",
            "00:07:B4:00:01:02",
        ] {
            assert!(!mac(text).is_identity(), "{text}");
        }
        for text in ["00:00:5E:00:03:01", "00:00:0C:9F:EF:01", "02:42:AC:11:00:02"] {
            assert!(mac(text).is_identity(), "{text}");
        }
        assert!(mac("FF:FF:FF:FF:FF:FF").is_broadcast());
        assert!(mac("02:42:AC:11:00:02").is_locally_administered());
        assert!(!mac("00:1A:2B:3C:4D:5E").is_locally_administered());
    }

    proptest! {
        #[test]
        fn every_address_survives_text_and_json(octets: [u8; 6]) {
            let mac = Mac::from(octets);
            prop_assert_eq!(mac.to_string().parse::<Mac>(), Ok(mac));
            let json = serde_json::to_string(&mac).unwrap();
            prop_assert_eq!(serde_json::from_str::<Mac>(&json).unwrap(), mac);
        }

        #[test]
        fn no_text_panics(text in "[0-9a-fA-F:.\\-é\0 ]{0,20}") {
            let _ = text.parse::<Mac>();
        }
    }
}
