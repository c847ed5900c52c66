//! Counters that tell other processes of a change, and keys that reach every network.

use sea_orm_migration::prelude::*;

use crate::columns::{big_integer, boolean, table, text};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    #[expect(elided_lifetimes_in_paths, reason = "the trait is written without the lifetime")]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let signal = table("signal")
            .col(text(manager, "name").primary_key())
            .col(big_integer("value").default(0))
            .to_owned();
        manager.create_table(signal).await?;
        let mut names = Query::insert();
        names.into_table(Alias::new("signal")).columns([Alias::new("name")]);
        for name in ["auth", "probe"] {
            names.values_panic([Expr::val(name)]);
        }
        manager.exec_stmt(names).await?;
        let all = boolean("all_networks").default(false).to_owned();
        let keys = Table::alter().table(Alias::new("api_key")).add_column(all).to_owned();
        manager.alter_table(keys).await
    }
}
