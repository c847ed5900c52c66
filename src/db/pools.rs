//! Connections: how each database is opened, and which connections may be reused.

use std::{
    io::ErrorKind,
    path::Path,
    str::FromStr as _,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use anyhow::{Context as _, anyhow, bail};
use futures_util::FutureExt as _;
use sea_orm::{
    ConnectOptions, Database, DatabaseConnection, DbErr,
    sqlx::{
        self, Connection as _,
        sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
    },
};
use tokio::time::Instant;
use url::Url;

use super::{
    lanes::{Lane, READ_LIMIT, Stop, WRITE_LIMIT},
    refusal,
};

/// The maximum time that a writer waits for others: on SQLite for the process that is writing, on
/// PostgreSQL for a row.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// The time that a connection may have been idle and still be assumed alive.
const BELIEVED: Duration = Duration::from_secs(1);
const SQLITE_READERS: usize = 4;
const POSTGRES_READERS: usize = 8;
const POSTGRES_WRITERS: usize = 8;
/// The number of steps after which SQLite asks whether a statement may continue: some microseconds.
const STEPS: i32 = 4096;

/// The pools of one database.
pub(super) struct Pools {
    /// The read connections, each in a pool of its own.
    pub(super) readers: Vec<Lane>,
    /// The write connections, each in a pool of its own.
    pub(super) writers: Vec<Lane>,
    /// One connection for reads that must not wait behind requests.
    pub(super) watcher: DatabaseConnection,
    /// The connection that tells PostgreSQL to cancel a statement of another connection.
    pub(super) canceller: Option<DatabaseConnection>,
}

impl Pools {
    /// Opens the database behind `url`.
    pub(super) async fn open(url: &str) -> anyhow::Result<Self> {
        check(url)?;
        if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            return postgres(url).await;
        }
        if !url.starts_with("sqlite:") {
            bail!("the database URL must begin with sqlite: or postgres:");
        }
        let stop = Arc::new(Stop::default());
        let options = || sqlite_options(url, Role::Writer, Some(&stop));
        if in_memory(url) {
            let connection = connect(options()).await?;
            let lane = || Lane { connection: connection.clone(), stop: Arc::clone(&stop) };
            let (readers, writers, watcher) = (vec![lane()], vec![lane()], connection.clone());
            return Ok(Self { readers, writers, watcher, canceller: None });
        }
        let file = file(url)?;
        if file.as_os_str().is_empty() {
            bail!(
                "cannot open the database: its URL names no file; use sqlite://toposcope.db?mode=rwc"
            );
        }
        create_private(&file)?;
        let opened = open_while_busy(options).await;
        let connection = opened.map_err(|error| refusal::of_file(&file, &error))?;
        let writers = vec![Lane { connection, stop }];
        let mut readers = Vec::new();
        for _ in 0..SQLITE_READERS {
            readers.push(lane(|stop| sqlite_options(url, Role::Reader, Some(stop))).await?);
        }
        let watcher = connect(sqlite_options(url, Role::Reader, None)).await?;
        Ok(Self { readers, writers, watcher, canceller: None })
    }
}

async fn postgres(url: &str) -> anyhow::Result<Pools> {
    refusal::greet(url).await?;
    let options = |role, stop: Option<&Arc<Stop>>| postgres_options(url, role, stop);
    let mut writers = Vec::new();
    for _ in 0..POSTGRES_WRITERS {
        writers.push(lane(|stop| options(Role::Writer, Some(stop))).await?);
    }
    let mut readers = Vec::new();
    for _ in 0..POSTGRES_READERS {
        readers.push(lane(|stop| options(Role::Reader, Some(stop))).await?);
    }
    let watcher = connect(options(Role::Reader, None)).await?;
    let canceller = Some(connect(options(Role::Reader, None)).await?);
    Ok(Pools { readers, writers, watcher, canceller })
}

/// Opens a connection in a pool of its own, with the means to stop its statements.
async fn lane(options: impl FnOnce(&Arc<Stop>) -> ConnectOptions) -> anyhow::Result<Lane> {
    let stop = Arc::new(Stop::default());
    Ok(Lane { connection: connect(options(&stop)).await?, stop })
}

/// Returns whether a SQLite database lives in memory, where each connection would have its own.
fn in_memory(url: &str) -> bool {
    url.contains(":memory:") || url.contains("mode=memory")
}

/// Returns the file of a SQLite database.
pub(super) fn file(url: &str) -> anyhow::Result<std::path::PathBuf> {
    let options = SqliteConnectOptions::from_str(url).context("the database URL is malformed")?;
    Ok(options.get_filename().to_owned())
}

/// Creates the file of a new database, accessible to its owner only: it holds password hashes.
/// SQLite gives the files that it keeps beside it the same mode.
pub(super) fn create_private(file: &Path) -> anyhow::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let Err(error) = options.open(file) else { return Ok(()) };
    // A file that cannot be created may still exist and be readable.
    if file.exists() && !file.is_dir() {
        return Ok(());
    }
    let reason = match error.kind() {
        _ if file.is_dir() => "that is a folder; name a file in it",
        ErrorKind::NotFound => "the folder that it is to be in does not exist; make that first",
        ErrorKind::PermissionDenied => "this user may not make files in the folder",
        _ => "the file cannot be made",
    };
    let what = format!("cannot open the database: cannot make {}: {reason}", refusal::shown(file));
    Err(anyhow::Error::new(error).context(what))
}

