//! The database: SQLite by default, PostgreSQL by URL, one code path for both.

mod connect;
pub mod filter;
pub mod id_set;
pub mod list;
pub mod page;
mod precondition;
pub mod resource;
pub mod totals;

pub use self::{
    connect::{Db, counted},
    id_set::IdSet,
    precondition::Precondition,
    resource::Resource,
    totals::Totals,
};
