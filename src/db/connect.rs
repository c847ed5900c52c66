//! The database: where reads and writes go, and starting transactions.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use anyhow::Context as _;
use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend,
    IsolationLevel, SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait, Value,
    sea_query::{ArrayType, Expr, ExprTrait as _, SimpleExpr, extension::postgres::PgFunc},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use toposcope_migrations::{Migrator, MigratorTrait};

use crate::{
    db::{
        IdSet,
        pools::{ACQUIRE_TIMEOUT, Pools},
        storage::Storage,
    },
    error::{CHANGED_MEANWHILE, Error, Result},
    types::Id,
};

/// How often a write is begun again because another one came in between.
const WRITES_AGAIN: u32 = 4;
/// How many whole lists are read at once: slow clients must leave connections to the others.
const STREAMS: usize = 2;
/// Any number that nothing else in the same PostgreSQL database locks on.
const MIGRATION_LOCK: i64 = 0x746f_706f_7363;

tokio::task_local! {
    /// Statements that the work of a [`counted`] has sent.
    static SENT: AtomicU64;
}

/// Runs `work`, and counts the statements that it sends by itself: not those of other tasks, such as
/// one that it merely waits for.
pub async fn counted<F: Future>(work: F) -> (F::Output, u64) {
    let work = async {
        let output = work.await;
        (output, SENT.with(|sent| sent.load(Ordering::Relaxed)))
    };
    SENT.scope(AtomicU64::new(0), work).await
}

/// An open database: on SQLite one writer and a few readers, on PostgreSQL one pool for both.
#[derive(Clone, Debug)]
pub struct Db {
    reader: DatabaseConnection,
    writer: DatabaseConnection,
    watcher: DatabaseConnection,
    statements: Arc<AtomicU64>,
    streams: Arc<Semaphore>,
    pub(super) storage: Arc<Storage>,
}

impl Db {
    /// Opens the database behind `url`: `sqlite://FILE` or `postgres://…`.
    ///
    /// A SQLite file that does not exist is created. `schema` is a PostgreSQL schema to work in.
    pub async fn open(url: &str, schema: Option<&str>) -> anyhow::Result<Self> {
        let Pools { mut reader, mut writer, watcher } = Pools::open(url, schema).await?;
        let statements = Arc::new(AtomicU64::new(0));
        for pool in [&mut reader, &mut writer] {
            let statements = Arc::clone(&statements);
            pool.set_metric_callback(move |_| {
                statements.fetch_add(1, Ordering::Relaxed);
                // Outside of a count there is nothing to add to.
                let _ = SENT.try_with(|sent| sent.fetch_add(1, Ordering::Relaxed));
            });
        }
        let (streams, storage) = (Arc::new(Semaphore::new(STREAMS)), Arc::default());
        Ok(Self { reader, writer, watcher, statements, streams, storage })
    }

    /// Brings the schema up to date; safe when several processes start at once.
    pub async fn migrate(&self) -> anyhow::Result<()> {
        if self.backend() == DbBackend::Postgres {
            // Held by one connection until this transaction ends, whatever happens in between.
            let guard = self.writer.begin().await?;
            guard
                .execute_raw(Statement::from_sql_and_values(
                    DbBackend::Postgres,
                    "SELECT pg_advisory_xact_lock($1)",
                    [MIGRATION_LOCK.into()],
                ))
                .await?;
            Migrator::up(&self.writer, None).await.context("cannot migrate the database")?;
            guard.commit().await?;
            return Ok(());
        }
        // SQLite: the whole migration is one immediate transaction, so a second process waits.
        let transaction = self.begin_now().await?;
        Migrator::up(&transaction, None).await.context("cannot migrate the database")?;
        transaction.commit().await?;
        Ok(())
    }

    /// Where reads go.
    pub fn reader(&self) -> &DatabaseConnection {
        &self.reader
    }

    /// Where single writes go.
    pub fn writer(&self) -> &DatabaseConnection {
        &self.writer
    }

    /// Where is read what must not wait behind requests, one statement at a time.
    pub(super) fn watcher(&self) -> &DatabaseConnection {
        &self.watcher
    }

    /// A transaction that writes. On SQLite it takes the write lock at once: one that read first
    /// would fail instead of waiting when another writer came in between.
    pub async fn begin(&self) -> Result<DatabaseTransaction> {
        Ok(self.begin_now().await?)
    }

    /// Runs a write, and again for a while as long as another one comes in between: on PostgreSQL two
    /// may wait for each other, or one finds its row moved by the other.
    pub async fn again<T, F: Future<Output = Result<T>>>(
        &self,
        write: impl Fn() -> F,
    ) -> Result<T> {
        let mut written = write().await;
        for _ in 0..WRITES_AGAIN {
            if !matches!(written, Err(Error::Unavailable { reason: CHANGED_MEANWHILE, .. })) {
                break;
            }
            written = write().await;
        }
        self.storage.note(&written);
        written
    }

    async fn begin_now(&self) -> std::result::Result<DatabaseTransaction, sea_orm::DbErr> {
        self.writer
            .begin_with_options(TransactionOptions {
                sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
                ..TransactionOptions::default()
            })
            .await
    }

    /// A transaction that only reads and sees one state throughout.
    pub async fn snapshot(&self) -> Result<DatabaseTransaction> {
        let postgres = self.backend() == DbBackend::Postgres;
        Ok(self
            .reader
            .begin_with_options(TransactionOptions {
                isolation_level: postgres.then_some(IsolationLevel::RepeatableRead),
                access_mode: postgres.then_some(AccessMode::ReadOnly),
                ..TransactionOptions::default()
            })
            .await?)
    }

    /// Waits for a turn to hold a snapshot for as long as a client takes to read it.
    pub async fn turn_to_stream(&self) -> Result<OwnedSemaphorePermit> {
        let turn = Arc::clone(&self.streams).acquire_owned();
        match tokio::time::timeout(ACQUIRE_TIMEOUT, turn).await {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(Error::unavailable("too many whole lists are being read")),
        }
    }

    /// Which database this is.
    pub fn backend(&self) -> DbBackend {
        self.reader.get_database_backend()
    }

    /// A set of ids to compare columns with.
    pub fn ids(&self, ids: impl Into<Arc<[Id]>>) -> IdSet {
        IdSet::new(self.backend(), ids.into())
    }

    /// The condition that a text is one of these, as one variable however many they are.
    pub fn texts(&self, texts: &[String], text: SimpleExpr) -> SimpleExpr {
        if self.backend() == DbBackend::Postgres {
            let values = texts.iter().map(|text| Value::from(text.clone())).collect();
            let array = Value::Array(ArrayType::String, Some(Box::new(values)));
            return text.eq(PgFunc::any(Expr::val(array)));
        }
        let json = serde_json::Value::from(texts).to_string();
        Expr::cust_with_exprs("? IN (SELECT value FROM json_each(?))", [text, Expr::val(json)])
    }

    /// How many variables one statement may have.
    pub fn variables(&self) -> usize {
        match self.backend() {
            DbBackend::Sqlite => 32_766,
            _ => 65_535,
        }
    }

    /// Statements sent since the start, without BEGIN and COMMIT.
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<()> {
        self.reader.execute_unprepared("SELECT 1").await?;
        Ok(())
    }

    /// Closes every connection.
    pub async fn close(self) {
        for pool in [self.watcher, self.reader, self.writer] {
            if let Err(error) = pool.close().await {
                tracing::warn!(%error, "could not close the database");
            }
        }
    }
}
