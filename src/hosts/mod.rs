//! Hosts: the devices of a network, with everything that belongs to them.

mod consolidate;
pub(crate) mod entity;
mod full;
pub(crate) mod graphql;
mod input;
mod list;
pub(crate) mod rest;
pub(crate) mod stack;

use sea_orm::{ColumnTrait as _, QueryFilter as _};
use toposcope_types::{Id, Kind, PermissionLevel, Timestamp};

pub use self::{
    consolidate::consolidate,
    entity::{ActiveModel, Column, Entity, Model as Host},
    full::{FullHost, full},
    input::HostInput,
    list::{HostFilter, HostOrder, HostOrderField},
};
use crate::{
    app::App,
    auth::Viewer,
    db::IdSet,
    error::{Error, Result},
    if_entries,
    input::given,
    interfaces, ports,
    resource::{Precondition, Resource, referred, require_same},
    services,
    tags::{self, TagOwner},
    topology,
    write::{Removable, Write, later},
};

/// Maximum total size, in bytes, of the forwarding tables of a host that is written as a whole.
const MAX_TABLES: u64 = 64 * 1024 * 1024;

/// Creates a host with everything that the input lists for it.
pub async fn create(app: &App, viewer: &Viewer, input: HostInput) -> Result<FullHost> {
    viewer.require(PermissionLevel::Member)?;
    let make = || async {
        let network = given::required("network_id", input.network_id)?;
        let host = input.apply(Host::blank(Id::new(), network, Timestamp::now()))?;
        let tags = app.db.ids(input.tags.as_deref().unwrap_or_default());
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        write.hold_network(network).await?;
        let viewer = &write.viewer.clone();
        tags::check(&write.db, viewer, "tags", &tags).await?;
        check_virtualization(&write, &host).await?;
        write.insert::<Entity>(vec![host.clone()]).await?;
        tags::replace(&mut write, TagOwner::Host, host.id, &[], &tags).await?;
        sync(&mut write, &host, &input).await?;
        shown(write, host).await
    };
    app.db.again(make).await
}

/// Updates a host. Omitted fields keep their value; a given list of children replaces the stored
/// one.
pub async fn update(
    app: &App,
    viewer: &Viewer,
    id: Id,
    input: HostInput,
    precondition: &Precondition,
) -> Result<FullHost> {
    viewer.require(PermissionLevel::Member)?;
    let precondition = precondition.or(input.expected_updated_at);
    let replace = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        let before = write.current::<Entity>(id, None, &precondition).await?;
        require_same("network_id", before.network_id, input.network_id)?;
        let after = input.apply(before.clone())?;
        let tags_before = tags::ids_of_one(app, &write.db, TagOwner::Host, id).await?;
        let tags = tags::given_or_stored(&write, input.tags.as_deref(), &tags_before).await?;
        if before.virtualization != after.virtualization {
            check_virtualization(&write, &after).await?;
        }
        let after = Host { updated_at: later(before.updated_at), ..after };
        write.replace::<Entity>(vec![(before, after.clone())]).await?;
        tags::replace(&mut write, TagOwner::Host, id, &tags_before, &tags).await?;
        sync(&mut write, &after, &input).await?;
        shown(write, after).await
    };
    app.db.again(replace).await
}

/// Commits a write and returns the resulting host. It reads the whole host before the commit, so a
/// refused write changes nothing.
async fn shown(write: Write<'_>, host: Host) -> Result<FullHost> {
    let id = host.id;
    let mut full = full::full(write.app, &write.db, &write.viewer, vec![host]).await?;
    if full.iter().map(FullHost::late).sum::<u64>() > MAX_TABLES {
        let reason = format!(
            "its forwarding tables are longer than {MAX_TABLES} bytes in total; write its if-entries \
             one by one"
        );
        return Err(Error::invalid("if_entries", reason));
    }
    full::read_tables(write.app, &write.db, &write.viewer, &mut full).await?;
    write.commit_with(full.iter_mut().flat_map(|host| &mut host.if_entries)).await?;
    full.pop().ok_or(Error::NotFound { kind: Kind::Host, id })
}

