//! Filtering and ordering of binding lists.

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

/// Filter for bindings. All given fields must match; an empty filter matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct BindingFilter {
    /// Filter by id.
    pub id: Option<IdFilter>,
    /// Filter by network id.
    pub network_id: Option<IdFilter>,
    /// Filter by id of the listening service.
    pub service_id: Option<IdFilter>,
    /// Filter by port id.
    pub port_id: Option<IdFilter>,
    /// Filter by interface id.
    pub interface_id: Option<IdFilter>,
    /// Filter by type: port or interface.
    pub binding_type: Option<EnumFilter<BindingType>>,
    /// Filters that must all match; an empty list matches everything.
    pub and: Option<Vec<Self>>,
    /// Filters of which at least one must match; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// Filter that must not match.
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

/// Fields by which bindings can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum BindingOrderField {
    /// Creation time of the record.
    CreatedAt,
    /// Time of the last change to the record.
    UpdatedAt,
    /// The id of the network.
    NetworkId,
}

/// Sort order for bindings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct BindingOrder {
    /// The field to order by.
    pub field: BindingOrderField,
    /// The sort direction.
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
