//! Ports of hosts, TCP and UDP.

mod entity;
pub mod graphql;
mod list;

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Port},
    list::{PortFilter, PortOrder, PortOrderField},
};
