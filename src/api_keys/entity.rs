//! The `api_key` table; secrets are kept elsewhere.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{Id, Kind, PermissionLevel, Timestamp};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// An API key with which a program acts for a user, with at most the level and networks of that
/// user.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "api_key")]
#[graphql(complex, name = "ApiKey")]
#[schema(as = ApiKeyRow)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// Creation time of the record.
    pub created_at: Timestamp,
    /// Time of the last change to the record.
    pub updated_at: Timestamp,
    /// The name.
    pub name: String,
    /// The organization of the user.
    pub organization_id: Id,
    /// The user that the key acts for.
    pub user_id: Id,
    /// The highest permission level of the key.
    pub permissions: PermissionLevel,
    /// The time of last use, to the minute.
    pub last_used: Option<Timestamp>,
    /// The time at which the key expires.
    pub expires_at: Option<Timestamp>,
    /// Whether the key works at all.
    pub is_enabled: bool,
    /// Whether the key reaches every network that its user reaches, including future ones, instead
    /// of the networks that it was given.
    pub all_networks: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::UserApiKey;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> = Scope::User(Column::UserId);
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
}
