//! Where the hashes of API keys are kept, apart from what clients see of them.

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

/// Gives a key its secret, which is answered here and never again.
pub async fn issue(db: &impl ConnectionTrait, api_key_id: Id) -> Result<String> {
    let secret = token::new_api_key();
    let row =
        entity::ActiveModel { api_key_id: Set(api_key_id), secret_hash: Set(token::hash(&secret)) };
    entity::Entity::insert(row).exec_without_returning(db).await?;
    Ok(secret)
}

/// Takes a key its secret, so that it can be given another.
pub async fn revoke(db: &impl ConnectionTrait, api_key_id: Id) -> Result<()> {
    entity::Entity::delete_by_id(api_key_id).exec(db).await?;
    Ok(())
}
