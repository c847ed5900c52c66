//! Cached snapshots, each built once for all requests that wait for it.

use std::sync::Arc;

use sea_orm::{ColumnTrait as _, QueryFilter as _};
use toposcope_topology::network::Snapshot;
use toposcope_types::{Id, Kind};

use super::load_network;
use crate::{
    app::App,
    auth::Viewer,
    db::{Asker, asked_by},
    error::{Error, Result},
    networks::{self, Network},
    resource::{self, Resource as _},
};

/// Returns the current snapshot of a network within the viewer's reach.
pub async fn snapshot(app: &App, viewer: &Viewer, network_id: Id) -> Result<Arc<Snapshot>> {
    let network = resource::get::<networks::Entity>(app.db.reader(), viewer, network_id).await?;
    current(app, viewer, &network).await
}

/// Returns the current snapshot of a network, rebuilt only if its revision has moved.
pub async fn current(app: &App, viewer: &Viewer, network: &Network) -> Result<Arc<Snapshot>> {
    let known = |network: &Network| {
        let latest = app.snapshots.latest.get(&network.id);
        latest.filter(|snapshot| snapshot.revision >= network.revision.0)
    };
    if let Some(snapshot) = known(network) {
        return Ok(snapshot);
    }
    let turn = app.snapshots.building.get_with(network.id, Arc::default);
    let _turn = turn.lock().await;
    if let Some(snapshot) = known(network) {
        return Ok(snapshot);
    }
    let built = build_anew(app, viewer, network.id);
    asked_by(Asker::for_all(Asker::current()), built).await
}

async fn build_anew(app: &App, viewer: &Viewer, network_id: Id) -> Result<Arc<Snapshot>> {
    let db = app.db.snapshot().await?;
    let found = networks::Entity::visible_to(viewer)
        .filter(networks::Column::Id.eq(network_id))
        .one(&db)
        .await?;
    let network = found.ok_or(Error::NotFound { kind: Kind::Network, id: network_id })?;
    let snapshot = Arc::new(load_network::build(&db, network).await?);
    db.rollback().await?;
    app.snapshots.latest.insert(snapshot.network_id, Arc::clone(&snapshot));
    Ok(snapshot)
}
