//! A host with everything that belongs to it.

use std::collections::HashMap;

use sea_orm::ConnectionTrait;
use serde::Serialize;
use toposcope_types::Id;
use utoipa::ToSchema;

use super::entity::Model as Host;
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    if_entries::{self, FullIfEntry},
    interfaces::{self, Interface},
    ports::{self, FullPort},
    resource::list::children,
    services::{self, FullService},
    tags::{self, TagOwner},
};

/// A device, with its addresses, ports, services and interface table.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Host)]
pub struct FullHost {
    #[serde(flatten)]
    pub host: Host,
    /// The ids of the host's tags.
    pub tags: Vec<Id>,
    /// The host's addresses.
    pub interfaces: Vec<Interface>,
    /// The same addresses, under the name that later versions of the contract use.
    pub ip_addresses: Vec<Interface>,
    /// The host's TCP and UDP ports.
    pub ports: Vec<FullPort>,
    /// The host's services.
    pub services: Vec<FullService>,
    /// The host's interface-table entries.
    pub if_entries: Vec<FullIfEntry>,
}

/// Adds to each host everything that belongs to it, in eight statements.
pub async fn full(
    app: &App,
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    hosts: Vec<Host>,
) -> Result<Vec<FullHost>> {
    if hosts.is_empty() {
        return Ok(Vec::new());
    }
    let ids = app.db.ids(hosts.iter().map(|host| host.id).collect::<Vec<_>>());
    let mut tags = tags::ids_of(db, TagOwner::Host, &ids).await?;
    let mut interfaces: Vec<Interface> =
        children::<interfaces::Entity>(db, viewer, interfaces::Column::HostId, &ids).await?;
    interfaces.sort_by_key(|interface| interface.position);
    let mut interfaces = by_host(interfaces, |interface| interface.host_id);
    let ports = children::<ports::Entity>(db, viewer, ports::Column::HostId, &ids).await?;
    let mut ports = by_host(ports, |port| port.host_id);
    let mut services =
        children::<services::Entity>(db, viewer, services::Column::HostId, &ids).await?;
    services.sort_by_key(|service| service.position);
    let services = services::with_children(app, db, viewer, services).await?;
    let mut services = by_host(services, |full| full.service.host_id);
    let mut entries =
        children::<if_entries::Entity>(db, viewer, if_entries::Column::HostId, &ids).await?;
    entries.sort_by_key(|entry| entry.if_index);
    let entries = if_entries::full(app, db, viewer, entries).await?;
    let mut entries = by_host(entries, |full| full.entry.host_id);
    let full = hosts.into_iter().map(|host| FullHost {
        tags: tags.remove(&host.id).unwrap_or_default(),
        ip_addresses: interfaces.get(&host.id).cloned().unwrap_or_default(),
        interfaces: interfaces.remove(&host.id).unwrap_or_default(),
        ports: ports.remove(&host.id).unwrap_or_default().into_iter().map(Into::into).collect(),
        services: services.remove(&host.id).unwrap_or_default(),
        if_entries: entries.remove(&host.id).unwrap_or_default(),
        host,
    });
    Ok(full.collect())
}

impl FullHost {
    /// Returns how many bytes of the host's forwarding tables are still unread.
    pub fn late(&self) -> u64 {
        self.if_entries.iter().map(|full| full.entry.late()).sum()
    }
}

/// Reads the deferred forwarding tables into hosts.
pub(super) async fn read_tables(
    app: &App,
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    hosts: &mut [FullHost],
) -> Result<()> {
    let entries = hosts.iter_mut().flat_map(|host| &mut host.if_entries);
    let entries = entries.map(|full| &mut full.entry).collect();
    if_entries::read_tables(app, db, viewer, entries).await
}

fn by_host<T>(rows: Vec<T>, host_id: impl Fn(&T) -> Id) -> HashMap<Id, Vec<T>> {
    let mut grouped: HashMap<Id, Vec<T>> = HashMap::new();
    for row in rows {
        grouped.entry(host_id(&row)).or_default().push(row);
    }
    grouped
}
