//! Bodies that report their progress.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use hyper::body::{Frame, Incoming, SizeHint};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use super::progress::Answer;
use crate::error::{Error, Outage};

/// How much of a response to hand over at once. Data handed over stays in memory until the client
/// takes it, and no longer counts as under way.
const PIECE: usize = 16 * 1024;

/// The body of a request. Reading it fails once the server no longer waits for the rest.
pub(super) struct Received {
    body: Incoming,
    late: Pin<Box<WaitForCancellationFutureOwned>>,
    whole: Arc<AtomicBool>,
}

impl Received {
    /// Creates the body, and a flag that tells later whether all of it has been read.
    pub(super) fn new(body: Incoming, late: CancellationToken) -> (Self, Arc<AtomicBool>) {
        let whole = Arc::new(AtomicBool::new(body.is_end_stream()));
        let late = Box::pin(late.cancelled_owned());
        (Self { body, late, whole: Arc::clone(&whole) }, whole)
    }
}

impl HttpBody for Received {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        match &frame {
            Poll::Pending if self.late.as_mut().poll(context).is_ready() => {
                let stopping = Error::unavailable(Outage::Stopping);
                return Poll::Ready(Some(Err(axum::Error::new(stopping))));
            }
            Poll::Ready(None) => self.whole.store(true, Ordering::Relaxed),
            Poll::Ready(Some(Ok(_))) if self.body.is_end_stream() => {
                self.whole.store(true, Ordering::Relaxed);
            }
            _ => {}
        }
        frame.map_err(axum::Error::new)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of a response, handed over in pieces and under way until it is dropped.
pub(super) struct Sent {
    body: Body,
    /// The part of a frame that has not been handed over yet.
    rest: Bytes,
    answer: Answer,
}

impl Sent {
    pub(super) const fn new(body: Body, answer: Answer) -> Self {
        Self { body, rest: Bytes::new(), answer }
    }

    fn piece(&mut self) -> Frame<Bytes> {
        let piece = self.rest.split_to(self.rest.len().min(PIECE));
        Frame::data(piece)
    }
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.rest.is_empty() {
            let frame = match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Pending => {
                    self.answer.waits(false);
                    return Poll::Pending;
                }
                Poll::Ready(frame) => frame,
            };
            match frame.map(|frame| frame.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => self.rest = data,
                Some(Ok(Err(trailers))) => return Poll::Ready(Some(Ok(trailers))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
        self.answer.waits(true);
        let piece = self.piece();
        Poll::Ready(Some(Ok(piece)))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let mut hint = self.body.size_hint();
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}

/// A body that holds a value until it has been read or is dropped.
struct Held<T> {
    body: Body,
    _held: T,
}

/// Wraps the body of a response, so that it holds a value until it has been read or is dropped.
pub fn hold<T: Send + Unpin + 'static>(body: Body, held: T) -> Body {
    Body::new(Held { body, _held: held })
}

impl<T: Unpin> HttpBody for Held<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
