//! Interfaces: the addresses of hosts in subnets.

mod entity;
pub mod graphql;
mod list;

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Interface},
    list::{InterfaceFilter, InterfaceOrder, InterfaceOrderField},
};
