//! The `change` table: the log of what was changed.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{BigInt, ChangeAction, Id, Kind, Timestamp};

use crate::resource::{Resource, Scope};

/// One change of one thing: who did what, when, and what it looked like before and after.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, utoipa::ToSchema)]
#[sea_orm(table_name = "change")]
#[graphql(complex, name = "Change")]
#[schema(as = Change)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// When it was written.
    pub created_at: Timestamp,
    /// The organization that it happened in.
    pub organization_id: Id,
    /// The network that it happened in; none for what belongs to the organization itself.
    pub network_id: Option<Id>,
    /// The log that holds it: that of the network, or else that of the organization.
    #[serde(skip)]
    #[graphql(skip)]
    pub log_id: Id,
    /// Its number in the log of the network, or else of the organization: from 1, without gaps.
    pub sequence: BigInt,
    /// The kind of thing that was changed.
    pub entity: Kind,
    /// The id of that thing.
    pub entity_id: Id,
    /// What happened to it.
    pub action: ChangeAction,
    /// The thing before, as REST names its fields; none if it was made.
    #[graphql(skip)]
    #[schema(value_type = Option<Object>)]
    pub before: Option<Json>,
    /// The thing after, as REST names its fields; none if it was deleted.
    #[graphql(skip)]
    #[schema(value_type = Option<Object>)]
    pub after: Option<Json>,
    /// The user who did it, also if by a key; none for the operator of the server.
    pub user_id: Option<Id>,
    /// The API key by which it was done.
    pub api_key_id: Option<Id>,
    /// What tells the session in which it was done from others.
    pub session_id: Option<Id>,
    /// The id of the request, as in the header `X-Request-Id` of its answer.
    pub request_id: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::Change;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> =
        Scope::Log { organization: Column::OrganizationId, network: Column::NetworkId };
    const LOGGED: bool = false;
    const LONG: &'static [Column] = &[Column::Before, Column::After];

    fn id(row: &Model) -> Id {
        row.id
    }

    fn created_at(row: &Model) -> Timestamp {
        row.created_at
    }

    fn updated_at(row: &Model) -> Timestamp {
        row.created_at
    }

    fn network_id(row: &Model) -> Option<Id> {
        row.network_id
    }
}
