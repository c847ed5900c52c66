//! The history of the database schema, one file a step, for SQLite and PostgreSQL alike.
//!
//! A step is never edited once it is released; it names tables and columns by strings and
//! imports nothing of the application. Sort keys are filled by the function that the application
//! compares by; if that changes, a new step fills them again.

pub use sea_orm_migration::MigratorTrait;
use sea_orm_migration::prelude::*;

mod columns;
mod m20261128_000001_tenancy;
mod m20261128_000002_inventory;
mod m20261128_000003_changes;
mod m20261128_000004_topology;
mod m20261128_000005_resolutions;
mod m20261128_000006_possible_ports;
mod m20261129_000007_signals;
mod m20261130_000008_sockets;
mod m20261130_000009_socket_filters;
mod m20261130_000010_natural_order;

/// Every step of the schema, oldest first.
#[derive(Debug)]
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20261128_000001_tenancy::Migration),
            Box::new(m20261128_000002_inventory::Migration),
            Box::new(m20261128_000003_changes::Migration),
            Box::new(m20261128_000004_topology::Migration),
            Box::new(m20261128_000005_resolutions::Migration),
            Box::new(m20261128_000006_possible_ports::Migration),
            Box::new(m20261129_000007_signals::Migration),
            Box::new(m20261130_000008_sockets::Migration),
            Box::new(m20261130_000009_socket_filters::Migration),
            Box::new(m20261130_000010_natural_order::Migration),
        ]
    }
}
