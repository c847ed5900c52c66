//! How lists of services are filtered and ordered.

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

/// Which services. Everything that is given must hold; nothing given matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct ServiceFilter {
    /// By its id.
    pub id: Option<IdFilter>,
    /// By the network that it belongs to.
    pub network_id: Option<IdFilter>,
    /// By the host that it belongs to.
    pub host_id: Option<IdFilter>,
    /// By the tags that it carries: any of them.
    pub tag_id: Option<IdFilter>,
    /// By its name.
    pub name: Option<TextFilter>,
    /// By which well-known service it is.
    pub service_definition: Option<TextFilter>,
    /// By the category of the well-known service.
    pub category: Option<EnumFilter<ServiceCategory>>,
    /// All of these must hold; an empty list matches all.
    pub and: Option<Vec<Self>>,
    /// At least one of these must hold; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// This must not hold.
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

/// What services can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum ServiceOrderField {
    /// When it was recorded.
    CreatedAt,
    /// The name.
    Name,
    /// When it was last changed.
    UpdatedAt,
    /// The name of the host.
    Host,
    /// The id of the network.
    NetworkId,
    /// The place among the services of the host.
    Position,
}

/// An order of services.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct ServiceOrder {
    /// What to order by.
    pub field: ServiceOrderField,
    /// Which way.
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
            ServiceOrderField::Name => (Column::Name, KeyType::Text),
            ServiceOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
            ServiceOrderField::Host => {
                return SortKey {
                    expression: hosts::name_of(Column::HostId),
                    key_type: KeyType::Text,
                    direction: self.direction,
                };
            }
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
