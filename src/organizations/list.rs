//! How lists of organizations are filtered and ordered.

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

/// Which organizations. Everything that is given must hold; nothing given matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct OrganizationFilter {
    /// By its id.
    pub id: Option<IdFilter>,
    /// By its name.
    pub name: Option<TextFilter>,
    /// All of these must hold; an empty list matches all.
    pub and: Option<Vec<Self>>,
    /// At least one of these must hold; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// This must not hold.
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

/// What organizations can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum OrganizationOrderField {
    /// When it was recorded.
    CreatedAt,
    /// The name.
    Name,
    /// When it was last changed.
    UpdatedAt,
}

/// An order of organizations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct OrganizationOrder {
    /// What to order by.
    pub field: OrganizationOrderField,
    /// Which way.
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
