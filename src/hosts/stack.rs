//! The members of a stack, checked.

use async_graphql::MaybeUndefined;
use serde::{Deserialize as _, Deserializer};
use toposcope_types::{StackMember, StackMembers};

use crate::{
    error::{Error, Result},
    input::{given, text},
};

/// The maximum number of members of a stack.
const MAX_MEMBERS: usize = 64;
/// The highest number of a member.
const MAX_NUMBER: i32 = 255;

/// Reads a list of members or `null`.
pub fn given<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<MaybeUndefined<Vec<StackMember>>, D::Error> {
    let members = Option::<StackMembers>::deserialize(deserializer)?;
    Ok(given::said(members.map(|StackMembers(members)| members)))
}

/// Returns the given members, checked, or the stored ones if none are given.
pub fn or_stored(
    given: MaybeUndefined<Vec<StackMember>>,
    stored: Option<StackMembers>,
) -> Result<Option<StackMembers>> {
    match given {
        MaybeUndefined::Undefined => Ok(stored),
        MaybeUndefined::Null => Ok(None),
        MaybeUndefined::Value(members) => checked(members).map(Some),
    }
}

fn checked(members: Vec<StackMember>) -> Result<StackMembers> {
    if members.len() > MAX_MEMBERS {
        return Err(Error::MaxLength { field: "stack_members".to_owned(), max: MAX_MEMBERS });
    }
    let members = members.into_iter().enumerate().map(|(nth, member)| {
        let field = |name: &str| format!("stack_members[{nth}].{name}");
        if member.number.is_some_and(|number| !(1..=MAX_NUMBER).contains(&number)) {
            let (min, max) = (1, MAX_NUMBER.into());
            return Err(Error::OutOfRange { field: field("number"), min, max });
        }
        let text = |name: &str, value: Option<String>| {
            let text = text::optional(&field(name), value, text::MAX_TEXT)?;
            Ok::<_, Error>(text.filter(|text| !text.is_empty()))
        };
        Ok(StackMember {
            serial_number: text("serial_number", member.serial_number)?,
            model: text("model", member.model)?,
            software_version: text("software_version", member.software_version)?,
            ..member
        })
    });
    members.collect::<Result<_>>().map(StackMembers)
}
