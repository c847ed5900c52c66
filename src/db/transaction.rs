//! Transactions, which hold a connection.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use futures_util::{Stream, StreamExt as _, future::BoxFuture, stream::BoxStream};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, Statement,
    StreamTrait, TransactionOptions, TransactionTrait as _,
    entity::prelude::async_trait::async_trait,
};
use toposcope_migrations::{Migrator, MigratorTrait as _};

use super::{
    lanes::{Connections, Lease, Running},
    storage::{Open, Storage},
};
use crate::error::Result;

/// A transaction. It holds a connection, so none stays open while a client reads. Dropping it
/// before it is committed rolls it back.
#[derive(Debug)]
pub struct Transaction {
    inner: DatabaseTransaction,
    // Dropped before the connection is free.
    _open: Option<Open>,
    lease: Lease,
}

impl Transaction {
    pub(super) async fn begin(
        connections: &Connections,
        options: TransactionOptions,
    ) -> Result<Self> {
        let lease = connections.lease().await?;
        let inner = lease.run(|connection| connection.begin_with_options(options)).await?;
        Ok(Self { inner, _open: lease.storage().map(Storage::open), lease })
    }

    /// Commits the transaction.
    pub async fn commit(self) -> Result<()> {
        let Self { inner, lease, .. } = self;
        lease.run(|_| inner.commit()).await?;
        if let Some(storage) = lease.storage() {
            storage.committed();
        }
        Ok(())
    }

    /// Rolls the transaction back.
    pub async fn rollback(self) -> Result<()> {
        let Self { inner, lease, .. } = self;
        Ok(lease.run(|_| inner.rollback()).await?)
    }

    /// Brings the schema up to date within the transaction, however long that takes.
    pub(super) async fn migrate(&self) -> std::result::Result<(), DbErr> {
        self.lease.lane().stop.begin(Duration::MAX);
        Migrator::up(&self.inner, None).await
    }
}

#[async_trait]
impl ConnectionTrait for Transaction {
    fn get_database_backend(&self) -> DbBackend {
        self.lease.backend()
    }

    async fn execute_raw(&self, statement: Statement) -> std::result::Result<ExecResult, DbErr> {
        self.lease.run(|_| self.inner.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> std::result::Result<ExecResult, DbErr> {
        self.lease.run(|_| self.inner.execute_unprepared(sql)).await
    }

    async fn query_one_raw(
        &self,
        statement: Statement,
    ) -> std::result::Result<Option<QueryResult>, DbErr> {
        self.lease.run(|_| self.inner.query_one_raw(statement)).await
    }

    async fn query_all_raw(
        &self,
        statement: Statement,
    ) -> std::result::Result<Vec<QueryResult>, DbErr> {
        self.lease.run(|_| self.inner.query_all_raw(statement)).await
    }
}

/// The rows of a statement, while it runs.
pub struct RowStream<'a> {
    rows: BoxStream<'a, std::result::Result<QueryResult, DbErr>>,
    running: Running<'a>,
}

impl std::fmt::Debug for RowStream<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowStream").field("running", &self.running).finish_non_exhaustive()
    }
}

impl Stream for RowStream<'_> {
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
    type Stream<'a> = RowStream<'a>;

    fn get_database_backend(&self) -> DbBackend {
        self.lease.backend()
    }

    fn stream_raw(
        &self,
        statement: Statement,
    ) -> BoxFuture<'_, std::result::Result<RowStream<'_>, DbErr>> {
        Box::pin(async move {
            let running = self.lease.begin();
            let rows = self.inner.stream_raw(statement).await?.boxed();
            Ok(RowStream { rows, running })
        })
    }
}
