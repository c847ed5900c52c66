//! How lists of networks are filtered and ordered.

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

/// Which networks. Everything that is given must hold; nothing given matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct NetworkFilter {
    /// By its id.
    pub id: Option<IdFilter>,
    /// By its name.
    pub name: Option<TextFilter>,
    /// By the tags that it carries: any of them.
    pub tag_id: Option<IdFilter>,
    /// All of these must hold; an empty list matches all.
    pub and: Option<Vec<Self>>,
    /// At least one of these must hold; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// This must not hold.
    pub not: Option<Box<Self>>,
}

impl Filter for NetworkFilter {
    fn fields(&self, app: &App) -> Condition {
        Condition::all()
            .add_option(self.id.as_ref().map(|filter| filter.condition(&app.db, Column::Id)))
            .add_option(self.name.as_ref().map(|filter| filter.condition(Column::Name)))
            .add_option(
                self.tag_id
                    .as_ref()
                    .map(|filter| tags::carried(&app.db, TagOwner::Network, Column::Id, filter)),
            )
    }

    fn combined(&self) -> Combined<'_, Self> {
        Combined { and: self.and.as_deref(), or: self.or.as_deref(), not: self.not.as_deref() }
    }
}

/// What networks can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum NetworkOrderField {
    /// When it was recorded.
    CreatedAt,
    /// The name.
    Name,
    /// When it was last changed.
    UpdatedAt,
}

/// An order of networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct NetworkOrder {
    /// What to order by.
    pub field: NetworkOrderField,
    /// Which way.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for NetworkOrder {
    type Field = NetworkOrderField;

    fn by(field: NetworkOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            NetworkOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            NetworkOrderField::Name => (Column::Name, KeyType::Text),
            NetworkOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = NetworkFilter;
    type Order = NetworkOrder;
}
