//! The `observation` table: what an interface heard of its neighbors, and how it is listed.

use async_graphql::{Enum, InputObject, SimpleObject};
use sea_orm::{Condition, entity::prelude::*};
use serde::Serialize;
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
    /// When the neighbor was first recorded.
    pub created_at: Timestamp,
    /// When what it says was last changed.
    pub updated_at: Timestamp,
    /// The network of the interface.
    #[graphql(skip)]
    pub network_id: Id,
    /// The interface that heard it.
    #[graphql(skip)]
    pub if_entry_id: Id,
    /// The protocol by which it was heard.
    pub protocol: NeighborProtocol,
    /// Its place among the neighbors heard by the same protocol, from 0.
    pub position: i32,
    #[graphql(skip)]
    pub chassis_id_subtype: Option<ChassisIdSubtype>,
    #[graphql(skip)]
    pub chassis_id: Option<String>,
    #[graphql(skip)]
    pub port_id_subtype: Option<PortIdSubtype>,
    #[graphql(skip)]
    pub port_id: Option<String>,
    /// What the neighbor says of its port (lldpRemPortDesc, IEEE 802.1AB).
    pub port_desc: Option<String>,
    /// How the neighbor calls itself (lldpRemSysName; the device id of CDP).
    pub sys_name: Option<String>,
    /// What the neighbor says it is (lldpRemSysDesc, IEEE 802.1AB).
    pub sys_desc: Option<String>,
    /// The address by which the neighbor is managed.
    pub mgmt_addr: Option<String>,
    /// The hardware of the neighbor (cdpCachePlatform, CISCO-CDP-MIB).
    pub platform: Option<String>,
}

impl Model {
    /// How the neighbor identifies itself.
    pub fn chassis(&self) -> Option<LldpChassisId> {
        Some(LldpChassisId { subtype: self.chassis_id_subtype?, value: self.chassis_id.clone()? })
    }

    /// How the neighbor identifies its port. CDP has no subtypes, so that of CDP stays a text.
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

    fn network_id(row: &Model) -> Option<Id> {
        Some(row.network_id)
    }
}

/// Which observations. Everything that is given must hold; nothing given matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct ObservationFilter {
    /// By its id.
    pub id: Option<IdFilter>,
    /// By the protocol by which it was heard.
    pub protocol: Option<EnumFilter<NeighborProtocol>>,
    /// By how the neighbor calls itself.
    pub sys_name: Option<TextFilter>,
    /// All of these must hold; an empty list matches all.
    pub and: Option<Vec<Self>>,
    /// At least one of these must hold; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// This must not hold.
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

/// What observations can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum ObservationOrderField {
    /// When the neighbor was first recorded.
    CreatedAt,
    /// When what it says was last changed.
    UpdatedAt,
    /// The protocol by which it was heard.
    Protocol,
    /// Its place among the neighbors heard by the same protocol.
    Position,
}

/// An order of observations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct ObservationOrder {
    /// What to order by.
    pub field: ObservationOrderField,
    /// Which way.
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

/// The order in which they were heard: by protocol, and then by place.
pub fn as_heard() -> Vec<ObservationOrder> {
    [ObservationOrderField::Protocol, ObservationOrderField::Position]
        .map(|field| ObservationOrder::by(field, OrderDirection::Asc))
        .to_vec()
}
