//! Reads rows that the database packed, while another thread unpacks them.

use futures_util::TryStreamExt as _;
use sea_orm::{QueryResult, Statement, StreamTrait};
use tokio::sync::mpsc;

use super::columns::{Unpack, Unpacked};
use crate::error::Result;

/// The number of devices that may be read ahead of the consumer. It keeps reader and consumer from
/// waiting for each other if one statement is quick to read and slow to process, and the next the
/// other way round.
const AHEAD: usize = 8192;
/// The number of devices handed over at once: waking the consumer takes as long as reading one.
const BATCH: usize = 32;

/// Rows as they arrive from the database, for a thread that may block.
#[derive(Debug)]
pub struct Rows {
    batches: mpsc::Receiver<Vec<QueryResult>>,
    batch: std::vec::IntoIter<QueryResult>,
}

impl Iterator for Rows {
    type Item = QueryResult;

    fn next(&mut self) -> Option<QueryResult> {
        loop {
            if let Some(row) = self.batch.next() {
                return Some(row);
            }
            self.batch = self.batches.blocking_recv()?.into_iter();
        }
    }
}

/// Creates a channel that passes rows from their reader to their consumer.
pub fn pipe() -> (mpsc::Sender<Vec<QueryResult>>, Rows) {
    let (sender, batches) = mpsc::channel(AHEAD / BATCH);
    (sender, Rows { batches, batch: Vec::new().into_iter() })
}

/// Sends the rows of a statement on as they arrive, until the receiver is dropped.
pub async fn pour(
    db: &impl StreamTrait,
    statement: Statement,
    to: mpsc::Sender<Vec<QueryResult>>,
) -> Result<()> {
    let rows = db.stream_raw(statement).await?;
    let mut batches = std::pin::pin!(rows.try_chunks(BATCH));
    while let Some(batch) = batches.try_next().await.map_err(|error| error.1)? {
        if to.send(batch).await.is_err() {
            break;
        }
    }
    Ok(())
}

/// Reads the packed rows in a column.
pub fn unpack<T: Unpack>(row: &QueryResult, column: usize) -> Result<Vec<T>> {
    let text: String = row.try_get_by_index(column)?;
    let rows: Vec<Unpacked<T>> = serde_json::from_str(&text).map_err(anyhow::Error::from)?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// Reads one packed row from a text.
pub fn unpack_one<T: Unpack>(text: &str) -> Result<T> {
    let row: Unpacked<T> = serde_json::from_str(text).map_err(anyhow::Error::from)?;
    Ok(row.0)
}
