//! The database: connections for reads and writes, and starting transactions.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use anyhow::anyhow;
use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseConnection, DbBackend, IntoSimpleExpr, IsolationLevel,
    SqliteTransactionMode, TransactionOptions, Value,
    sea_query::{
        Alias, ArrayType, CaseStatement, Expr, ExprTrait as _, SimpleExpr,
        extension::postgres::PgFunc,
    },
};
use toposcope_types::{Id, Timestamp};

use crate::{
    db::{
        IdSet,
        asker::Asker,
        lanes::Connections,
        pools::Pools,
        refusal,
        storage::Storage,
        transaction::Transaction,
        turns::{Claim, Turn, Turns},
    },
    error::{Error, Outage, Result},
};

/// The number of times that a write is retried because another one came in between.
const WRITES_AGAIN: u32 = 4;
/// The key of the migration lock: any number that nothing else in the same PostgreSQL database
/// locks on.
const MIGRATION_LOCK: i64 = 0x746f_706f_7363;

tokio::task_local! {
    /// The number of statements that the work of a [`counted`] call has sent.
    static SENT: AtomicU64;
}

/// Runs `work`, and counts the statements that it sends itself: not those of other tasks, such as
/// one that it merely waits for.
pub async fn counted<F: Future>(work: F) -> (F::Output, u64) {
    let work = async {
        let output = work.await;
        (output, SENT.with(|sent| sent.load(Ordering::Relaxed)))
    };
    SENT.scope(AtomicU64::new(0), work).await
}

/// An open database: a few connections for reads, and those for writes, of which SQLite has one.
#[derive(Clone, Debug)]
pub struct Db {
    reader: Connections,
    writer: Connections,
    watcher: DatabaseConnection,
    statements: Arc<AtomicU64>,
    /// Turns for reading a whole list.
    lists: Turns,
    pub(super) storage: Arc<Storage>,
}

impl Db {
    /// Opens the database behind `url`: `sqlite://FILE` or `postgres://…`.
    ///
    /// A SQLite file that does not exist is created.
    pub async fn open(url: &str) -> anyhow::Result<Self> {
        let statements = Arc::new(AtomicU64::new(0));
        let Pools { mut readers, mut writers, watcher, canceller } = Pools::open(url).await?;
        for lane in readers.iter_mut().chain(&mut writers) {
            count(&mut lane.connection, &statements);
        }
        let storage = Arc::<Storage>::default();
        let reader = Connections::reading(readers, canceller.clone());
        let writer = Connections::writing(writers, canceller, Arc::clone(&storage));
        let lists = Turns::new((reader.size() / 2).max(1), 1);
        Ok(Self { reader, writer, watcher, statements, lists, storage })
    }

