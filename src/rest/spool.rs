//! Long responses: read as fast as the database supplies them, then sent as slowly as the client
//! reads them, from a file that no other process sees.

use std::{
    collections::HashMap,
    io::ErrorKind,
    path::{Path, PathBuf},
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::body::Body;
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};
use tokio::{
    fs::File,
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    sync::watch,
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;
use toposcope_types::Id;
use tracing::Instrument as _;

use crate::{
    db::{Asker, asked_by},
    error::{Error, Result},
};

/// The maximum bytes of a response that wait for the client in memory.
pub const IN_MEMORY: usize = 1024 * 1024;
/// How many bytes of a file to read at once.
const PIECE: usize = 64 * 1024;
/// The maximum bytes in files at once, for one user and for all responses together.
const OF_USER: u64 = 2 * 1024 * 1024 * 1024;
const OF_ALL: u64 = 4 * OF_USER;
/// How long a response waits for its end, so that an error can be sent instead of it; after that it
/// begins with the data so far.
const BEGIN_AFTER: Duration = Duration::from_secs(10);

/// The store of long responses that wait for their clients.
#[derive(Clone, Debug, Default)]
pub struct Spools {
    folder: Option<PathBuf>,
    taken: Arc<Mutex<HashMap<Option<Id>, u64>>>,
}

impl Spools {
    /// Creates spools in a folder; by default in the system's folder for temporary files.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, taken: Arc::default() }
    }

    /// Returns how many bytes are waiting in files now.
    pub fn taken(&self) -> u64 {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }

    /// Returns the body of a response that is still being written, and its length if it is
    /// complete. A failure before the response begins is returned as an error. A later failure ends
    /// the connection, since a response that looks complete must be complete.
    pub async fn body(
        &self,
        parts: impl Stream<Item = Result<Vec<u8>>> + Send + 'static,
    ) -> Result<(Body, Option<u64>)> {
        let mut parts = Box::pin(parts);
        let mut start = Vec::new();
        while start.len() <= IN_MEMORY {
            let Some(part) = parts.next().await else {
                let length = start.len() as u64;
                return Ok((Body::from(start), Some(length)));
            };
            start.extend(part?);
        }
        let parts = futures_util::stream::iter([Ok(start)]).chain(parts);
        let (mut reader, writer) = self.open().await?;
        let asker = Asker::current();
        let filling = asked_by(asker, writer.fill(parts)).in_current_span();
        let filling = AbortOnDropHandle::new(tokio::spawn(filling));
        let all = reader.progress.wait_for(|progress| progress.state != State::Filling);
        let all = timeout(BEGIN_AFTER, all).await.is_ok_and(|ended| ended.is_ok());
        let failed = reader.progress.borrow().state == State::Failed;
        if failed {
            // The task has ended and holds the cause.
            return match filling.await {
                Ok(Err(error)) => Err(error),
                Ok(Ok(())) => Err(cut()),
                Err(error) => Err(Error::Internal(error.into())),
            };
        }
        let length = all.then(|| reader.progress.borrow().written);
        Ok((Body::from_stream(reader.stream(filling)), length))
    }

    /// Returns the same body, in a file if it is long.
    pub async fn spool(&self, body: Body) -> Result<Body> {
        use axum::body::HttpBody as _;
        let length = body.size_hint().exact();
        if length.is_none_or(|length| length <= IN_MEMORY as u64) {
            return Ok(body);
        }
        let frames = body.into_data_stream().map(|frame| match frame {
            Ok(bytes) => Ok(bytes.to_vec()),
            Err(error) => Err(Error::Internal(error.into())),
        });
        Ok(self.body(frames).await?.0)
    }

    async fn open(&self) -> Result<(Reader, Writer)> {
        let folder = self.folder.clone().unwrap_or_else(std::env::temp_dir);
        let opened = tokio::task::spawn_blocking(move || open(&folder)).await;
        let (written, read) = opened.map_err(anyhow::Error::from)?.map_err(full)?;
        let (progress, watched) = watch::channel(Progress { written: 0, state: State::Filling });
        let user = Asker::current().map(|asker| asker.user_id);
        let share = Share { spools: self.clone(), user, bytes: Mutex::new(0) };
        let share = Arc::new(share);
        let writer = Writer { file: written, progress, share: Arc::clone(&share) };
        Ok((Reader { file: read, progress: watched, read: 0, share }, writer))
    }
}

