//! People and what each may reach: organizations, users, sessions, networks, keys, tags.

use sea_orm_migration::prelude::*;

use crate::columns::{
    big_integer, boolean, index, join_table, json, nullable, nullable_text, owned_by, resource,
    table, text, text_index, time, unique, uuid,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// The kinds of row that a network counts, so that totals need no scan.
const COUNTED: [&str; 8] =
    ["host", "subnet", "interface", "if_entry", "port", "service", "binding", "group"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    #[expect(elided_lifetimes_in_paths, reason = "the trait is written without the lifetime")]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        organizations_and_users(manager).await?;
        networks(manager).await?;
        keys(manager).await?;
        tags(manager).await
    }
}

async fn organizations_and_users(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let organization = resource("organization")
        .col(text(manager, "name"))
        .col(boolean("api_access_enabled").default(true))
        .to_owned();
    manager.create_table(organization).await?;
    manager.create_index(index("organization", &["name"])).await?;

    let user = resource("user")
        .col(uuid("organization_id"))
        .col(text(manager, "email"))
        .col(text(manager, "permissions"))
        .col(boolean("email_verified"))
        .col(nullable(time("terms_accepted_at")))
        .foreign_key(&mut owned_by("organization_id", "organization"))
        .to_owned();
    manager.create_table(user).await?;
    manager.create_index(unique("user", &["email"])).await?;
    manager.create_index(index("user", &["organization_id"])).await?;

    let credential = table("credential")
        .col(uuid("user_id").primary_key())
        .col(text(manager, "password_hash"))
        .foreign_key(&mut owned_by("user_id", "user"))
        .to_owned();
    manager.create_table(credential).await?;

    let session = table("session")
        .col(text(manager, "token_hash").primary_key())
        .col(nullable(uuid("user_id")))
        .col(nullable(json("setup")))
        .col(time("created_at"))
        .col(time("last_seen_at"))
        .foreign_key(&mut owned_by("user_id", "user"))
        .to_owned();
    manager.create_table(session).await?;
    manager.create_index(index("session", &["user_id"])).await?;
    manager.create_index(index("session", &["last_seen_at"])).await
}

async fn networks(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut network = resource("network")
        .col(uuid("organization_id"))
        .col(text(manager, "name"))
        .col(big_integer("revision").default(0))
        .foreign_key(&mut owned_by("organization_id", "organization"))
        .to_owned();
    for kind in COUNTED {
        network.col(big_integer(&format!("{kind}_count")).default(0));
    }
    manager.create_table(network).await?;
    text_index(manager, "network", "organization_id", "name").await?;
    manager.create_index(index("network", &["organization_id", "created_at", "id"])).await?;
    join_table(manager, "user_network", "user", "network").await
}

async fn keys(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let key = resource("api_key")
        .col(uuid("organization_id"))
        .col(uuid("user_id"))
        .col(text(manager, "name"))
        .col(text(manager, "permissions"))
        .col(boolean("is_enabled"))
        .col(nullable(time("expires_at")))
        .col(nullable(time("last_used")))
        .foreign_key(&mut owned_by("organization_id", "organization"))
        .foreign_key(&mut owned_by("user_id", "user"))
        .to_owned();
    manager.create_table(key).await?;
    manager.create_index(index("api_key", &["user_id", "created_at", "id"])).await?;
    manager.create_index(index("api_key", &["organization_id"])).await?;
    text_index(manager, "api_key", "user_id", "name").await?;

    let secret = table("api_key_secret")
        .col(uuid("api_key_id").primary_key())
        .col(text(manager, "secret_hash"))
        .foreign_key(&mut owned_by("api_key_id", "api_key"))
        .to_owned();
    manager.create_table(secret).await?;
    manager.create_index(unique("api_key_secret", &["secret_hash"])).await?;
    join_table(manager, "api_key_network", "api_key", "network").await
}

async fn tags(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let tag = resource("tag")
        .col(uuid("organization_id"))
        .col(text(manager, "name"))
        .col(nullable_text(manager, "description"))
        .col(text(manager, "color"))
        .foreign_key(&mut owned_by("organization_id", "organization"))
        .to_owned();
    manager.create_table(tag).await?;
    manager.create_index(unique("tag", &["organization_id", "name"])).await?;
    manager.create_index(index("tag", &["organization_id", "created_at", "id"])).await?;
    manager.create_index(index("tag", &["organization_id", "color"])).await?;
    text_index(manager, "tag", "organization_id", "name").await?;
    join_table(manager, "network_tag", "network", "tag").await?;
    join_table(manager, "api_key_tag", "api_key", "tag").await
}
