//! Filtering and ordering of service lists.

use async_graphql::{Enum, InputObject};
use sea_orm::Condition;
use toposcope_types::{OrderDirection, ServiceCategory};

use super::{
    entity::{Column, Entity},
    of_category,
};
use crate::{
    app::App,
    hosts::entity as hosts,
    resource::{
        filter::{EnumFilter, IdFilter, TextFilter},
        listed::{Combined, Filter, ListOrder, Listed},
        page::{KeyType, SortKey},
    },
    tags::{self, TagOwner},
};

/// Filter for services. All given fields must match; an empty filter matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct ServiceFilter {
    /// Filter by id.
    pub id: Option<IdFilter>,
    /// Filter by network id.
    pub network_id: Option<IdFilter>,
    /// Filter by host id.
    pub host_id: Option<IdFilter>,
    /// Filter by tag id; any of the service's tags may match.
    pub tag_id: Option<IdFilter>,
    /// Filter by name.
    pub name: Option<TextFilter>,
    /// Filter by service definition.
    pub service_definition: Option<TextFilter>,
    /// Filter by category of the well-known service.
    pub category: Option<EnumFilter<ServiceCategory>>,
    /// Filters that must all match; an empty list matches everything.
    pub and: Option<Vec<Self>>,
    /// Filters of which at least one must match; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// Filter that must not match.
    pub not: Option<Box<Self>>,
}

impl Filter for ServiceFilter {
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
                self.tag_id
                    .as_ref()
                    .map(|filter| tags::carried(&app.db, TagOwner::Service, Column::Id, filter)),
            )
            .add_option(self.name.as_ref().map(|filter| filter.condition(Column::Name)))
            .add_option(
                self.service_definition
                    .as_ref()
                    .map(|filter| filter.condition(Column::ServiceDefinition)),
            )
            .add_option(self.category.as_ref().map(|filter| of_category(app, filter)))
    }

    fn combined(&self) -> Combined<'_, Self> {
        Combined { and: self.and.as_deref(), or: self.or.as_deref(), not: self.not.as_deref() }
    }

    fn only_networks(&self) -> Option<&IdFilter> {
        let rest = Self { network_id: None, ..self.clone() };
        self.network_id.as_ref().filter(|_| rest == Self::default())
    }
}

/// Fields by which services can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum ServiceOrderField {
    /// Creation time of the record.
    CreatedAt,
    /// The name; numbers in it compare by value.
    Name,
    /// Time of the last change to the record.
    UpdatedAt,
    /// The name of the host; numbers in it compare by value.
    Host,
    /// The id of the network.
    NetworkId,
    /// The position among the host's services.
    Position,
}

/// Sort order for services.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct ServiceOrder {
    /// The field to order by.
    pub field: ServiceOrderField,
    /// The sort direction.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for ServiceOrder {
    type Field = ServiceOrderField;

    fn by(field: ServiceOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            ServiceOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            ServiceOrderField::Name => return SortKey::name(Column::Name, self.direction),
            ServiceOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
            ServiceOrderField::Host => return hosts::by_name(Column::HostId, self.direction),
            ServiceOrderField::NetworkId => (Column::NetworkId, KeyType::Id),
            ServiceOrderField::Position => (Column::Position, KeyType::Integer),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = ServiceFilter;
    type Order = ServiceOrder;
}
