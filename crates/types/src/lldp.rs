//! The names that a device announces for itself and its port to its neighbors (IEEE 802.1AB).

#[cfg(feature = "graphql")]
use async_graphql::{Enum, InputObject, SimpleObject};
#[cfg(feature = "sql")]
use sea_orm::{DeriveActiveEnum, EnumIter};
use serde::{Deserialize, Serialize};

use std::net::IpAddr;

use super::{IpAddress, Mac};

/// The kind of name in a chassis id (IEEE 802.1AB, 8.5.2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
pub enum ChassisIdSubtype {
    /// The name of a chassis component, `entPhysicalAlias` (subtype 1).
    ChassisComponent,
    /// The alias of an interface, `ifAlias` (subtype 2).
    InterfaceAlias,
    /// The name of a port or backplane component, `entPhysicalAlias` (subtype 3).
    PortComponent,
    /// A MAC address (subtype 4).
    MacAddress,
    /// A network address, as text or as the octets of its family and value (subtype 5).
    NetworkAddress,
    /// The name of an interface, `ifName` (subtype 6).
    InterfaceName,
    /// A name that the device assigned itself (subtype 7).
    LocallyAssigned,
}

/// The kind of name in a port id (IEEE 802.1AB, 8.5.3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(Enum))]
#[cfg_attr(feature = "sql", derive(EnumIter, DeriveActiveEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "sql",
    sea_orm(rs_type = "String", db_type = "Text", rename_all = "PascalCase")
)]
pub enum PortIdSubtype {
    /// The alias of the interface, `ifAlias` (subtype 1).
    InterfaceAlias,
    /// The name of the port component, `entPhysicalAlias` (subtype 2).
    PortComponent,
    /// A MAC address (subtype 3).
    MacAddress,
    /// A network address, as text or as the octets of its family and value (subtype 4).
    NetworkAddress,
    /// The name of the interface, `ifName` (subtype 5).
    InterfaceName,
    /// The circuit id of a DHCP relay agent (RFC 3046) (subtype 6).
    AgentCircuitId,
    /// A name that the device assigned itself (subtype 7).
    LocallyAssigned,
}

/// The name by which a device announces itself (IEEE 802.1AB, 8.5.2).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(SimpleObject, InputObject))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "graphql", graphql(input_name = "LldpChassisIdInput"))]
pub struct LldpChassisId {
    /// The kind of name in `value`.
    pub subtype: ChassisIdSubtype,
    /// The name; a MAC address is uppercase with colons.
    pub value: String,
}

/// The name by which a device announces the port on which neighbors hear it (IEEE 802.1AB, 8.5.3).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(SimpleObject, InputObject))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "graphql", graphql(input_name = "LldpPortIdInput"))]
pub struct LldpPortId {
    /// The kind of name in `value`.
    pub subtype: PortIdSubtype,
    /// The name; a MAC address is uppercase with colons.
    pub value: String,
}

impl LldpChassisId {
    /// Converts the raw octets of a network address to text, the only form that can be stored.
    #[must_use]
    pub fn legible(self) -> Self {
        let is_address = self.subtype == ChassisIdSubtype::NetworkAddress;
        let octets = is_address.then(|| network_address(&self.value)).flatten();
        let value = octets.map_or(self.value, |address| address.to_string());
        Self { value, ..self }
    }

    /// Rewrites a MAC address to its canonical spelling; other values stay as sent.
    #[must_use]
    pub fn normalised(self) -> Self {
        let value = self.mac().map_or(self.value, |mac| mac.to_string());
        Self { value, ..self }
    }

    /// Returns the MAC address, if the device identifies itself by one.
    pub fn mac(&self) -> Option<Mac> {
        (self.subtype == ChassisIdSubtype::MacAddress).then(|| self.value.parse().ok())?
    }
}

impl LldpPortId {
    /// Converts the raw octets of a network address to text, the only form that can be stored.
    #[must_use]
    pub fn legible(self) -> Self {
        let is_address = self.subtype == PortIdSubtype::NetworkAddress;
        let octets = is_address.then(|| network_address(&self.value)).flatten();
        let value = octets.map_or(self.value, |address| address.to_string());
        Self { value, ..self }
    }

