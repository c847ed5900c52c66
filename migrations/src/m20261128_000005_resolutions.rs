//! The resolutions of a network are read device by device.

use sea_orm_migration::prelude::*;

use crate::columns::index;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    #[expect(elided_lifetimes_in_paths, reason = "the trait is written without the lifetime")]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_index(index("resolution", &["network_id", "host_id"])).await?;
        manager
            .drop_index(
                Index::drop()
                    .name("resolution_network_id")
                    .table(Alias::new("resolution"))
                    .to_owned(),
            )
            .await
    }
}
