//! The database: SQLite by default, PostgreSQL by URL, one code path for both.

mod asker;
mod connect;
pub mod filter;
pub mod id_set;
pub mod list;
mod long;
pub mod page;
mod precondition;
mod reader;
pub mod resource;
pub mod totals;
pub mod turns;

pub use self::{
    asker::{Asker, asked_by},
    connect::{Db, counted},
    id_set::IdSet,
    precondition::Precondition,
    reader::{Reader, Snapshot},
    resource::Resource,
    totals::Totals,
};
