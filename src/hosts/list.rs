//! Filtering and ordering of host lists.

use async_graphql::{Enum, InputObject};
use sea_orm::Condition;
use toposcope_types::OrderDirection;

use super::entity::{Column, Entity};
use crate::{
    app::App,
    resource::{
        filter::{IdFilter, TextFilter},
        listed::{Combined, Filter, ListOrder, Listed},
        page::{KeyType, SortKey},
    },
    tags::{self, TagOwner},
};

/// Filter for hosts. All given fields must match; an empty filter matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct HostFilter {
    /// Filter by id.
    pub id: Option<IdFilter>,
    /// Filter by network id.
    pub network_id: Option<IdFilter>,
    /// Filter by tag id; any of the host's tags may match.
    pub tag_id: Option<IdFilter>,
    /// Filter by name.
    pub name: Option<TextFilter>,
    /// Filter by DNS name.
    pub hostname: Option<TextFilter>,
    /// Filter by the device's own name.
    pub sys_name: Option<TextFilter>,
    /// Filter by the chassis id that the device announces.
    pub chassis_id: Option<TextFilter>,
    /// Filter by management IP address.
    pub management_address: Option<TextFilter>,
    /// Filters that must all match; an empty list matches everything.
    pub and: Option<Vec<Self>>,
    /// Filters of which at least one must match; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// Filter that must not match.
    pub not: Option<Box<Self>>,
}

impl Filter for HostFilter {
    fn fields(&self, app: &App) -> Condition {
        Condition::all()
            .add_option(self.id.as_ref().map(|filter| filter.condition(&app.db, Column::Id)))
            .add_option(
                self.network_id.as_ref().map(|filter| filter.condition(&app.db, Column::NetworkId)),
            )
            .add_option(
                self.tag_id
                    .as_ref()
                    .map(|filter| tags::carried(&app.db, TagOwner::Host, Column::Id, filter)),
            )
            .add_option(self.name.as_ref().map(|filter| filter.condition(Column::Name)))
            .add_option(self.hostname.as_ref().map(|filter| filter.condition(Column::Hostname)))
            .add_option(self.sys_name.as_ref().map(|filter| filter.condition(Column::SysName)))
            .add_option(
                self.chassis_id
                    .as_ref()
                    .map(|filter| filter.condition_in_any_spelling(&app.db, Column::ChassisId)),
            )
            .add_option(
                self.management_address.as_ref().map(|filter| {
                    filter.condition_in_any_spelling(&app.db, Column::ManagementAddress)
                }),
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

/// Fields by which hosts can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum HostOrderField {
    /// Creation time of the record.
    CreatedAt,
    /// The name; numbers in it compare by value.
    Name,
    /// Time of the last change to the record.
    UpdatedAt,
    /// The id of the network.
    NetworkId,
}

/// Sort order for hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct HostOrder {
    /// The field to order by.
    pub field: HostOrderField,
    /// The sort direction.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for HostOrder {
    type Field = HostOrderField;

    fn by(field: HostOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            HostOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            HostOrderField::Name => return SortKey::name(Column::Name, self.direction),
            HostOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
            HostOrderField::NetworkId => (Column::NetworkId, KeyType::Id),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = HostFilter;
    type Order = HostOrder;
}
