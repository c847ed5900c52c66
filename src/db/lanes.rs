//! A few connections that users share fairly, whose statements end when nobody waits for them any more.

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::SeqCst},
    },
    task::{Context, Poll},
    time::{Duration, Instant},
};

use futures_util::{Stream, StreamExt as _, future::BoxFuture, stream::BoxStream};
use sea_orm::{
    AccessMode, ConnAcquireErr, ConnectionTrait, DatabaseConnection, DatabaseTransaction,
    DbBackend, DbErr, ExecResult, IsolationLevel, QueryResult, Statement, StreamTrait,
    TransactionOptions, TransactionTrait as _, entity::prelude::async_trait::async_trait,
};
use tokio::{runtime::Handle, sync::OwnedSemaphorePermit, time::timeout};

use toposcope_migrations::{Migrator, MigratorTrait as _};

use super::{
    asker::Asker,
    pools::ACQUIRE_TIMEOUT,
    storage::Storage,
    turns::{Turn, Turns},
};
use crate::error::Result;

/// How long a statement that reads may run.
pub(super) const READ_LIMIT: Duration = Duration::from_secs(30);
/// How long one that writes may run: the largest network that is promised is stored in less.
pub(super) const WRITE_LIMIT: Duration = Duration::from_mins(5);

/// Where reads go, or writes. A user holds at most half of the connections at once, and one request
/// two of all that there are.
#[derive(Clone, Debug)]
pub struct Connections(Arc<Lanes>);

#[derive(Debug)]
struct Lanes {
    turns: Turns,
    free: Mutex<VecDeque<Lane>>,
    all: Vec<DatabaseConnection>,
    backend: DbBackend,
    /// Where PostgreSQL is told to cancel a statement of another connection.
    canceller: Option<DatabaseConnection>,
    /// How long one waits for a connection.
    wait: Duration,
    /// How long a statement may run.
    limit: Duration,
    /// Where is noted whether writes are taken, if this is where they go.
    storage: Option<Arc<Storage>>,
}

/// A connection, behind a pool that holds no other, which makes it anew where it was lost.
#[derive(Debug)]
pub(super) struct Lane {
    pub(super) connection: DatabaseConnection,
    pub(super) stop: Arc<Stop>,
}

/// When the statement that a connection runs is to end.
#[derive(Debug)]
pub(super) struct Stop {
    started: Instant,
    now: AtomicBool,
    /// Milliseconds after `started`.
    until: AtomicU64,
    /// The process on the other side, where that is PostgreSQL.
    pub(super) process: AtomicI32,
}

impl Default for Stop {
    fn default() -> Self {
        Self {
            started: Instant::now(),
            now: AtomicBool::new(false),
            until: AtomicU64::new(u64::MAX),
            process: AtomicI32::new(0),
        }
    }
}

impl Stop {
    /// Whether the statement may go on; `SQLite` asks this every few thousand of its steps.
    pub(super) fn goes_on(&self) -> bool {
        let elapsed = self.started.elapsed().as_millis();
        !self.now.load(SeqCst) && elapsed < u128::from(self.until.load(SeqCst))
    }

    fn begin(&self, limit: Duration) {
        let until = self.started.elapsed().saturating_add(limit).as_millis();
        self.until.store(u64::try_from(until).unwrap_or(u64::MAX), SeqCst);
    }
}

impl Connections {
    pub(super) fn reading(lanes: Vec<Lane>, canceller: Option<DatabaseConnection>) -> Self {
        Self::new(lanes, canceller, READ_LIMIT, None)
    }

    pub(super) fn writing(
        lanes: Vec<Lane>,
        canceller: Option<DatabaseConnection>,
        storage: Arc<Storage>,
    ) -> Self {
        Self::new(lanes, canceller, WRITE_LIMIT, Some(storage))
    }

    fn new(
        lanes: Vec<Lane>,
        canceller: Option<DatabaseConnection>,
        limit: Duration,
        storage: Option<Arc<Storage>>,
    ) -> Self {
        let all: Vec<_> = lanes.iter().map(|lane| lane.connection.clone()).collect();
        let backend = all.first().map_or(DbBackend::Sqlite, ConnectionTrait::get_database_backend);
        let turns = Turns::new(all.len(), (all.len() / 2).max(1));
        let free = Mutex::new(lanes.into());
        let wait = ACQUIRE_TIMEOUT;
        Self(Arc::new(Lanes { turns, free, all, backend, canceller, wait, limit, storage }))
    }

    /// How many connections there are.
    pub(super) fn size(&self) -> usize {
        self.0.all.len()
    }

