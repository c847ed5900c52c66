//! The log of changes: what was changed, by whom, and in which order.

mod commit;
mod delete;
pub mod entity;
pub mod graphql;
mod hold;
mod late;
mod list;
pub mod rest;
mod rights;
mod write;

pub use self::{
    commit::later,
    delete::{BulkDeleted, Deleted, Removable, bulk_delete, delete},
    entity::{Column, Entity, Model as Change},
    list::{ChangeFilter, ChangeOrder, ChangeOrderField},
    write::Write,
};
