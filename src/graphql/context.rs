//! Request data and operations for resolvers.

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use anyhow::anyhow;
use async_graphql::Context;

use super::batch_driver::BatchDriver;
use crate::{
    app::App,
    auth::Viewer,
    error::{Error, Result},
};

pub(super) fn missing(what: &str) -> Error {
    Error::Internal(anyhow!("the request carries no {what}"))
}

/// Returns the application.
pub fn app<'a>(context: &'a Context<'_>) -> Result<&'a App> {
    context.data_opt().ok_or_else(|| missing("application"))
}

/// Returns the viewer.
pub fn viewer<'a>(context: &'a Context<'_>) -> Result<&'a Viewer> {
    context.data_opt().ok_or(Error::NotAuthenticated)
}

/// The most rows that all lists of a response may have together. The size of a query is limited
/// beforehand, but lists without pages can keep multiplying each other.
const MAX_ROWS: usize = 100_000;

/// The most bytes that the long values of a response may have, such as forwarding tables.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// The rows and bytes in the lists of one response so far.
#[derive(Clone, Debug, Default)]
pub struct ResponseSize {
    rows: Arc<AtomicUsize>,
    bytes: Arc<AtomicU64>,
}

impl ResponseSize {
    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.rows.load(Ordering::Relaxed)
    }
}

/// Returns the rows of a list for the response, unless the response now has too many.
pub fn list<T: Clone>(context: &Context<'_>, rows: Option<Arc<Vec<T>>>) -> Result<Vec<T>> {
    let rows = rows.unwrap_or_default();
    count(context, rows.len())?;
    Ok(Arc::unwrap_or_clone(rows))
}

/// Counts this many more rows, and returns an error if the response then has too many.
pub fn count(context: &Context<'_>, more: usize) -> Result<()> {
    let size: &ResponseSize = context.data_opt().ok_or_else(|| missing("count of rows"))?;
    if size.rows.fetch_add(more, Ordering::Relaxed).saturating_add(more) > MAX_ROWS {
        let reason = format!("the answer has more than {MAX_ROWS} rows; ask in several queries");
        return Err(Error::invalid("query", reason));
    }
    Ok(())
}

/// Counts this many more bytes of long values, and returns an error if the response then has too
/// many.
pub fn count_bytes(context: &Context<'_>, more: u64) -> Result<()> {
    let size: &ResponseSize = context.data_opt().ok_or_else(|| missing("count of bytes"))?;
    let bytes = size.bytes.fetch_add(more, Ordering::Relaxed).saturating_add(more);
    if bytes > MAX_BYTES {
        let few = (MAX_BYTES / more.max(1)).max(1);
        let reason = format!(
            "the answer has more than {MAX_BYTES} bytes of such lists; ask for fewer at a time, \
             such as `first: {few}`, or over REST"
        );
        return Err(Error::invalid("query", reason));
    }
    Ok(())
}

/// Runs an operation as one of the request's loads.
pub async fn run<T, F, W>(context: &Context<'_>, work: W) -> Result<T>
where
    T: Send + 'static,
    F: Future<Output = Result<T>> + Send + 'static,
    W: FnOnce(App, Viewer) -> F,
{
    let turn: &Arc<BatchDriver> = context.data_opt().ok_or_else(|| missing("turn"))?;
    let work = work(app(context)?.clone(), viewer(context)?.clone());
    turn.run(work).await.unwrap_or_else(|| Err(missing("answer")))
}
