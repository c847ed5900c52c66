//! The `change` table: the change log.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{BigInt, ChangeAction, Id, Kind, Timestamp};

use crate::resource::{Resource, Scope};

/// A change to one entity: the author, the action, the time, and the entity before and after.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, utoipa::ToSchema)]
#[sea_orm(table_name = "change")]
#[graphql(complex, name = "Change")]
#[schema(as = Change)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// The time of the change.
    pub created_at: Timestamp,
    /// The organization of the change.
    pub organization_id: Id,
    /// The network of the change; null for entities that belong to the organization itself.
    pub network_id: Option<Id>,
    /// The log that contains the change: that of the network, or else that of the organization.
    #[serde(skip)]
    #[graphql(skip)]
    pub log_id: Id,
    /// The number of the change in the log of the network, or else of the organization: from 1,
    /// without gaps.
    pub sequence: BigInt,
    /// The kind of the changed entity.
    pub entity: Kind,
    /// The id of the changed entity.
    pub entity_id: Id,
    /// The action on the entity.
    pub action: ChangeAction,
    /// The entity before the change, with field names as in REST; null if the change created it.
    #[graphql(skip)]
    #[schema(value_type = Option<Object>)]
    pub before: Option<Json>,
    /// The entity after the change, with field names as in REST; null if the change deleted it.
    #[graphql(skip)]
    #[schema(value_type = Option<Object>)]
    pub after: Option<Json>,
    /// The user who made the change, directly or through an API key; null for the operator of the
    /// server.
    pub user_id: Option<Id>,
    /// The API key that made the change.
    pub api_key_id: Option<Id>,
    /// A fingerprint of the session that made the change.
    pub session_id: Option<Id>,
    /// The id of the request, as in the `X-Request-Id` header of the response.
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
