//! Watching for changes of credentials and rights that other processes make.

use std::{sync::Arc, time::Duration};

use tokio::time::MissedTickBehavior;

use super::Credentials;
use crate::{
    db::{Db, signal::Signal},
    error::Result,
};

/// How often the database is asked. It is much less than the half second within which a change has
/// to be known everywhere.
const INTERVAL: Duration = Duration::from_millis(250);
/// How long the watcher waits for an answer before it asks anew.
const PATIENCE: Duration = Duration::from_secs(1);

/// Asks the database again and again whether another process has changed a credential or a right,
/// and forgets what was looked up if so. It never ends.
pub async fn watch(db: Db, credentials: Arc<Credentials>) {
    let belief = &credentials.belief;
    let mut interval = tokio::time::interval(INTERVAL);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut known, mut failing) = (None, false);
    // From here on nothing is believed that is not confirmed.
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
