//! How lists of groups are filtered and ordered.

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

/// Which groups. Everything that is given must hold; nothing given matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct GroupFilter {
    /// By its id.
    pub id: Option<IdFilter>,
    /// By the network that it belongs to.
    pub network_id: Option<IdFilter>,
    /// By the tags that it carries: any of them.
    pub tag_id: Option<IdFilter>,
    /// By its name.
    pub name: Option<TextFilter>,
    /// By what its order means.
    pub group_type: Option<EnumFilter<GroupType>>,
    /// By its color.
    pub color: Option<EnumFilter<Color>>,
    /// All of these must hold; an empty list matches all.
    pub and: Option<Vec<Self>>,
    /// At least one of these must hold; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// This must not hold.
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

/// What groups can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum GroupOrderField {
    /// When it was recorded.
    CreatedAt,
    /// The name.
    Name,
    /// When it was last changed.
    UpdatedAt,
    /// The id of the network.
    NetworkId,
}

/// An order of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct GroupOrder {
    /// What to order by.
    pub field: GroupOrderField,
    /// Which way.
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
            GroupOrderField::Name => (Column::Name, KeyType::Text),
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
