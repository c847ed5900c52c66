//! How lists of ports are filtered and ordered.

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

/// Which ports. Everything that is given must hold; nothing given matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct PortFilter {
    /// By its id.
    pub id: Option<IdFilter>,
    /// By the network that it belongs to.
    pub network_id: Option<IdFilter>,
    /// By the host that it belongs to.
    pub host_id: Option<IdFilter>,
    /// By its number.
    pub number: Option<IntFilter>,
    /// By its protocol.
    pub protocol: Option<EnumFilter<TransportProtocol>>,
    /// All of these must hold; an empty list matches all.
    pub and: Option<Vec<Self>>,
    /// At least one of these must hold; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// This must not hold.
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

/// What ports can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum PortOrderField {
    /// When it was recorded.
    CreatedAt,
    /// When it was last changed.
    UpdatedAt,
    /// The id of the network.
    NetworkId,
    /// The number.
    Number,
    /// The name of the host.
    Host,
}

/// An order of ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct PortOrder {
    /// What to order by.
    pub field: PortOrderField,
    /// Which way.
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
            PortOrderField::Host => {
                return SortKey {
                    expression: hosts::name_of(Column::HostId),
                    key_type: KeyType::Text,
                    direction: self.direction,
                };
            }
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = PortFilter;
    type Order = PortOrder;
}
