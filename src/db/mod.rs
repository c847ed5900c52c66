//! The database: SQLite by default, PostgreSQL by URL, one code path for both.

mod backup;
mod connect;
pub mod filter;
pub mod id_set;
pub mod list;
pub mod page;
mod pools;
mod precondition;
pub mod resource;
pub mod signal;
mod storage;
pub mod totals;

pub use self::{
    backup::backup,
    connect::{Db, counted},
    id_set::IdSet,
    precondition::Precondition,
    resource::Resource,
    totals::Totals,
};
