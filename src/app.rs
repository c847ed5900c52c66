//! The context of every operation: the database, the configuration, and caches.

use std::sync::Arc;

use crate::{
    auth::{Caller, Credentials, Token, Viewer},
    config::Settings,
    db::Db,
    error::Result,
    network_cache::Snapshots,
    resource::Totals,
    rest::spool::Spools,
    service_definitions::Definitions,
};

/// The running application; cloning it shares everything.
#[derive(Clone, Debug)]
pub struct App {
    /// The database.
    pub db: Db,
    /// The operator's configuration.
    pub settings: Arc<Settings>,
    /// The table of well-known services.
    pub definitions: Arc<Definitions>,
    /// Recently looked-up credentials, and failed logins.
    pub credentials: Arc<Credentials>,
    /// Totals of filtered lists, cached until a network changes.
    pub totals: Totals,
    /// The store of long responses that wait for slow clients.
    pub spools: Spools,
    /// Networks as graphs, cached until they change.
    pub snapshots: Snapshots,
    /// Work that continues after a response, and that a stopping server waits for.
    pub tasks: tokio_util::task::TaskTracker,
}

impl App {
    /// Returns the caller that presents a token, as [`Credentials::look_up`].
    pub async fn look_up(&self, token: Option<Token>) -> Result<Caller> {
        self.credentials.look_up(&self.db, &self.tasks, token).await
    }

    /// Returns the viewer with their current rights, as [`Credentials::renewed`].
    pub async fn renewed(&self, viewer: &Viewer) -> Result<Viewer> {
        self.credentials.renewed(&self.db, &self.tasks, viewer).await
    }

    /// Creates an application over an open database.
    pub fn new(db: Db, settings: Settings, definitions: Definitions) -> Self {
        Self {
            db,
            spools: Spools::new(settings.spool_folder.clone()),
            settings: Arc::new(settings),
            definitions: Arc::new(definitions),
            credentials: Arc::new(Credentials::default()),
            totals: Totals::default(),
            snapshots: Snapshots::default(),
            tasks: tokio_util::task::TaskTracker::new(),
        }
    }
}
