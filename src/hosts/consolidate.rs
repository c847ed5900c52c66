//! Merging two hosts that turned out to be the same device.

use std::collections::{HashMap, HashSet};

use sea_orm::{ColumnTrait as _, QueryFilter as _};
use toposcope_types::{HostVirtualization, Id, Kind, Mac, PermissionLevel};

use super::{Entity, FullHost, Host, of_host, shown};
use crate::{
    app::App,
    auth::Viewer,
    bindings,
    error::{Error, Result},
    if_entries, interfaces, ports,
    resource::{self, Precondition, Resource as _},
    services,
    tags::{self, TagOwner},
    topology::entity as alias,
    write::{Removable as _, Write, later},
};

/// Moves everything that belongs to the host `other` to the host `destination`, and deletes
/// `other`.
///
/// If both hosts have the same child (an address in a subnet, a port of a protocol, an index of the
/// interface table), the one of `destination` stays, and references to the one of `other` move to
/// it. `destination` takes over from `other` the fields that it lacks.
pub async fn consolidate(
    app: &App,
    viewer: &Viewer,
    destination: Id,
    other: Id,
) -> Result<FullHost> {
    viewer.require(PermissionLevel::Member)?;
    let merge = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        let before = write.current::<Entity>(destination, None, &Precondition::default()).await?;
        let viewer = &write.viewer.clone();
        let other = resource::get::<Entity>(&write.db, viewer, other).await?;
        if before.id == other.id {
            return Err(Error::invalid("other", "a host cannot be merged with itself"));
        }
        if before.network_id != other.network_id {
            return Err(Error::NetworkMismatch { kind: Kind::Host });
        }
        let mut after = Host { updated_at: later(before.updated_at), ..filled(&before, &other) };
        if let Some(engine) = after.virtualization.as_ref().map(HostVirtualization::service_id) {
            // A device does not run on itself.
            let engine = resource::find::<services::Entity>(&write.db, viewer, engine).await?;
            let hosts = [before.id, other.id];
            if engine.is_none_or(|engine| hosts.contains(&engine.host_id)) {
                after.virtualization = None;
            }
        }
        take_aliases(&mut write, before.id, other.id).await?;
        let tags_before = tags::ids_of_one(app, &write.db, TagOwner::Host, before.id).await?;
        let mut all = tags_before.clone();
        for tag in tags::ids_of_one(app, &write.db, TagOwner::Host, other.id).await? {
            if !all.contains(&tag) {
                all.push(tag);
            }
        }
        write.replace::<Entity>(vec![(before, after.clone())]).await?;
        tags::replace(&mut write, TagOwner::Host, after.id, &tags_before, &app.db.ids(all)).await?;
        move_children(&mut write, after.id, other.id).await?;
        point_here(&mut write, after.id, other.id).await?;
        Entity::remove(&mut write, vec![other]).await?;
        shown(write, after).await
    };
    app.db.again(merge).await
}

/// Returns `host` with the fields that it lacks filled from `other`.
fn filled(host: &Host, other: &Host) -> Host {
    let or = |own: &Option<String>, other: &Option<String>| own.clone().or_else(|| other.clone());
    Host {
        hostname: or(&host.hostname, &other.hostname),
        description: or(&host.description, &other.description),
        virtualization: host.virtualization.clone().or_else(|| other.virtualization.clone()),
        sys_name: or(&host.sys_name, &other.sys_name),
        sys_descr: or(&host.sys_descr, &other.sys_descr),
        sys_object_id: or(&host.sys_object_id, &other.sys_object_id),
        sys_location: or(&host.sys_location, &other.sys_location),
        sys_contact: or(&host.sys_contact, &other.sys_contact),
        management_url: or(&host.management_url, &other.management_url),
        management_address: or(&host.management_address, &other.management_address),
        chassis_id: or(&host.chassis_id, &other.chassis_id),
        manufacturer: or(&host.manufacturer, &other.manufacturer),
        model: or(&host.model, &other.model),
        serial_number: or(&host.serial_number, &other.serial_number),
        software_version: or(&host.software_version, &other.software_version),
        stack_members: host.stack_members.clone().or_else(|| other.stack_members.clone()),
        ..host.clone()
    }
}

