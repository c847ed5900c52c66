//! What resolvers find in a request.

use std::{future::Future, sync::Arc};

use anyhow::anyhow;
use async_graphql::{Context, dataloader::DataLoader};

use super::{loader::Batch, turn::Turn};
use crate::{
    app::App,
    auth::Viewer,
    error::{Error, Result},
};

fn missing(what: &str) -> Error {
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

/// The loaders of this request.
pub fn loaders<'a>(context: &'a Context<'_>) -> Result<&'a DataLoader<Batch>> {
    context.data_opt().ok_or_else(|| missing("loaders"))
}

/// Runs an operation as one of the request's loads.
pub async fn run<T, F, W>(context: &Context<'_>, work: W) -> Result<T>
where
    T: Send + 'static,
    F: Future<Output = Result<T>> + Send + 'static,
    W: FnOnce(App, Viewer) -> F,
{
    let turn: &Arc<Turn> = context.data_opt().ok_or_else(|| missing("turn"))?;
    let work = work(app(context)?.clone(), viewer(context)?.clone());
    turn.run(work).await.unwrap_or_else(|| Err(missing("answer")))
}
