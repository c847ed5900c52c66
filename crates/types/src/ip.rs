//! Addresses of interfaces.

use std::fmt::{self, Debug, Display, Formatter};
use std::net::IpAddr;
use std::str::FromStr;

#[cfg(feature = "graphql")]
use async_graphql::{InputValueResult, Scalar, ScalarType, Value};
#[cfg(feature = "sql")]
use sea_orm::DeriveValueType;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "openapi")]
use utoipa::openapi::schema::AnyOfBuilder;
#[cfg(feature = "openapi")]
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, SchemaFormat, Type};

use super::parse;

/// An IPv4 or IPv6 address, IPv6 in the spelling of RFC 5952.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "sql", derive(DeriveValueType))]
#[cfg_attr(feature = "sql", sea_orm(value_type = "String", column_type = "Text"))]
pub struct IpAddress(IpAddr);

/// An error for text that is not an IP address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an IP address: expected `192.0.2.7` or `2001:db8::7`, without prefix length or zone")]
pub struct IpAddressError;

impl IpAddress {
    /// Returns the underlying address, for arithmetic.
    pub const fn addr(self) -> IpAddr {
        self.0
    }

    /// Returns whether it can identify one host: not unspecified, loopback, link-local, multicast
    /// or broadcast.
    pub const fn is_identity(self) -> bool {
        match self.0.to_canonical() {
            IpAddr::V4(address) => {
                !(address.is_unspecified()
                    || address.is_loopback()
                    || address.is_link_local()
                    || address.is_multicast()
                    || address.is_broadcast())
            }
            IpAddr::V6(address) => {
                !(address.is_unspecified()
                    || address.is_loopback()
                    || address.is_unicast_link_local()
                    || address.is_multicast())
            }
        }
    }
}

impl From<IpAddr> for IpAddress {
    fn from(address: IpAddr) -> Self {
        Self(address)
    }
}

impl From<IpAddress> for IpAddr {
    fn from(address: IpAddress) -> Self {
        address.0
    }
}

impl FromStr for IpAddress {
    type Err = IpAddressError;

    fn from_str(text: &str) -> Result<Self, IpAddressError> {
        text.parse().map(Self).map_err(|_| IpAddressError)
    }
}

impl Display for IpAddress {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, formatter)
    }
}

impl Debug for IpAddress {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, formatter)
    }
}

impl Serialize for IpAddress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for IpAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parse::serde_string(deserializer, "an IP address")
    }
}

/// An IPv4 or IPv6 address without a prefix length: `192.0.2.7`, `2001:db8::7`.
#[cfg(feature = "graphql")]
#[Scalar(
    name = "IpAddress",
    specified_by_url = "https://datatracker.ietf.org/doc/html/rfc4291#section-2.2"
)]
impl ScalarType for IpAddress {
    fn parse(value: Value) -> InputValueResult<Self> {
        parse::graphql_string(&value)
    }

    fn to_value(&self) -> Value {
        Value::String(self.to_string())
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for IpAddress {
    fn schema() -> RefOr<Schema> {
        let spelled = |format: &str| {
            let format = SchemaFormat::Custom(format.to_owned());
            ObjectBuilder::new().schema_type(Type::String).format(Some(format))
        };
        AnyOfBuilder::new()
            .item(spelled("ipv4"))
            .item(spelled("ipv6"))
            .description(Some("An IPv4 or IPv6 address, without a prefix length or zone."))
            .examples(["192.0.2.7"])
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for IpAddress {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_address_has_one_spelling() {
        for (text, expected) in [
            ("192.0.2.7", "192.0.2.7"),
            ("2001:DB8:0:0:0:0:0:7", "2001:db8::7"),
            ("::ffff:192.0.2.7", "::ffff:192.0.2.7"),
        ] {
            assert_eq!(text.parse::<IpAddress>().unwrap().to_string(), expected);
        }
        for text in ["", "192.0.2", "192.0.2.07", "192.0.2.7/24", "fe80::1%eth0", " ::1"] {
            assert_eq!(text.parse::<IpAddress>(), Err(IpAddressError), "{text}");
        }
    }

    #[test]
    fn addresses_of_many_or_none_name_no_host() {
        for text in
            ["0.0.0.0", "127.0.0.1", "169.254.3.4", "224.0.0.5", "::", "::1", "fe80::1", "ff02::1"]
        {
            assert!(!text.parse::<IpAddress>().unwrap().is_identity(), "{text}");
        }
        for text in ["10.0.0.1", "2001:db8::1", "fd00::1"] {
            assert!(text.parse::<IpAddress>().unwrap().is_identity(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_address_survives_text_and_json(address: IpAddr) {
            let address = IpAddress::from(address);
            prop_assert_eq!(address.to_string().parse::<IpAddress>(), Ok(address));
            let json = serde_json::to_string(&address).unwrap();
            prop_assert_eq!(serde_json::from_str::<IpAddress>(&json).unwrap(), address);
        }
    }
}
