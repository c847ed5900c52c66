//! How lists of users are filtered and ordered.

use async_graphql::{Enum, InputObject};
use sea_orm::Condition;
use toposcope_types::{OrderDirection, PermissionLevel};

use super::entity::{Column, Entity};
use crate::{
    app::App,
    resource::{
        filter::{EnumFilter, IdFilter, TextFilter},
        listed::{Combined, Filter, ListOrder, Listed},
        page::{KeyType, SortKey},
    },
};

/// Which users. Everything that is given must hold; nothing given matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct UserFilter {
    /// By its id.
    pub id: Option<IdFilter>,
    /// By the e-mail address.
    pub email: Option<TextFilter>,
    /// By what they may do.
    pub permissions: Option<EnumFilter<PermissionLevel>>,
    /// All of these must hold; an empty list matches all.
    pub and: Option<Vec<Self>>,
    /// At least one of these must hold; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// This must not hold.
    pub not: Option<Box<Self>>,
}

impl Filter for UserFilter {
    fn fields(&self, app: &App) -> Condition {
        Condition::all()
            .add_option(self.id.as_ref().map(|filter| filter.condition(&app.db, Column::Id)))
            .add_option(self.email.as_ref().map(|filter| filter.condition(Column::Email)))
            .add_option(
                self.permissions.as_ref().map(|filter| filter.condition(Column::Permissions)),
            )
    }

    fn combined(&self) -> Combined<'_, Self> {
        Combined { and: self.and.as_deref(), or: self.or.as_deref(), not: self.not.as_deref() }
    }
}

/// What users can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum UserOrderField {
    /// When it was recorded.
    CreatedAt,
    /// The e-mail address.
    Email,
    /// When it was last changed.
    UpdatedAt,
}

/// An order of users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct UserOrder {
    /// What to order by.
    pub field: UserOrderField,
    /// Which way.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for UserOrder {
    type Field = UserOrderField;

    fn by(field: UserOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            UserOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            UserOrderField::Email => (Column::Email, KeyType::Text),
            UserOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = UserFilter;
    type Order = UserOrder;
}
