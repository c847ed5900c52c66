//! Counters by which processes tell each other, through the database, that something has changed.

use sea_orm::{
    ConnectionTrait,
    sea_query::{Alias, Expr, ExprTrait as _, Query},
};

use crate::error::Result;

const TABLE: &str = "signal";

/// The subject of a change that other processes need to know of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Credentials, permission levels, reach, or the set of networks that can be reached.
    Auth,
    /// Nothing: a test write to see whether the database accepts writes.
    Probe,
}

impl Signal {
    const fn name(self) -> &'static str {
        match self {
            Self::Auth => "auth",
            Self::Probe => "probe",
        }
    }

    /// Raises the counter, within the transaction of the change. This must be the last statement of
    /// the transaction: transactions that raise the same signal wait for each other.
    pub async fn raise(self, db: &impl ConnectionTrait) -> Result<()> {
        let value = Alias::new("value");
        let statement = Query::update()
            .table(Alias::new(TABLE))
            .value(value.clone(), Expr::col(value).add(1))
            .and_where(Expr::col(Alias::new("name")).eq(self.name()))
            .to_owned();
        db.execute(&statement).await?;
        Ok(())
    }

    /// Returns the counter.
    pub async fn read(self, db: &impl ConnectionTrait) -> Result<i64> {
        let statement = Query::select()
            .column(Alias::new("value"))
            .from(Alias::new(TABLE))
            .and_where(Expr::col(Alias::new("name")).eq(self.name()))
            .to_owned();
        let row = db.query_one(&statement).await?;
        let missing = || anyhow::anyhow!("the signal `{}` is missing", self.name());
        Ok(row.ok_or_else(missing)?.try_get_by_index(0)?)
    }
}
