//! How the log of changes is filtered and ordered.

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

/// Which changes. Everything that is given must hold; nothing given matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct ChangeFilter {
    /// By its id.
    pub id: Option<IdFilter>,
    /// By the network that it happened in.
    pub network_id: Option<IdFilter>,
    /// By the kind of thing that was changed.
    pub entity: Option<EnumFilter<Kind>>,
    /// By the thing that was changed.
    pub entity_id: Option<IdFilter>,
    /// By what happened to it.
    pub action: Option<EnumFilter<ChangeAction>>,
    /// By the user who did it.
    pub user_id: Option<IdFilter>,
    /// By the API key by which it was done.
    pub api_key_id: Option<IdFilter>,
    /// At this moment or later.
    pub since: Option<Timestamp>,
    /// With a higher number in its log: what came after a change that you have seen.
    pub after_sequence: Option<BigInt>,
    /// All of these must hold; an empty list matches all.
    pub and: Option<Vec<Self>>,
    /// At least one of these must hold; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// This must not hold.
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

/// What changes can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum ChangeOrderField {
    /// When it was written.
    CreatedAt,
    /// Its number in its log.
    Sequence,
}

/// An order of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct ChangeOrder {
    /// What to order by.
    pub field: ChangeOrderField,
    /// Which way.
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
