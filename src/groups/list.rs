//! Filtering and ordering of group lists.

use async_graphql::{Enum, InputObject};
use sea_orm::Condition;
use toposcope_types::{Color, GroupType, OrderDirection};

use super::entity::{Column, Entity};
use crate::{
    app::App,
    resource::{
        filter::{EnumFilter, IdFilter, TextFilter},
        listed::{Combined, Filter, ListOrder, Listed},
        page::{KeyType, SortKey},
    },
    tags::{self, TagOwner},
};

/// Filter for groups. All given fields must match; an empty filter matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct GroupFilter {
    /// Filter by id.
    pub id: Option<IdFilter>,
    /// Filter by network id.
    pub network_id: Option<IdFilter>,
    /// Filter by tag id; any of the group's tags may match.
    pub tag_id: Option<IdFilter>,
    /// Filter by name.
    pub name: Option<TextFilter>,
    /// Filter by the meaning of the binding order.
    pub group_type: Option<EnumFilter<GroupType>>,
    /// Filter by color.
    pub color: Option<EnumFilter<Color>>,
    /// Filters that must all match; an empty list matches everything.
    pub and: Option<Vec<Self>>,
    /// Filters of which at least one must match; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// Filter that must not match.
    pub not: Option<Box<Self>>,
}

impl Filter for GroupFilter {
    fn fields(&self, app: &App) -> Condition {
        Condition::all()
            .add_option(self.id.as_ref().map(|filter| filter.condition(&app.db, Column::Id)))
            .add_option(
                self.network_id.as_ref().map(|filter| filter.condition(&app.db, Column::NetworkId)),
            )
            .add_option(
                self.tag_id
                    .as_ref()
                    .map(|filter| tags::carried(&app.db, TagOwner::Group, Column::Id, filter)),
            )
            .add_option(self.name.as_ref().map(|filter| filter.condition(Column::Name)))
            .add_option(self.group_type.as_ref().map(|filter| filter.condition(Column::GroupType)))
            .add_option(self.color.as_ref().map(|filter| filter.condition(Column::Color)))
    }

    fn combined(&self) -> Combined<'_, Self> {
        Combined { and: self.and.as_deref(), or: self.or.as_deref(), not: self.not.as_deref() }
    }

    fn only_networks(&self) -> Option<&IdFilter> {
        let rest = Self { network_id: None, ..self.clone() };
        self.network_id.as_ref().filter(|_| rest == Self::default())
    }
}

/// Fields by which groups can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum GroupOrderField {
    /// Creation time of the record.
    CreatedAt,
    /// The name; numbers in it compare by value.
    Name,
    /// Time of the last change to the record.
    UpdatedAt,
    /// The id of the network.
    NetworkId,
}

/// Sort order for groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct GroupOrder {
    /// The field to order by.
    pub field: GroupOrderField,
    /// The sort direction.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for GroupOrder {
    type Field = GroupOrderField;

    fn by(field: GroupOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            GroupOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            GroupOrderField::Name => return SortKey::name(Column::Name, self.direction),
            GroupOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
            GroupOrderField::NetworkId => (Column::NetworkId, KeyType::Id),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = GroupFilter;
    type Order = GroupOrder;
}
