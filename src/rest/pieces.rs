//! Lists a piece at a time, so that memory does not grow with what they hold.

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

/// All rows from one state of the database, with what belongs to them. What is no more than a page
/// waits for nobody who reads long lists; for others a user has one turn.
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

/// No more than so many rows; 0 is all of them.
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
    // Rows are never left out in the middle: an empty chunk says that there are enough.
    cut.try_take_while(|chunk| std::future::ready(Ok(!chunk.is_empty())))
}

/// The most bytes of what is long that are read at once.
pub(super) const PIECE: u64 = 2 * 1024 * 1024;
/// The most bytes of what is long in one of the things of a list.
const MOST: u64 = 32 * PIECE;

/// Takes as many as are read at once, at least one if there is any; answers them and their bytes.
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

/// Rows with what belongs to them, as many at once as memory is to hold.
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

/// The same rows with what was left for later, a piece at a time.
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
            let (mut piece, bytes) = next_piece(&mut rows, E::late);
            if piece.is_empty() {
                return Ok(None);
            }
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
