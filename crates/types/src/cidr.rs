//! Address ranges in CIDR notation, each with one spelling.

use std::fmt::{self, Debug, Display, Formatter};
use std::net::Ipv4Addr;
use std::str::FromStr;

#[cfg(feature = "graphql")]
use async_graphql::{InputValueResult, Scalar, ScalarType, Value};
use ipnet::{IpNet, Ipv4Net};
#[cfg(feature = "sql")]
use sea_orm::DeriveValueType;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "openapi")]
use utoipa::openapi::{RefOr, Schema};

use super::{IpAddress, parse};

/// A range of addresses in CIDR notation, whose host bits are zero: `10.0.0.0/24`, `2001:db8::/32`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "sql", derive(DeriveValueType))]
#[cfg_attr(feature = "sql", sea_orm(value_type = "String", column_type = "Text"))]
pub struct Cidr(IpNet);

/// An error for text that is not an address range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CidrError {
    /// The text is not an address with a prefix length.
    #[error("not a CIDR: expected an address and a prefix length, such as `10.0.0.0/24`")]
    Malformed,
    /// The text names an address inside a range, not the range itself.
    #[error("`{given}` has host bits set: write `{range}`")]
    HostBits {
        /// The given address and prefix length.
        given: IpNet,
        /// The range that contains the address.
        range: Cidr,
    },
}

impl Cidr {
    /// The range of all IPv4 addresses.
    pub const EVERYWHERE: Self = Self(IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::UNSPECIFIED, 0)));

    /// Returns the range that contains an interface's address with its prefix length.
    pub fn containing(address: IpNet) -> Self {
        Self(address.trunc())
    }

    /// Returns the range as a network, for arithmetic.
    pub const fn network(self) -> IpNet {
        self.0
    }

    /// Returns whether the range contains an address.
    pub fn contains(self, address: IpAddress) -> bool {
        self.0.contains(&address.addr())
    }
}

impl TryFrom<IpNet> for Cidr {
    type Error = CidrError;

    fn try_from(given: IpNet) -> Result<Self, CidrError> {
        let range = Self::containing(given);
        if range.0 == given { Ok(range) } else { Err(CidrError::HostBits { given, range }) }
    }
}

impl From<Cidr> for IpNet {
    fn from(cidr: Cidr) -> Self {
        cidr.0
    }
}

impl FromStr for Cidr {
    type Err = CidrError;

    fn from_str(text: &str) -> Result<Self, CidrError> {
        text.parse::<IpNet>().map_err(|_| CidrError::Malformed)?.try_into()
    }
}

impl Display for Cidr {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, formatter)
    }
}

impl Debug for Cidr {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, formatter)
    }
}

impl Serialize for Cidr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Cidr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parse::serde_string(deserializer, "a range of addresses in CIDR notation")
    }
}

/// A range of IPv4 or IPv6 addresses in CIDR notation, with its host bits zero: `10.0.0.0/24`.
#[cfg(feature = "graphql")]
#[Scalar(
    name = "Cidr",
    specified_by_url = "https://datatracker.ietf.org/doc/html/rfc4632#section-3.1"
)]
impl ScalarType for Cidr {
    fn parse(value: Value) -> InputValueResult<Self> {
        parse::graphql_string(&value)
    }

    fn to_value(&self) -> Value {
        Value::String(self.to_string())
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Cidr {
    fn schema() -> RefOr<Schema> {
        parse::text_schema(
            Some("cidr"),
            Some("^[0-9A-Fa-f.:]+/[0-9]{1,3}$"),
            "A range of addresses in CIDR notation, with zeros in the host bits.",
            "192.0.2.0/24",
        )
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Cidr {}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn host_bits_are_refused_with_the_right_spelling() {
        for (text, message) in [
            ("10.0.0.5/24", "`10.0.0.5/24` has host bits set: write `10.0.0.0/24`"),
            ("2001:db8::1/32", "`2001:db8::1/32` has host bits set: write `2001:db8::/32`"),
            ("10.0.0.1/0", "`10.0.0.1/0` has host bits set: write `0.0.0.0/0`"),
        ] {
            assert_eq!(text.parse::<Cidr>().unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in ["", "10.0.0.0", "10.0.0.0/33", "10.0.0/24", "::/129", "10.0.0.0/24 ", "a/8"] {
            assert_eq!(text.parse::<Cidr>(), Err(CidrError::Malformed), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_range_survives_and_holds_its_addresses(address: IpAddr, prefix in 0_u8..=128) {
            let prefix = prefix.min(if address.is_ipv4() { 32 } else { 128 });
            let cidr = Cidr::containing(IpNet::new(address, prefix).unwrap());
            prop_assert!(cidr.contains(address.into()));
            prop_assert_eq!(cidr.to_string().parse::<Cidr>(), Ok(cidr));
            let json = serde_json::to_string(&cidr).unwrap();
            prop_assert_eq!(serde_json::from_str::<Cidr>(&json).unwrap(), cidr);
        }
    }
}
