//! Networks: what is granted, imported and drawn as one, and counted by one revision.

mod entity;
pub mod graphql;
mod list;

use chrono::TimeDelta;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, IntoSimpleExpr, QueryFilter, QuerySelect, Select,
    sea_query::{Alias, CaseStatement, Condition, Expr, ExprTrait, LockType, Order, Query},
};

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Network},
    list::{NetworkFilter, NetworkOrder, NetworkOrderField},
};
use crate::{
    app::App,
    auth::Viewer,
    db::Resource,
    error::{CHANGED_MEANWHILE, Error, Result},
    types::{BigInt, Id, Timestamp},
};

/// A moment after `before`, so that every change of a row changes its version.
pub fn later(before: Timestamp) -> Timestamp {
    Ord::max(Timestamp::now(), before + TimeDelta::microseconds(1))
}

/// Raises the revision of the network that holds the row `id` of `E`, and of `also`; answers the
/// networks that the transaction holds from now on.
///
/// It comes first in every write: the row lock of the network puts the writers of one network in
/// line, so that none of them decides on what another is changing. Locks are taken in the order of
/// ids, so that none waits in a circle.
pub async fn touch_holder<E: Resource>(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    id: Id,
    also: Option<Id>,
) -> Result<Vec<Id>> {
    let holder = Query::select()
        .column(Alias::new("network_id"))
        .from(E::default())
        .and_where(E::ID.eq(id))
        .to_owned();
    let locked = Query::select()
        .column((Entity, Column::Id))
        .from(Entity)
        .cond_where(
            Condition::any()
                .add(Column::Id.into_simple_expr().in_subquery(holder))
                .add_option(also.map(|id| Column::Id.eq(id))),
        )
        .and_where(viewer.networks.includes(Column::Id))
        .order_by((Entity, Column::Id), Order::Asc)
        .lock(LockType::Update)
        .to_owned();
    let statement = Query::update()
        .table(Entity)
        .value(Column::Revision, Expr::col(Column::Revision).add(1))
        .and_where(Column::Id.into_simple_expr().in_subquery(locked))
        .returning_col(Column::Id)
        .to_owned();
    let rows = db.query_all(&statement).await?;
    if rows.is_empty() {
        return Err(Error::NotFound { kind: E::KIND, id });
    }
    Ok(rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?)
}

/// Has a write begun again when the row that it read had come to a network that it does not hold.
pub fn require_held(held: &[Id], network_id: Id) -> Result<()> {
    if held.contains(&network_id) {
        return Ok(());
    }
    Err(Error::Unavailable { reason: CHANGED_MEANWHILE })
}

/// Counts one row less in one network and one more in another.
pub async fn count_moved(
    db: &impl ConnectionTrait,
    counter: &'static str,
    from: Id,
    to: Id,
) -> Result<()> {
    let step = CaseStatement::new().case(Expr::col(Column::Id).eq(from), -1).finally(1);
    let statement = Query::update()
        .table(Entity)
        .value(Alias::new(counter), Expr::col(Alias::new(counter)).add(step))
        .and_where(Expr::col(Column::Id).is_in([from, to]))
        .to_owned();
    db.execute(&statement).await?;
    Ok(())
}

/// Raises the revision of a network and counts its rows anew, after many were written.
pub async fn recount(db: &impl ConnectionTrait, id: Id) -> Result<()> {
    let mut update = Query::update();
    update
        .table(Entity)
        .value(Column::Revision, Expr::col(Column::Revision).add(1))
        .and_where(Expr::col(Column::Id).eq(id));
    for table in ["host", "subnet", "interface", "if_entry", "port", "service", "binding", "group"]
    {
        let count = Query::select()
            .expr(Expr::cust("COUNT(*)"))
            .from(Alias::new(table))
            .and_where(Expr::col((Alias::new(table), Alias::new("network_id"))).eq(id))
            .to_owned();
        update.value(
            Alias::new(format!("{table}_count")),
            Expr::SubQuery(None, Box::new(count.into())),
        );
    }
    db.execute(&update).await?;
    Ok(())
}

/// Makes an empty network; the level of whoever asks has been checked.
pub async fn create(
    db: &impl ConnectionTrait,
    id: Id,
    organization_id: Id,
    name: String,
) -> Result<Network> {
    let now = Timestamp::now();
    let network = ActiveModel {
        id: Set(id),
        created_at: Set(now),
        updated_at: Set(now),
        name: Set(name.clone()),
        organization_id: Set(organization_id),
        revision: Set(BigInt(0)),
    };
    Entity::insert(network).exec_without_returning(db).await?;
    Ok(Network { id, created_at: now, updated_at: now, name, organization_id, revision: BigInt(0) })
}

/// Every network in reach, by name.
pub async fn in_reach(app: &App, viewer: &Viewer) -> Result<Vec<Network>> {
    use sea_orm::QueryOrder;
    let networks = Entity::visible_to(viewer).order_by_asc(Column::Name).order_by_asc(Column::Id);
    Ok(networks.all(app.db.reader()).await?)
}

/// Every network of an organization, for the operator only.
pub fn of_organization(organization_id: Id) -> Select<Entity> {
    Entity::find().filter(Column::OrganizationId.eq(organization_id))
}

/// The network with this id or name, for the operator only.
pub async fn find(app: &App, wanted: &str) -> Result<Network> {
    let named = match wanted.parse::<Id>() {
        Ok(id) => Column::Id.eq(id),
        Err(_) => Column::Name.eq(wanted),
    };
    let mut found = Entity::find().filter(named).limit(2).all(app.db.reader()).await?;
    match (found.pop(), found.pop()) {
        (Some(network), None) => Ok(network),
        (None, _) => Err(Error::invalid("network", format!("there is no network `{wanted}`"))),
        (Some(_), Some(_)) => {
            Err(Error::invalid("network", format!("several are called `{wanted}`; use the id")))
        }
    }
}
