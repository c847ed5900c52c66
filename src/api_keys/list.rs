//! Filtering and ordering of API key lists.

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
};

/// Filter for API keys. All given fields must match; an empty filter matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct ApiKeyFilter {
    /// Filter by id.
    pub id: Option<IdFilter>,
    /// Filter by name.
    pub name: Option<TextFilter>,
    /// Filters that must all match; an empty list matches everything.
    pub and: Option<Vec<Self>>,
    /// Filters of which at least one must match; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// Filter that must not match.
    pub not: Option<Box<Self>>,
}

impl Filter for ApiKeyFilter {
    fn fields(&self, app: &App) -> Condition {
        Condition::all()
            .add_option(self.id.as_ref().map(|filter| filter.condition(&app.db, Column::Id)))
            .add_option(self.name.as_ref().map(|filter| filter.condition(Column::Name)))
    }

    fn combined(&self) -> Combined<'_, Self> {
        Combined { and: self.and.as_deref(), or: self.or.as_deref(), not: self.not.as_deref() }
    }
}

/// Fields by which API keys can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum ApiKeyOrderField {
    /// Creation time of the record.
    CreatedAt,
    /// The name; numbers in it compare by value.
    Name,
    /// Time of the last change to the record.
    UpdatedAt,
}

/// Sort order for API keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct ApiKeyOrder {
    /// The field to order by.
    pub field: ApiKeyOrderField,
    /// The sort direction.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for ApiKeyOrder {
    type Field = ApiKeyOrderField;

    fn by(field: ApiKeyOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            ApiKeyOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            ApiKeyOrderField::Name => return SortKey::name(Column::Name, self.direction),
            ApiKeyOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = ApiKeyFilter;
    type Order = ApiKeyOrder;
}
