//! The database: SQLite by default, PostgreSQL by URL, one code path for both.

mod asker;
mod backup;
pub(crate) mod bulk_rows;
mod check;
mod chunks;
pub mod columns;
mod connect;
pub mod id_set;
pub(crate) mod json_rows;
pub mod lanes;
pub(crate) mod packer;
mod pools;
mod refusal;
pub(crate) mod signal;
mod storage;
mod transaction;
pub mod turns;

pub use self::{
    asker::{Asker, asked_by},
    backup::backup,
    chunks::chunks,
    connect::{Db, counted},
    id_set::IdSet,
    lanes::Connections,
    transaction::Transaction,
};
