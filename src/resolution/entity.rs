//! The `resolution` table: resolutions of the neighbors that ports heard or are pinned to.

use sea_orm::entity::prelude::*;
use toposcope_types::{HostTier, Id, Method, PortTier};

/// The resolution of one neighbor of one port. It derives from other tables alone, and is stored so
/// that a write recomputes only the resolutions that it can change.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "resolution")]
pub struct Model {
    /// The port that heard it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub if_entry_id: Id,
    /// The method by which the port heard it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub method: Method,
    /// Its position among the neighbors that the port heard in the same way, from 0.
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i32,
    /// The id of the observation; for a pin or a forwarding table, the id of the port.
    pub observation_id: Id,
    /// The port's network.
    pub network_id: Id,
    /// The port's device.
    pub host_id: Id,
    /// The lookup key of the chassis id, or of a forwarding table's MAC address.
    pub chassis_key: Option<String>,
    /// The lookup key of the management address.
    pub address_key: Option<String>,
    /// The lookup key of the system name.
    pub name_key: Option<String>,
    /// The far device.
    pub far_host_id: Option<Id>,
    /// The evidence that identified the far device.
    pub host_tier: Option<HostTier>,
    /// The far port, as identified from this side.
    pub far_if_entry_id: Option<Id>,
    /// The evidence that identified the far port.
    pub port_tier: Option<PortTier>,
    /// The far ports that the announced values leave, if some but not one: their ids, in order,
    /// separated by blanks; for too many, the port that heard, which is none of them.
    pub possible_if_entry_ids: Option<String>,
    /// The far port that reports hearing this one, if no announced value names a port.
    pub met_if_entry_id: Option<Id>,
    /// Whether better evidence already joins the two devices, so that this joins no other ports.
    pub outranked: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
