//! Opening the database and starting transactions.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context as _, anyhow, bail};
use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, DbBackend,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait, Value,
    sea_query::{ArrayType, Expr, ExprTrait as _, SimpleExpr, extension::postgres::PgFunc},
    sqlx::{
        self,
        sqlite::{SqliteJournalMode, SqliteSynchronous},
    },
};
use toposcope_migrations::{Migrator, MigratorTrait};
use url::Url;

use crate::{
    db::{
        IdSet,
        asker::Asker,
        reader::{Lane, Reader, STATEMENT_LIMIT, Snapshot, Stop},
        turns::{Turn, Turns},
    },
    error::{CHANGED_MEANWHILE, Error, Result},
    types::Id,
};

/// How often a write is begun again because another one came in between.
const WRITES_AGAIN: u32 = 4;
/// How long a request waits for a connection before the database counts as overloaded.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long one that writes on SQLite waits for the process that is writing.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a connection may have been idle and still be believed to be there.
const BELIEVED: Duration = Duration::from_secs(1);
const SQLITE_READERS: usize = 4;
const POSTGRES_READERS: usize = 8;
const POSTGRES_WRITERS: u32 = 8;
/// After so many of its steps SQLite asks whether a statement may go on: some microseconds.
const STEPS: i32 = 4096;
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

/// An open database: a few connections that read, and those that write, of which SQLite has one.
#[derive(Clone, Debug)]
pub struct Db {
    reader: Reader,
    writer: DatabaseConnection,
    statements: Arc<AtomicU64>,
    /// Turns to read a whole list.
    lists: Turns,
}