/// The rows of one host: duplicates, mapped to the ids of their counterparts, and rows to move.
type Sorted<M> = (HashMap<Id, Id>, Vec<(M, M)>);

fn sorted<M: Clone, K: std::hash::Hash + Eq>(
    ours: &[M],
    theirs: Vec<M>,
    key: impl Fn(&M) -> K,
    id: impl Fn(&M) -> Id,
    moved: impl Fn(&M) -> M,
) -> Sorted<M> {
    let known: HashMap<K, Id> = ours.iter().map(|row| (key(row), id(row))).collect();
    let (mut alike, mut rows) = (HashMap::new(), Vec::new());
    for row in theirs {
        match known.get(&key(&row)) {
            Some(own) => {
                alike.insert(id(&row), *own);
            }
            None => rows.push((row.clone(), moved(&row))),
        }
    }
    (alike, rows)
}

async fn move_children(write: &mut Write<'_>, to: Id, from: Id) -> Result<()> {
    let ours = of_host::<interfaces::Entity>(write, interfaces::Column::HostId, to).await?;
    let theirs = of_host::<interfaces::Entity>(write, interfaces::Column::HostId, from).await?;
    let next = ours.iter().map(|row| row.position.saturating_add(1)).max().unwrap_or(0);
    let (same_interfaces, rows) = sorted(
        &ours,
        theirs,
        |row| (row.subnet_id, row.ip_address),
        |row| row.id,
        |row| interfaces::Interface {
            host_id: to,
            position: row.position.saturating_add(next),
            updated_at: later(row.updated_at),
            ..row.clone()
        },
    );
    write.replace::<interfaces::Entity>(rows).await?;
    let macs: HashMap<Id, Option<Mac>> = ours.iter().map(|row| (row.id, row.mac_address)).collect();
    let fits = |id: Id, mac: Option<Mac>| match (macs.get(&id).copied().flatten(), mac) {
        (Some(own), Some(mac)) => own == mac,
        _ => true,
    };

    let ours = of_host::<ports::Entity>(write, ports::Column::HostId, to).await?;
    let theirs = of_host::<ports::Entity>(write, ports::Column::HostId, from).await?;
    let (same_ports, rows) = sorted(
        &ours,
        theirs,
        |row| (row.number, row.protocol),
        |row| row.id,
        |row| ports::Port { host_id: to, updated_at: later(row.updated_at), ..row.clone() },
    );
    write.replace::<ports::Entity>(rows).await?;

    let ours = of_host::<if_entries::Entity>(write, if_entries::Column::HostId, to).await?;
    let theirs = of_host::<if_entries::Entity>(write, if_entries::Column::HostId, from).await?;
    let (same_entries, rows) = sorted(
        &ours,
        theirs,
        |row| row.if_index,
        |row| row.id,
        |row| if_entries::IfEntry {
            host_id: to,
            interface_id: row.interface_id.and_then(|id| match same_interfaces.get(&id) {
                None => Some(id),
                Some(own) => Some(*own).filter(|own| fits(*own, row.mac_address)),
            }),
            // The neighbor host is now the entry's own host.
            neighbor_host_id: row.neighbor_host_id.filter(|host| *host != to),
            neighbor_pinned: row.neighbor_pinned && row.neighbor_host_id != Some(to),
            updated_at: later(row.updated_at),
            ..row.clone()
        },
    );
    write.replace::<if_entries::Entity>(rows).await?;
    if_entries::repoint(write, &same_entries).await?;
    move_services(write, to, from, &same_ports, &same_interfaces).await
}

