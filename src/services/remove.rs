//! Deleting services, and finding what runs on them.

use sea_orm::{DbBackend, QueryFilter as _, sea_query::Expr};
use toposcope_types::{Kind, PermissionLevel};

use super::entity::{Entity, Model as Service};
use crate::{
    bindings,
    db::IdSet,
    error::{Error, Result},
    hosts::entity::{self as hosts, Model as Host},
    resource::Resource as _,
    tags::{self, TagOwner},
    write::{Removable, Write},
};

/// Rows exempt from the in-use check when services are deleted.
#[derive(Clone, Debug)]
pub struct AlsoDeleted {
    /// Hosts that the same request deletes.
    pub hosts: IdSet,
    /// Services that the same request writes.
    pub services: IdSet,
}

/// Finds the hosts and services that run on services, in two statements.
pub async fn running_on(write: &Write<'_>, ids: &IdSet) -> Result<(Vec<Host>, Vec<Service>)> {
    let runs = |table: &'static str| match write.app.db.backend() {
        DbBackend::Postgres => {
            Expr::cust(format!(r#"("{table}".virtualization->'details'->>'service_id')"#))
        }
        _ => {
            Expr::cust(format!(r#"json_extract("{table}".virtualization, '$.details.service_id')"#))
        }
    };
    let texts: Vec<String> = ids.ids().iter().map(ToString::to_string).collect();
    let hosts = hosts::Entity::visible_to(&write.viewer)
        .filter(write.app.db.texts(&texts, runs("host")))
        .all(&write.db)
        .await?;
    let services = Entity::visible_to(&write.viewer)
        .filter(write.app.db.texts(&texts, runs("service")))
        .all(&write.db)
        .await?;
    Ok((hosts, services))
}

/// Refuses to delete services that a remaining host or service runs on.
async fn require_unused(write: &Write<'_>, ids: &IdSet, leaving: &AlsoDeleted) -> Result<()> {
    let (hosts, services) = running_on(write, ids).await?;
    let host_stays = hosts.iter().any(|host| !leaving.hosts.contains(host.id));
    let service_stays = services.iter().any(|service| {
        !(ids.contains(service.id)
            || leaving.services.contains(service.id)
            || leaving.hosts.contains(service.host_id))
    });
    for (stays, used_by) in [(host_stays, Kind::Host), (service_stays, Kind::Service)] {
        if stays {
            return Err(Error::InUse { kind: Kind::Service, used_by });
        }
    }
    Ok(())
}

/// Deletes services with their bindings.
pub async fn remove(
    write: &mut Write<'_>,
    rows: Vec<Service>,
    leaving: &AlsoDeleted,
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let ids = write.app.db.ids(rows.iter().map(|row| row.id).collect::<Vec<_>>());
    require_unused(write, &ids, leaving).await?;
    let bound = bindings::of_services(write, &ids).await?;
    let tags = tags::ids_of(&write.db, TagOwner::Service, &ids).await?;
    bindings::Entity::remove(write, bound).await?;
    write.remove::<Entity>(&rows).await?;
    for (id, tags) in tags {
        write.log_part((Kind::Service, id), "tags", tags, ());
    }
    Ok(())
}

impl Removable for Entity {
    const LEVEL: PermissionLevel = PermissionLevel::Member;

    async fn remove(write: &mut Write<'_>, rows: Vec<Service>) -> Result<()> {
        let nothing = || write.app.db.ids([]);
        let leaving = AlsoDeleted { hosts: nothing(), services: nothing() };
        remove(write, rows, &leaving).await
    }
}
