//! Filtering and ordering of the change log.

use async_graphql::{Enum, InputObject};
use sea_orm::{ColumnTrait as _, Condition};
use toposcope_types::{BigInt, ChangeAction, Kind, OrderDirection, Timestamp};

use super::entity::{Column, Entity};
use crate::{
    app::App,
    resource::{
        filter::{EnumFilter, IdFilter},
        listed::{Combined, Filter, ListOrder, Listed},
        page::{KeyType, SortKey},
    },
};

/// Filter for changes. All given fields must match; an empty filter matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct ChangeFilter {
    /// Filter by id.
    pub id: Option<IdFilter>,
    /// Filter by the network of the change.
    pub network_id: Option<IdFilter>,
    /// Filter by the kind of the changed entity.
    pub entity: Option<EnumFilter<Kind>>,
    /// Filter by the id of the changed entity.
    pub entity_id: Option<IdFilter>,
    /// Filter by action.
    pub action: Option<EnumFilter<ChangeAction>>,
    /// Filter by the user who made the change.
    pub user_id: Option<IdFilter>,
    /// Filter by the API key that made the change.
    pub api_key_id: Option<IdFilter>,
    /// Only changes at this time or later.
    pub since: Option<Timestamp>,
    /// Only changes with a higher number in their log: those after a change that you have seen.
    pub after_sequence: Option<BigInt>,
    /// Filters that must all match; an empty list matches everything.
    pub and: Option<Vec<Self>>,
    /// Filters of which at least one must match; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// Filter that must not match.
    pub not: Option<Box<Self>>,
}

impl Filter for ChangeFilter {
    fn fields(&self, app: &App) -> Condition {
        let by_id = |filter: &Option<IdFilter>, column: Column| {
            filter.as_ref().map(|filter| filter.condition(&app.db, column))
        };
        Condition::all()
            .add_option(by_id(&self.id, Column::Id))
            .add_option(by_id(&self.network_id, Column::NetworkId))
            .add_option(self.entity.as_ref().map(|filter| filter.condition(Column::Entity)))
            .add_option(by_id(&self.entity_id, Column::EntityId))
            .add_option(self.action.as_ref().map(|filter| filter.condition(Column::Action)))
            .add_option(by_id(&self.user_id, Column::UserId))
            .add_option(by_id(&self.api_key_id, Column::ApiKeyId))
            .add_option(self.since.map(|moment| Column::CreatedAt.gte(moment)))
            .add_option(self.after_sequence.map(|sequence| Column::Sequence.gt(sequence)))
    }

    fn combined(&self) -> Combined<'_, Self> {
        Combined { and: self.and.as_deref(), or: self.or.as_deref(), not: self.not.as_deref() }
    }
}

/// Fields by which changes can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum ChangeOrderField {
    /// The time of the change.
    CreatedAt,
    /// The number of the change in its log.
    Sequence,
}

/// Sort order for changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct ChangeOrder {
    /// The field to order by.
    pub field: ChangeOrderField,
    /// The sort direction.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for ChangeOrder {
    type Field = ChangeOrderField;

    fn by(field: ChangeOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            ChangeOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            ChangeOrderField::Sequence => (Column::Sequence, KeyType::BigInteger),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = ChangeFilter;
    type Order = ChangeOrder;
}
