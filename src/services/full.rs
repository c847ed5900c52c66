//! Services with their bindings and tags.

use std::collections::HashMap;

use sea_orm::ConnectionTrait;
use serde::Serialize;
use toposcope_types::Id;
use utoipa::ToSchema;

use super::entity::Model as Service;
use crate::{
    app::App,
    auth::Viewer,
    bindings::{self, Binding},
    error::Result,
    resource::list::children,
    tags::{self, TagOwner},
};

/// A service that a host runs, with its bindings and tags.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Service)]
pub struct FullService {
    #[serde(flatten)]
    pub service: Service,
    /// The service's bindings, in order of creation.
    pub bindings: Vec<Binding>,
    /// The ids of the service's tags.
    pub tags: Vec<Id>,
}

/// Adds the bindings and tags of each service, in two statements.
pub async fn with_children(
    app: &App,
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    services: Vec<Service>,
) -> Result<Vec<FullService>> {
    if services.is_empty() {
        return Ok(Vec::new());
    }
    let ids = app.db.ids(services.iter().map(|service| service.id).collect::<Vec<_>>());
    let rows = children::<bindings::Entity>(db, viewer, bindings::Column::ServiceId, &ids).await?;
    let mut bindings: HashMap<Id, Vec<Binding>> = HashMap::new();
    for row in rows {
        bindings.entry(row.service_id).or_default().push(row.into());
    }
    let mut tags = tags::ids_of(db, TagOwner::Service, &ids).await?;
    let full = services.into_iter().map(|service| FullService {
        bindings: bindings.remove(&service.id).unwrap_or_default(),
        tags: tags.remove(&service.id).unwrap_or_default(),
        service,
    });
    Ok(full.collect())
}
