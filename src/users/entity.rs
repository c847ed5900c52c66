//! The `user` table; passwords are kept elsewhere.

use async_graphql::SimpleObject;
use sea_orm::entity::prelude::*;
use serde::Serialize;
use toposcope_types::{Id, Kind, PermissionLevel, Timestamp};
use utoipa::ToSchema;

use crate::resource::{Resource, Scope};

/// A person who can log in.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel, Serialize, SimpleObject, ToSchema)]
#[sea_orm(table_name = "user")]
#[graphql(name = "User")]
#[schema(as = UserRow)]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id,
    /// Creation time of the record.
    pub created_at: Timestamp,
    /// Time of the last change to the record.
    pub updated_at: Timestamp,
    /// The organization of the user.
    pub organization_id: Id,
    /// The e-mail address, in lower case; it is the login.
    pub email: String,
    /// The permission level of the user.
    pub permissions: PermissionLevel,
    /// Whether the address has been verified.
    pub email_verified: bool,
    /// The time at which the user accepted the terms.
    pub terms_accepted_at: Option<Timestamp>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Resource for Entity {
    const KIND: Kind = Kind::User;
    const ID: Column = Column::Id;
    const CREATED_AT: Column = Column::CreatedAt;
    const SCOPE: Scope<Column> =
        Scope::Person { organization: Column::OrganizationId, id: Column::Id };

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
