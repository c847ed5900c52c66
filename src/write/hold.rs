//! Standing in line: a transaction takes the rows of those whose logs it writes into.

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
    /// Holds the network of the row `id` of `E`, and `also`. Locks are taken in the order of ids, so
    /// that none waits in a circle.
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

    /// Holds the networks of many rows of `E`.
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

    /// Holds a network that an input names.
    pub async fn hold_network(&mut self, id: Id) -> Result<()> {
        self.viewer.require_network(id)?;
        if self.hold(Condition::all().add(networks::Column::Id.eq(id))).await? {
            // The reach may be another by now.
            return self.viewer.require_network(id);
        }
        Err(Error::ReferenceInvalid { kind: Kind::Network, field: "network_id".to_owned(), id })
    }

    /// Holds those of the networks in reach that a condition names; answers whether there are any.
    pub async fn hold(&mut self, wanted: Condition) -> Result<bool> {
        let reach = self.viewer.networks.includes(networks::Column::Id);
        self.lock(wanted.add(reach)).await
    }

    /// Holds networks of the organization that a condition names, also those out of reach, where
    /// what is changed belongs to the whole organization.
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

    /// Holds the log of the organization.
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

/// The column that names the network of a row.
fn holder<E: Resource>() -> Result<E::Column> {
    match E::SCOPE {
        Scope::Network(column) => Ok(column),
        _ => Err(Error::Internal(anyhow::anyhow!("networks do not hold a {}", E::KIND))),
    }
}

/// An update that reckons with one change and answers the id and the count.
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
