//! The change log: every change with its author, in order.

pub(crate) mod entity;
pub(crate) mod graphql;
mod late;
mod list;
pub(crate) mod rest;

pub use self::{
    entity::{Column, Entity, Model as Change},
    list::{ChangeFilter, ChangeOrder},
};
