//! Counters by which processes tell each other, through the database, that something has changed.

use sea_orm::{
    ConnectionTrait,
    sea_query::{Alias, Expr, ExprTrait as _, Query},
};

use crate::error::Result;

const TABLE: &str = "signal";

/// What has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Credentials, levels, reach, or what there is to be reached.
    Auth,
    /// Nothing: it is written to see whether anything can be.
    Probe,
}

impl Signal {
    const fn name(self) -> &'static str {
        match self {
            Self::Auth => "auth",
            Self::Probe => "probe",
        }
    }

    /// Raises the counter, within the transaction of what has changed. It is the last that a
    /// transaction does: those who raise the same wait for each other.
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

    /// The counter.
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