    /// Rewrites a MAC address to its canonical spelling; other values stay as sent.
    #[must_use]
    pub fn normalised(self) -> Self {
        let value = self.mac().map_or(self.value, |mac| mac.to_string());
        Self { value, ..self }
    }

    /// Returns the MAC address, if the device identifies the port by one.
    pub fn mac(&self) -> Option<Mac> {
        (self.subtype == PortIdSubtype::MacAddress).then(|| self.value.parse().ok())?
    }
}

/// Decodes an address from raw octets, one character each: its family number, then the address
/// (IEEE 802.1AB, 8.5.2.2; IANA address family numbers: 1 with four octets, 2 with sixteen).
pub fn network_address(octets: &str) -> Option<IpAddress> {
    let octets: Option<Vec<u8>> =
        octets.chars().map(|one| u8::try_from(u32::from(one)).ok()).collect();
    of_family(&octets?)
}

/// Decodes an address that follows its family number.
pub fn of_family(octets: &[u8]) -> Option<IpAddress> {
    let address: IpAddr = match octets {
        [1, four @ ..] => <[u8; 4]>::try_from(four).ok()?.into(),
        [2, sixteen @ ..] => <[u8; 16]>::try_from(sixteen).ok()?.into(),
        _ => return None,
    };
    Some(address.to_canonical().into())
}

#[cfg(test)]
mod tests {
    use async_graphql::{EmptyMutation, EmptySubscription, Object, Schema};
    use sea_orm::{ActiveEnum, Iterable};
    use serde_json::json;

    use super::*;

    struct Query;

    #[Object]
    impl Query {
        async fn chassis(&self, id: LldpChassisId) -> LldpChassisId {
            id
        }

        async fn port(&self, id: LldpPortId) -> LldpPortId {
            id
        }
    }

    fn chassis(subtype: ChassisIdSubtype, value: &str) -> LldpChassisId {
        LldpChassisId { subtype, value: value.to_owned() }
    }

    #[test]
    fn a_mac_address_gets_its_one_spelling_and_other_names_stay() {
        let id = chassis(ChassisIdSubtype::MacAddress, "0011.2233.44aa").normalised();
        assert_eq!(id.value, "00:11:22:33:44:AA");
        assert_eq!(id.mac().map(|mac| mac.to_string()), Some(id.value));
        let id = chassis(ChassisIdSubtype::LocallyAssigned, "0011.2233.44aa").normalised();
        assert_eq!(id.value, "0011.2233.44aa");
        assert_eq!(id.mac(), None);
        let odd = chassis(ChassisIdSubtype::MacAddress, "Not Advertised");
        assert_eq!(odd.clone().normalised(), odd);
        let id = LldpPortId { subtype: PortIdSubtype::MacAddress, value: "0:1:2:3:4:5".to_owned() };
        assert_eq!(id.normalised().value, "00:01:02:03:04:05");
    }

    #[test]
    fn subtypes_are_stored_as_they_are_written_in_json() {
        for subtype in ChassisIdSubtype::iter() {
            assert_eq!(json!(subtype), json!(subtype.to_value()));
        }
        for subtype in PortIdSubtype::iter() {
            assert_eq!(json!(subtype), json!(subtype.to_value()));
        }
    }

    #[tokio::test]
    async fn graphql_takes_and_gives_the_same_shape() {
        let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
        let answer = schema
            .execute(
                r#"{ chassis(id: {subtype: MAC_ADDRESS, value: "x"}) { subtype value }
                     port(id: {subtype: AGENT_CIRCUIT_ID, value: "y"}) { subtype value } }"#,
            )
            .await;
        assert_eq!(
            answer.data.into_json().unwrap(),
            json!({"chassis": {"subtype": "MAC_ADDRESS", "value": "x"},
                   "port": {"subtype": "AGENT_CIRCUIT_ID", "value": "y"}})
        );
        for type_name in ["input LldpChassisIdInput {", "type LldpPortId {"] {
            assert!(schema.sdl().contains(type_name));
        }
    }
}
