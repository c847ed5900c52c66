//! The change log: every change with its author, in order.

pub mod entity;
pub mod graphql;
mod late;
mod list;
pub mod rest;

pub use self::{
    entity::{Column, Entity, Model as Change},
    list::{ChangeFilter, ChangeOrder, ChangeOrderField},
};
