//! A network of which only the wiring matters, and what became of it.

use std::sync::Arc;

use sea_orm::EntityTrait as _;
use serde_json::Value;
use toposcope::{
    auth::Viewer,
    inventory::{self, Target},
    networks, organizations,
    topology::{self, Link, Snapshot},
    types::{Id, PermissionLevel},
};

use crate::app::TestApp;

/// A device and one of its ports, where that is known.
pub(crate) type Port = (String, Option<String>);

/// An application with one network, filled by inventory documents.
pub(crate) struct Wiring {
    pub(crate) test: TestApp,
    target: Target,
}

impl Wiring {
    pub(crate) async fn new() -> Self {
        let test = TestApp::new().await;
        let made = organizations::create(test.app.db.writer(), "ours".to_owned()).await.unwrap();
        Self { test, target: Target { organization_id: made.id, network_id: None } }
    }

    pub(crate) async fn import_text(&self, text: &str) {
        let progress = inventory::progress_bar();
        let import = inventory::import(&self.test.app, &self.target, text, false, &progress);
        Box::pin(import).await.unwrap();
    }

    pub(crate) async fn import(&self, document: &Value) {
        self.import_text(&document.to_string()).await;
    }

    pub(crate) async fn network(&self) -> Id {
        networks::Entity::find().one(self.test.app.db.reader()).await.unwrap().unwrap().id
    }

    pub(crate) async fn viewer(&self) -> Viewer {
        Viewer {
            organization_id: self.target.organization_id,
            level: PermissionLevel::Owner,
            networks: self.test.app.db.ids([self.network().await]),
            ..Viewer::nobody(&self.test.app.db)
        }
    }

    pub(crate) async fn snapshot(&self) -> Arc<Snapshot> {
        let viewer = self.viewer().await;
        topology::snapshot(&self.test.app, &viewer, self.network().await).await.unwrap()
    }
}

/// The ends of a link, by name.
pub(crate) fn ends(snapshot: &Snapshot, link: &Link) -> [Port; 2] {
    link.ends.map(|end| {
        let port = snapshot.ports.get(end.port as usize).map(|port| port.name.to_string());
        (snapshot.hosts[end.host as usize].name.to_string(), port)
    })
}
