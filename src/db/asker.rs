//! The request that statements run for: the connections it may hold, and who is charged for its
//! time.

use std::{
    fmt::{Debug, Formatter},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::sync::Semaphore;
use toposcope_types::Id;

use super::turns::Claim;

/// The maximum number of connections that one request holds at once.
const AT_ONCE: usize = 2;
/// The database time after which a request counts as long-running.
const LONG: Duration = Duration::from_millis(250);

tokio::task_local! {
    static ASKER: Arc<Asker>;
}

/// One request of a user, as the database layer knows it.
pub struct Asker {
    /// The user.
    pub user_id: Id,
    /// The user whose turn it takes; `None` if other users wait for it, too.
    turn: Option<Id>,
    /// Whether it is known to be long-running.
    long: AtomicBool,
    /// Its time in the database so far, in microseconds.
    spent: AtomicU64,
    pub(super) connections: Arc<Semaphore>,
    charge: Box<dyn Fn(Duration) + Send + Sync>,
}

impl Asker {
    /// Creates a request of a user; `charge` receives its time in the database.
    pub fn new(user_id: Id, charge: impl Fn(Duration) + Send + Sync + 'static) -> Arc<Self> {
        let connections = Arc::new(Semaphore::new(AT_ONCE));
        let (turn, charge) = (Some(user_id), Box::new(charge));
        let (long, spent) = (AtomicBool::new(false), AtomicU64::new(0));
        Arc::new(Self { user_id, turn, long, spent, connections, charge })
    }

    /// Returns an asker for long work that other users wait for, too, and which must not wait for
    /// turns of this user.
    pub fn for_all(asker: Option<Arc<Self>>) -> Option<Arc<Self>> {
        let asker = asker?;
        let connections = Arc::clone(&asker.connections);
        let (user_id, charge) = (asker.user_id, Box::new(move |time| asker.charge(time)));
        let (turn, long, spent) = (None, AtomicBool::new(true), AtomicU64::new(0));
        Some(Arc::new(Self { user_id, turn, long, spent, connections, charge }))
    }

    /// Returns the asker that this task works for, if any.
    pub fn current() -> Option<Arc<Self>> {
        ASKER.try_with(Arc::clone).ok()
    }

    /// Charges time in the database to the request.
    pub fn charge(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let before = self.spent.fetch_add(micros, Relaxed);
        if u128::from(before.saturating_add(micros)) > LONG.as_micros() {
            self.takes_long();
        }
        (self.charge)(time);
    }

    /// Marks the request as long-running, so that it leaves connections to short ones.
    pub fn takes_long(&self) {
        self.long.store(true, Relaxed);
    }

    /// Returns the claim of a request; work that no user asked for is the server's own.
    pub(super) fn turn(asker: Option<&Arc<Self>>) -> Claim {
        asker.map_or_else(Claim::default, |asker| Claim {
            user: asker.turn,
            long: asker.long.load(Relaxed),
        })
    }
}

impl Debug for Asker {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asker").field("user_id", &self.user_id).finish_non_exhaustive()
    }
}

/// Runs work on behalf of an asker. Tasks that the work spawns are not part of it: pass them the
/// asker anew.
pub async fn asked_by<F: Future>(asker: Option<Arc<Asker>>, work: F) -> F::Output {
    match asker {
        Some(asker) => ASKER.scope(asker, work).await,
        None => work.await,
    }
}