    /// A transaction that only reads and sees one state throughout.
    pub(super) async fn snapshot(&self) -> Result<Transaction> {
        let postgres = self.0.backend == DbBackend::Postgres;
        let options = TransactionOptions {
            isolation_level: postgres.then_some(IsolationLevel::RepeatableRead),
            access_mode: postgres.then_some(AccessMode::ReadOnly),
            ..TransactionOptions::default()
        };
        self.begin(options).await
    }

    /// A transaction.
    pub(super) async fn begin(&self, options: TransactionOptions) -> Result<Transaction> {
        let lease = self.lease().await?;
        let transaction = lease.run(|connection| connection.begin_with_options(options)).await?;
        Ok(Transaction { transaction, lease })
    }

    pub(super) async fn close(&self) {
        for connection in &self.0.all {
            if let Err(error) = connection.close_by_ref().await {
                tracing::warn!(%error, "could not close the database");
            }
        }
    }

    async fn lease(&self) -> std::result::Result<Lease, DbErr> {
        let asker = Asker::current();
        let turn = async {
            let permit = match &asker {
                Some(asker) => Arc::clone(&asker.connections).acquire_owned().await.ok(),
                None => None,
            };
            (permit, self.0.turns.take(asker.as_ref().map(|asker| asker.user_id)).await)
        };
        let Ok((permit, turn)) = timeout(self.0.wait, turn).await else {
            return Err(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout));
        };
        let free = self.0.free.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let lane = free.expect("there are as many turns as connections");
        lane.stop.now.store(false, SeqCst);
        let held =
            Held { lane: Some(lane), lanes: Arc::clone(&self.0), _turn: turn, _permit: permit };
        Ok(Lease { held: Some(held), torn: AtomicBool::new(false), asker })
    }
}

/// A connection, for as long as somebody has it.
#[derive(Debug)]
struct Lease {
    held: Option<Held>,
    /// Whether a statement was left before it had ended.
    torn: AtomicBool,
    asker: Option<Arc<Asker>>,
}

#[derive(Debug)]
struct Held {
    lane: Option<Lane>,
    lanes: Arc<Lanes>,
    // Given back last: whoever gets it finds the connection free.
    _turn: Turn,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Lease {
    fn lane(&self) -> &Lane {
        let lane = self.held.as_ref().and_then(|held| held.lane.as_ref());
        lane.expect("it is given back only when the lease ends")
    }

    /// Runs a statement, and tears it off if this is dropped before it has ended.
    async fn run<'a, T, F>(&'a self, work: impl FnOnce(&'a DatabaseConnection) -> F) -> F::Output
    where
        F: Future<Output = std::result::Result<T, DbErr>>,
    {
        let mut running = self.begin();
        let output = work(&self.lane().connection).await;
        running.ended = true;
        if let Some(storage) = self.storage() {
            storage.heard(output.as_ref().err());
        }
        output
    }

    fn storage(&self) -> Option<&Storage> {
        self.held.as_ref().and_then(|held| held.lanes.storage.as_deref())
    }

    fn backend(&self) -> DbBackend {
        self.lane().connection.get_database_backend()
    }

    fn begin(&self) -> Running<'_> {
        let held = self.held.as_ref().expect("it is given back only when the lease ends");
        self.lane().stop.begin(held.lanes.limit);
        Running { lease: self, began: Instant::now(), ended: false }
    }
}

/// A statement that has not ended; time counts until it has.
#[derive(Debug)]
struct Running<'a> {
    lease: &'a Lease,
    began: Instant,
    ended: bool,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if let Some(asker) = &self.lease.asker {
            asker.charge(self.began.elapsed());
        }
        if !self.ended {
            self.lease.torn.store(true, SeqCst);
            self.lease.lane().stop.now.store(true, SeqCst);
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let torn = self.torn.load(SeqCst);
        if let Some(held) = self.held.take()
            && torn
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(held.settle());
        }
    }
}

impl Held {
    /// Waits until the statement has really ended before another gets the connection.
    async fn settle(self) {
        let Some(lane) = &self.lane else { return };
        if let Some(canceller) = &self.lanes.canceller {
            let process = lane.stop.process.load(SeqCst);
            let cancel = format!("SELECT pg_cancel_backend({process})");
            if let Err(error) = canceller.execute_unprepared(&cancel).await {
                tracing::warn!(%error, "could not cancel a statement that nobody waits for");
            }
        }
        // What went wrong with it was nobody's: the pool makes another if this one is lost.
        drop(lane.connection.ping().await);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(lane) = self.lane.take() {
            self.lanes.free.lock().unwrap_or_else(PoisonError::into_inner).push_back(lane);
        }
    }
}

