//! Which ports of a neighbor are left where what it says leaves several.

use sea_orm_migration::prelude::*;

use crate::columns::nullable_text;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    #[expect(elided_lifetimes_in_paths, reason = "the trait is written without the lifetime")]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let possible = nullable_text(manager, "possible_if_entry_ids");
        let table = Table::alter().table(Alias::new("resolution")).add_column(possible).to_owned();
        manager.alter_table(table).await
    }
}
