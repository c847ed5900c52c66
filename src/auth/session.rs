//! Sessions: a random id in a cookie, its hash in a table.

use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, FromJsonQueryResult, QueryFilter,
    sea_query::{Expr, ExprTrait},
};
use serde::{Deserialize, Serialize};
use toposcope_types::{Id, Timestamp};

use super::{credential_cache::SESSION_IDLE, token};
use crate::error::Result;

#[expect(unreachable_pub, reason = "the derive makes its items as public as these")]
mod entity {
    use sea_orm::entity::prelude::*;

    use toposcope_types::{Id, Timestamp};

    /// A session; its id exists only in the cookie of its owner.
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "session")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub token_hash: String,
        pub user_id: Option<Id>,
        pub setup: Option<super::Setup>,
        pub created_at: Timestamp,
        pub last_seen_at: Timestamp,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The setup of the first start, which waits for its owner to register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct Setup {
    /// The name of the organization that registration creates.
    pub organization_name: String,
    /// The name of its first network.
    pub network_name: String,
    /// The id promised for that network.
    pub network_id: Id,
}

/// Starts a session of `user_id`, or one that only holds `setup`; returns its id, the cookie.
///
/// Also deletes sessions that nobody has used for a week.
pub async fn start(
    db: &impl ConnectionTrait,
    user_id: Option<Id>,
    setup: Option<Setup>,
) -> Result<String> {
    let now = Timestamp::now();
    entity::Entity::delete_many()
        .filter(entity::Column::LastSeenAt.lt(now - SESSION_IDLE))
        .exec(db)
        .await?;
    let id = token::new_session_id();
    let session = entity::ActiveModel {
        token_hash: Set(token::hash(&id)),
        user_id: Set(user_id),
        setup: Set(setup),
        created_at: Set(now),
        last_seen_at: Set(now),
    };
    entity::Entity::insert(session).exec_without_returning(db).await?;
    Ok(id)
}

/// Returns the setup that a session without a user holds.
pub async fn setup(db: &impl ConnectionTrait, id: &str) -> Result<Option<Setup>> {
    let session = entity::Entity::find_by_id(token::hash(id))
        .filter(entity::Column::LastSeenAt.gt(Timestamp::now() - SESSION_IDLE))
        .one(db)
        .await?;
    Ok(session.and_then(|session| session.setup))
}

/// Ends one session and returns whether it existed. If several callers race, exactly one gets
/// `true`.
pub async fn end(db: &impl ConnectionTrait, id: &str) -> Result<bool> {
    let ended = entity::Entity::delete_by_id(token::hash(id)).exec(db).await?;
    Ok(ended.rows_affected > 0)
}

/// Ends every session of a user, as a password change must.
pub async fn end_all(db: &impl ConnectionTrait, user_id: Id) -> Result<()> {
    entity::Entity::delete_many()
        .filter(Expr::col(entity::Column::UserId).eq(user_id))
        .exec(db)
        .await?;
    Ok(())
}
