//! Storage of API key hashes, apart from the key data that clients see.

use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait};
use toposcope_types::Id;

use super::token;
use crate::error::Result;

#[expect(unreachable_pub, reason = "the derive makes its items as public as these")]
mod entity {
    use sea_orm::entity::prelude::*;

    use toposcope_types::Id;

    /// The hash of a key; nothing here can be serialized.
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "api_key_secret")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub api_key_id: Id,
        pub secret_hash: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Issues the secret of a key, which is returned here and never again.
pub async fn issue(db: &impl ConnectionTrait, api_key_id: Id) -> Result<String> {
    let secret = token::new_api_key();
    let row =
        entity::ActiveModel { api_key_id: Set(api_key_id), secret_hash: Set(token::hash(&secret)) };
    entity::Entity::insert(row).exec_without_returning(db).await?;
    Ok(secret)
}

/// Deletes the secret of a key, so that another can be issued.
pub async fn revoke(db: &impl ConnectionTrait, api_key_id: Id) -> Result<()> {
    entity::Entity::delete_by_id(api_key_id).exec(db).await?;
    Ok(())
}