/// Moves services with their bindings. Deletes a binding if a service of the destination already
/// listens on its target, and deletes a service that loses all its bindings this way.
async fn move_services(
    write: &mut Write<'_>,
    to: Id,
    from: Id,
    same_ports: &HashMap<Id, Id>,
    same_interfaces: &HashMap<Id, Id>,
) -> Result<()> {
    let ours = of_host::<services::Entity>(write, services::Column::HostId, to).await?;
    let theirs = of_host::<services::Entity>(write, services::Column::HostId, from).await?;
    let next = ours.iter().map(|row| row.position.saturating_add(1)).max().unwrap_or(0);
    let ids = |rows: &[services::Service]| {
        write.app.db.ids(rows.iter().map(|row| row.id).collect::<Vec<_>>())
    };
    let mut taken = bindings::of_services(write, &ids(&ours)).await?;
    let (mut moved, mut gone) = (Vec::new(), Vec::new());
    for binding in bindings::of_services(write, &ids(&theirs)).await? {
        let own =
            |same: &HashMap<Id, Id>, id: Option<Id>| id.map(|id| *same.get(&id).unwrap_or(&id));
        let after = bindings::Model {
            port_id: own(same_ports, binding.port_id),
            interface_id: own(same_interfaces, binding.interface_id),
            ..binding.clone()
        };
        if bindings::is_taken(&taken, &after) {
            gone.push(binding);
            continue;
        }
        taken.push(after.clone());
        if after != binding {
            let updated_at = later(binding.updated_at);
            moved.push((binding, bindings::Model { updated_at, ..after }));
        }
    }
    let of = |rows: &[bindings::Model]| -> HashSet<Id> {
        rows.iter().map(|binding| binding.service_id).collect()
    };
    let (left, lost) = (of(&taken), of(&gone));
    // A service that something runs on stays, duplicate or not.
    let (hosts, services) = services::running_on(write, &ids(&theirs)).await?;
    let engine = |run: &HostVirtualization| run.service_id();
    let used: HashSet<Id> = hosts
        .iter()
        .filter_map(|host| host.virtualization.as_ref().map(engine))
        .chain(services.iter().filter_map(|one| Some(one.virtualization.as_ref()?.service_id())))
        .collect();
    let (same, theirs): (Vec<_>, Vec<_>) = theirs.into_iter().partition(|one| {
        lost.contains(&one.id) && !left.contains(&one.id) && !used.contains(&one.id)
    });
    bindings::Entity::remove(write, gone).await?;
    services::Entity::remove(write, same).await?;
    write.replace::<bindings::Entity>(moved).await?;
    let rows = theirs.into_iter().map(|row| {
        let after = services::Service {
            host_id: to,
            position: row.position.saturating_add(next),
            updated_at: later(row.updated_at),
            ..row.clone()
        };
        (row, after)
    });
    write.replace::<services::Entity>(rows.collect()).await
}

/// Repoints the entries whose neighbor is the host `from` to the host `to`.
async fn point_here(write: &mut Write<'_>, to: Id, from: Id) -> Result<()> {
    use if_entries::Column as Entry;
    let pointing = if_entries::Entity::visible_to(&write.viewer)
        .filter(Entry::NeighborHostId.eq(from))
        .all(&write.db)
        .await?;
    let rows = pointing.into_iter().map(|row| {
        let own = row.host_id == to;
        let after = if_entries::IfEntry {
            neighbor_host_id: Some(to).filter(|_| !own),
            neighbor_pinned: row.neighbor_pinned && !own,
            updated_at: later(row.updated_at),
            ..row.clone()
        };
        (row, after)
    });
    write.replace::<if_entries::Entity>(rows.collect()).await
}

/// Moves the aliases that people taught for the host `from` to the host `to`.
async fn take_aliases(write: &mut Write<'_>, to: Id, from: Id) -> Result<()> {
    let taught = alias::Entity::visible_to(&write.viewer)
        .filter(alias::Column::HostId.eq(from))
        .all(&write.db)
        .await?;
    let taken = taught.into_iter().map(|row| {
        let after = alias::Model { host_id: to, updated_at: later(row.updated_at), ..row.clone() };
        (row, after)
    });
    write.replace::<alias::Entity>(taken.collect()).await
}
