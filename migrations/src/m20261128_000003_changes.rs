//! The log of changes: what was changed, by whom, in an order that is total within each network.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectionTrait, DbBackend},
};

use crate::columns::{
    big_integer, index, json, nullable, nullable_text, owned_by, table, text, text_index, time,
    unique, uuid,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    #[expect(elided_lifetimes_in_paths, reason = "the trait is written without the lifetime")]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        log(manager).await?;
        users(manager).await?;
        // The machines that run on a service are looked for when the service goes.
        for table in ["host", "service"] {
            let expression = match manager.get_database_backend() {
                DbBackend::Postgres => "(virtualization->'details'->>'service_id')",
                _ => "json_extract(virtualization, '$.details.service_id')",
            };
            let sql = format!(
                r#"CREATE INDEX "{table}_virtualization_service_id" ON "{table}" ({expression})"#
            );
            manager.get_connection().execute_unprepared(&sql).await?;
        }
        Ok(())
    }
}

async fn log(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // How many changes each log holds, so that the next one knows its number.
    for holder in ["network", "organization"] {
        let holder = Table::alter()
            .table(Alias::new(holder))
            .add_column(big_integer("change_count").default(0))
            .to_owned();
        manager.alter_table(holder).await?;
    }

    // A network that goes leaves its log behind, so only the organization is referred to.
    let mut change = table("change");
    change
        .col(uuid("id").primary_key())
        .col(time("created_at"))
        .col(uuid("organization_id"))
        .col(nullable(uuid("network_id")))
        .col(uuid("log_id"))
        .col(big_integer("sequence"))
        .col(text(manager, "entity"))
        .col(uuid("entity_id"))
        .col(text(manager, "action"))
        .col(nullable(json("before")))
        .col(nullable(json("after")))
        .col(nullable(uuid("user_id")))
        .col(nullable(uuid("api_key_id")))
        .col(nullable(uuid("session_id")))
        .col(nullable_text(manager, "request_id"))
        .foreign_key(&mut owned_by("organization_id", "organization"));
    manager.create_table(change).await?;
    manager.create_index(unique("change", &["log_id", "sequence"])).await?;
    manager.create_index(index("change", &["network_id", "created_at", "id"])).await?;
    manager.create_index(index("change", &["organization_id", "created_at", "id"])).await?;
    manager.create_index(index("change", &["network_id", "entity", "created_at", "id"])).await?;
    manager.create_index(index("change", &["network_id", "action", "created_at", "id"])).await?;
    for column in ["entity_id", "user_id", "api_key_id"] {
        manager.create_index(index("change", &[column, "created_at", "id"])).await?;
    }
    Ok(())
}

/// Users are listed now.
async fn users(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_index(index("user", &["organization_id", "created_at", "id"])).await?;
    let by_level = ["organization_id", "permissions", "created_at", "id"];
    manager.create_index(index("user", &by_level)).await?;
    text_index(manager, "user", "organization_id", "email").await
}
