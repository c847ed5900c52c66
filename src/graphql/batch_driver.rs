//! Drives each request in one task: its loads start together, once nothing else can progress.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll, Wake, Waker},
};

use futures_util::{
    FutureExt as _, StreamExt as _, future::BoxFuture, stream::FuturesUnordered, task::AtomicWaker,
};
use tokio::sync::oneshot;

/// The queue of one request's loads.
#[derive(Default)]
pub struct BatchDriver {
    jobs: Mutex<Vec<BoxFuture<'static, ()>>>,
    woken: AtomicBool,
    task: AtomicWaker,
}

impl std::fmt::Debug for BatchDriver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BatchDriver").finish_non_exhaustive()
    }
}

impl BatchDriver {
    /// Queues a load; every loader of the request spawns its loads through this.
    pub fn push(&self, job: BoxFuture<'static, ()>) {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).push(job);
        self.task.wake();
    }

    /// Runs `work` as a load and waits for it. A resolver that waited for the database itself would
    /// resume at a time of its own and split the level below it.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (sender, receiver) = oneshot::channel();
        // The receiver is gone if the request was dropped; then nobody wants the result.
        self.push(work.map(|answer| drop(sender.send(answer))).boxed());
        receiver.await.ok()
    }

    fn take(&self) -> Vec<BoxFuture<'static, ()>> {
        std::mem::take(&mut *self.jobs.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_idle(&self) -> bool {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

impl Wake for BatchDriver {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, SeqCst);
        self.task.wake();
    }
}

/// The stack that polling a request may need. A poll descends to the deepest field and takes stack
/// for each level: even the deepest query takes less than this, which is more than a thread usually
/// has.
const STACK: usize = 8 * 1024 * 1024;

/// Runs `request` for as long as it wakes itself. Starts the queued loads only when the request is
/// idle, and resumes it only when all of them have finished. So each level of a query is one load
/// per relation, whatever the number of rows and however long each load takes.
pub async fn drive<T>(turn: Arc<BatchDriver>, request: impl Future<Output = T>) -> T {
    // Tokio's budget would make a lock in a resolver yield after 128 polls and split a level.
    let mut request = pin!(tokio::task::unconstrained(request));
    let waker = Waker::from(Arc::clone(&turn));
    let mut loads = FuturesUnordered::new();
    turn.woken.store(true, SeqCst);
    poll_fn(move |context| {
        turn.task.register(context.waker());
        loop {
            while loads.is_empty() && turn.woken.swap(false, SeqCst) {
                let mut own = Context::from_waker(&waker);
                let poll = || request.as_mut().poll(&mut own);
                if let Poll::Ready(answer) = stacker::maybe_grow(STACK, STACK, poll) {
                    return Poll::Ready(answer);
                }
            }
            loads.extend(turn.take());
            while let Poll::Ready(Some(())) = loads.poll_next_unpin(context) {}
            let again = turn.woken.load(SeqCst) && loads.is_empty();
            if !again && turn.is_idle() {
                return Poll::Pending;
            }
        }
    })
    .await
}