    /// Brings the schema up to date. This is safe if several processes start at once: it is one
    /// transaction, which the others wait for.
    pub async fn migrate(&self) -> anyhow::Result<()> {
        let transaction = self.begin().await?;
        if self.backend() == DbBackend::Postgres {
            let patient = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0";
            transaction.execute_unprepared(patient).await?;
            let lock = format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})");
            transaction.execute_unprepared(&lock).await?;
        }
        let migrated = transaction.migrate().await;
        let Err(error) = migrated else { return Ok(transaction.commit().await?) };
        transaction.rollback().await.ok();
        let remedy = refusal::missing_grant(&self.writer, &error).await;
        let remedy = remedy.map(|remedy| format!("; {remedy}")).unwrap_or_default();
        Err(anyhow!("cannot bring the database up to date: {error}{remedy}"))
    }

    /// Returns the connections for reads.
    pub fn reader(&self) -> &Connections {
        &self.reader
    }

    /// Returns the connections for single writes.
    pub fn writer(&self) -> &Connections {
        &self.writer
    }

    /// Returns the connection for reads that must not wait behind requests, one statement at a
    /// time.
    pub(crate) fn watcher(&self) -> &DatabaseConnection {
        &self.watcher
    }

    /// Begins a transaction that writes. On SQLite it takes the write lock at once: a transaction
    /// that read first would fail instead of waiting if another writer came in between.
    pub async fn begin(&self) -> Result<Transaction> {
        let options = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        Transaction::begin(&self.writer, options).await
    }

    /// Runs a write, and retries it a few times if another write comes in between: on PostgreSQL
    /// two may wait for each other, or one may find its row changed by the other.
    pub async fn again<T, F: Future<Output = Result<T>>>(
        &self,
        write: impl Fn() -> F,
    ) -> Result<T> {
        let mut written = write().await;
        for _ in 0..WRITES_AGAIN {
            if !matches!(written, Err(Error::Unavailable { reason: Outage::ChangedMeanwhile, .. }))
            {
                break;
            }
            written = write().await;
        }
        written
    }

    /// Begins a transaction that only reads and sees one state throughout.
    pub async fn snapshot(&self) -> Result<Transaction> {
        let postgres = self.backend() == DbBackend::Postgres;
        let options = TransactionOptions {
            isolation_level: postgres.then_some(IsolationLevel::RepeatableRead),
            access_mode: postgres.then_some(AccessMode::ReadOnly),
            ..TransactionOptions::default()
        };
        Transaction::begin(&self.reader, options).await
    }

    /// Waits for a turn to read a whole list. Each user has one turn, and half of the connections
    /// stay free for short requests.
    pub async fn turn_to_read_all(&self) -> Result<Turn> {
        let asker = Asker::current();
        if let Some(asker) = &asker {
            asker.takes_long();
        }
        let user = asker.map(|asker| asker.user_id);
        let turn = self.lists.take(Claim { user, long: false });
        let turn = tokio::time::timeout(refusal::ACQUIRE_TIMEOUT, turn);
        turn.await.map_err(|_| Error::unavailable("too many whole lists are being read"))
    }

    /// Returns the kind of database.
    pub fn backend(&self) -> DbBackend {
        self.reader.get_database_backend()
    }

    /// Creates a set of ids to compare columns with.
    pub fn ids(&self, ids: impl Into<Arc<[Id]>>) -> IdSet {
        IdSet::new(self.backend(), ids.into())
    }

    /// Returns the condition that a text is one of these, as one variable however many they are.
    pub fn texts(&self, texts: &[String], text: SimpleExpr) -> SimpleExpr {
        if self.backend() == DbBackend::Postgres {
            let values = texts.iter().map(|text| Value::from(text.clone())).collect();
            let array = Value::Array(ArrayType::String, Some(Box::new(values)));
            return text.eq(PgFunc::any(Expr::val(array)));
        }
        let json = serde_json::Value::from(texts).to_string();
        Expr::cust_with_exprs("? IN (SELECT value FROM json_each(?))", [text, Expr::val(json)])
    }

    /// Returns the condition that a column is one of these numbers, as one variable however many
    /// they are.
    pub fn numbers(&self, numbers: &[i32], column: impl IntoSimpleExpr) -> SimpleExpr {
        let column = column.into_simple_expr();
        if self.backend() == DbBackend::Postgres {
            let values = numbers.iter().map(|number| Value::from(*number)).collect();
            let array = Value::Array(ArrayType::Int, Some(Box::new(values)));
            return column.eq(PgFunc::any(Expr::val(array)));
        }
        let json = serde_json::Value::from(numbers).to_string();
        Expr::cust_with_exprs("? IN (SELECT value FROM json_each(?))", [column, Expr::val(json)])
    }

    /// Returns the condition that a column of ranges, such as `10-20,30`, includes a number. It
    /// splits the text in the database, each in its own words: a range of one number is its own
    /// end, and a column without ranges includes nothing.
    pub fn ranges_include(&self, column: impl IntoSimpleExpr, number: i32) -> SimpleExpr {
        let values = [column.into_simple_expr(), Expr::val(number)];
        if self.backend() == DbBackend::Postgres {
            return Expr::cust_with_exprs(
                "EXISTS (SELECT 1 FROM unnest(string_to_array($1, ',')) AS part \
                 WHERE $2 BETWEEN CAST(split_part(part, '-', 1) AS integer) \
                 AND CAST(split_part(part || '-' || part, '-', 2) AS integer))",
                values,
            );
        }
        // A cast to an integer reads the digits at the beginning.
        Expr::cust_with_exprs(
            "EXISTS (SELECT 1 FROM json_each('[\"' || replace(?, ',', '\",\"') || '\"]') \
             WHERE ? BETWEEN CAST(value AS integer) \
             AND CAST(substr(value, instr(value, '-') + 1) AS integer))",
            values,
        )
    }

    /// Returns a moment for a column: `now`, but always later than the moment it holds.
    pub fn later(&self, column: &'static str, now: Timestamp) -> SimpleExpr {
        CaseStatement::new()
            .case(Expr::col(Alias::new(column)).lt(now), now)
            .finally(Expr::cust(self.moment_after(column)))
            .into()
    }

    /// Returns an SQL expression for the earliest moment after the one in a column.
    pub fn moment_after(&self, column: &str) -> String {
        if self.backend() == DbBackend::Postgres {
            return format!("({column} + interval '1 microsecond')");
        }
        // SQLite stores a moment as the driver writes it: `2026-11-27T21:42:38+00:00`, with three
        // or six fractional digits if they are needed, so that equal moments are equal texts.
        let digits = format!("substr({column}, 21, length({column}) - 26) || '000000'");
        let micros = format!("(CAST(substr({digits}, 1, 6) AS INTEGER) + 1)");
        let second = format!("substr({column}, 1, 19)");
        format!(
            "(CASE WHEN {micros} = 1000000 \
             THEN strftime('%Y-%m-%dT%H:%M:%S', {second}, '+1 second') \
             WHEN {micros} % 1000 = 0 THEN {second} || printf('.%03d', {micros} / 1000) \
             ELSE {second} || printf('.%06d', {micros}) END || '+00:00')"
        )
    }

    /// Returns the maximum number of variables in one statement.
    pub fn variables(&self) -> usize {
        match self.backend() {
            DbBackend::Sqlite => 32_766,
            _ => 65_535,
        }
    }

    /// Returns the number of statements sent since the start, without BEGIN and COMMIT.
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    /// Checks that the database answers.
    pub async fn ping(&self) -> Result<()> {
        self.reader.execute_unprepared("SELECT 1").await?;
        Ok(())
    }

    /// Closes every connection.
    pub async fn close(self) {
        self.reader.close().await;
        if let Err(error) = self.watcher.close().await {
            tracing::warn!(%error, "could not close the database");
        }
        self.writer.close().await;
    }
}

/// Counts the statements of a pool. Their time is counted where they are sent, even if they are
/// abandoned.
fn count(pool: &mut DatabaseConnection, statements: &Arc<AtomicU64>) {
    let statements = Arc::clone(statements);
    pool.set_metric_callback(move |_| {
        statements.fetch_add(1, Ordering::Relaxed);
        // Outside of `counted` there is no counter.
        let _ = SENT.try_with(|sent| sent.fetch_add(1, Ordering::Relaxed));
    });
}
