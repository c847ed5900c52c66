//! Filtering and ordering of interface-table entry lists.

use async_graphql::{Enum, InputObject};
use sea_orm::{ColumnTrait as _, Condition};
use toposcope_types::{AdminStatus, Duplex, Mac, OperStatus, OrderDirection, StpState};

use super::entity::{Column, Entity};
use crate::{
    app::App,
    hosts::entity as hosts,
    resource::{
        filter::{AddressFilter, EnumFilter, IdFilter, IntFilter, TextFilter},
        listed::{Combined, Filter, ListOrder, Listed},
        page::{KeyType, SortKey},
    },
};

/// Filter for interface-table entries. All given fields must match; an empty filter matches
/// everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct IfEntryFilter {
    /// Filter by id.
    pub id: Option<IdFilter>,
    /// Filter by network id.
    pub network_id: Option<IdFilter>,
    /// Filter by host id.
    pub host_id: Option<IdFilter>,
    /// Filter by the id of the host's address that is reached through the interface.
    pub interface_id: Option<IdFilter>,
    /// Filter by short name.
    pub if_name: Option<TextFilter>,
    /// Filter by description.
    pub if_descr: Option<TextFilter>,
    /// Filter by the operator's alias.
    pub if_alias: Option<TextFilter>,
    /// Filter by MAC address.
    pub mac_address: Option<AddressFilter<Mac>>,
    /// Filter by number within the device.
    pub if_index: Option<IntFilter>,
    /// Filter by kind of interface.
    pub if_type: Option<IntFilter>,
    /// Filter by the state that the operator wants.
    pub admin_status: Option<EnumFilter<AdminStatus>>,
    /// Filter by current operational state.
    pub oper_status: Option<EnumFilter<OperStatus>>,
    /// Filter by the ifIndex of the aggregate.
    pub lag_if_index: Option<IntFilter>,
    /// Filter by the ifIndex of the interface that it runs over.
    pub parent_if_index: Option<IntFilter>,
    /// Filter by MTU in octets.
    pub mtu: Option<IntFilter>,
    /// Filter by duplex mode.
    pub duplex: Option<EnumFilter<Duplex>>,
    /// Filter by the VLAN of untagged frames.
    pub native_vlan: Option<IntFilter>,
    /// Only interfaces that carry this VLAN, tagged or not.
    pub vlan: Option<i32>,
    /// Filter by state in the spanning tree.
    pub stp_state: Option<EnumFilter<StpState>>,
    /// Filters that must all match; an empty list matches everything.
    pub and: Option<Vec<Self>>,
    /// Filters of which at least one must match; an empty list matches nothing.
    pub or: Option<Vec<Self>>,
    /// Filter that must not match.
    pub not: Option<Box<Self>>,
}

impl Filter for IfEntryFilter {
    fn fields(&self, app: &App) -> Condition {
        Condition::all()
            .add_option(self.id.as_ref().map(|filter| filter.condition(&app.db, Column::Id)))
            .add_option(
                self.network_id.as_ref().map(|filter| filter.condition(&app.db, Column::NetworkId)),
            )
            .add_option(
                self.host_id.as_ref().map(|filter| filter.condition(&app.db, Column::HostId)),
            )
            .add_option(
                self.interface_id
                    .as_ref()
                    .map(|filter| filter.condition(&app.db, Column::InterfaceId)),
            )
            .add_option(self.if_name.as_ref().map(|filter| filter.condition(Column::IfName)))
            .add_option(self.if_descr.as_ref().map(|filter| filter.condition(Column::IfDescr)))
            .add_option(self.if_alias.as_ref().map(|filter| filter.condition(Column::IfAlias)))
            .add_option(
                self.mac_address.as_ref().map(|filter| filter.condition(Column::MacAddress)),
            )
            .add_option(self.if_index.as_ref().map(|filter| filter.condition(Column::IfIndex)))
            .add_option(self.if_type.as_ref().map(|filter| filter.condition(Column::IfType)))
            .add_option(
                self.admin_status.as_ref().map(|filter| filter.condition(Column::AdminStatus)),
            )
            .add_option(
                self.oper_status.as_ref().map(|filter| filter.condition(Column::OperStatus)),
            )
            .add_option(
                self.lag_if_index.as_ref().map(|filter| filter.condition(Column::LagIfIndex)),
            )
            .add_option(
                self.parent_if_index.as_ref().map(|filter| filter.condition(Column::ParentIfIndex)),
            )
            .add_option(self.mtu.as_ref().map(|filter| filter.condition(Column::Mtu)))
            .add_option(self.duplex.as_ref().map(|filter| filter.condition(Column::Duplex)))
            .add_option(
                self.native_vlan.as_ref().map(|filter| filter.condition(Column::NativeVlan)),
            )
            .add_option(self.vlan.map(|vlan| {
                Condition::any()
                    .add(Column::NativeVlan.eq(vlan))
                    .add(app.db.ranges_include(Column::TaggedVlans, vlan))
            }))
            .add_option(self.stp_state.as_ref().map(|filter| filter.condition(Column::StpState)))
    }

    fn combined(&self) -> Combined<'_, Self> {
        Combined { and: self.and.as_deref(), or: self.or.as_deref(), not: self.not.as_deref() }
    }

    fn only_networks(&self) -> Option<&IdFilter> {
        let rest = Self { network_id: None, ..self.clone() };
        self.network_id.as_ref().filter(|_| rest == Self::default())
    }
}

/// Fields by which interface-table entries can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Enum)]
pub enum IfEntryOrderField {
    /// Creation time of the record.
    CreatedAt,
    /// Time of the last change to the record.
    UpdatedAt,
    /// The id of the network.
    NetworkId,
    /// The number within the device.
    IfIndex,
    /// The description; numbers in it compare by value.
    IfDescr,
    /// The name of the host; numbers in it compare by value.
    Host,
}

/// Sort order for interface-table entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, InputObject)]
pub struct IfEntryOrder {
    /// The field to order by.
    pub field: IfEntryOrderField,
    /// The sort direction.
    #[graphql(default)]
    pub direction: OrderDirection,
}

impl ListOrder for IfEntryOrder {
    type Field = IfEntryOrderField;

    fn by(field: IfEntryOrderField, direction: OrderDirection) -> Self {
        Self { field, direction }
    }

    fn key(&self) -> SortKey {
        let (column, key_type) = match self.field {
            IfEntryOrderField::CreatedAt => (Column::CreatedAt, KeyType::Time),
            IfEntryOrderField::UpdatedAt => (Column::UpdatedAt, KeyType::Time),
            IfEntryOrderField::NetworkId => (Column::NetworkId, KeyType::Id),
            IfEntryOrderField::IfIndex => (Column::IfIndex, KeyType::Integer),
            IfEntryOrderField::IfDescr => return SortKey::name(Column::IfDescr, self.direction),
            IfEntryOrderField::Host => return hosts::by_name(Column::HostId, self.direction),
        };
        SortKey::column(column, key_type, self.direction)
    }
}

impl Listed for Entity {
    type Filter = IfEntryFilter;
    type Order = IfEntryOrder;
}
