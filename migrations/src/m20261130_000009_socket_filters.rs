//! Indexes behind the filters on aggregates, subinterfaces, VLANs and spanning tree.

use sea_orm_migration::prelude::*;

use crate::columns::index;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    #[expect(elided_lifetimes_in_paths, reason = "the trait is written without the lifetime")]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in
            ["lag_if_index", "parent_if_index", "mtu", "duplex", "native_vlan", "stp_state"]
        {
            manager.create_index(index("if_entry", &["network_id", column])).await?;
        }
        Ok(())
    }
}
