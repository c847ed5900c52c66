//! How lists of tags are filtered and ordered.

use async_graphql::{Enum, InputObject};
use sea_orm::Condition;
use toposcope_types::{Color, OrderDirection};

use super::entity::{Column, Entity};
use crate::{
    app::App,
    resource::{
        filter::{EnumFilter, IdFilter, TextFilter},
        listed::{Combined, Filter, ListOrder, Listed},
        page::{KeyType, SortKey},
    },
};

/// Which tags. Everything that is given must hold; nothing given matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct TagFilter {
    /// By its id.
    pub id: Option<IdFilter>,
    /// By its name.
    pub name: Option<TextFilter>,
    /// By its color.
    pub color: Option<EnumFilter<Color>>,
    /// All of these must hold; an empty list matches all.
    pub and: Option<Vec<Self>>,
    /// At least one of these must hold; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// This must not hold.
    pub not: Option<Box<Self>>,
}

impl Filter for TagFilter {
    fn fields(&self, app: &App) -> Condition {
        Condition::all()
            .add_option(self.id.as_ref().map(|filter| filter.condition(&app.db, Column::Id)))
            .add_option(self.name.as_ref().map(|filter| filter.condition(Column::Name)))
            .add_option(self.color.as_ref().map(|filter| filter.condition(Column::Color)))
    }

    fn combined(&self) -> Combined<'_, Self> {
        Combined { and: self.and.as_deref(), or: self.or.as_deref(), not: self.not.as_deref() }
    }
}

/// What tags can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum TagOrderField {
    /// When it was recorded.
    CreatedAt,
    /// The name.
    Name,
    /// When it was last changed.
    UpdatedAt,
}

/// An order of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct TagOrder {
    /// What to order by.
    pub field: TagOrderField,
    /// Which way.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for TagOrder {
    type Field = TagOrderField;

    fn by(field: TagOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            TagOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            TagOrderField::Name => (Column::Name, KeyType::Text),
            TagOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = TagFilter;
    type Order = TagOrder;
}
