//! Filtering and ordering of port lists.

use async_graphql::{Enum, InputObject};
use sea_orm::Condition;
use toposcope_types::{OrderDirection, TransportProtocol};

use super::entity::{Column, Entity};
use crate::{
    app::App,
    hosts::entity as hosts,
    resource::{
        filter::{EnumFilter, IdFilter, IntFilter},
        listed::{Combined, Filter, ListOrder, Listed},
        page::{KeyType, SortKey},
    },
};

/// Filter for ports. All given fields must match; an empty filter matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct PortFilter {
    /// Filter by id.
    pub id: Option<IdFilter>,
    /// Filter by network id.
    pub network_id: Option<IdFilter>,
    /// Filter by host id.
    pub host_id: Option<IdFilter>,
    /// Filter by number.
    pub number: Option<IntFilter>,
    /// Filter by protocol.
    pub protocol: Option<EnumFilter<TransportProtocol>>,
    /// Filters that must all match; an empty list matches everything.
    pub and: Option<Vec<Self>>,
    /// Filters of which at least one must match; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// Filter that must not match.
    pub not: Option<Box<Self>>,
}

impl Filter for PortFilter {
    fn fields(&self, app: &App) -> Condition {
        Condition::all()
            .add_option(self.id.as_ref().map(|filter| filter.condition(&app.db, Column::Id)))
            .add_option(
                self.network_id.as_ref().map(|filter| filter.condition(&app.db, Column::NetworkId)),
            )
            .add_option(
                self.host_id.as_ref().map(|filter| filter.condition(&app.db, Column::HostId)),
            )
            .add_option(self.number.as_ref().map(|filter| filter.condition(Column::Number)))
            .add_option(self.protocol.as_ref().map(|filter| filter.condition(Column::Protocol)))
    }

    fn combined(&self) -> Combined<'_, Self> {
        Combined { and: self.and.as_deref(), or: self.or.as_deref(), not: self.not.as_deref() }
    }

    fn only_networks(&self) -> Option<&IdFilter> {
        let rest = Self { network_id: None, ..self.clone() };
        self.network_id.as_ref().filter(|_| rest == Self::default())
    }
}

/// Fields by which ports can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum PortOrderField {
    /// Creation time of the record.
    CreatedAt,
    /// Time of the last change to the record.
    UpdatedAt,
    /// The id of the network.
    NetworkId,
    /// The number.
    Number,
    /// The name of the host; numbers in it compare by value.
    Host,
}

/// Sort order for ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct PortOrder {
    /// The field to order by.
    pub field: PortOrderField,
    /// The sort direction.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for PortOrder {
    type Field = PortOrderField;

    fn by(field: PortOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            PortOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            PortOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
            PortOrderField::NetworkId => (Column::NetworkId, KeyType::Id),
            PortOrderField::Number => (Column::Number, KeyType::Integer),
            PortOrderField::Host => return hosts::by_name(Column::HostId, self.direction),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = PortFilter;
    type Order = PortOrder;
}
