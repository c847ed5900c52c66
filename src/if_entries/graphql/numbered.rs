//! Loads of interfaces by the numbers by which interfaces of the same device refer to each other.

use std::{collections::HashMap, sync::Arc};

use async_graphql::{Context, Result, dataloader::Loader};
use sea_orm::QueryFilter as _;
use toposcope_types::Id;

use super::{Entity, IfEntry};
use crate::{
    graphql::{
        context,
        loader::{self, Batch, LoadError},
    },
    if_entries::Column,
    resource::{Resource as _, page},
};

/// The column that holds the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Number {
    Own,
    Lag,
    Parent,
}

impl Number {
    const ALL: [Self; 3] = [Self::Own, Self::Lag, Self::Parent];

    const fn column(self) -> Column {
        match self {
            Self::Own => Column::IfIndex,
            Self::Lag => Column::LagIfIndex,
            Self::Parent => Column::ParentIfIndex,
        }
    }

    const fn of(self, entry: &IfEntry) -> Option<i32> {
        match self {
            Self::Own => Some(entry.if_index),
            Self::Lag => entry.lag_if_index,
            Self::Parent => entry.parent_if_index,
        }
    }
}

/// Loader key for the entries of one host that have one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Numbered {
    number: Number,
    host_id: Id,
    if_index: i32,
}

impl Loader<Numbered> for Batch {
    type Value = Arc<Vec<IfEntry>>;
    type Error = LoadError;

    async fn load(
        &self,
        keys: &[Numbered],
    ) -> std::result::Result<HashMap<Numbered, Self::Value>, LoadError> {
        let mut found: HashMap<Numbered, Vec<IfEntry>> =
            keys.iter().map(|key| (*key, Vec::new())).collect();
        let (app, db) = (&self.app, self.app.db.reader());
        for number in Number::ALL {
            let keys = keys.iter().filter(|key| key.number == number);
            let (mut hosts, mut numbers): (Vec<Id>, Vec<i32>) =
                keys.map(|key| (key.host_id, key.if_index)).unzip();
            if hosts.is_empty() {
                continue;
            }
            hosts.sort_unstable();
            hosts.dedup();
            numbers.sort_unstable();
            numbers.dedup();
            let select = Entity::visible_to(&self.viewer)
                .filter(app.db.ids(hosts).includes(Column::HostId))
                .filter(app.db.numbers(&numbers, number.column()));
            let rows = page::ordered(db, select, &[]).all(db).await;
            for row in rows.map_err(|error| Arc::new(error.into()))? {
                // A number that is asked of one host is read of all of them.
                let Some(if_index) = number.of(&row) else { continue };
                let key = Numbered { number, host_id: row.host_id, if_index };
                if let Some(entries) = found.get_mut(&key) {
                    entries.push(row);
                }
            }
        }
        for entries in found.values_mut() {
            entries.sort_by_key(|entry| entry.if_index);
        }
        Ok(loader::shared(found))
    }
}

/// Returns the entry of a host with this ifIndex.
async fn at(context: &Context<'_>, host_id: Id, number: Option<i32>) -> Result<Option<IfEntry>> {
    let Some(if_index) = number else { return Ok(None) };
    let key = Numbered { number: Number::Own, host_id, if_index };
    let found = loader::loaders(context)?.load_one(key).await?.unwrap_or_default();
    Ok(found.first().cloned())
}

/// Returns the entries of the host of `entry` that refer to it, by number.
async fn referring(context: &Context<'_>, number: Number, entry: &IfEntry) -> Result<Vec<IfEntry>> {
    let key = Numbered { number, host_id: entry.host_id, if_index: entry.if_index };
    let found = loader::loaders(context)?.load_one(key).await?;
    Ok(context::list(context, found)?)
}

/// Returns the aggregate that an entry is a member of.
pub(super) async fn lag(context: &Context<'_>, entry: &IfEntry) -> Result<Option<IfEntry>> {
    at(context, entry.host_id, entry.lag_if_index).await
}

/// Returns the members of an aggregate.
pub(super) async fn lag_members(context: &Context<'_>, entry: &IfEntry) -> Result<Vec<IfEntry>> {
    referring(context, Number::Lag, entry).await
}

/// Returns the interface that an entry runs over.
pub(super) async fn parent(context: &Context<'_>, entry: &IfEntry) -> Result<Option<IfEntry>> {
    at(context, entry.host_id, entry.parent_if_index).await
}

/// Returns the interfaces that run over an entry.
pub(super) async fn subinterfaces(context: &Context<'_>, entry: &IfEntry) -> Result<Vec<IfEntry>> {
    referring(context, Number::Parent, entry).await
}
