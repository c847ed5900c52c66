//! What resolvers find in a request.

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

/// The application.
pub fn app<'a>(context: &'a Context<'_>) -> Result<&'a App> {
    context.data_opt().ok_or_else(|| missing("application"))
}

/// Who asks.
pub fn viewer<'a>(context: &'a Context<'_>) -> Result<&'a Viewer> {
    context.data_opt().ok_or(Error::NotAuthenticated)
}

/// The most rows that the lists of an answer may come to together. What a query asks for is limited
/// beforehand, but lists that are no pages can multiply on and on through each other.
const MAX_ROWS: usize = 100_000;

/// The most bytes that what is long in an answer may come to, such as forwarding tables.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// What the lists of one answer have come to so far.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    rows: Arc<AtomicUsize>,
    bytes: Arc<AtomicU64>,
}

impl Rows {
    /// How many rows.
    pub fn count(&self) -> usize {
        self.rows.load(Ordering::Relaxed)
    }
}

/// The rows of a list as part of the answer, unless it has too many by now.
pub fn list<T: Clone>(context: &Context<'_>, rows: Option<Arc<Vec<T>>>) -> Result<Vec<T>> {
    let rows = rows.unwrap_or_default();
    count(context, rows.len())?;
    Ok(Arc::unwrap_or_clone(rows))
}

/// Refuses so many more rows if the answer has too many by then.
pub fn count(context: &Context<'_>, more: usize) -> Result<()> {
    let rows: &Rows = context.data_opt().ok_or_else(|| missing("count of rows"))?;
    if rows.rows.fetch_add(more, Ordering::Relaxed).saturating_add(more) > MAX_ROWS {
        let reason = format!("the answer has more than {MAX_ROWS} rows; ask in several queries");
        return Err(Error::invalid("query", reason));
    }
    Ok(())
}

/// Refuses so many more bytes of what is long if the answer has too many by then.
pub fn count_bytes(context: &Context<'_>, more: u64) -> Result<()> {
    let rows: &Rows = context.data_opt().ok_or_else(|| missing("count of bytes"))?;
    let bytes = rows.bytes.fetch_add(more, Ordering::Relaxed).saturating_add(more);
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
