//! How lists of bindings are filtered and ordered.

use async_graphql::{Enum, InputObject};
use sea_orm::Condition;
use toposcope_types::{BindingType, OrderDirection};

use super::entity::{Column, Entity};
use crate::{
    app::App,
    resource::{
        filter::{EnumFilter, IdFilter},
        listed::{Combined, Filter, ListOrder, Listed},
        page::{KeyType, SortKey},
    },
};

/// Which bindings. Everything that is given must hold; nothing given matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct BindingFilter {
    /// By its id.
    pub id: Option<IdFilter>,
    /// By the network that it belongs to.
    pub network_id: Option<IdFilter>,
    /// By the service that listens.
    pub service_id: Option<IdFilter>,
    /// By the port.
    pub port_id: Option<IdFilter>,
    /// By the interface.
    pub interface_id: Option<IdFilter>,
    /// By whether it is a port or an interface.
    pub binding_type: Option<EnumFilter<BindingType>>,
    /// All of these must hold; an empty list matches all.
    pub and: Option<Vec<Self>>,
    /// At least one of these must hold; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// This must not hold.
    pub not: Option<Box<Self>>,
}

impl Filter for BindingFilter {
    fn fields(&self, app: &App) -> Condition {
        Condition::all()
            .add_option(self.id.as_ref().map(|filter| filter.condition(&app.db, Column::Id)))
            .add_option(
                self.network_id.as_ref().map(|filter| filter.condition(&app.db, Column::NetworkId)),
            )
            .add_option(
                self.service_id.as_ref().map(|filter| filter.condition(&app.db, Column::ServiceId)),
            )
            .add_option(
                self.port_id.as_ref().map(|filter| filter.condition(&app.db, Column::PortId)),
            )
            .add_option(
                self.interface_id
                    .as_ref()
                    .map(|filter| filter.condition(&app.db, Column::InterfaceId)),
            )
            .add_option(
                self.binding_type.as_ref().map(|filter| filter.condition(Column::BindingType)),
            )
    }

    fn combined(&self) -> Combined<'_, Self> {
        Combined { and: self.and.as_deref(), or: self.or.as_deref(), not: self.not.as_deref() }
    }

    fn only_networks(&self) -> Option<&IdFilter> {
        let rest = Self { network_id: None, ..self.clone() };
        self.network_id.as_ref().filter(|_| rest == Self::default())
    }
}

/// What bindings can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum BindingOrderField {
    /// When it was recorded.
    CreatedAt,
    /// When it was last changed.
    UpdatedAt,
    /// The id of the network.
    NetworkId,
}

/// An order of bindings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct BindingOrder {
    /// What to order by.
    pub field: BindingOrderField,
    /// Which way.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for BindingOrder {
    type Field = BindingOrderField;

    fn by(field: BindingOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            BindingOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            BindingOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
            BindingOrderField::NetworkId => (Column::NetworkId, KeyType::Id),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = BindingFilter;
    type Order = BindingOrder;
}
