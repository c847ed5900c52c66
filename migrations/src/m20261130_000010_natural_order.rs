//! Sort keys of names, by which numbers in them compare by value.

use std::collections::BTreeSet;

use sea_orm_migration::{prelude::*, sea_orm::ConnectionTrait};
use toposcope_types::natural::natural_key;

use crate::columns::{index, table, text};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Each table with its column of names, and the column that the rows of a list have in common, if
/// there can be many.
const NAMES: [(&str, &str, Option<&str>); 8] = [
    ("api_key", "name", Some("user_id")),
    ("group", "name", Some("network_id")),
    ("host", "name", Some("network_id")),
    ("if_entry", "if_descr", Some("network_id")),
    ("network", "name", None),
    ("service", "name", Some("network_id")),
    ("subnet", "name", Some("network_id")),
    ("tag", "name", Some("organization_id")),
];

/// A table of names with their keys, which is dropped in the end.
const KNOWN: &str = "known_name";
/// The number of names that one statement inserts.
const BATCH: usize = 500;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    #[expect(elided_lifetimes_in_paths, reason = "the trait is written without the lifetime")]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        know(manager).await?;
        for (table, name, scope) in NAMES {
            let key = format!("{name}_sort_key");
            let column = text(manager, &key).default("").to_owned();
            let add = Table::alter().table(Alias::new(table)).add_column(column).to_owned();
            manager.alter_table(add).await?;
            manager.execute(fill(table, name, &key)).await?;
            if let Some(scope) = scope {
                manager.create_index(index(table, &[scope, &key, "created_at", "id"])).await?;
            }
        }
        manager.drop_table(Table::drop().table(Alias::new(KNOWN)).to_owned()).await?;
        // The index by which services were ordered so far.
        let bytewise = Index::drop()
            .name("service_network_id_name_created_at_id")
            .table(Alias::new("service"))
            .to_owned();
        manager.drop_index(bytewise).await
    }
}

/// Writes down the key of every name.
async fn know(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let known = table(KNOWN)
        .col(text(manager, "name").primary_key())
        .col(text(manager, "sort_key"))
        .to_owned();
    manager.create_table(known).await?;
    let mut names = BTreeSet::new();
    for (table, name, _) in NAMES {
        let distinct =
            Query::select().distinct().column(Alias::new(name)).from(Alias::new(table)).to_owned();
        for row in manager.get_connection().query_all(&distinct).await? {
            names.insert(row.try_get_by_index::<String>(0)?);
        }
    }
    let names: Vec<String> = names.into_iter().collect();
    for names in names.chunks(BATCH) {
        let mut insert = Query::insert();
        insert.into_table(Alias::new(KNOWN)).columns(["name", "sort_key"].map(Alias::new));
        for name in names {
            insert.values_panic([Expr::val(name.as_str()), Expr::val(natural_key(name))]);
        }
        manager.execute(insert).await?;
    }
    Ok(())
}

/// Returns the statement that fills a column of keys.
fn fill(table: &str, name: &str, key: &str) -> UpdateStatement {
    let column = |table: &str, name: &str| Expr::col((Alias::new(table), Alias::new(name)));
    let known = Query::select()
        .expr(column(KNOWN, "sort_key"))
        .from(Alias::new(KNOWN))
        .and_where(column(KNOWN, "name").eq(column(table, name)))
        .to_owned();
    Query::update()
        .table(Alias::new(table))
        .value(Alias::new(key), SimpleExpr::SubQuery(None, Box::new(known.into())))
        .to_owned()
}
