//! The contents of a network: hosts, subnets, interfaces, ports, interface-table entries with what
//! they heard, services with bindings, and groups of bindings.

use sea_orm_migration::prelude::*;

use crate::columns::{
    big_integer, boolean, index, integer, join_table, json, nullable, nullable_text, owned_by,
    pointer, resource, text, text_index, unique, uuid,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    #[expect(elided_lifetimes_in_paths, reason = "the trait is written without the lifetime")]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        hosts(manager).await?;
        addresses(manager).await?;
        if_entries(manager).await?;
        services(manager).await?;
        groups(manager).await
    }
}

/// A resource that belongs to a network, with the index of its default order.
async fn create(
    manager: &SchemaManager<'_>,
    table: &mut TableCreateStatement,
    name: &str,
) -> Result<(), DbErr> {
    table.foreign_key(&mut owned_by("network_id", "network"));
    manager.create_table(table.to_owned()).await?;
    manager.create_index(index(name, &["network_id", "created_at", "id"])).await
}

async fn hosts(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut host = resource("host");
    host.col(uuid("network_id"))
        .col(text(manager, "name"))
        .col(boolean("hidden").default(false))
        .col(json("source"))
        .col(nullable(json("virtualization")));
    for column in [
        "hostname",
        "description",
        "sys_name",
        "sys_descr",
        "sys_object_id",
        "sys_location",
        "sys_contact",
        "management_url",
        "management_address",
        "chassis_id",
        "manufacturer",
        "model",
        "serial_number",
    ] {
        host.col(nullable_text(manager, column));
    }
    create(manager, &mut host, "host").await?;
    for column in ["name", "hostname", "sys_name", "chassis_id", "management_address"] {
        text_index(manager, "host", "network_id", column).await?;
    }
    join_table(manager, "host_tag", "host", "tag").await
}

async fn addresses(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut subnet = resource("subnet");
    subnet
        .col(uuid("network_id"))
        .col(text(manager, "name"))
        .col(text(manager, "cidr"))
        .col(nullable_text(manager, "description"))
        .col(text(manager, "subnet_type"))
        .col(json("source"));
    create(manager, &mut subnet, "subnet").await?;
    for column in ["name", "cidr"] {
        text_index(manager, "subnet", "network_id", column).await?;
    }
    for column in ["subnet_type"] {
        manager.create_index(index("subnet", &["network_id", column])).await?;
    }
    join_table(manager, "subnet_tag", "subnet", "tag").await?;

    let mut interface = resource("interface");
    interface
        .col(uuid("network_id"))
        .col(uuid("host_id"))
        .col(uuid("subnet_id"))
        .col(text(manager, "ip_address"))
        .col(nullable_text(manager, "mac_address"))
        .col(nullable_text(manager, "name"))
        .col(integer("position").default(0))
        .foreign_key(&mut owned_by("host_id", "host"))
        .foreign_key(&mut owned_by("subnet_id", "subnet"));
    create(manager, &mut interface, "interface").await?;
    manager.create_index(unique("interface", &["host_id", "subnet_id", "ip_address"])).await?;
    manager.create_index(index("interface", &["subnet_id"])).await?;
    for column in ["ip_address", "mac_address", "name"] {
        text_index(manager, "interface", "network_id", column).await?;
    }

    let mut port = resource("port");
    port.col(uuid("network_id"))
        .col(uuid("host_id"))
        .col(integer("number"))
        .col(text(manager, "protocol"))
        .foreign_key(&mut owned_by("host_id", "host"));
    create(manager, &mut port, "port").await?;
    manager.create_index(unique("port", &["host_id", "number", "protocol"])).await?;
    for column in ["number", "protocol"] {
        manager.create_index(index("port", &["network_id", column])).await?;
    }
    Ok(())
}

