//! The `api_key` table; secrets are kept elsewhere.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{Id, Kind, PermissionLevel, Timestamp};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// A key by which a program acts for a user, with at most the level and the networks of that user.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "api_key")]
#[graphql(complex, name = "ApiKey")]
#[schema(as = ApiKeyRow)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// The name.
    pub name: String,
    /// The organization of the user.
    pub organization_id: Id,
    /// The user that the key acts for.
    pub user_id: Id,
    /// The most that the key may do.
    pub permissions: PermissionLevel,
    /// When the key was last used, to the minute.
    pub last_used: Option<Timestamp>,
    /// When the key stops working.
    pub expires_at: Option<Timestamp>,
    /// Whether the key works at all.
    pub is_enabled: bool,
    /// Whether it reaches every network that its user reaches, also those that are yet to come,
    /// instead of those that it was given.
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
