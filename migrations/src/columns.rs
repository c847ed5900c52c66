//! Spellings that every step uses for columns, references and indexes.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectionTrait, DbBackend},
};

/// A new table with nothing in it.
pub(crate) fn table(name: &str) -> TableCreateStatement {
    Table::create().table(Alias::new(name)).to_owned()
}

/// A new table with the `id`, `created_at` and `updated_at` that every resource has.
pub(crate) fn resource(name: &str) -> TableCreateStatement {
    table(name)
        .col(uuid("id").primary_key())
        .col(time("created_at"))
        .col(time("updated_at"))
        .to_owned()
}

pub(crate) fn uuid(name: &str) -> ColumnDef {
    ColumnDef::new(Alias::new(name)).uuid().not_null().to_owned()
}

pub(crate) fn time(name: &str) -> ColumnDef {
    ColumnDef::new(Alias::new(name)).timestamp_with_time_zone().not_null().to_owned()
}

/// Text that sorts byte by byte and folds A to Z only, on both databases alike.
pub(crate) fn text(manager: &SchemaManager<'_>, name: &str) -> ColumnDef {
    let mut column = ColumnDef::new(Alias::new(name)).text().not_null().to_owned();
    if manager.get_database_backend() == DbBackend::Postgres {
        column.extra("COLLATE \"C\"");
    }
    column
}

pub(crate) fn nullable_text(manager: &SchemaManager<'_>, name: &str) -> ColumnDef {
    nullable(text(manager, name))
}

pub(crate) fn integer(name: &str) -> ColumnDef {
    ColumnDef::new(Alias::new(name)).integer().not_null().to_owned()
}

pub(crate) fn big_integer(name: &str) -> ColumnDef {
    ColumnDef::new(Alias::new(name)).big_integer().not_null().to_owned()
}

pub(crate) fn boolean(name: &str) -> ColumnDef {
    ColumnDef::new(Alias::new(name)).boolean().not_null().to_owned()
}

pub(crate) fn json(name: &str) -> ColumnDef {
    ColumnDef::new(Alias::new(name)).json().not_null().to_owned()
}

/// The same column, but one that may be empty.
pub(crate) fn nullable(mut column: ColumnDef) -> ColumnDef {
    column.null().to_owned()
}

/// `column` refers to `target.id` and goes when the target goes.
pub(crate) fn owned_by(column: &str, target: &str) -> ForeignKeyCreateStatement {
    reference(column, target, ForeignKeyAction::Cascade)
}

/// `column` refers to `target.id` and is emptied when the target goes.
pub(crate) fn pointer(column: &str, target: &str) -> ForeignKeyCreateStatement {
    reference(column, target, ForeignKeyAction::SetNull)
}

fn reference(column: &str, target: &str, on_delete: ForeignKeyAction) -> ForeignKeyCreateStatement {
    ForeignKey::create()
        .from_col(Alias::new(column))
        .to(Alias::new(target), Alias::new("id"))
        .on_delete(on_delete)
        .to_owned()
}

/// An index named after its table and columns.
pub(crate) fn index(table: &str, columns: &[&str]) -> IndexCreateStatement {
    let mut index = Index::create()
        .name(format!("{table}_{}", columns.join("_")))
        .table(Alias::new(table))
        .to_owned();
    for column in columns {
        index.col(Alias::new(*column));
    }
    index
}

/// An index behind a filter that compares a text without regard to case, within each network or
/// other `scope`.
pub(crate) async fn text_index(
    manager: &SchemaManager<'_>,
    table: &str,
    scope: &str,
    column: &str,
) -> Result<(), DbErr> {
    // Both databases spell an index over an expression alike; the builder has no word for it.
    let sql = format!(
        r#"CREATE INDEX "{table}_{scope}_lower_{column}" ON "{table}" ("{scope}", lower("{column}"))"#
    );
    manager.get_connection().execute_unprepared(&sql).await.map(drop)
}

/// An index that also forbids a second row with the same values.
pub(crate) fn unique(table: &str, columns: &[&str]) -> IndexCreateStatement {
    index(table, columns).name(format!("{table}_{}_key", columns.join("_"))).unique().to_owned()
}

/// A table of references in order: `owner` has `target` at `position`, each at most once.
pub(crate) async fn join_table(
    manager: &SchemaManager<'_>,
    name: &str,
    owner: &str,
    target: &str,
) -> Result<(), DbErr> {
    let (owner_id, target_id) = (format!("{owner}_id"), format!("{target}_id"));
    manager
        .create_table(
            table(name)
                .col(uuid(&owner_id))
                .col(uuid(&target_id))
                .col(integer("position").default(0))
                .primary_key(Index::create().col(Alias::new(&owner_id)).col(Alias::new(&target_id)))
                .foreign_key(&mut owned_by(&owner_id, owner))
                .foreign_key(&mut owned_by(&target_id, target))
                .to_owned(),
        )
        .await?;
    manager.create_index(index(name, &[&target_id])).await
}
