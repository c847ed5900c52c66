//! For whom statements are sent: what a user may hold at once, and who pays for the time.

use std::{
    fmt::{Debug, Formatter},
    sync::Arc,
    time::Duration,
};

use tokio::sync::Semaphore;

use crate::types::Id;

/// How many connections one request holds at once.
const AT_ONCE: usize = 2;

tokio::task_local! {
    static ASKER: Arc<Asker>;
}

/// One request of a user, as the database knows it.
pub struct Asker {
    /// The user.
    pub user_id: Id,
    /// Whose turn it is that this takes; nobody's where others wait for it, too.
    pub(super) turn: Option<Id>,
    pub(super) connections: Arc<Semaphore>,
    charge: Box<dyn Fn(Duration) + Send + Sync>,
}

impl Asker {
    /// A request of a user, whose time in the database `charge` is told.
    pub fn new(user_id: Id, charge: impl Fn(Duration) + Send + Sync + 'static) -> Arc<Self> {
        let connections = Arc::new(Semaphore::new(AT_ONCE));
        Arc::new(Self { user_id, turn: Some(user_id), connections, charge: Box::new(charge) })
    }

    /// The same for work that other users wait for, too, which must not wait for turns of this one.
    pub fn for_all(asker: Option<Arc<Self>>) -> Option<Arc<Self>> {
        let asker = asker?;
        let connections = Arc::new(Semaphore::new(AT_ONCE));
        let (user_id, charge) = (asker.user_id, Box::new(move |time| asker.charge(time)));
        Some(Arc::new(Self { user_id, turn: None, connections, charge }))
    }

    /// Who asks in this task, if it is work for somebody.
    pub fn current() -> Option<Arc<Self>> {
        ASKER.try_with(Arc::clone).ok()
    }

    /// Counts time in the database.
    pub fn charge(&self, time: Duration) {
        (self.charge)(time);
    }
}

impl Debug for Asker {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asker").field("user_id", &self.user_id).finish_non_exhaustive()
    }
}

/// Runs work for somebody. What it spawns is not part of it: that is handed the asker anew.
pub async fn asked_by<F: Future>(asker: Option<Arc<Asker>>, work: F) -> F::Output {
    match asker {
        Some(asker) => ASKER.scope(asker, work).await,
        None => work.await,
    }
}