#[async_trait]
impl ConnectionTrait for Connections {
    fn get_database_backend(&self) -> DbBackend {
        self.0.backend
    }

    async fn execute_raw(&self, statement: Statement) -> std::result::Result<ExecResult, DbErr> {
        self.lease().await?.run(|connection| connection.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> std::result::Result<ExecResult, DbErr> {
        self.lease().await?.run(|connection| connection.execute_unprepared(sql)).await
    }

    async fn query_one_raw(
        &self,
        statement: Statement,
    ) -> std::result::Result<Option<QueryResult>, DbErr> {
        self.lease().await?.run(|connection| connection.query_one_raw(statement)).await
    }

    async fn query_all_raw(
        &self,
        statement: Statement,
    ) -> std::result::Result<Vec<QueryResult>, DbErr> {
        self.lease().await?.run(|connection| connection.query_all_raw(statement)).await
    }
}

/// A transaction. It holds a connection: never while a client reads. What is dropped before it was
/// committed is as if it had never been.
#[derive(Debug)]
pub struct Transaction {
    transaction: DatabaseTransaction,
    lease: Lease,
}

impl Transaction {
    /// Makes what was written last.
    pub async fn commit(self) -> Result<()> {
        let Self { transaction, lease } = self;
        lease.run(|_| transaction.commit()).await?;
        if let Some(storage) = lease.storage() {
            storage.committed();
        }
        Ok(())
    }

    /// Ends it as if nothing had been written.
    pub async fn rollback(self) -> Result<()> {
        let Self { transaction, lease } = self;
        Ok(lease.run(|_| transaction.rollback()).await?)
    }

    /// Brings the schema up to date within it, however long that takes.
    pub(super) async fn migrate(&self) -> std::result::Result<(), DbErr> {
        self.lease.lane().stop.begin(Duration::MAX);
        Migrator::up(&self.transaction, None).await
    }
}

#[async_trait]
impl ConnectionTrait for Transaction {
    fn get_database_backend(&self) -> DbBackend {
        self.lease.backend()
    }

    async fn execute_raw(&self, statement: Statement) -> std::result::Result<ExecResult, DbErr> {
        self.lease.run(|_| self.transaction.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> std::result::Result<ExecResult, DbErr> {
        self.lease.run(|_| self.transaction.execute_unprepared(sql)).await
    }

    async fn query_one_raw(
        &self,
        statement: Statement,
    ) -> std::result::Result<Option<QueryResult>, DbErr> {
        self.lease.run(|_| self.transaction.query_one_raw(statement)).await
    }

    async fn query_all_raw(
        &self,
        statement: Statement,
    ) -> std::result::Result<Vec<QueryResult>, DbErr> {
        self.lease.run(|_| self.transaction.query_all_raw(statement)).await
    }
}

/// The rows of a statement, while it runs.
pub struct Rows<'a> {
    rows: BoxStream<'a, std::result::Result<QueryResult, DbErr>>,
    running: Running<'a>,
}

impl std::fmt::Debug for Rows<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows").field("running", &self.running).finish_non_exhaustive()
    }
}

impl Stream for Rows<'_> {
    type Item = std::result::Result<QueryResult, DbErr>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.rows.poll_next_unpin(context);
        if matches!(next, Poll::Ready(None)) {
            self.running.ended = true;
        }
        next
    }
}

impl StreamTrait for Transaction {
    type Stream<'a> = Rows<'a>;

    fn get_database_backend(&self) -> DbBackend {
        self.lease.backend()
    }

    fn stream_raw(
        &self,
        statement: Statement,
    ) -> BoxFuture<'_, std::result::Result<Rows<'_>, DbErr>> {
        Box::pin(async move {
            let running = self.lease.begin();
            let rows = self.transaction.stream_raw(statement).await?.boxed();
            Ok(Rows { rows, running })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{db::Db, error::Error};

    #[tokio::test]
    async fn a_statement_that_runs_too_long_is_stopped_and_the_connection_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.db");
        let db = Db::open(&format!("sqlite://{}?mode=rwc", file.display()), None).await.unwrap();
        let lane = db.reader().0.free.lock().unwrap().pop_front().unwrap();
        let read = |sql: &str| {
            lane.connection.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql))
        };
        assert_eq!(read("SELECT 1").await.unwrap().len(), 1);
        lane.stop.until.store(0, SeqCst);
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
                       SELECT count(*) FROM n";
        let error = Error::from(read(endless).await.unwrap_err());
        assert_eq!(error.status(), 503, "{error}");
        lane.stop.begin(READ_LIMIT);
        assert_eq!(read("SELECT 1").await.unwrap().len(), 1);
    }
}
