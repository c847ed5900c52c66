//! The names of devices, the resolutions of what ports heard, and the aliases that people taught.

use sea_orm_migration::{prelude::*, sea_orm::ConnectionTrait};

use crate::columns::{
    boolean, index, integer, nullable, nullable_text, owned_by, pointer, resource, table, text,
    uuid,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    #[expect(elided_lifetimes_in_paths, reason = "the trait is written without the lifetime")]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Which version of the rules the neighbors of a network were last worked out by.
        let network = Table::alter()
            .table(Alias::new("network"))
            .add_column(integer("resolver").default(1))
            .to_owned();
        manager.alter_table(network).await?;
        // Those that are there already have not been worked out by any.
        let none = Query::update()
            .table(Alias::new("network"))
            .value(Alias::new("resolver"), 0)
            .to_owned();
        manager.execute(none).await?;
        keys(manager).await?;
        resolutions(manager).await?;
        aliases(manager).await
    }
}

async fn keys(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut key = table("host_key");
    key.col(uuid("network_id"))
        .col(text(manager, "key"))
        .col(uuid("host_id"))
        .primary_key(
            Index::create()
                .col(Alias::new("network_id"))
                .col(Alias::new("key"))
                .col(Alias::new("host_id")),
        )
        .foreign_key(&mut owned_by("host_id", "host"));
    manager.create_table(key).await?;
    manager.create_index(index("host_key", &["host_id"])).await
}

/// It follows from other tables, and what follows from a row that is gone is needed until that is
/// worked out: so only the network is referred to.
async fn resolutions(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut resolution = table("resolution");
    resolution
        .col(uuid("if_entry_id"))
        .col(integer("method"))
        .col(integer("position"))
        .col(uuid("observation_id"))
        .col(uuid("network_id"))
        .col(uuid("host_id"))
        .col(nullable_text(manager, "chassis_key"))
        .col(nullable_text(manager, "address_key"))
        .col(nullable_text(manager, "name_key"))
        .col(nullable(uuid("far_host_id")))
        .col(nullable(integer("host_tier")))
        .col(nullable(uuid("far_if_entry_id")))
        .col(nullable(integer("port_tier")))
        .col(nullable(uuid("met_if_entry_id")))
        .col(boolean("outranked"))
        .primary_key(
            Index::create()
                .col(Alias::new("if_entry_id"))
                .col(Alias::new("method"))
                .col(Alias::new("position")),
        )
        .foreign_key(&mut owned_by("network_id", "network"));
    manager.create_table(resolution).await?;
    manager.create_index(index("resolution", &["network_id"])).await?;
    for (column, more) in [
        ("chassis_key", r#""network_id", "chassis_key""#),
        ("address_key", r#""network_id", "address_key""#),
        ("name_key", r#""network_id", "name_key""#),
        ("far_host_id", r#""far_host_id", "host_id""#),
        ("far_if_entry_id", r#""far_if_entry_id""#),
        ("met_if_entry_id", r#""met_if_entry_id""#),
    ] {
        // Most are empty; the builder has no word for an index that leaves those out.
        let sql = format!(
            r#"CREATE INDEX "resolution_{column}" ON "resolution" ({more}) WHERE "{column}" IS NOT NULL"#
        );
        manager.get_connection().execute_unprepared(&sql).await?;
    }
    Ok(())
}

async fn aliases(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut alias = resource("alias");
    alias
        .col(uuid("network_id"))
        .col(text(manager, "key"))
        .col(text(manager, "identity"))
        .col(nullable_text(manager, "port"))
        .col(uuid("host_id"))
        .col(nullable(uuid("if_entry_id")))
        .foreign_key(&mut owned_by("network_id", "network"))
        .foreign_key(&mut owned_by("host_id", "host"))
        .foreign_key(&mut pointer("if_entry_id", "if_entry"));
    manager.create_table(alias).await?;
    manager.create_index(index("alias", &["network_id", "key"])).await?;
    manager.create_index(index("alias", &["host_id"])).await?;
    manager.create_index(index("alias", &["if_entry_id"])).await
}
