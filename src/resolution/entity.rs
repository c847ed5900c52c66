//! The `resolution` table: what became of each neighbor that was heard or pinned.

use sea_orm::entity::prelude::*;
use toposcope_types::{HostTier, Id, Method, PortTier};

/// What became of one neighbor of one port. It follows from other tables alone, and is kept so that
/// a write works out again only what it can change.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "resolution")]
pub struct Model {
    /// The port that heard it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub if_entry_id: Id,
    /// How it was heard.
    #[sea_orm(primary_key, auto_increment = false)]
    pub method: Method,
    /// Its place among those heard in the same way, from 0.
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i32,
    /// The id of the observation; of a pin or a forwarding table, that of the port.
    pub observation_id: Id,
    /// The network of the port.
    pub network_id: Id,
    /// The device of the port.
    pub host_id: Id,
    /// The key of the chassis id, or of the MAC address of a forwarding table.
    pub chassis_key: Option<String>,
    /// The key of the address by which it is managed.
    pub address_key: Option<String>,
    /// The key of its name.
    pub name_key: Option<String>,
    /// The device that was heard.
    pub far_host_id: Option<Id>,
    /// By which evidence the device was found.
    pub host_tier: Option<HostTier>,
    /// The port of it that was heard, by what was said of it.
    pub far_if_entry_id: Option<Id>,
    /// By which evidence the port was found.
    pub port_tier: Option<PortTier>,
    /// The ports of it that what was said leaves, where it leaves some but not one: their ids, in
    /// order, with blanks between them; the port that heard, which is none of them, for too many.
    pub possible_if_entry_ids: Option<String>,
    /// The port of it that says that it hears this one, where nothing was said that names one.
    pub met_if_entry_id: Option<Id>,
    /// Whether better evidence already joins the two devices, so that this joins no other ports.
    pub outranked: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