/// Opens a database, and retries while it is busy: SQLite fails at once, without its busy timeout,
/// if several processes switch a new file to WAL.
async fn open_while_busy(
    options: impl Fn() -> ConnectOptions,
) -> Result<DatabaseConnection, DbErr> {
    let end = Instant::now() + BUSY_TIMEOUT;
    loop {
        match Database::connect(options()).await {
            Err(error) if is_busy(&error) && Instant::now() < end => {
                let pause = Duration::from_millis(rand::random_range(5..50));
                tokio::time::sleep(pause).await;
            }
            other => return other,
        }
    }
}

fn is_busy(error: &DbErr) -> bool {
    let code = refusal::code(error).and_then(|code| code.parse::<u32>().ok());
    code.is_some_and(|code| matches!(code & 0xff, 5 | 6))
}

/// Checks the URL. SeaORM panics on a malformed URL, and the driver logs unknown parameters, one of
/// which would be the rest of a password with a `?` in it. No message contains the URL.
fn check(url: &str) -> anyhow::Result<()> {
    let url = Url::parse(url).context("the database URL is malformed")?;
    if [url.query(), url.fragment()].into_iter().flatten().any(|part| part.contains('@')) {
        bail!(
            "the database URL is malformed: write `?`, `#` and `@` of a password as %3F, %23, %40"
        );
    }
    Ok(())
}

/// Opens a pool. The URL may hold a password, so it never becomes part of the message.
async fn connect(options: ConnectOptions) -> anyhow::Result<DatabaseConnection> {
    let pool = Database::connect(options).await;
    pool.map_err(|error| anyhow!("cannot open the database: {error}"))
}

/// The purpose of a pool's connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Reader,
    Writer,
}

/// Returns the options of a pool of one connection that ends its statements when told to `stop`. A
/// reader opens the connection on first use.
fn sqlite_options(url: &str, role: Role, stop: Option<&Arc<Stop>>) -> ConnectOptions {
    let (mut options, stop) = (ConnectOptions::new(url), stop.cloned());
    options
        .max_connections(1)
        .min_connections(u32::from(role == Role::Writer))
        .connect_lazy(role == Role::Reader)
        .acquire_timeout(refusal::ACQUIRE_TIMEOUT)
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
            if role == Role::Reader {
                return options.pragma("query_only", "ON");
            }
            options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Normal)
        })
        .map_sqlx_sqlite_before_acquire(|connection, _| {
            let outside = !connection.is_in_transaction();
            async move { Ok(outside) }.boxed()
        })
        .map_sqlx_sqlite_pool_opts(move |options| {
            let options = options.after_release(|connection, _| ended(connection).boxed());
            let Some(stop) = stop.clone() else { return options };
            options.after_connect(move |connection, _| {
                let stop = Arc::clone(&stop);
                async move {
                    let mut handle = connection.lock_handle().await?;
                    handle.set_progress_handler(STEPS, move || stop.goes_on());
                    Ok(())
                }
                .boxed()
            })
        });
    options
}

/// Returns the options of a pool of one connection, opened on first use. With `stop` the pool
/// records the server process, so that it can be told to stop.
fn postgres_options(url: &str, role: Role, stop: Option<&Arc<Stop>>) -> ConnectOptions {
    let (mut options, stop) = (ConnectOptions::new(url), stop.cloned());
    let limit = if role == Role::Reader { READ_LIMIT } else { WRITE_LIMIT };
    options
        .min_connections(0)
        .connect_lazy(true)
        .max_connections(1)
        .statement_timeout(limit)
        .acquire_timeout(refusal::ACQUIRE_TIMEOUT)
        .sqlx_logging(false)
        .test_before_acquire_if_idle_for(BELIEVED)
        .map_sqlx_postgres_opts(|options| {
            let options = options.application_name("toposcope").statement_cache_capacity(256);
            // Set as connection options: a pool runs only one statement after it has connected.
            let lock_timeout = BUSY_TIMEOUT.as_millis().to_string();
            options.options([("lock_timeout", &lock_timeout)])
        })
        .map_sqlx_postgres_before_acquire(|connection, _| {
            let outside = !connection.is_in_transaction();
            async move { Ok(outside) }.boxed()
        })
        .map_sqlx_postgres_pool_opts(move |options| {
            let options = options.after_release(|connection, _| ended(connection).boxed());
            let Some(stop) = stop.clone() else { return options };
            options.after_connect(move |connection, _| {
                let stop = Arc::clone(&stop);
                async move {
                    let process = sqlx::query_scalar("SELECT pg_backend_pid()");
                    stop.process.store(process.fetch_one(connection).await?, Ordering::SeqCst);
                    Ok(())
                }
                .boxed()
            })
        });
    options
}

/// Returns whether the transaction of a returned connection has ended by a COMMIT or a ROLLBACK. If
/// not, the pool closes the connection: SQLite ends some transactions by itself, such as when the
/// disk is full, and the ROLLBACK then fails. The driver would keep counting a transaction that no
/// longer exists, so that the next BEGIN became a savepoint that nobody commits.
///
/// The count is the driver's. BEGIN shows whether the database agrees: it fails within a
/// transaction.
async fn ended(connection: &mut impl sqlx::Connection) -> sqlx::Result<bool> {
    // The next use of the connection rolls back a dropped transaction.
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}
