//! Lists a piece at a time, so that memory does not grow with their contents.

use std::{iter::Peekable, sync::Arc};

use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use sea_orm::ConnectionTrait;

use super::readable::Readable;
use crate::{
    app::App,
    auth::Viewer,
    db,
    error::{Error, Result},
    resource::list::{self, ListQuery},
};

/// Returns all rows from one snapshot of the database, with their related data. A list of at most
/// one page does not wait for readers of long lists; for longer lists a user has one turn.
pub(super) async fn chunks<E: Readable>(
    app: &App,
    viewer: &Viewer,
    query: ListQuery<E>,
    offset: u64,
) -> Result<impl Stream<Item = Result<Vec<E::Full>>> + Send + 'static + use<E>> {
    let snapshot = app.db.snapshot().await?;
    if let Some(rows) = list::few(app, &snapshot, viewer, &query, offset).await? {
        return Ok(pieces::<E, _>(app, Arc::new(snapshot), viewer, rows).left_stream());
    }
    snapshot.rollback().await?;
    let turn = app.db.turn_to_read_all().await?;
    let (app, viewer) = (app.clone(), viewer.clone());
    let chunks = list::chunks(&app, &viewer, query, offset, turn);
    let pieces = chunks.map_ok(move |(rows, db)| pieces::<E, _>(&app, db, &viewer, rows));
    Ok(pieces.try_flatten().right_stream())
}

/// Returns at most this many rows; 0 is all of them.
pub(super) fn first<T: Send + 'static>(
    limit: u64,
    chunks: impl Stream<Item = Result<Vec<T>>> + Send + 'static,
) -> impl Stream<Item = Result<Vec<T>>> + Send + 'static {
    let mut left = if limit == 0 { u64::MAX } else { limit };
    let cut = chunks.map_ok(move |mut chunk| {
        chunk.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        left -= chunk.len() as u64;
        chunk
    });
    // No chunk before the end is empty: an empty chunk means that there are enough rows.
    cut.try_take_while(|chunk| std::future::ready(Ok(!chunk.is_empty())))
}

/// The maximum bytes of long values to read or write at once.
pub(super) const PIECE: u64 = 2 * 1024 * 1024;
/// The maximum bytes of long values in one element of a list.
const MOST: u64 = 32 * PIECE;

/// Takes as many elements as are read at once, at least one if there is any. Returns them and their
/// bytes.
pub(super) fn next_piece<T>(
    left: &mut Peekable<impl Iterator<Item = T>>,
    size: impl Fn(&T) -> u64,
) -> (Vec<T>, u64) {
    let (mut piece, mut bytes) = (Vec::new(), 0);
    while let Some(next) = left.next_if(|next| piece.is_empty() || bytes + size(next) <= PIECE) {
        bytes += size(&next);
        piece.push(next);
    }
    (piece, bytes)
}

/// Returns rows with their related data, as many at once as memory is to hold.
pub(super) fn pieces<E: Readable, C: ConnectionTrait + Send + Sync + 'static>(
    app: &App,
    db: Arc<C>,
    viewer: &Viewer,
    rows: Vec<E::Model>,
) -> impl Stream<Item = Result<Vec<E::Full>>> + Send + 'static + use<E, C> {
    let (app, viewer) = (app.clone(), viewer.clone());
    let groups: Vec<_> = db::chunks(rows, E::TOGETHER).collect();
    let groups = futures_util::stream::iter(groups.into_iter().map(Ok::<_, Error>));
    groups
        .and_then(move |rows| {
            let (app, viewer, db) = (app.clone(), viewer.clone(), Arc::clone(&db));
            async move {
                let rows = E::full(&app, &*db, &viewer, rows).await?;
                Ok(late::<E, _>(&app, db, &viewer, rows))
            }
        })
        .try_flatten()
}

/// Returns how many bytes of a body do not come from its row.
pub(super) fn more<E: Readable>(full: &E::Full) -> u64 {
    E::late(full) + E::unfolded(full)
}

/// Returns the same rows with their deferred data, a piece at a time.
pub(super) fn late<E: Readable, C: ConnectionTrait + Send + Sync + 'static>(
    app: &App,
    db: Arc<C>,
    viewer: &Viewer,
    rows: Vec<E::Full>,
) -> impl Stream<Item = Result<Vec<E::Full>>> + Send + 'static + use<E, C> {
    let (app, viewer) = (app.clone(), viewer.clone());
    let rows = rows.into_iter().peekable();
    futures_util::stream::try_unfold(rows, move |mut rows| {
        let (app, viewer, db) = (app.clone(), viewer.clone(), Arc::clone(&db));
        async move {
            let (mut piece, _) = next_piece(&mut rows, more::<E>);
            if piece.is_empty() {
                return Ok(None);
            }
            let bytes: u64 = piece.iter().map(E::late).sum();
            if bytes > MOST {
                let reason = format!(
                    "a {} of this list is longer than {MOST} bytes; ask for its parts in lists of \
                     their own",
                    E::KIND
                );
                return Err(Error::invalid("limit", reason));
            }
            if bytes > 0 {
                E::read_late(&app, &*db, &viewer, &mut piece).await?;
            }
            Ok(Some((piece, rows)))
        }
    })
}
