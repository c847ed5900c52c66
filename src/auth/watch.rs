//! Watching for changes of credentials and rights that other processes make.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use tokio::time::MissedTickBehavior;

use crate::{app::App, db::signal::Signal, error::Result};

/// How often the database is asked. It is much less than the half second within which a change has
/// to be known everywhere.
const INTERVAL: Duration = Duration::from_millis(250);
/// How old the last answer may be for what is remembered to be believed.
const BELIEVED: Duration = Duration::from_secs(1);
/// How long the watcher waits for an answer before it asks anew.
const PATIENCE: Duration = Duration::from_secs(1);

/// When it was last known that nothing had changed. A process that watches nothing, such as a
/// command that ends by itself, believes what it has looked up.
#[derive(Debug)]
pub(super) struct Watch {
    start: Instant,
    /// Milliseconds from the start, 0 before the first question.
    asked: AtomicU64,
}

impl Default for Watch {
    fn default() -> Self {
        Self { start: Instant::now(), asked: AtomicU64::new(0) }
    }
}

impl Watch {
    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Whether what was looked up a moment ago may still be used.
    pub(super) fn is_believed(&self) -> bool {
        let asked = self.asked.load(Ordering::SeqCst);
        asked == 0 || u128::from(self.now() - asked.min(self.now())) <= BELIEVED.as_millis()
    }

    /// Notes that nothing had changed unnoticed at `moment`.
    fn confirm(&self, moment: u64) {
        self.asked.store(moment.max(1), Ordering::SeqCst);
    }
}

/// Asks the database again and again whether another process has changed a credential or a right,
/// and forgets what was looked up if so. It never ends.
pub async fn watch(app: App) {
    let watch = &app.credentials.watch;
    let mut interval = tokio::time::interval(INTERVAL);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut known, mut failing) = (None, false);
    // From here on nothing is believed that is not confirmed.
    watch.confirm(watch.now());
    loop {
        interval.tick().await;
        let moment = watch.now();
        match ask(&app).await {
            Ok(value) => {
                if known.replace(value) != Some(value) {
                    app.credentials.forget();
                }
                watch.confirm(moment);
                failing = false;
            }
            Err(error) if !failing => {
                error.log();
                failing = true;
            }
            Err(_) => {}
        }
    }
}

async fn ask(app: &App) -> Result<i64> {
    let late = |_| crate::error::Error::unavailable("the database does not answer the watcher");
    tokio::time::timeout(PATIENCE, Signal::Auth.read(&app.db)).await.map_err(late)?
}
