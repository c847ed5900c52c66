//! The `host` table.

use async_graphql::SimpleObject;
use sea_orm::{
    IntoSimpleExpr,
    entity::prelude::*,
    sea_query::{ExprTrait as _, Query, SimpleExpr},
};
use serde::Serialize;
use toposcope_topology::resolution::records::{HostFacts, Record};
use toposcope_types::{
    HostVirtualization, Id, Kind, OrderDirection, Source, StackMember, StackMembers, Timestamp,
};
use utoipa::ToSchema;

use crate::resource::{
    Resource, Scope,
    page::{KeyType, SortKey},
    rows,
};

/// A device: a switch, a router, a server, a phone.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "host")]
#[graphql(complex, name = "Host")]
#[schema(as = HostRow)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// Creation time of the record.
    pub created_at: Timestamp,
    /// Time of the last change to the record.
    pub updated_at: Timestamp,
    /// The name that people use for the host.
    pub name: String,
    /// The id of the host's network.
    pub network_id: Id,
    /// The DNS name.
    pub hostname: Option<String>,
    /// Notes that people made about the host.
    pub description: Option<String>,
    /// Origin of the record.
    #[graphql(deprecation = "Ask `sourceDetails`, which has types.")]
    pub source: Source,
    /// The virtualization platform that the host runs on, if it is virtual.
    #[graphql(deprecation = "Ask `virtualizationDetails`, which has types.")]
    pub virtualization: Option<HostVirtualization>,
    /// Whether drawings omit the host.
    pub hidden: bool,
    /// The device's own name (sysName, RFC 3418).
    pub sys_name: Option<String>,
    /// The device's own description (sysDescr, RFC 3418).
    pub sys_descr: Option<String>,
    /// The vendor's identification of the device type (sysObjectID, RFC 3418).
    pub sys_object_id: Option<String>,
    /// The physical location of the device (sysLocation, RFC 3418).
    pub sys_location: Option<String>,
    /// The contact person for the device (sysContact, RFC 3418).
    pub sys_contact: Option<String>,
    /// URL of the management page.
    pub management_url: Option<String>,
    /// The management IP address.
    pub management_address: Option<String>,
    /// The chassis id that the device announces by LLDP (lldpLocChassisId, IEEE 802.1AB).
    pub chassis_id: Option<String>,
    /// The manufacturer.
    pub manufacturer: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The serial number.
    pub serial_number: Option<String>,
    /// The version of the software (entPhysicalSoftwareRev, ENTITY-MIB, RFC 6933).
    pub software_version: Option<String>,
    /// The devices of which the host consists if it is a stack (entPhysicalTable, ENTITY-MIB,
    /// RFC 6933).
    #[graphql(skip)]
    #[schema(value_type = Option<Vec<StackMember>>)]
    pub stack_members: Option<StackMembers>,
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
    const NATURAL: &'static [Column] = &[Column::Name];

    fn id(row: &Model) -> Id {
        row.id
    }

    fn created_at(row: &Model) -> Timestamp {
        row.created_at
    }

    fn updated_at(row: &Model) -> Timestamp {
        row.updated_at
    }

    fn record(row: &Model) -> Option<Record> {
        Some(Record::Host(HostFacts {
            id: row.id,
            name: row.name.clone(),
            hostname: row.hostname.clone(),
            sys_name: row.sys_name.clone(),
            chassis_id: row.chassis_id.clone(),
            management_address: row.management_address.clone(),
            management_url: row.management_url.clone(),
        }))
    }

    fn network_id(row: &Model) -> Option<Id> {
        Some(row.network_id)
    }
}

/// Creates a sort key: the name of the host whose id is in `column`.
pub fn by_name(column: impl IntoSimpleExpr, direction: OrderDirection) -> SortKey {
    let name = Query::select()
        .expr(rows::sort_key(Column::Name))
        .from(Entity)
        .and_where(Column::Id.into_simple_expr().eq(column.into_simple_expr()))
        .to_owned();
    let expression = SimpleExpr::SubQuery(None, Box::new(name.into()));
    SortKey { expression, key_type: KeyType::Name, direction }
}
