//! Writing what was worked out, where it is not as it was.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sea_orm::{
    ActiveModelTrait as _, ConnectionTrait, DbBackend, EntityTrait as _, IntoActiveModel as _,
    Iterable as _, Statement, Value,
    sea_query::{Alias, Expr, ExprTrait as _, OnConflict, Query},
};

use super::{
    entity::{self, Model as Resolution},
    observation::Method,
    read::{Reader, column},
    settle::Neighbors,
};
use crate::{changes::chunks, error::Result, if_entries::NeighborId, types::Id};

/// Gives devices these keys, and no others.
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
    let rows = hosts.iter().flat_map(|(host, keys)| keys.iter().map(|key| (*host, key.as_str())));
    for rows in chunks(rows.collect(), reader.sets.variables() / 3) {
        let mut insert = Query::insert();
        insert
            .into_table(Alias::new("host_key"))
            .columns(["network_id", "host_id", "key"].map(Alias::new));
        for (host, key) in rows {
            insert.values_panic([reader.network_id.into(), host.into(), Expr::val(key)]);
        }
        reader.db.execute(&insert).await?;
    }
    Ok(())
}

/// How resolutions differ from those that are stored.
#[derive(Debug)]
pub(super) struct Difference {
    gone: Vec<(Id, Method, i32)>,
    written: Vec<Resolution>,
    /// The ports that may be connected otherwise now.
    pub(super) ports: BTreeSet<Id>,
}

impl Difference {
    /// What there is in `after` and was not in `before`, and the other way round.
    pub(super) fn between(before: &[Resolution], after: Vec<Resolution>) -> Self {
        let mut stored: HashMap<_, _> = before.iter().map(|row| (row.key(), row)).collect();
        let (mut written, mut ports) = (Vec::new(), BTreeSet::new());
        let mut concerned = |row: &Resolution| {
            ports.insert(row.if_entry_id);
            ports.extend(row.far_port());
        };
        for row in after {
            let old = stored.remove(&row.key());
            if old != Some(&row) {
                old.into_iter().for_each(&mut concerned);
                concerned(&row);
                written.push(row);
            }
        }
        stored.values().for_each(|row| concerned(row));
        Self { gone: stored.into_keys().collect(), written, ports }
    }
}

/// Replaces resolutions.
pub(super) async fn replace<C: ConnectionTrait>(
    reader: &Reader<'_, C>,
    difference: &Difference,
) -> Result<()> {
    remove(reader, &difference.gone).await?;
    let columns = entity::Column::iter().count();
    for rows in difference.written.chunks(reader.sets.variables() / columns) {
        let rows = rows.iter().map(|row| row.clone().into_active_model().reset_all());
        let key = [entity::Column::IfEntryId, entity::Column::Method, entity::Column::Position];
        let replace = OnConflict::columns(key)
            .update_columns(
                entity::Column::iter()
                    .filter(|column| !key.iter().any(|part| *part as usize == *column as usize)),
            )
            .to_owned();
        entity::Entity::insert_many(rows)
            .on_conflict(replace)
            .exec_without_returning(reader.db)
            .await?;
    }
    Ok(())
}

/// Removes resolutions: by port, since most ports lose all of one kind at once.
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
            .from_table(entity::Entity)
            .and_where(column("network_id").ne(reader.network_id).not())
            .and_where(column("method").eq(method))
            .and_where(column("position").eq(position))
            .and_where(reader.sets.ids(ports).includes(column("if_entry_id")))
            .to_owned();
        reader.db.execute(&delete).await?;
    }
    Ok(())
}

/// Sets what ports are connected to, where it is not that already and no person said so.
pub(super) async fn neighbors<C: ConnectionTrait>(
    reader: &Reader<'_, C>,
    neighbors: &Neighbors,
) -> Result<()> {
    let backend = reader.db.get_database_backend();
    let mut rows: Vec<_> = neighbors.iter().collect();
    rows.sort_unstable_by_key(|(port, _)| **port);
    for rows in chunks(rows, reader.sets.variables() / 3) {
        let mut values = Vec::with_capacity(rows.len() * 3);
        for (port, neighbor) in &rows {
            let (far_port, far_host) = NeighborId::columns(**neighbor);
            values.extend([Value::from(**port), far_port.into(), far_host.into()]);
        }
        let sql = update(backend, rows.len());
        reader.db.execute_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
    }
    Ok(())
}

/// The builder has no word for an update from a list of values; both databases spell it alike.
fn update(backend: DbBackend, rows: usize) -> String {
    let row = |nth: usize| match backend {
        DbBackend::Postgres => {
            let first = nth * 3 + 1;
            format!("(${}::uuid,${}::uuid,${}::uuid)", first, first + 1, first + 2)
        }
        _ => "(?,?,?)".to_owned(),
    };
    let rows = (0..rows).map(row).collect::<Vec<_>>().join(",");
    format!(
        "WITH settled (id, port, host) AS (VALUES {rows}) \
         UPDATE if_entry SET neighbor_if_entry_id = settled.port, neighbor_host_id = settled.host \
         FROM settled WHERE if_entry.id = settled.id AND NOT if_entry.neighbor_pinned \
         AND (if_entry.neighbor_if_entry_id IS DISTINCT FROM settled.port \
         OR if_entry.neighbor_host_id IS DISTINCT FROM settled.host)"
    )
}
