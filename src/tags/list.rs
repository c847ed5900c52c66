//! Filtering and ordering of tag lists.

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

/// Filter for tags. All given fields must match; an empty filter matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct TagFilter {
    /// Filter by id.
    pub id: Option<IdFilter>,
    /// Filter by name.
    pub name: Option<TextFilter>,
    /// Filter by color.
    pub color: Option<EnumFilter<Color>>,
    /// Filters that must all match; an empty list matches everything.
    pub and: Option<Vec<Self>>,
    /// Filters of which at least one must match; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// Filter that must not match.
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

/// Fields by which tags can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum TagOrderField {
    /// Creation time of the record.
    CreatedAt,
    /// The name; numbers in it compare by value.
    Name,
    /// Time of the last change to the record.
    UpdatedAt,
}

/// Sort order for tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct TagOrder {
    /// The field to order by.
    pub field: TagOrderField,
    /// The sort direction.
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
            TagOrderField::Name => return SortKey::name(Column::Name, self.direction),
            TagOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = TagFilter;
    type Order = TagOrder;
}