impl Db {
    /// Opens the database behind `url`: `sqlite://FILE` or `postgres://…`.
    ///
    /// A SQLite file that does not exist is created. `schema` is a PostgreSQL schema to work in.
    pub async fn open(url: &str, schema: Option<&str>) -> anyhow::Result<Self> {
        let statements = Arc::new(AtomicU64::new(0));
        check(url)?;
        let (lanes, writer, canceller) = if url.starts_with("postgres:")
            || url.starts_with("postgresql:")
        {
            let options = postgres_options(url, schema, POSTGRES_WRITERS);
            let writer = connect(options, &statements, true).await?;
            let mut lanes = Vec::new();
            for _ in 0..POSTGRES_READERS {
                let stop = Arc::new(Stop::default());
                let options = postgres_reader_options(url, schema, &stop);
                lanes.push(Lane { connection: connect(options, &statements, false).await?, stop });
            }
            (lanes, writer.clone(), Some(writer))
        } else if url.starts_with("sqlite:") {
            let writer = connect(sqlite_options(url, None), &statements, true).await?;
            let mut lanes = Vec::new();
            if url.contains(":memory:") {
                lanes.push(Lane { connection: writer.clone(), stop: Arc::default() });
            } else {
                for _ in 0..SQLITE_READERS {
                    let stop = Arc::new(Stop::default());
                    let options = sqlite_options(url, Some(&stop));
                    let connection = connect(options, &statements, false).await?;
                    lanes.push(Lane { connection, stop });
                }
            }
            (lanes, writer, None)
        } else {
            bail!("the database URL must begin with sqlite: or postgres:");
        };
        let reader = Reader::new(lanes, canceller, ACQUIRE_TIMEOUT);
        let lists = Turns::new((reader.size() / 2).max(1), 1);
        Ok(Self { reader, writer, statements, lists })
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
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Where single writes go.
    pub fn writer(&self) -> &DatabaseConnection {
        &self.writer
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
        for _ in 0..WRITES_AGAIN {
            match write().await {
                Err(Error::Unavailable { reason: CHANGED_MEANWHILE }) => {}
                other => return other,
            }
        }
        write().await
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
    pub async fn snapshot(&self) -> Result<Snapshot> {
        self.reader.snapshot().await
    }

    /// Waits for a turn to read a whole list: a user has one, and half of the connections stay free
    /// for what is short.
    pub async fn turn_to_read_all(&self) -> Result<Turn> {
        let user = Asker::current().map(|asker| asker.user_id);
        let turn = tokio::time::timeout(ACQUIRE_TIMEOUT, self.lists.take(user));
        turn.await.map_err(|_| Error::Unavailable { reason: "too many whole lists are being read" })
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
        self.reader.close().await;
        if let Err(error) = self.writer.close().await {
            tracing::warn!(%error, "could not close the database");
        }
    }
}

/// SeaORM panics on what is no URL, and the driver logs parameters that it does not know, one of
/// which would be the rest of a password with a `?` in it. No message has the URL.
fn check(url: &str) -> anyhow::Result<()> {
    let url = Url::parse(url).context("the database URL is malformed")?;
    if [url.query(), url.fragment()].into_iter().flatten().any(|part| part.contains('@')) {
        bail!(
            "the database URL is malformed: write `?`, `#` and `@` of a password as %3F, %23, %40"
        );
    }
    Ok(())
}

/// Opens a pool. What a user spends in one that reads is counted where it is read, also if it is
/// given up.
async fn connect(
    options: ConnectOptions,
    statements: &Arc<AtomicU64>,
    charges: bool,
) -> anyhow::Result<DatabaseConnection> {
    // The URL may hold a password, so it never becomes part of the message.
    let pool = Database::connect(options).await;
    let mut pool = pool.map_err(|error| anyhow!("cannot open the database: {error}"))?;
    let statements = Arc::clone(statements);
    pool.set_metric_callback(move |sent| {
        statements.fetch_add(1, Ordering::Relaxed);
        // Outside of a count there is nothing to add to.
        let _ = SENT.try_with(|sent| sent.fetch_add(1, Ordering::Relaxed));
        if charges && let Some(asker) = Asker::current() {
            asker.charge(sent.elapsed);
        }
    });
    Ok(pool)
}

/// The options of the writer, or of a reader that is told when to `stop`.
fn sqlite_options(url: &str, stop: Option<&Arc<Stop>>) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    let reads = stop.is_some();
    options
        .max_connections(1)
        .min_connections(u32::from(!reads))
        .connect_lazy(reads)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .sqlx_logging(false)
        .test_before_acquire(false)
        .map_sqlx_sqlite_opts(move |options| {
            let options = options
                .create_if_missing(true)
                .foreign_keys(true)
                .busy_timeout(BUSY_TIMEOUT)
                .row_buffer_size(4096)
                .statement_cache_capacity(256)
                .pragma("cache_size", "-8192");
            if reads {
                return options.pragma("query_only", "ON");
            }
            options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Normal)
        });
    if let Some(stop) = stop {
        let stop = Arc::clone(stop);
        options.map_sqlx_sqlite_pool_opts(move |options| {
            let stop = Arc::clone(&stop);
            options.after_connect(move |connection, _| {
                let stop = Arc::clone(&stop);
                Box::pin(async move {
                    let mut handle = connection.lock_handle().await?;
                    handle.set_progress_handler(STEPS, move || stop.goes_on());
                    Ok(())
                })
            })
        });
    }
    options
}

fn postgres_options(url: &str, schema: Option<&str>, connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .min_connections(1)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .sqlx_logging(false)
        .test_before_acquire_if_idle_for(BELIEVED)
        .map_sqlx_postgres_opts(|options| {
            options.application_name("toposcope").statement_cache_capacity(256)
        });
    if let Some(schema) = schema {
        options.set_schema_search_path(schema);
    }
    options
}

/// The options of a connection that reads, whose process is noted so that it can be told to stop.
fn postgres_reader_options(url: &str, schema: Option<&str>, stop: &Arc<Stop>) -> ConnectOptions {
    let mut options = postgres_options(url, schema, 1);
    let stop = Arc::clone(stop);
    options
        .min_connections(0)
        .connect_lazy(true)
        .statement_timeout(STATEMENT_LIMIT)
        .map_sqlx_postgres_pool_opts(move |options| {
            let stop = Arc::clone(&stop);
            options.after_connect(move |connection, _| {
                let stop = Arc::clone(&stop);
                Box::pin(async move {
                    let process = sqlx::query_scalar("SELECT pg_backend_pid()");
                    stop.process.store(process.fetch_one(connection).await?, Ordering::SeqCst);
                    Ok(())
                })
            })
        });
    options
}
