//! Writes the resolutions and connections that have changed.

use std::collections::{BTreeMap, BTreeSet};

use sea_orm::{
    ConnectionTrait,
    sea_query::{Alias, ExprTrait as _, Query},
};
use toposcope_topology::resolution::resolved::Resolution;
use toposcope_types::{Id, Method, NeighborId, Timestamp};

use super::reader::{Reader, column};
use crate::{
    db::{
        bulk_rows::{self, Holds},
        columns::{FromColumns as _, IntoColumns as _, Values},
    },
    error::Result,
};

/// Sets the keys of devices, and deletes their other keys.
pub(super) async fn host_keys<C: ConnectionTrait>(
    reader: &Reader<'_, C>,
    hosts: &BTreeMap<Id, BTreeSet<String>>,
) -> Result<()> {
    if hosts.is_empty() {
        return Ok(());
    }
    let ids = reader.sets.ids(hosts.keys().copied().collect::<Vec<_>>());
    let delete = Query::delete()
        .from_table(Alias::new("host_key"))
        .and_where(ids.includes(column("host_id")))
        .to_owned();
    reader.db.execute(&delete).await?;
    let rows = hosts.iter().flat_map(|(host, keys)| keys.iter().map(|key| (*host, key)));
    let rows: Vec<(Id, Id, &String)> =
        rows.map(|(host, key)| (reader.network_id, host, key)).collect();
    let columns = [("network_id", Holds::Id), ("host_id", Holds::Id), ("key", Holds::Text)];
    bulk_rows::each(reader.db, &columns, &rows, |rows| {
        format!(r#"INSERT INTO host_key (network_id, host_id, "key") {rows}"#)
    })
    .await
}

/// The differences between new and stored resolutions.
#[derive(Debug, Default)]
pub(super) struct Difference {
    gone: Vec<(Id, Method, i32)>,
    written: Vec<Resolution>,
    /// The ports whose connection may have changed, some of them twice.
    pub(super) ports: Vec<Id>,
    /// Whether any of the differences is a pin.
    pub(super) pins: bool,
}

impl Difference {
    /// Adds the differences between `before` and `after`.
    pub(super) fn add(&mut self, mut before: Vec<Resolution>, after: Vec<Resolution>) {
        before.sort_unstable_by_key(Resolution::key);
        let mut kept = vec![false; before.len()];
        for row in after {
            let old = before.binary_search_by_key(&row.key(), Resolution::key).ok();
            if let Some(old) = old {
                kept[old] = true;
            }
            let old = old.map(|old| &before[old]);
            if old != Some(&row) {
                old.into_iter().chain([&row]).for_each(|row| self.concern(row));
                self.written.push(row);
            }
        }
        for (row, _) in before.iter().zip(kept).filter(|(_, kept)| !kept) {
            self.concern(row);
            self.gone.push(row.key());
        }
    }

    fn concern(&mut self, row: &Resolution) {
        self.ports.extend(row.ports());
        self.pins |= row.method == Method::Pinned;
    }
}

/// Replaces resolutions.
pub(super) async fn replace<C: ConnectionTrait>(
    reader: &Reader<'_, C>,
    difference: &Difference,
) -> Result<()> {
    remove(reader, &difference.gone).await?;
    let identifying = ["if_entry_id", "method", "position"];
    let others = Resolution::NAMES.iter().filter(|name| !identifying.contains(name));
    let set = others.map(|name| format!("{name} = excluded.{name}")).collect::<Vec<_>>().join(", ");
    let (names, key) = (Resolution::NAMES.join(", "), identifying.join(", "));
    let rows: Vec<_> = difference.written.iter().map(Values).collect();
    bulk_rows::each(reader.db, Resolution::HOLD, &rows, |rows| {
        format!("INSERT INTO resolution ({names}) {rows} ON CONFLICT ({key}) DO UPDATE SET {set}")
    })
    .await
}

/// Deletes resolutions by port, since most ports lose all of one kind at once.
async fn remove<C: ConnectionTrait>(
    reader: &Reader<'_, C>,
    gone: &[(Id, Method, i32)],
) -> Result<()> {
    let mut by_kind: BTreeMap<_, Vec<Id>> = BTreeMap::new();
    for (port, method, position) in gone {
        by_kind.entry((*method, *position)).or_default().push(*port);
    }
    for ((method, position), ports) in by_kind {
        let delete = Query::delete()
            .from_table(Alias::new("resolution"))
            .and_where(column("network_id").ne(reader.network_id).not())
            .and_where(column("method").eq(method))
            .and_where(column("position").eq(position))
            .and_where(reader.sets.ids(ports).includes(column("if_entry_id")))
            .to_owned();
        reader.db.execute(&delete).await?;
    }
    Ok(())
}

/// Sets the connections of ports that differ, unless a person pinned them. Each such port becomes a
/// new version, unless it is `written` anyway. Returns the new versions, with their ports and
/// hosts.
pub(super) async fn neighbors<C: ConnectionTrait>(
    reader: &Reader<'_, C>,
    neighbors: &[(Id, Option<NeighborId>)],
    written: &BTreeSet<Id>,
    now: Timestamp,
) -> Result<Vec<(Id, Id, Timestamp)>> {
    let row = |(port, neighbor): &(Id, Option<NeighborId>)| {
        let (far_port, far_host) = NeighborId::columns(*neighbor);
        (*port, far_port, far_host, written.contains(port))
    };
    let rows: Vec<_> = neighbors.iter().map(row).collect();
    let columns =
        [("id", Holds::Id), ("port", Holds::Id), ("host", Holds::Id), ("written", Holds::Flag)];
    let after = reader.sets.moment_after("if_entry.updated_at");
    let sql = |rows: &str| {
        format!(
            "WITH settled AS MATERIALIZED ({rows}) UPDATE if_entry \
             SET neighbor_if_entry_id = settled.port, neighbor_host_id = settled.host, \
             updated_at = CASE WHEN settled.written THEN if_entry.updated_at \
             WHEN if_entry.updated_at < $2 THEN $2 ELSE {after} END \
             FROM settled WHERE if_entry.id = settled.id AND NOT if_entry.neighbor_pinned \
             AND (if_entry.neighbor_if_entry_id IS DISTINCT FROM settled.port \
             OR if_entry.neighbor_host_id IS DISTINCT FROM settled.host) \
             RETURNING if_entry.id, if_entry.host_id, if_entry.updated_at"
        )
    };
    let moved = bulk_rows::returned(reader.db, &columns, &rows, &[now.into()], sql).await?;
    let moved = moved.iter().map(|row| {
        let (port, host) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        Ok((port, host, row.try_get_by_index(2)?))
    });
    let moved: Vec<(Id, Id, Timestamp)> = moved.collect::<Result<_>>()?;
    Ok(moved.into_iter().filter(|(port, ..)| !written.contains(port)).collect())
}

/// Creates a new version of hosts whose ports show something else.
pub(super) async fn touch_hosts<C: ConnectionTrait>(
    reader: &Reader<'_, C>,
    hosts: BTreeSet<Id>,
    now: Timestamp,
) -> Result<()> {
    if hosts.is_empty() {
        return Ok(());
    }
    let hosts = reader.sets.ids(hosts.into_iter().collect::<Vec<_>>());
    let touch = Query::update()
        .table(Alias::new("host"))
        .value(Alias::new("updated_at"), reader.sets.later("updated_at", now))
        .and_where(hosts.includes(column("id")))
        .to_owned();
    reader.db.execute(&touch).await?;
    Ok(())
}
