//! Bindings: what services listen on.

mod entity;
pub mod graphql;
mod list;

use serde::Serialize;

pub use self::{
    entity::{ActiveModel, Column, Entity, Model},
    list::{BindingFilter, BindingOrder, BindingOrderField},
};
use crate::types::{BindingType, Id, Timestamp};

/// A binding as REST shows it: an interface binding has no `port_id`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Binding {
    pub id: Id,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub service_id: Id,
    pub network_id: Id,
    #[serde(rename = "type")]
    pub binding_type: BindingType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_id: Option<Id>,
    pub interface_id: Option<Id>,
}

impl From<Model> for Binding {
    fn from(row: Model) -> Self {
        Self {
            id: row.id,
            created_at: row.created_at,
            updated_at: row.updated_at,
            service_id: row.service_id,
            network_id: row.network_id,
            binding_type: row.binding_type,
            port_id: row.port_id,
            interface_id: row.interface_id,
        }
    }
}
