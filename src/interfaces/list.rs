//! Filtering and ordering of interface lists.

use async_graphql::{Enum, InputObject};
use sea_orm::Condition;
use toposcope_types::{IpAddress, Mac, OrderDirection};

use super::entity::{Column, Entity};
use crate::{
    app::App,
    hosts::entity as hosts,
    resource::{
        filter::{AddressFilter, IdFilter, TextFilter},
        listed::{Combined, Filter, ListOrder, Listed},
        page::{KeyType, SortKey},
    },
};

/// Filter for interfaces. All given fields must match; an empty filter matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct InterfaceFilter {
    /// Filter by id.
    pub id: Option<IdFilter>,
    /// Filter by network id.
    pub network_id: Option<IdFilter>,
    /// Filter by host id.
    pub host_id: Option<IdFilter>,
    /// Filter by subnet id.
    pub subnet_id: Option<IdFilter>,
    /// Filter by address.
    pub ip_address: Option<AddressFilter<IpAddress>>,
    /// Filter by MAC address.
    pub mac_address: Option<AddressFilter<Mac>>,
    /// Filter by name.
    pub name: Option<TextFilter>,
    /// Filters that must all match; an empty list matches everything.
    pub and: Option<Vec<Self>>,
    /// Filters of which at least one must match; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// Filter that must not match.
    pub not: Option<Box<Self>>,
}

impl Filter for InterfaceFilter {
    fn fields(&self, app: &App) -> Condition {
        Condition::all()
            .add_option(self.id.as_ref().map(|filter| filter.condition(&app.db, Column::Id)))
            .add_option(
                self.network_id.as_ref().map(|filter| filter.condition(&app.db, Column::NetworkId)),
            )
            .add_option(
                self.host_id.as_ref().map(|filter| filter.condition(&app.db, Column::HostId)),
            )
            .add_option(
                self.subnet_id.as_ref().map(|filter| filter.condition(&app.db, Column::SubnetId)),
            )
            .add_option(self.ip_address.as_ref().map(|filter| filter.condition(Column::IpAddress)))
            .add_option(
                self.mac_address.as_ref().map(|filter| filter.condition(Column::MacAddress)),
            )
            .add_option(self.name.as_ref().map(|filter| filter.condition(Column::Name)))
    }

    fn combined(&self) -> Combined<'_, Self> {
        Combined { and: self.and.as_deref(), or: self.or.as_deref(), not: self.not.as_deref() }
    }

    fn only_networks(&self) -> Option<&IdFilter> {
        let rest = Self { network_id: None, ..self.clone() };
        self.network_id.as_ref().filter(|_| rest == Self::default())
    }
}

/// Fields by which interfaces can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum InterfaceOrderField {
    /// Creation time of the record.
    CreatedAt,
    /// Time of the last change to the record.
    UpdatedAt,
    /// The id of the network.
    NetworkId,
    /// The address, as text.
    IpAddress,
    /// The name of the host; numbers in it compare by value.
    Host,
}

/// Sort order for interfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct InterfaceOrder {
    /// The field to order by.
    pub field: InterfaceOrderField,
    /// The sort direction.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for InterfaceOrder {
    type Field = InterfaceOrderField;

    fn by(field: InterfaceOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            InterfaceOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            InterfaceOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
            InterfaceOrderField::NetworkId => (Column::NetworkId, KeyType::Id),
            InterfaceOrderField::IpAddress => (Column::IpAddress, KeyType::Text),
            InterfaceOrderField::Host => return hosts::by_name(Column::HostId, self.direction),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = InterfaceFilter;
    type Order = InterfaceOrder;
}
