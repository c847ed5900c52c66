//! The database: SQLite by default, PostgreSQL by URL, one code path for both.

mod asker;
mod backup;
pub mod children;
mod chunks;
mod connect;
pub mod filter;
pub mod id_set;
mod lanes;
pub mod list;
pub mod long;
pub mod page;
mod pools;
mod precondition;
mod refusal;
pub mod resource;
pub mod signal;
mod storage;
pub mod totals;
mod transaction;
pub mod turns;

pub use self::{
    asker::{Asker, asked_by},
    backup::backup,
    chunks::chunks,
    connect::{Db, counted},
    id_set::IdSet,
    lanes::Connections,
    precondition::Precondition,
    resource::Resource,
    totals::Totals,
    transaction::Transaction,
};
