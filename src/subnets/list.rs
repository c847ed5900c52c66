//! Filtering and ordering of subnet lists.

use async_graphql::{Enum, InputObject};
use sea_orm::Condition;
use toposcope_types::{Cidr, OrderDirection, SubnetType};

use super::entity::{Column, Entity};
use crate::{
    app::App,
    resource::{
        filter::{AddressFilter, EnumFilter, IdFilter, TextFilter},
        listed::{Combined, Filter, ListOrder, Listed},
        page::{KeyType, SortKey},
    },
    tags::{self, TagOwner},
};

/// Filter for subnets. All given fields must match; an empty filter matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct SubnetFilter {
    /// Filter by id.
    pub id: Option<IdFilter>,
    /// Filter by network id.
    pub network_id: Option<IdFilter>,
    /// Filter by tag id; any of the subnet's tags may match.
    pub tag_id: Option<IdFilter>,
    /// Filter by name.
    pub name: Option<TextFilter>,
    /// Filter by range.
    pub cidr: Option<AddressFilter<Cidr>>,
    /// Filter by purpose.
    pub subnet_type: Option<EnumFilter<SubnetType>>,
    /// Filters that must all match; an empty list matches everything.
    pub and: Option<Vec<Self>>,
    /// Filters of which at least one must match; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// Filter that must not match.
    pub not: Option<Box<Self>>,
}

impl Filter for SubnetFilter {
    fn fields(&self, app: &App) -> Condition {
        Condition::all()
            .add_option(self.id.as_ref().map(|filter| filter.condition(&app.db, Column::Id)))
            .add_option(
                self.network_id.as_ref().map(|filter| filter.condition(&app.db, Column::NetworkId)),
            )
            .add_option(
                self.tag_id
                    .as_ref()
                    .map(|filter| tags::carried(&app.db, TagOwner::Subnet, Column::Id, filter)),
            )
            .add_option(self.name.as_ref().map(|filter| filter.condition(Column::Name)))
            .add_option(self.cidr.as_ref().map(|filter| filter.condition(Column::Cidr)))
            .add_option(
                self.subnet_type.as_ref().map(|filter| filter.condition(Column::SubnetType)),
            )
    }

    fn combined(&self) -> Combined<'_, Self> {
        Combined { and: self.and.as_deref(), or: self.or.as_deref(), not: self.not.as_deref() }
    }

    fn only_networks(&self) -> Option<&IdFilter> {
        let rest = Self { network_id: None, ..self.clone() };
        self.network_id.as_ref().filter(|_| rest == Self::default())
    }
}

/// Fields by which subnets can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum SubnetOrderField {
    /// Creation time of the record.
    CreatedAt,
    /// The name; numbers in it compare by value.
    Name,
    /// Time of the last change to the record.
    UpdatedAt,
    /// The id of the network.
    NetworkId,
    /// The range, as text.
    Cidr,
}

/// Sort order for subnets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct SubnetOrder {
    /// The field to order by.
    pub field: SubnetOrderField,
    /// The sort direction.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for SubnetOrder {
    type Field = SubnetOrderField;

    fn by(field: SubnetOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            SubnetOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            SubnetOrderField::Name => return SortKey::name(Column::Name, self.direction),
            SubnetOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
            SubnetOrderField::NetworkId => (Column::NetworkId, KeyType::Id),
            SubnetOrderField::Cidr => (Column::Cidr, KeyType::Text),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = SubnetFilter;
    type Order = SubnetOrder;
}
