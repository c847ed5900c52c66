//! The `credential` table: password hashes, kept apart from the user data that clients see.

use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait, sea_query::OnConflict};
use toposcope_types::Id;

use crate::error::Result;

#[expect(unreachable_pub, reason = "the derive makes its items as public as these")]
mod entity {
    use sea_orm::entity::prelude::*;

    use toposcope_types::Id;

    /// The hash of a password; nothing here can be serialized.
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "credential")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub user_id: Id,
        pub password_hash: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Returns the hash of a user's password.
pub(super) async fn hash(db: &impl ConnectionTrait, user_id: Id) -> Result<Option<String>> {
    let row = entity::Entity::find_by_id(user_id).one(db).await?;
    Ok(row.map(|row| row.password_hash))
}

/// Sets the hash of a user's password.
pub(super) async fn set(db: &impl ConnectionTrait, user_id: Id, hash: String) -> Result<()> {
    let row = entity::ActiveModel { user_id: Set(user_id), password_hash: Set(hash) };
    entity::Entity::insert(row)
        .on_conflict(
            OnConflict::column(entity::Column::UserId)
                .update_column(entity::Column::PasswordHash)
                .to_owned(),
        )
        .exec_without_returning(db)
        .await?;
    Ok(())
}

/// Returns which of the given users can log in with a password.
pub(super) async fn present(
    db: &impl ConnectionTrait,
    users: &crate::db::IdSet,
) -> Result<Vec<Id>> {
    use sea_orm::{QueryFilter as _, QuerySelect as _};
    let ids = entity::Entity::find()
        .filter(users.includes(entity::Column::UserId))
        .select_only()
        .column(entity::Column::UserId)
        .into_tuple()
        .all(db)
        .await?;
    Ok(ids)
}
