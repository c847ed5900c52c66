//! How lists of interface-table entries are filtered and ordered.

use async_graphql::{Enum, InputObject};
use sea_orm::Condition;
use toposcope_types::{AdminStatus, OperStatus, OrderDirection};

use super::entity::{Column, Entity};
use crate::{
    app::App,
    hosts::entity as hosts,
    resource::{
        filter::{EnumFilter, IdFilter, IntFilter, TextFilter},
        listed::{Combined, Filter, ListOrder, Listed},
        page::{KeyType, SortKey},
    },
};

/// Which interface-table entries. Everything that is given must hold; nothing given matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct IfEntryFilter {
    /// By its id.
    pub id: Option<IdFilter>,
    /// By the network that it belongs to.
    pub network_id: Option<IdFilter>,
    /// By the host that it belongs to.
    pub host_id: Option<IdFilter>,
    /// By the address that is reached through it.
    pub interface_id: Option<IdFilter>,
    /// By its short name.
    pub if_name: Option<TextFilter>,
    /// By its description.
    pub if_descr: Option<TextFilter>,
    /// By what the operator wrote on it.
    pub if_alias: Option<TextFilter>,
    /// By its MAC address, in capitals with colons.
    pub mac_address: Option<TextFilter>,
    /// By its number within the device.
    pub if_index: Option<IntFilter>,
    /// By the kind of interface.
    pub if_type: Option<IntFilter>,
    /// By what the operator wants.
    pub admin_status: Option<EnumFilter<AdminStatus>>,
    /// By what is the case.
    pub oper_status: Option<EnumFilter<OperStatus>>,
    /// All of these must hold; an empty list matches all.
    pub and: Option<Vec<Self>>,
    /// At least one of these must hold; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// This must not hold.
    pub not: Option<Box<Self>>,
}

impl Filter for IfEntryFilter {
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
                self.interface_id
                    .as_ref()
                    .map(|filter| filter.condition(&app.db, Column::InterfaceId)),
            )
            .add_option(self.if_name.as_ref().map(|filter| filter.condition(Column::IfName)))
            .add_option(self.if_descr.as_ref().map(|filter| filter.condition(Column::IfDescr)))
            .add_option(self.if_alias.as_ref().map(|filter| filter.condition(Column::IfAlias)))
            .add_option(
                self.mac_address.as_ref().map(|filter| filter.condition(Column::MacAddress)),
            )
            .add_option(self.if_index.as_ref().map(|filter| filter.condition(Column::IfIndex)))
            .add_option(self.if_type.as_ref().map(|filter| filter.condition(Column::IfType)))
            .add_option(
                self.admin_status.as_ref().map(|filter| filter.condition(Column::AdminStatus)),
            )
            .add_option(
                self.oper_status.as_ref().map(|filter| filter.condition(Column::OperStatus)),
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

/// What interface-table entries can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum IfEntryOrderField {
    /// When it was recorded.
    CreatedAt,
    /// When it was last changed.
    UpdatedAt,
    /// The id of the network.
    NetworkId,
    /// The number within the device.
    IfIndex,
    /// The description.
    IfDescr,
    /// The name of the host.
    Host,
}

/// An order of interface-table entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct IfEntryOrder {
    /// What to order by.
    pub field: IfEntryOrderField,
    /// Which way.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for IfEntryOrder {
    type Field = IfEntryOrderField;

    fn by(field: IfEntryOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            IfEntryOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            IfEntryOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
            IfEntryOrderField::NetworkId => (Column::NetworkId, KeyType::Id),
            IfEntryOrderField::IfIndex => (Column::IfIndex, KeyType::Integer),
            IfEntryOrderField::IfDescr => (Column::IfDescr, KeyType::Text),
            IfEntryOrderField::Host => {
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
    type Filter = IfEntryFilter;
    type Order = IfEntryOrder;
}
