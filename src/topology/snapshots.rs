//! The snapshots that are remembered, each built once for all who wait for it.

use std::{sync::Arc, time::Duration};

use sea_orm::{ColumnTrait as _, QueryFilter as _};
use tokio::sync::Mutex;

use super::{build, snapshot::Snapshot};
use crate::{
    app::App,
    auth::Viewer,
    db::{Asker, Resource as _, asked_by, resource},
    error::{Error, Kind, Result},
    networks::{self, Network},
    types::Id,
};

/// How many octets the snapshots that are remembered may take together, roughly.
const MAX_SIZE: u64 = 512 << 20;
/// How long a snapshot that nobody asks for is remembered.
const IDLE: Duration = Duration::from_mins(10);

/// Snapshots of networks, the latest revision of each that somebody asked for lately.
#[derive(Clone, Debug)]
pub struct Snapshots {
    latest: moka::sync::Cache<Id, Arc<Snapshot>>,
    /// Who builds the snapshot of a network; the others wait.
    building: moka::sync::Cache<Id, Arc<Mutex<()>>>,
}

impl Default for Snapshots {
    fn default() -> Self {
        let size =
            |_: &Id, snapshot: &Arc<Snapshot>| u32::try_from(snapshot.size()).unwrap_or(u32::MAX);
        Self {
            latest: moka::sync::Cache::builder()
                .weigher(size)
                .max_capacity(MAX_SIZE)
                .time_to_idle(IDLE)
                .build(),
            building: moka::sync::Cache::builder().time_to_idle(IDLE).build(),
        }
    }
}

/// The network as it is now, for a viewer who reaches it.
pub async fn snapshot(app: &App, viewer: &Viewer, network_id: Id) -> Result<Arc<Snapshot>> {
    let network = resource::get::<networks::Entity>(app.db.reader(), viewer, network_id).await?;
    current(app, viewer, &network).await
}

/// A network as it is now; it is built anew only where its revision has moved.
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
    let snapshot = Arc::new(build::build(&db, network).await?);
    db.rollback().await?;
    app.snapshots.latest.insert(snapshot.network_id, Arc::clone(&snapshot));
    Ok(snapshot)
}
