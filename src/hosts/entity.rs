//! The `host` table.

use async_graphql::SimpleObject;
use sea_orm::{
    IntoSimpleExpr,
    entity::prelude::*,
    sea_query::{ExprTrait as _, Query, SimpleExpr},
};
use serde::Serialize;
use toposcope_types::{HostVirtualization, Id, Kind, Source, Timestamp};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// A device: a switch, a router, a server, a phone.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "host")]
#[graphql(complex, name = "Host")]
#[schema(as = HostRow)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// The name by which people call it.
    pub name: String,
    /// The network that it belongs to.
    pub network_id: Id,
    /// The DNS name.
    pub hostname: Option<String>,
    /// What people noted about it.
    pub description: Option<String>,
    /// Where the record comes from.
    #[graphql(deprecation = "Ask `sourceDetails`, which has types.")]
    pub source: Source,
    /// What it runs on, if it is virtual.
    #[graphql(deprecation = "Ask `virtualizationDetails`, which has types.")]
    pub virtualization: Option<HostVirtualization>,
    /// Whether it is left out of drawings.
    pub hidden: bool,
    /// The name that the device gives itself (sysName, RFC 3418).
    pub sys_name: Option<String>,
    /// What the device says it is (sysDescr, RFC 3418).
    pub sys_descr: Option<String>,
    /// The vendor's identification of the device type (sysObjectID, RFC 3418).
    pub sys_object_id: Option<String>,
    /// Where the device stands (sysLocation, RFC 3418).
    pub sys_location: Option<String>,
    /// Who is responsible for it (sysContact, RFC 3418).
    pub sys_contact: Option<String>,
    /// Where its management page is.
    pub management_url: Option<String>,
    /// The IP address by which it is managed.
    pub management_address: Option<String>,
    /// The chassis id that it announces by LLDP (lldpLocChassisId, IEEE 802.1AB).
    pub chassis_id: Option<String>,
    /// Who made it.
    pub manufacturer: Option<String>,
    /// Which model it is.
    pub model: Option<String>,
    /// Its serial number.
    pub serial_number: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::Host;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::Network(Column::NetworkId);
    const COUNTER: Option<&'static str> = Some("host_count");

    fn id(row: &Model) -> Id {
        row.id
    }

    fn created_at(row: &Model) -> Timestamp {
        row.created_at
    }

    fn updated_at(row: &Model) -> Timestamp {
        row.updated_at
    }

    fn network_id(row: &Model) -> Option<Id> {
        Some(row.network_id)
    }
}

/// The name of the host whose id stands in `column`, to sort by.
pub fn name_of(column: impl IntoSimpleExpr) -> SimpleExpr {
    let name = Query::select()
        .column((Entity, Column::Name))
        .from(Entity)
        .and_where(Column::Id.into_simple_expr().eq(column.into_simple_expr()))
        .to_owned();
    SimpleExpr::SubQuery(None, Box::new(name.into()))
}
