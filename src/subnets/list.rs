//! How lists of subnets are filtered and ordered.

use async_graphql::{Enum, InputObject};
use sea_orm::Condition;
use toposcope_types::{OrderDirection, SubnetType};

use super::entity::{Column, Entity};
use crate::{
    app::App,
    resource::{
        filter::{EnumFilter, IdFilter, TextFilter},
        listed::{Combined, Filter, ListOrder, Listed},
        page::{KeyType, SortKey},
    },
    tags::{self, TagOwner},
};

/// Which subnets. Everything that is given must hold; nothing given matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct SubnetFilter {
    /// By its id.
    pub id: Option<IdFilter>,
    /// By the network that it belongs to.
    pub network_id: Option<IdFilter>,
    /// By the tags that it carries: any of them.
    pub tag_id: Option<IdFilter>,
    /// By its name.
    pub name: Option<TextFilter>,
    /// By its range, as text.
    pub cidr: Option<TextFilter>,
    /// By what it is for.
    pub subnet_type: Option<EnumFilter<SubnetType>>,
    /// All of these must hold; an empty list matches all.
    pub and: Option<Vec<Self>>,
    /// At least one of these must hold; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// This must not hold.
    pub not: Option<Box<Self>>,
}

impl Filter for SubnetFilter {
    fn fields(&self, app: &App) -> Condition {
        Condition::all()
            .add_option(self.id.as_ref().map(|filter| filter.condition(&app.db, Column::Id)))
            .add_option(
                self.network_id.as_ref().map(|filter| filter.condition(&app.db, Column::NetworkId)),
            )
            .add_option(
                self.tag_id
                    .as_ref()
                    .map(|filter| tags::carried(&app.db, TagOwner::Subnet, Column::Id, filter)),
            )
            .add_option(self.name.as_ref().map(|filter| filter.condition(Column::Name)))
            .add_option(self.cidr.as_ref().map(|filter| filter.condition(Column::Cidr)))
            .add_option(
                self.subnet_type.as_ref().map(|filter| filter.condition(Column::SubnetType)),
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

/// What subnets can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum SubnetOrderField {
    /// When it was recorded.
    CreatedAt,
    /// The name.
    Name,
    /// When it was last changed.
    UpdatedAt,
    /// The id of the network.
    NetworkId,
    /// The range, as text.
    Cidr,
}

/// An order of subnets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct SubnetOrder {
    /// What to order by.
    pub field: SubnetOrderField,
    /// Which way.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for SubnetOrder {
    type Field = SubnetOrderField;

    fn by(field: SubnetOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            SubnetOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            SubnetOrderField::Name => (Column::Name, KeyType::Text),
            SubnetOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
            SubnetOrderField::NetworkId => (Column::NetworkId, KeyType::Id),
            SubnetOrderField::Cidr => (Column::Cidr, KeyType::Text),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = SubnetFilter;
    type Order = SubnetOrder;
}
