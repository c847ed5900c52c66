//! Forwarding tables: one may be a thousand times as long as the rest of its row.

use std::{collections::HashMap, fmt::Formatter};

use sea_orm::{ConnectionTrait, FromJsonQueryResult, QueryFilter as _, QuerySelect as _};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{SeqAccess, Visitor},
};

use super::{Column, Entity, IfEntry};
use crate::{
    app::App,
    auth::Viewer,
    db::{Resource as _, long},
    error::Result,
    types::{Id, Mac},
};

/// MAC addresses, stored as one JSON list. Where many rows are read, long ones are left for later.
#[derive(Clone, Debug, PartialEq, Eq, FromJsonQueryResult)]
pub enum MacList {
    /// All of them.
    Read(Vec<Mac>),
    /// So many bytes of them, that are not read yet.
    Late(u64),
}

impl MacList {
    /// The addresses, if they were read.
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
            Self::Late(_) => long::unread(serializer),
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

impl IfEntry {
    /// How many bytes of its forwarding table are not read yet.
    pub fn late(&self) -> u64 {
        match self.fdb_macs {
            Some(MacList::Late(bytes)) => bytes,
            _ => 0,
        }
    }
}

/// The forwarding tables of entries, in one statement.
pub async fn tables(
    app: &App,
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    entries: Vec<Id>,
) -> Result<HashMap<Id, MacList>> {
    let rows: Vec<(Id, Option<MacList>)> = Entity::visible_to(viewer)
        .filter(app.db.ids(entries).includes(Column::Id))
        .select_only()
        .columns([Column::Id, Column::FdbMacs])
        .into_tuple()
        .all(db)
        .await?;
    Ok(rows.into_iter().filter_map(|(id, table)| Some((id, table?))).collect())
}

/// Reads into entries the forwarding tables that were left for later.
pub async fn read_tables(
    app: &App,
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    mut entries: Vec<&mut IfEntry>,
) -> Result<()> {
    entries.retain(|entry| entry.late() > 0);
    if entries.is_empty() {
        return Ok(());
    }
    let ids = entries.iter().map(|entry| entry.id).collect();
    let mut tables = tables(app, db, viewer, ids).await?;
    for entry in entries {
        // One that has gone meanwhile has no table.
        entry.fdb_macs = tables.remove(&entry.id);
    }
    Ok(())
}
