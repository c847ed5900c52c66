//! The chassis of which a stack consists.

#[cfg(feature = "graphql")]
use async_graphql::{InputObject, SimpleObject};
#[cfg(feature = "sql")]
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Deserializer, Serialize};

use super::{Mac, object::Object, whole};

/// One device of a stack: an entry of class `chassis` inside one of class `stack`
/// (entPhysicalTable, ENTITY-MIB, RFC 6933).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "graphql", derive(SimpleObject, InputObject))]
#[cfg_attr(feature = "graphql", graphql(input_name = "StackMemberInput"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StackMember {
    /// Its number in the stack, 1 to 255 (entPhysicalParentRelPos).
    #[serde(default, deserialize_with = "whole::optional")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 255, example = 1))]
    pub number: Option<i32>,
    /// Its serial number (entPhysicalSerialNum).
    #[cfg_attr(feature = "openapi", schema(max_length = 4096))]
    pub serial_number: Option<String>,
    /// Its model (entPhysicalModelName).
    #[cfg_attr(feature = "openapi", schema(max_length = 4096))]
    pub model: Option<String>,
    /// Its MAC address.
    pub mac_address: Option<Mac>,
    /// The version of its software (entPhysicalSoftwareRev).
    #[cfg_attr(feature = "openapi", schema(max_length = 4096))]
    pub software_version: Option<String>,
}

/// The devices of a stack, stored as one JSON list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "sql", derive(FromJsonQueryResult))]
pub struct StackMembers(pub Vec<StackMember>);

impl<'de> Deserialize<'de> for StackMembers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = Vec::<Object<StackMember>>::deserialize(deserializer)?;
        Ok(Self(members.into_iter().map(|Object(member)| member).collect()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_not_known_of_a_member_is_null() {
        let members: StackMembers =
            serde_json::from_value(json!([{"number": 1.0, "mac_address": "0011.2233.4455"}, {}]))
                .unwrap();
        let blank = json!({"number": null, "serial_number": null, "model": null,
            "mac_address": null, "software_version": null});
        let mut first = blank.clone();
        first["number"] = json!(1);
        first["mac_address"] = json!("00:11:22:33:44:55");
        assert_eq!(json!(members), json!([first, blank]));
    }

    #[test]
    fn a_list_is_no_member() {
        for value in [json!([[1, "S1"]]), json!({}), json!([null]), json!([{"number": "1"}])] {
            assert!(serde_json::from_value::<StackMembers>(value.clone()).is_err(), "{value}");
        }
    }
}
