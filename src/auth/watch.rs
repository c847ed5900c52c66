//! Watches for changes to credentials and rights by other processes.

use std::{sync::Arc, time::Duration};

use tokio::time::MissedTickBehavior;

use super::Credentials;
use crate::{
    db::{Db, signal::Signal},
    error::Result,
};

/// The time between two polls of the database. It is much less than the half second within which
/// every process must know of a change.
const INTERVAL: Duration = Duration::from_millis(250);
/// The time that the watcher waits for an answer before it asks again.
const PATIENCE: Duration = Duration::from_secs(1);

/// Polls the database for changes to credentials or rights by other processes, and forgets all
/// lookups after one. Never returns.
pub async fn watch(db: Db, credentials: Arc<Credentials>) {
    let belief = &credentials.belief;
    let mut interval = tokio::time::interval(INTERVAL);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut known, mut failing) = (None, false);
    // From here on, lookups are trusted only while they are confirmed.
    belief.confirm(belief.now());
    loop {
        interval.tick().await;
        let moment = belief.now();
        match ask(&db).await {
            Ok(value) => {
                if known.replace(value) != Some(value) {
                    credentials.forget();
                }
                belief.confirm(moment);
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

async fn ask(db: &Db) -> Result<i64> {
    let late = |_| crate::error::Error::unavailable("the database does not answer the watcher");
    tokio::time::timeout(PATIENCE, Signal::Auth.read(db.watcher())).await.map_err(late)?
}
