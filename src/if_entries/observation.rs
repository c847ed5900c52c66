//! The `observation` table: the neighbors that interfaces heard, with its filters and orders.

use async_graphql::{Enum, InputObject, SimpleObject};
use sea_orm::{Condition, entity::prelude::*};
use serde::Serialize;
use toposcope_topology::resolution::records::Record;
use toposcope_types::{
    ChassisIdSubtype, Id, Kind, LldpChassisId, LldpPortId, NeighborProtocol, OrderDirection,
    PortIdSubtype, Timestamp,
};

use crate::{
    app::App,
    resource::{
        Resource, Scope,
        filter::{EnumFilter, IdFilter, TextFilter},
        listed::{Combined, Filter, ListOrder, Listed},
        page::{KeyType, SortKey},
    },
};

/// One neighbor that one interface heard through one protocol.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject)]
#[sea_orm(table_name = "observation")]
#[graphql(complex, name = "Observation")]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// Time when the neighbor was first recorded.
    pub created_at: Timestamp,
    /// Time of the last change to the neighbor's data.
    pub updated_at: Timestamp,
    /// The id of the interface's network.
    #[graphql(skip)]
    pub network_id: Id,
    /// The id of the interface that heard the neighbor.
    #[graphql(skip)]
    pub if_entry_id: Id,
    /// The protocol by which the interface heard the neighbor.
    pub protocol: NeighborProtocol,
    /// The position among the neighbors heard by the same protocol, from 0.
    pub position: i32,
    #[graphql(skip)]
    pub chassis_id_subtype: Option<ChassisIdSubtype>,
    #[graphql(skip)]
    pub chassis_id: Option<String>,
    #[graphql(skip)]
    pub port_id_subtype: Option<PortIdSubtype>,
    #[graphql(skip)]
    pub port_id: Option<String>,
    /// The neighbor's port description (lldpRemPortDesc, IEEE 802.1AB).
    pub port_desc: Option<String>,
    /// The neighbor's system name (lldpRemSysName; the device id in CDP).
    pub sys_name: Option<String>,
    /// The neighbor's system description (lldpRemSysDesc, IEEE 802.1AB).
    pub sys_desc: Option<String>,
    /// The neighbor's management address.
    pub mgmt_addr: Option<String>,
    /// The neighbor's hardware platform (cdpCachePlatform, CISCO-CDP-MIB).
    pub platform: Option<String>,
}

impl Model {
    /// Returns the neighbor's chassis id.
    pub fn chassis(&self) -> Option<LldpChassisId> {
        Some(LldpChassisId { subtype: self.chassis_id_subtype?, value: self.chassis_id.clone()? })
    }

    /// Returns the neighbor's port id. CDP has no subtypes, so a CDP port id stays plain text.
    pub fn port(&self) -> Option<LldpPortId> {
        Some(LldpPortId { subtype: self.port_id_subtype?, value: self.port_id.clone()? })
    }
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::IfEntry;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::Network(Column::NetworkId);
    const LOGGED: bool = false;

    fn id(row: &Model) -> Id {
        row.id
    }

    fn created_at(row: &Model) -> Timestamp {
        row.created_at
    }

    fn updated_at(row: &Model) -> Timestamp {
        row.updated_at
    }

    fn record(row: &Model) -> Option<Record> {
        Some(Record::Observation(row.if_entry_id))
    }

    fn network_id(row: &Model) -> Option<Id> {
        Some(row.network_id)
    }
}

/// Filter for observations. All given fields must match; an empty filter matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct ObservationFilter {
    /// Filter by id.
    pub id: Option<IdFilter>,
    /// Filter by protocol.
    pub protocol: Option<EnumFilter<NeighborProtocol>>,
    /// Filter by the neighbor's system name, or its device id in CDP.
    pub sys_name: Option<TextFilter>,
    /// Filters that must all match; an empty list matches everything.
    pub and: Option<Vec<Self>>,
    /// Filters of which at least one must match; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// Filter that must not match.
    pub not: Option<Box<Self>>,
}

impl Filter for ObservationFilter {
    fn fields(&self, app: &App) -> Condition {
        Condition::all()
            .add_option(self.id.as_ref().map(|filter| filter.condition(&app.db, Column::Id)))
            .add_option(self.protocol.as_ref().map(|filter| filter.condition(Column::Protocol)))
            .add_option(self.sys_name.as_ref().map(|filter| filter.condition(Column::SysName)))
    }

    fn combined(&self) -> Combined<'_, Self> {
        Combined { and: self.and.as_deref(), or: self.or.as_deref(), not: self.not.as_deref() }
    }
}

/// Fields by which observations can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum ObservationOrderField {
    /// Time when the neighbor was first recorded.
    CreatedAt,
    /// Time of the last change to the neighbor's data.
    UpdatedAt,
    /// The protocol by which the interface heard the neighbor.
    Protocol,
    /// The position among the neighbors heard by the same protocol.
    Position,
}

/// Sort order for observations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct ObservationOrder {
    /// The field to order by.
    pub field: ObservationOrderField,
    /// The sort direction.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for ObservationOrder {
    type Field = ObservationOrderField;

    fn by(field: ObservationOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            ObservationOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            ObservationOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
            ObservationOrderField::Protocol => (Column::Protocol, KeyType::Text),
            ObservationOrderField::Position => (Column::Position, KeyType::Integer),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = ObservationFilter;
    type Order = ObservationOrder;
}

/// Returns the order in which interfaces heard neighbors: by protocol, then by position.
pub fn as_heard() -> Vec<ObservationOrder> {
    [ObservationOrderField::Protocol, ObservationOrderField::Position]
        .map(|field| ObservationOrder::by(field, OrderDirection::Asc))
        .to_vec()
}
