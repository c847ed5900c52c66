//! The stored rows of a network, read in a number of statements that does not depend on their
//! amount.

use std::collections::HashMap;

use sea_orm::{ConnectionTrait, QueryOrder};
use toposcope_types::Id;

use crate::{
    app::App,
    auth::Viewer,
    bindings::{self, Model as Binding},
    error::Result,
    groups::{self, Group},
    hosts::{self, Host},
    if_entries::{self, IfEntry, Observation, observation},
    interfaces::{self, Interface},
    ports::{self, Port},
    resource::Resource,
    services::{self, Service},
    subnets::{self, Subnet},
    tags::{self, Tag, TagOwner},
};

/// Every row of a network in creation order, and the tags of its organization.
#[derive(Debug, Default)]
pub(super) struct Stored {
    pub(super) tags: Vec<Tag>,
    pub(super) subnets: Vec<Subnet>,
    pub(super) hosts: Vec<Host>,
    pub(super) interfaces: Vec<Interface>,
    pub(super) if_entries: Vec<IfEntry>,
    pub(super) observations: Vec<Observation>,
    pub(super) ports: Vec<Port>,
    pub(super) services: Vec<Service>,
    pub(super) bindings: Vec<Binding>,
    pub(super) groups: Vec<Group>,
    pub(super) network_tags: HashMap<Id, Vec<Id>>,
    pub(super) subnet_tags: HashMap<Id, Vec<Id>>,
    pub(super) host_tags: HashMap<Id, Vec<Id>>,
    pub(super) service_tags: HashMap<Id, Vec<Id>>,
    pub(super) group_tags: HashMap<Id, Vec<Id>>,
    /// The bindings of each group, in order.
    pub(super) members: HashMap<Id, Vec<Id>>,
}

/// Returns the viewer of the operator, who sees the whole of one network.
pub(super) fn operator(app: &App, organization_id: Id, network_id: Option<Id>) -> Viewer {
    let networks = app.db.ids(network_id.into_iter().collect::<Vec<_>>());
    Viewer { organization_id, networks, ..Viewer::nobody(&app.db) }
}

impl Stored {
    /// Reads the network that `viewer` reaches.
    pub(super) async fn read(
        app: &App,
        db: &impl ConnectionTrait,
        viewer: &Viewer,
    ) -> Result<Self> {
        let subnets = rows::<subnets::Entity>(db, viewer).await?;
        let hosts = rows::<hosts::Entity>(db, viewer).await?;
        let services = rows::<services::Entity>(db, viewer).await?;
        let groups = rows::<groups::Entity>(db, viewer).await?;
        let group_ids = ids::<groups::Entity>(app, &groups);
        let members = groups::bindings_of(db, viewer, &group_ids).await?;
        Ok(Self {
            tags: rows::<tags::Entity>(db, viewer).await?,
            interfaces: rows::<interfaces::Entity>(db, viewer).await?,
            if_entries: rows::<if_entries::Entity>(db, viewer).await?,
            observations: rows::<observation::Entity>(db, viewer).await?,
            ports: rows::<ports::Entity>(db, viewer).await?,
            bindings: rows::<bindings::Entity>(db, viewer).await?,
            network_tags: tags::ids_of(db, TagOwner::Network, &viewer.networks).await?,
            subnet_tags: tags::ids_of(db, TagOwner::Subnet, &ids::<subnets::Entity>(app, &subnets))
                .await?,
            host_tags: tags::ids_of(db, TagOwner::Host, &ids::<hosts::Entity>(app, &hosts)).await?,
            service_tags: tags::ids_of(
                db,
                TagOwner::Service,
                &ids::<services::Entity>(app, &services),
            )
            .await?,
            group_tags: tags::ids_of(db, TagOwner::Group, &group_ids).await?,
            members: members
                .into_iter()
                .map(|(group, bindings)| (group, bindings.iter().map(|row| row.id).collect()))
                .collect(),
            subnets,
            hosts,
            services,
            groups,
        })
    }
}

async fn rows<E: Resource>(db: &impl ConnectionTrait, viewer: &Viewer) -> Result<Vec<E::Model>> {
    let rows = E::visible_to(viewer).order_by_asc(E::CREATED_AT).order_by_asc(E::ID);
    Ok(rows.all(db).await?)
}

fn ids<E: Resource>(app: &App, rows: &[E::Model]) -> crate::db::IdSet {
    app.db.ids(rows.iter().map(E::id).collect::<Vec<_>>())
}

/// Groups rows by the row that they belong to, in their original order.
pub(super) fn by<'a, K: std::hash::Hash + Eq, M>(
    rows: &'a [M],
    key: impl Fn(&'a M) -> K,
) -> HashMap<K, Vec<&'a M>> {
    let mut grouped: HashMap<K, Vec<&'a M>> = HashMap::new();
    for row in rows {
        grouped.entry(key(row)).or_default().push(row);
    }
    grouped
}

/// The stored rows of the network by lookup key.
pub(super) struct Index<'a> {
    pub(super) interfaces: HashMap<Id, Vec<&'a Interface>>,
    pub(super) if_entries: HashMap<Id, Vec<&'a IfEntry>>,
    pub(super) observations: HashMap<Id, Vec<&'a Observation>>,
    pub(super) ports: HashMap<Id, Vec<&'a Port>>,
    pub(super) services: HashMap<Id, Vec<&'a Service>>,
    pub(super) bindings: HashMap<Id, Vec<&'a Binding>>,
}
