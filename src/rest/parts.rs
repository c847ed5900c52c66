//! One resource with long parts: written while they are read, some at a time.

use axum::response::Response;
use futures_util::{Stream, StreamExt as _};
use toposcope_types::{Id, late};

use super::{
    envelope::{JSON, One, respond, tagged},
    pieces::{PIECE, next_piece},
    readable::Readable,
};
use crate::{
    app::App,
    auth::Viewer,
    db::Transaction,
    error::{Error, Result},
    resource,
};

/// Returns the id of a resource with so much deferred data that memory is not to hold all of it.
pub(super) fn long<E: Readable>(full: &E::Full) -> Option<Id> {
    E::late_parts(full).filter(|_| E::late(full) > PIECE).map(|late| late.id)
}

/// Returns the response with one resource as it is now; a user has one turn at a time for these.
pub(super) async fn answer<E: Readable>(app: &App, viewer: &Viewer, id: Id) -> Result<Response> {
    let turn = app.db.turn_to_read_all().await?;
    let db = app.db.snapshot().await?;
    let row = resource::get::<E>(&db, viewer, id).await?;
    let full = E::full(app, &db, viewer, vec![row]).await?.pop();
    let full = full.ok_or(Error::NotFound { kind: E::KIND, id })?;
    let tag = E::tag(&full);
    let parts = E::late_parts(&full).map(|late| late.parts).unwrap_or_default();
    let texts = late::split(&late::marked(|| One(full).to_json())?);
    if texts.len() != parts.len() + 1 {
        return Err(Error::Internal(anyhow::anyhow!("a {} does not show its parts", E::KIND)));
    }
    let written = written::<E>(app.clone(), viewer.clone(), db, texts, parts);
    // The turn ends when everything has been read.
    let written = written.map(move |text| {
        let _held = &turn;
        text
    });
    Ok(tagged(respond(app.spools.body(written).await?, JSON), tag))
}

/// Streams texts with the parts between them, and reads some parts at a time.
fn written<E: Readable>(
    app: App,
    viewer: Viewer,
    db: Transaction,
    texts: Vec<Vec<u8>>,
    parts: Vec<(Id, u64)>,
) -> impl Stream<Item = Result<Vec<u8>>> + Send + 'static {
    let left = (texts.into_iter(), parts.into_iter().peekable(), db);
    futures_util::stream::try_unfold(left, move |(mut texts, mut parts, db)| {
        let (app, viewer) = (app.clone(), viewer.clone());
        async move {
            let (piece, _) = next_piece(&mut parts, |(_, size)| *size);
            let ids: Vec<Id> = piece.into_iter().map(|(id, _)| id).collect();
            if ids.is_empty() {
                return Ok(texts.next().map(|last| (last, (texts, parts, db))));
            }
            let mut read = E::read_parts(&app, &db, &viewer, ids.clone()).await?;
            let mut text = Vec::new();
            for id in &ids {
                text.extend(texts.next().unwrap_or_default());
                let missing = || anyhow::anyhow!("a part of a {} is missing", E::KIND);
                text.append(&mut read.remove(id).ok_or_else(missing)?);
            }
            Ok(Some((text, (texts, parts, db))))
        }
    })
}
