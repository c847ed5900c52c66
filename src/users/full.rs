//! Users with their granted networks and whether they have a password.

use std::collections::{HashMap, HashSet};

use sea_orm::{
    ConnectionTrait,
    sea_query::{Alias, Expr, Order, Query},
};
use serde::Serialize;
use toposcope_types::{Id, Kind};
use utoipa::ToSchema;

use super::{User, credential};
use crate::{
    app::App,
    db::IdSet,
    error::{Error, Result},
};

/// The table of granted networks.
pub(super) const NETWORKS: &str = "user_network";

/// A person who can log in, with the granted networks.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = User)]
pub struct FullUser {
    #[serde(flatten)]
    pub user: User,
    /// Whether the user can log in with a password.
    pub has_password: bool,
    /// The granted networks; owners and admins reach all networks without a grant.
    pub network_ids: Vec<Id>,
}

/// Adds the granted networks of each user and whether they have a password, in two statements.
/// Omits networks outside `reach`; `None` omits none.
pub async fn full(
    app: &App,
    db: &impl ConnectionTrait,
    reach: Option<&IdSet>,
    users: Vec<User>,
) -> Result<Vec<FullUser>> {
    let ids = app.db.ids(users.iter().map(|user| user.id).collect::<Vec<_>>());
    let mut networks = network_ids(db, &ids).await?;
    let with_password: HashSet<Id> = credential::present(db, &ids).await?.into_iter().collect();
    let full = users.into_iter().map(|user| FullUser {
        has_password: with_password.contains(&user.id),
        network_ids: {
            let mut granted = networks.remove(&user.id).unwrap_or_default();
            granted.retain(|id| reach.is_none_or(|reach| reach.contains(*id)));
            granted
        },
        user,
    });
    Ok(full.collect())
}

/// Returns the networks granted to each of many users, in one statement.
pub(super) async fn network_ids(
    db: &impl ConnectionTrait,
    users: &IdSet,
) -> Result<HashMap<Id, Vec<Id>>> {
    let statement = Query::select()
        .columns(["user_id", "network_id"].map(Alias::new))
        .from(Alias::new(NETWORKS))
        .and_where(users.includes(Expr::col(Alias::new("user_id"))))
        .order_by(Alias::new("network_id"), Order::Asc)
        .to_owned();
    let mut networks: HashMap<Id, Vec<Id>> = HashMap::new();
    for row in db.query_all(&statement).await? {
        networks.entry(row.try_get_by_index(0)?).or_default().push(row.try_get_by_index(1)?);
    }
    Ok(networks)
}

/// Returns the user with the granted networks and whether they have a password.
pub(super) async fn one(app: &App, user: User) -> Result<FullUser> {
    let id = user.id;
    let full = full(app, app.db.reader(), None, vec![user]).await?.pop();
    full.ok_or(Error::NotFound { kind: Kind::User, id })
}
