//! Filtering and ordering of organization lists.

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

/// Filter for organizations. All given fields must match; an empty filter matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct OrganizationFilter {
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

impl Filter for OrganizationFilter {
    fn fields(&self, app: &App) -> Condition {
        Condition::all()
            .add_option(self.id.as_ref().map(|filter| filter.condition(&app.db, Column::Id)))
            .add_option(self.name.as_ref().map(|filter| filter.condition(Column::Name)))
    }

    fn combined(&self) -> Combined<'_, Self> {
        Combined { and: self.and.as_deref(), or: self.or.as_deref(), not: self.not.as_deref() }
    }
}

/// Fields by which organizations can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum OrganizationOrderField {
    /// Creation time of the record.
    CreatedAt,
    /// The name.
    Name,
    /// Time of the last change to the record.
    UpdatedAt,
}

/// Sort order for organizations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct OrganizationOrder {
    /// The field to order by.
    pub field: OrganizationOrderField,
    /// The sort direction.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for OrganizationOrder {
    type Field = OrganizationOrderField;

    fn by(field: OrganizationOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            OrganizationOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            OrganizationOrderField::Name => (Column::Name, KeyType::Text),
            OrganizationOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = OrganizationFilter;
    type Order = OrganizationOrder;
}
