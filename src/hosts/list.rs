//! How lists of hosts are filtered and ordered.

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

/// Which hosts. Everything that is given must hold; nothing given matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct HostFilter {
    /// By its id.
    pub id: Option<IdFilter>,
    /// By the network that it belongs to.
    pub network_id: Option<IdFilter>,
    /// By the tags that it carries: any of them.
    pub tag_id: Option<IdFilter>,
    /// By its name.
    pub name: Option<TextFilter>,
    /// By its DNS name.
    pub hostname: Option<TextFilter>,
    /// By the name that the device gives itself.
    pub sys_name: Option<TextFilter>,
    /// By the chassis id that it announces.
    pub chassis_id: Option<TextFilter>,
    /// By the IP address by which it is managed.
    pub management_address: Option<TextFilter>,
    /// All of these must hold; an empty list matches all.
    pub and: Option<Vec<Self>>,
    /// At least one of these must hold; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// This must not hold.
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
            .add_option(self.chassis_id.as_ref().map(|filter| filter.condition(Column::ChassisId)))
            .add_option(
                self.management_address
                    .as_ref()
                    .map(|filter| filter.condition(Column::ManagementAddress)),
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

/// What hosts can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum HostOrderField {
    /// When it was recorded.
    CreatedAt,
    /// The name.
    Name,
    /// When it was last changed.
    UpdatedAt,
    /// The id of the network.
    NetworkId,
}

/// An order of hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct HostOrder {
    /// What to order by.
    pub field: HostOrderField,
    /// Which way.
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
            HostOrderField::Name => (Column::Name, KeyType::Text),
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
