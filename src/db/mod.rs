//! The database: SQLite by default, PostgreSQL by URL, one code path for both.

mod asker;
mod backup;
pub mod bulk_rows;
mod check;
mod chunks;
mod connect;
pub mod id_set;
pub mod json_rows;
mod lanes;
mod pools;
mod refusal;
pub mod signal;
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
