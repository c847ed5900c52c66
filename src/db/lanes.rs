//! A few connections that users share fairly. Statements end when nobody waits for them any more.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use sea_orm::{
    ConnAcquireErr, ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult,
    Statement, entity::prelude::async_trait::async_trait,
};
use tokio::{runtime::Handle, sync::OwnedSemaphorePermit, time::timeout};

use super::{
    asker::Asker,
    refusal::ACQUIRE_TIMEOUT,
    storage::Storage,
    turns::{Turn, Turns},
};

/// The maximum running time of a read statement.
pub const READ_LIMIT: Duration = Duration::from_secs(30);
/// The time that a connection has to become free before its statement is cancelled again.
const SETTLING: Duration = Duration::from_secs(1);
/// The maximum time charged for one write statement: it may have waited for others.
const WRITE_COST: Duration = Duration::from_secs(1);
/// The maximum running time of a write statement: storing the largest promised network takes less.
pub(super) const WRITE_LIMIT: Duration = Duration::from_mins(5);

/// The connections for reads, or those for writes. A user holds at most half of them at once, and a
/// request at most two of all connections.
#[derive(Clone, Debug)]
pub struct Connections(Arc<Lanes>);

#[derive(Debug)]
struct Lanes {
    turns: Turns,
    free: Mutex<VecDeque<Lane>>,
    all: Vec<DatabaseConnection>,
    backend: DbBackend,
    /// The connection that tells PostgreSQL to cancel a statement of another connection.
    canceller: Option<DatabaseConnection>,
    /// The maximum time to wait for a connection.
    wait: Duration,
    /// The maximum running time of a statement.
    limit: Duration,
    /// The record of whether writes are accepted, if these connections write.
    storage: Option<Arc<Storage>>,
}

/// A connection, behind a pool that holds no other and reconnects if it is lost.
#[derive(Debug)]
pub struct Lane {
    /// The connection.
    pub connection: DatabaseConnection,
    /// The deadline of its statement.
    pub stop: Arc<Stop>,
}

/// The deadline of the statement that a connection runs.
#[derive(Debug)]
pub struct Stop {
    started: Instant,
    now: AtomicBool,
    /// The deadline, in milliseconds after `started`.
    until: AtomicU64,
    /// The server process, on PostgreSQL.
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
    /// Returns whether the statement may continue; `SQLite` asks this every few thousand steps.
    pub(super) fn goes_on(&self) -> bool {
        let elapsed = self.started.elapsed().as_millis();
        !self.now.load(SeqCst) && elapsed < u128::from(self.until.load(SeqCst))
    }

    /// Sets the deadline of the next statement, which may run for `limit` from now on.
    pub fn begin(&self, limit: Duration) {
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

    /// Returns the number of connections.
    pub(super) fn size(&self) -> usize {
        self.0.all.len()
    }

    /// Returns how many callers wait for a connection now.
    pub fn waiting(&self) -> usize {
        self.0.turns.waiting()
    }

    pub(super) async fn close(&self) {
        for connection in &self.0.all {
            if let Err(error) = connection.close_by_ref().await {
                tracing::warn!(%error, "could not close the database");
            }
        }
    }

    /// Waits for a connection.
    ///
    /// # Panics
    ///
    /// Never: there are as many turns as connections.
    pub async fn lease(&self) -> std::result::Result<Lease, DbErr> {
        let asker = Asker::current();
        let turn = async {
            let permit = match &asker {
                Some(asker) => Arc::clone(&asker.connections).acquire_owned().await.ok(),
                None => None,
            };
            (permit, self.0.turns.take(Asker::turn(asker.as_ref())).await)
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

/// A connection, for as long as somebody holds it.
#[derive(Debug)]
pub struct Lease {
    held: Option<Held>,
    /// Whether a statement was abandoned before it ended.
    torn: AtomicBool,
    asker: Option<Arc<Asker>>,
}

#[derive(Debug)]
struct Held {
    lane: Option<Lane>,
    lanes: Arc<Lanes>,
    // Dropped last, so that the next holder of the turn finds the connection free.
    _turn: Turn,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Lease {
    /// Returns the connection, with the means to stop its statements.
    ///
    /// # Panics
    ///
    /// Never: the connection is given back only when the lease ends.
    pub fn lane(&self) -> &Lane {
        let lane = self.held.as_ref().and_then(|held| held.lane.as_ref());
        lane.expect("it is given back only when the lease ends")
    }

    /// Runs a statement, and cancels it if the future is dropped before the statement ends.
    pub(super) async fn run<'a, T, F>(
        &'a self,
        work: impl FnOnce(&'a DatabaseConnection) -> F,
    ) -> F::Output
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

    pub(super) fn storage(&self) -> Option<&Arc<Storage>> {
        self.held.as_ref().and_then(|held| held.lanes.storage.as_ref())
    }

    pub(super) fn backend(&self) -> DbBackend {
        self.lane().connection.get_database_backend()
    }

    pub(super) fn begin(&self) -> Running<'_> {
        let held = self.held.as_ref().expect("it is given back only when the lease ends");
        self.lane().stop.begin(held.lanes.limit);
        Running { lease: self, began: Instant::now(), ended: false }
    }
}

/// A statement in progress; its time counts until it ends.
#[derive(Debug)]
pub(super) struct Running<'a> {
    lease: &'a Lease,
    began: Instant,
    pub(super) ended: bool,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if let Some(asker) = &self.lease.asker {
            let most = self.lease.storage().map_or(Duration::MAX, |_| WRITE_COST);
            asker.charge(self.began.elapsed().min(most));
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
            runtime.spawn(held.until_ended());
        }
    }
}

impl Held {
    /// Waits until the statement has really ended before another caller gets the connection.
    async fn until_ended(self) {
        let Some(lane) = &self.lane else { return };
        loop {
            if let Some(canceller) = &self.lanes.canceller {
                let process = lane.stop.process.load(SeqCst);
                let cancel = format!("SELECT pg_cancel_backend({process})");
                if let Err(error) = canceller.execute_unprepared(&cancel).await {
                    tracing::warn!(%error, "could not cancel a statement that nobody waits for");
                }
            }
            // Nobody waits for this error: the pool reconnects if the connection is lost.
            if timeout(SETTLING, self.lanes.end_of(lane)).await.is_ok() {
                return;
            }
        }
    }
}

impl Lanes {
    /// Waits until a connection has nothing more to do.
    async fn end_of(&self, lane: &Lane) {
        match self.backend {
            // The driver does not know of an abandoned BEGIN; without one this does nothing.
            DbBackend::Postgres => drop(lane.connection.execute_unprepared("ROLLBACK").await),
            _ => drop(lane.connection.ping().await),
        }
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
