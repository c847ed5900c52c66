//! Lists of MAC addresses; long ones are loaded on demand.

use std::fmt::Formatter;

#[cfg(feature = "sql")]
use sea_orm::FromJsonQueryResult;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{SeqAccess, Visitor},
};

use super::{Mac, late};

/// MAC addresses, stored as one JSON list. Queries that read many rows leave long lists for later.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(FromJsonQueryResult))]
pub enum MacList {
    /// The addresses.
    Read(Vec<Mac>),
    /// The size in bytes of a list that is not read yet.
    Late(u64),
}

impl MacList {
    /// Returns the addresses, or none if they are not read yet.
    pub fn macs(&self) -> &[Mac] {
        match self {
            Self::Read(macs) => macs,
            Self::Late(_) => &[],
        }
    }
}

impl Serialize for MacList {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Read(macs) => macs.serialize(serializer),
            Self::Late(_) => late::unread(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for MacList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct ListOrSize;

        impl<'de> Visitor<'de> for ListOrSize {
            type Value = MacList;

            fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of MAC addresses")
            }

            fn visit_u64<E>(self, bytes: u64) -> std::result::Result<MacList, E> {
                Ok(MacList::Late(bytes))
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut list: A,
            ) -> std::result::Result<MacList, A::Error> {
                let mut macs = Vec::with_capacity(list.size_hint().unwrap_or_default());
                while let Some(mac) = list.next_element()? {
                    macs.push(mac);
                }
                Ok(MacList::Read(macs))
            }
        }

        deserializer.deserialize_any(ListOrSize)
    }
}