/// Opens two handles to one file, whose name is removed before anything is written.
fn open(folder: &Path) -> std::io::Result<(File, File)> {
    let file = tempfile::NamedTempFile::new_in(folder)?;
    let read = file.reopen()?;
    let (written, path) = file.into_parts();
    path.close()?;
    Ok((File::from_std(written), File::from_std(read)))
}

fn full(error: std::io::Error) -> Error {
    let cause = anyhow::Error::from(error);
    let kind = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
    tracing::warn!(cause = format!("{cause:#}"), "an answer could not be put into a file");
    match kind {
        Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge) => {
            Error::unavailable("there is no space left for an answer of this length")
        }
        _ => Error::unavailable("there is no place for an answer of this length"),
    }
}

fn cut() -> Error {
    Error::unavailable("the answer could not be read to its end")
}

#[derive(Clone, Copy, Debug)]
struct Progress {
    written: u64,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Filling,
    Whole,
    Failed,
}

/// The spool space that a response takes until nobody needs it.
#[derive(Debug)]
struct Share {
    spools: Spools,
    user: Option<Id>,
    bytes: Mutex<u64>,
}

impl Share {
    fn take(&self, more: u64) -> Result<()> {
        let mut taken = self.spools.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let all: u64 = taken.values().sum();
        let own = taken.get(&self.user).copied().unwrap_or_default();
        if own + more > OF_USER {
            let reason = "your unread answers are too long together; ask for less at a time";
            return Err(Error::unavailable(reason));
        }
        if all + more > OF_ALL {
            return Err(Error::unavailable("too many long answers are unread"));
        }
        *taken.entry(self.user).or_default() += more;
        *self.bytes.lock().unwrap_or_else(PoisonError::into_inner) += more;
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let bytes = *self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = self.spools.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.user) {
            *own = own.saturating_sub(bytes);
            if *own == 0 {
                taken.remove(&self.user);
            }
        }
    }
}

#[derive(Debug)]
struct Writer {
    file: File,
    progress: watch::Sender<Progress>,
    share: Arc<Share>,
}

impl Writer {
    async fn fill(mut self, parts: impl Stream<Item = Result<Vec<u8>>> + Send) -> Result<()> {
        let filled = self.write(parts).await;
        let state = if filled.is_ok() { State::Whole } else { State::Failed };
        let Self { progress, share, .. } = self;
        // The reader then holds the last share, until it has read to the end.
        drop(share);
        progress.send_modify(|progress| progress.state = state);
        filled
    }

    async fn write(&mut self, parts: impl Stream<Item = Result<Vec<u8>>> + Send) -> Result<()> {
        let mut parts = pin!(parts);
        while let Some(part) = parts.next().await {
            let part = part?;
            let more = part.len() as u64;
            self.share.take(more)?;
            self.file.write_all(&part).await.map_err(full)?;
            self.file.flush().await.map_err(full)?;
            self.progress.send_modify(|progress| progress.written += more);
        }
        Ok(())
    }
}

#[derive(Debug)]
struct Reader {
    file: File,
    progress: watch::Receiver<Progress>,
    read: u64,
    /// The space, released when both the reader and the writer are gone.
    #[expect(dead_code, reason = "it is held, not used")]
    share: Arc<Share>,
}

impl Reader {
    /// Streams each piece as soon as it is written; the writing task ends when nobody reads any
    /// more.
    fn stream(
        self,
        filling: AbortOnDropHandle<Result<()>>,
    ) -> impl Stream<Item = Result<Bytes>> + Send + 'static {
        futures_util::stream::try_unfold((self, filling), |(mut reader, filling)| async move {
            match reader.next().await {
                Ok(piece) => Ok(piece.map(|piece| (piece, (reader, filling)))),
                Err(error) => {
                    // The failed task knows the cause.
                    let error = filling.await.ok().and_then(Result::err).unwrap_or(error);
                    error.log();
                    Err(error)
                }
            }
        })
    }

    async fn next(&mut self) -> Result<Option<Bytes>> {
        let read = self.read;
        let more =
            |progress: &Progress| progress.written > read || progress.state != State::Filling;
        let progress = *self.progress.wait_for(more).await.map_err(|_| cut())?;
        if progress.written == read {
            return if progress.state == State::Whole { Ok(None) } else { Err(cut()) };
        }
        let left = usize::try_from(progress.written - read).unwrap_or(PIECE);
        let mut piece = vec![0; left.min(PIECE)];
        self.file.read_exact(&mut piece).await.map_err(anyhow::Error::from)?;
        self.read += piece.len() as u64;
        Ok(Some(piece.into()))
    }
}
