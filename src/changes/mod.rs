//! The log of changes: what was changed, by whom, and in which order.

pub mod entity;
pub mod graphql;
mod late;
mod list;
pub mod rest;

pub use self::{
    entity::{Column, Entity, Model as Change},
    list::{ChangeFilter, ChangeOrder, ChangeOrderField},
};
