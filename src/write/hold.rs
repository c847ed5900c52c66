//! Locking: a transaction locks the rows of the networks and organizations whose logs it writes.

use std::collections::BTreeMap;

use sea_orm::{
    ColumnTrait as _, ConnectionTrait as _, IntoSimpleExpr as _,
    sea_query::{Alias, Condition, Expr, ExprTrait as _, LockType, Order, Query},
};
use toposcope_types::{Id, Kind};

use super::transaction::{COUNT, Log, Write};
use crate::{
    db::IdSet,
    error::{Error, Result},
    networks::entity as networks,
    organizations::entity as organizations,
    resource::{Resource, Scope},
};

impl Write<'_> {
    /// Locks the network of the row `id` of `E`, and `also`. It takes locks in the order of ids, so
    /// that transactions cannot deadlock.
    pub async fn hold_holder<E: Resource>(&mut self, id: Id, also: Option<Id>) -> Result<()> {
        let holder = Query::select()
            .column(holder::<E>()?)
            .from(E::default())
            .and_where(E::ID.eq(id))
            .to_owned();
        let wanted = Condition::any()
            .add(networks::Column::Id.into_simple_expr().in_subquery(holder))
            .add_option(also.map(|id| networks::Column::Id.eq(id)));
        let wanted = Condition::all().add(wanted);
        if self.hold(wanted).await? { Ok(()) } else { Err(Error::NotFound { kind: E::KIND, id }) }
    }

    /// Locks the networks of many rows of `E`.
    pub async fn hold_holders<E: Resource>(&mut self, ids: &IdSet) -> Result<()> {
        let holders = Query::select()
            .column(holder::<E>()?)
            .from(E::default())
            .and_where(ids.includes(E::ID))
            .to_owned();
        let wanted = networks::Column::Id.into_simple_expr().in_subquery(holders);
        self.hold(Condition::all().add(wanted)).await?;
        Ok(())
    }

    /// Locks a network that an input names.
    pub async fn hold_network(&mut self, id: Id) -> Result<()> {
        self.viewer.require_network(id)?;
        if self.hold(Condition::all().add(networks::Column::Id.eq(id))).await? {
            // The viewer's reach may have changed by now.
            return self.viewer.require_network(id);
        }
        Err(Error::ReferenceInvalid { kind: Kind::Network, field: "network_id".to_owned(), id })
    }

    /// Locks the networks in the viewer's reach that match a condition; returns whether any do.
    pub async fn hold(&mut self, wanted: Condition) -> Result<bool> {
        let reach = self.viewer.networks.includes(networks::Column::Id);
        self.lock(wanted.add(reach)).await
    }

    /// Locks the networks of the organization that match a condition, also those out of the
    /// viewer's reach, for changes that belong to the whole organization.
    pub async fn hold_anywhere(&mut self, wanted: Condition) -> Result<()> {
        let own = networks::Column::OrganizationId.eq(self.viewer.organization_id);
        self.lock(wanted.add(own)).await?;
        Ok(())
    }

    async fn lock(&mut self, wanted: Condition) -> Result<bool> {
        let locked = Query::select()
            .column((networks::Entity, networks::Column::Id))
            .from(networks::Entity)
            .cond_where(wanted)
            .order_by((networks::Entity, networks::Column::Id), Order::Asc)
            .lock(LockType::Update)
            .to_owned();
        let revision = networks::Column::Revision;
        let statement = counting_one(networks::Entity)
            .value(revision, Expr::col(revision).add(1))
            .and_where(networks::Column::Id.into_simple_expr().in_subquery(locked))
            .to_owned();
        self.take(&statement, true).await
    }

    /// Locks the log of the organization.
    pub async fn hold_organization(&mut self) -> Result<()> {
        let statement = counting_one(organizations::Entity)
            .and_where(organizations::Column::Id.eq(self.viewer.organization_id))
            .to_owned();
        if self.take(&statement, false).await? { Ok(()) } else { Err(Error::NotAuthenticated) }
    }

    async fn take(
        &mut self,
        statement: &sea_orm::sea_query::UpdateStatement,
        network: bool,
    ) -> Result<bool> {
        let rows = self.db.query_all(statement).await?;
        for row in &rows {
            let (id, count): (Id, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
            let (gained, gone) = (BTreeMap::new(), false);
            let log = Log { network, before: count - 1, expected: 0, gained, gone };
            self.logs.entry(id).or_insert(log).expected += 1;
        }
        self.read_rights().await?;
        Ok(!rows.is_empty())
    }
}

/// Returns the column that references the network of a row.
fn holder<E: Resource>() -> Result<E::Column> {
    match E::SCOPE {
        Scope::Network(column) => Ok(column),
        _ => Err(Error::Internal(anyhow::anyhow!("networks do not hold a {}", E::KIND))),
    }
}

/// Creates an update that counts one change in advance and returns the id and the count.
fn counting_one(
    table: impl sea_orm::sea_query::IntoTableRef,
) -> sea_orm::sea_query::UpdateStatement {
    let count = || Expr::col(Alias::new(COUNT));
    Query::update()
        .table(table)
        .value(Alias::new(COUNT), count().add(1))
        .returning(Query::returning().columns(["id", COUNT].map(Alias::new)))
        .to_owned()
}