async fn if_entries(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut entry = resource("if_entry");
    entry
        .col(uuid("network_id"))
        .col(uuid("host_id"))
        .col(integer("if_index"))
        .col(text(manager, "if_descr"))
        .col(nullable_text(manager, "if_name"))
        .col(nullable_text(manager, "if_alias"))
        .col(integer("if_type"))
        .col(text(manager, "admin_status"))
        .col(text(manager, "oper_status"))
        .col(nullable_text(manager, "mac_address"))
        .col(nullable(big_integer("speed_bps")))
        .col(nullable(json("fdb_macs")))
        .col(nullable(uuid("interface_id")))
        .col(nullable(uuid("neighbor_if_entry_id")))
        .col(nullable(uuid("neighbor_host_id")))
        .col(boolean("neighbor_pinned").default(false))
        .foreign_key(&mut owned_by("host_id", "host"))
        .foreign_key(&mut pointer("interface_id", "interface"))
        .foreign_key(&mut pointer("neighbor_if_entry_id", "if_entry"))
        .foreign_key(&mut pointer("neighbor_host_id", "host"));
    create(manager, &mut entry, "if_entry").await?;
    manager.create_index(unique("if_entry", &["host_id", "if_index"])).await?;
    manager.create_index(index("if_entry", &["interface_id"])).await?;
    manager.create_index(index("if_entry", &["neighbor_if_entry_id"])).await?;
    manager.create_index(index("if_entry", &["neighbor_host_id"])).await?;
    for column in ["if_name", "if_descr", "if_alias", "mac_address"] {
        text_index(manager, "if_entry", "network_id", column).await?;
    }
    for column in ["if_index", "if_type", "admin_status", "oper_status"] {
        manager.create_index(index("if_entry", &["network_id", column])).await?;
    }

    let mut observation = resource("observation");
    observation
        .col(uuid("network_id"))
        .col(uuid("if_entry_id"))
        .col(text(manager, "protocol"))
        .col(integer("position"))
        .foreign_key(&mut owned_by("if_entry_id", "if_entry"));
    for column in [
        "chassis_id_subtype",
        "chassis_id",
        "port_id_subtype",
        "port_id",
        "port_desc",
        "sys_name",
        "sys_desc",
        "mgmt_addr",
        "platform",
    ] {
        observation.col(nullable_text(manager, column));
    }
    create(manager, &mut observation, "observation").await?;
    manager.create_index(unique("observation", &["if_entry_id", "protocol", "position"])).await
}

async fn services(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut service = resource("service");
    service
        .col(uuid("network_id"))
        .col(uuid("host_id"))
        .col(text(manager, "name"))
        .col(text(manager, "service_definition"))
        .col(integer("position").default(0))
        .col(json("source"))
        .col(nullable(json("virtualization")))
        .foreign_key(&mut owned_by("host_id", "host"));
    create(manager, &mut service, "service").await?;
    manager.create_index(index("service", &["host_id", "created_at", "id"])).await?;
    manager.create_index(index("service", &["network_id", "name", "created_at", "id"])).await?;
    for column in ["name", "service_definition"] {
        text_index(manager, "service", "network_id", column).await?;
    }
    join_table(manager, "service_tag", "service", "tag").await?;

    let mut binding = resource("binding");
    binding
        .col(uuid("network_id"))
        .col(uuid("service_id"))
        .col(text(manager, "type"))
        .col(nullable(uuid("port_id")))
        .col(nullable(uuid("interface_id")))
        .foreign_key(&mut owned_by("service_id", "service"))
        .foreign_key(&mut owned_by("port_id", "port"))
        .foreign_key(&mut owned_by("interface_id", "interface"));
    create(manager, &mut binding, "binding").await?;
    manager.create_index(index("binding", &["service_id", "created_at", "id"])).await?;
    manager.create_index(index("binding", &["port_id"])).await?;
    manager.create_index(index("binding", &["interface_id"])).await?;
    manager.create_index(index("binding", &["network_id", "type"])).await
}

async fn groups(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut group = resource("group");
    group
        .col(uuid("network_id"))
        .col(text(manager, "name"))
        .col(nullable_text(manager, "description"))
        .col(text(manager, "group_type"))
        .col(text(manager, "color"))
        .col(text(manager, "edge_style"))
        .col(json("source"));
    create(manager, &mut group, "group").await?;
    for column in ["name"] {
        text_index(manager, "group", "network_id", column).await?;
    }
    for column in ["group_type", "color"] {
        manager.create_index(index("group", &["network_id", column])).await?;
    }
    join_table(manager, "group_tag", "group", "tag").await?;
    join_table(manager, "group_binding", "group", "binding").await
}
