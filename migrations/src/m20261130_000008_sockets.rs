//! Aggregates, subinterfaces, VLANs and spanning tree of interfaces, and the hardware of devices.

use sea_orm_migration::prelude::*;

use crate::columns::{boolean, integer, json, nullable, nullable_text};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    #[expect(elided_lifetimes_in_paths, reason = "the trait is written without the lifetime")]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let number = |name| nullable(integer(name));
        let text = |name| nullable_text(manager, name);
        let of_entry = [
            number("lag_if_index"),
            number("parent_if_index"),
            number("mtu"),
            text("duplex"),
            number("native_vlan"),
            text("tagged_vlans"),
            text("stp_state"),
        ];
        let of_host = [text("software_version"), nullable(json("stack_members"))];
        let superseded = boolean("superseded").default(false).to_owned();
        for (table, column) in of_entry
            .map(|column| ("if_entry", column))
            .into_iter()
            .chain(of_host.map(|column| ("host", column)))
            .chain([("resolution", superseded)])
        {
            let add = Table::alter().table(Alias::new(table)).add_column(column).to_owned();
            manager.alter_table(add).await?;
        }
        Ok(())
    }
}