/// Replaces the children of a host with the lists of an input.
async fn sync(write: &mut Write<'_>, host: &Host, input: &HostInput) -> Result<()> {
    if input.interfaces.is_some() || input.ip_addresses.is_some() {
        let stored = of_host::<interfaces::Entity>(write, interfaces::Column::HostId, host.id);
        let stored = stored.await?;
        let (one, other) = (input.interfaces.clone(), input.ip_addresses.clone());
        let said = given::either(("interfaces", one), ("ip_addresses", other), |said| {
            interfaces::are(&stored, said)
        });
        let said = said?.unwrap_or_default();
        let interfaces = interfaces::sync(write, host, stored, &said).await?;
        if input.if_entries.is_none() {
            interfaces::check_entries(write, &interfaces).await?;
        }
    }
    if let Some(given) = &input.ports {
        let stored = of_host::<ports::Entity>(write, ports::Column::HostId, host.id).await?;
        ports::sync(write, host, stored, given).await?;
    }
    if let Some(given) = &input.if_entries {
        if_entries::sync(write, host, given).await?;
    }
    if let Some(given) = input.services.clone() {
        services::sync(write, host, given).await?;
    }
    Ok(())
}

async fn of_host<E: Resource>(
    write: &Write<'_>,
    column: E::Column,
    host_id: Id,
) -> Result<Vec<E::Model>> {
    Ok(E::visible_to(&write.viewer).filter(column.eq(host_id)).all(&write.db).await?)
}

/// Rejects a hypervisor that the viewer cannot see or that is in another network.
async fn check_virtualization(write: &Write<'_>, host: &Host) -> Result<()> {
    let Some(virtualization) = &host.virtualization else { return Ok(()) };
    let (field, id) = ("virtualization.details.service_id", virtualization.service_id());
    let (db, network) = (&write.db, host.network_id);
    let hypervisor = referred::<services::Entity>(db, &write.viewer, field, id, network).await?;
    if hypervisor.host_id == host.id {
        return Err(Error::invalid(field, "a host does not run on itself"));
    }
    Ok(())
}

/// Deletes everything that belongs to hosts, but not the hosts themselves.
async fn remove_children(write: &mut Write<'_>, ids: &IdSet) -> Result<()> {
    let taught = topology::entity::Entity::visible_to(&write.viewer)
        .filter(ids.includes(topology::entity::Column::HostId))
        .all(&write.db)
        .await?;
    write.remove::<topology::entity::Entity>(&taught).await?;
    let services = services::Entity::visible_to(&write.viewer)
        .filter(ids.includes(services::Column::HostId))
        .all(&write.db)
        .await?;
    let leaving = services::AlsoDeleted { hosts: ids.clone(), services: write.app.db.ids([]) };
    services::remove(write, services, &leaving).await?;
    let interfaces = interfaces::Entity::visible_to(&write.viewer)
        .filter(ids.includes(interfaces::Column::HostId))
        .all(&write.db)
        .await?;
    let entries = if_entries::Entity::visible_to(&write.viewer)
        .filter(ids.includes(if_entries::Column::HostId))
        .all(&write.db)
        .await?;
    if_entries::Entity::remove(write, entries).await?;
    interfaces::Entity::remove(write, interfaces).await?;
    let ports = ports::Entity::visible_to(&write.viewer)
        .filter(ids.includes(ports::Column::HostId))
        .all(&write.db)
        .await?;
    ports::Entity::remove(write, ports).await
}

impl Removable for Entity {
    const LEVEL: PermissionLevel = PermissionLevel::Member;

    /// Deletes hosts with everything that belongs to them, and clears references from elsewhere.
    async fn remove(write: &mut Write<'_>, rows: Vec<Host>) -> Result<()> {
        let ids = write.app.db.ids(rows.iter().map(|host| host.id).collect::<Vec<_>>());
        remove_children(write, &ids).await?;
        if_entries::unlink(write, ids.includes(if_entries::Column::NeighborHostId), &ids).await?;
        let tags = tags::ids_of(&write.db, TagOwner::Host, &ids).await?;
        write.remove::<Self>(&rows).await?;
        for (id, tags) in tags {
            write.log_part((Kind::Host, id), "tags", tags, ());
        }
        Ok(())
    }
}
