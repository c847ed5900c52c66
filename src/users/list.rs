//! Filtering and ordering of user lists.

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

/// Filter for users. All given fields must match; an empty filter matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct UserFilter {
    /// Filter by id.
    pub id: Option<IdFilter>,
    /// Filter by e-mail address.
    pub email: Option<TextFilter>,
    /// Filter by permission level.
    pub permissions: Option<EnumFilter<PermissionLevel>>,
    /// Filters that must all match; an empty list matches everything.
    pub and: Option<Vec<Self>>,
    /// Filters of which at least one must match; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// Filter that must not match.
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

/// Fields by which users can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum UserOrderField {
    /// Creation time of the record.
    CreatedAt,
    /// The e-mail address.
    Email,
    /// Time of the last change to the record.
    UpdatedAt,
}

/// Sort order for users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct UserOrder {
    /// The field to order by.
    pub field: UserOrderField,
    /// The sort direction.
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
