//! What every operation works with: the database, the configuration, and what is remembered.

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
    /// What the operator configured.
    pub settings: Arc<Settings>,
    /// The table of well-known services.
    pub definitions: Arc<Definitions>,
    /// Credentials looked up a moment ago, and failed logins.
    pub credentials: Arc<Credentials>,
    /// Totals of filtered lists, remembered until a network changes.
    pub totals: Totals,
    /// Where long answers wait for clients that take them slowly.
    pub spools: Spools,
    /// Networks as graphs, remembered until they change.
    pub snapshots: Snapshots,
    /// Work that goes on after an answer and that a stopping server waits for.
    pub tasks: tokio_util::task::TaskTracker,
}

impl App {
    /// Who presents a token, as [`Credentials::look_up`].
    pub async fn look_up(&self, token: Option<Token>) -> Result<Caller> {
        self.credentials.look_up(&self.db, &self.tasks, token).await
    }

    /// The viewer with the rights of this moment, as [`Credentials::renewed`].
    pub async fn renewed(&self, viewer: &Viewer) -> Result<Viewer> {
        self.credentials.renewed(&self.db, &self.tasks, viewer).await
    }

    /// An application over an open database.
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
