//! The transaction of every write: it locks the network, logs the changes, resolves the neighbors
//! that they affect, and commits.

mod commit;
mod delete;
mod hold;
mod rights;
mod transaction;

pub use self::{
    commit::{ShownPort, later},
    delete::{BulkDeleted, Deleted, Removable, bulk_delete, delete},
    transaction::Write,
};
