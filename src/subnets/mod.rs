//! Subnets: the ranges of addresses of a network.

mod entity;
pub mod graphql;
mod list;

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Subnet},
    list::{SubnetFilter, SubnetOrder, SubnetOrderField},
};
