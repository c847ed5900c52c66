//! Row counts of lists, without counting again each time.

use std::sync::Arc;

use moka::sync::Cache;
use sea_orm::{
    ConnectionTrait, IntoSimpleExpr, QuerySelect, QueryTrait, Select,
    sea_query::{Alias, CaseStatement, Expr, ExprTrait, Func, Query},
};

use sha2::{Digest as _, Sha256};

use super::Resource;
use crate::{db::Db, error::Result};

/// Totals of filtered lists, each with the network revisions at which it was counted.
///
/// A revision only ever grows, so the sum over a fixed set of networks is the same exactly when
/// nothing in any of them has changed.
#[derive(Clone, Debug)]
pub struct Totals(Arc<Cache<[u8; 32], (i64, i64)>>);

impl Default for Totals {
    fn default() -> Self {
        Self(Arc::new(Cache::new(4096)))
    }
}

impl Totals {
    /// Returns the number of rows that `select` matches, exact as of its one statement, which
    /// compares revisions and counts only if they have changed.
    ///
    /// `networks` are the networks that the rows can belong to.
    pub async fn count<E: Resource>(
        &self,
        db: &Db,
        select: Select<E>,
        networks: &crate::db::IdSet,
    ) -> Result<u64> {
        let counting = select.select_only().expr_as(Func::count(E::ID.into_simple_expr()), "total");
        let fingerprint = counting.build(db.backend()).to_string();
        // A filter can be megabytes long; its hash cannot.
        let mut hasher = Sha256::new_with_prefix(fingerprint);
        for network in networks.ids() {
            hasher.update(network.uuid());
        }
        let key = hasher.finalize().into();
        let known = self.0.get(&key).unwrap_or((-1, 0));

        let revision = || Expr::col((Alias::new("reach"), Alias::new("revision")));
        let reach = Query::select()
            .expr_as(
                Expr::cust("CAST(COALESCE(SUM(revision), 0) AS BIGINT)"),
                Alias::new("revision"),
            )
            .from(Alias::new("network"))
            .and_where(networks.includes(Expr::col(Alias::new("id"))))
            .to_owned();
        let total = CaseStatement::new()
            .case(revision().eq(known.0), known.1)
            .finally(Expr::SubQuery(None, Box::new(counting.into_query().into())));
        let statement = Query::select()
            .expr_as(revision(), Alias::new("revision"))
            .expr_as(total, Alias::new("total"))
            .from_subquery(reach, Alias::new("reach"))
            .to_owned();

        let Some(row) = db.reader().query_one(&statement).await? else { return Ok(0) };
        let (revision, total): (i64, i64) =
            (row.try_get("", "revision")?, row.try_get("", "total")?);
        if (revision, total) != known {
            self.0.insert(key, (revision, total));
        }
        Ok(u64::try_from(total).unwrap_or_default())
    }
}
