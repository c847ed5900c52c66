//! Identities that people teach: which device a neighbor is.

use sea_orm::{ColumnTrait as _, ConnectionTrait, QueryFilter as _};
use toposcope_topology::resolution::sighting::Sighting;
use toposcope_types::{Id, Kind, Method, PermissionLevel, Timestamp};

use super::entity::{Column, Entity, Model as Alias};
use crate::{
    app::App,
    auth::Viewer,
    error::{Error, Result},
    hosts,
    if_entries::{self, IfEntry, observation},
    resolution::reader::Reader,
    resource::{self, Resource as _},
    write::{Write, later},
};

/// Teaches that the neighbor of an observation is this device and, if a port is given, this port.
/// It holds for every port that hears the same, and after every scan. Returns the port that heard
/// the neighbor.
pub async fn identify(
    app: &App,
    viewer: &Viewer,
    observation_id: Id,
    host_id: Id,
    if_entry_id: Option<Id>,
) -> Result<IfEntry> {
    viewer.require(PermissionLevel::Member)?;
    let teach = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        let (port, sighting) = sighting(&mut write, observation_id).await?;
        let viewer = &write.viewer.clone();
        let network_id = port.network_id;
        resource::referred::<hosts::Entity>(&write.db, viewer, "host_id", host_id, network_id)
            .await?;
        if host_id == port.host_id {
            return Err(Error::invalid("host_id", "a port's own host is not its neighbor"));
        }
        if let Some(id) = if_entry_id {
            let far = resource::referred::<if_entries::Entity>(
                &write.db,
                viewer,
                "if_entry_id",
                id,
                network_id,
            );
            if far.await?.host_id != host_id {
                return Err(Error::invalid("if_entry_id", "the entry is on another host"));
            }
        }
        let alias = alias(&sighting, network_id)?;
        let reader = Reader { db: &write.db, sets: &app.db, network_id };
        shared(&reader, &sighting).await?;
        let port_text = sighting.heard.port_text().filter(|_| if_entry_id.is_some());
        let known = known(&write, &alias, port_text.as_deref()).await?;
        let taught = Alias { port: port_text, host_id, if_entry_id, ..alias };
        match known {
            Some(before) => {
                let (id, created_at) = (before.id, before.created_at);
                let updated_at = later(before.updated_at);
                let after = Alias { id, created_at, updated_at, ..taught };
                write.replace::<Entity>(vec![(before, after)]).await?;
            }
            None => write.insert::<Entity>(vec![taught]).await?,
        }
        write.commit().await?;
        resource::get::<if_entries::Entity>(app.db.reader(), viewer, port.id).await
    };
    app.db.again(teach).await
}

/// Forgets the identity taught for the neighbor of an observation. Returns the port that heard it.
pub async fn forget(app: &App, viewer: &Viewer, observation_id: Id) -> Result<IfEntry> {
    viewer.require(PermissionLevel::Member)?;
    let forget = || async {
        let mut write = Write::begin(app, viewer, PermissionLevel::Member).await?;
        let (port, sighting) = sighting(&mut write, observation_id).await?;
        let viewer = &write.viewer.clone();
        let mut alias = alias(&sighting, port.network_id)?;
        let reader = Reader { db: &write.db, sets: &app.db, network_id: port.network_id };
        let facts = reader.facts_for(std::slice::from_ref(&sighting)).await?;
        let identity = sighting.heard.strongest();
        let holds = identity.and_then(|one| facts.alias(&one, sighting.heard.port_text()).cloned());
        let nothing = || {
            let reason = "nothing was taught of this neighbor, so there is nothing to forget";
            Error::invalid("observation_id", reason)
        };
        let holds = holds.ok_or_else(nothing)?;
        alias.identity = holds.identity;
        let known = known(&write, &alias, holds.port.as_deref()).await?.ok_or_else(nothing)?;
        write.remove::<Entity>(&[known]).await?;
        write.commit().await?;
        resource::get::<if_entries::Entity>(app.db.reader(), viewer, port.id).await
    };
    app.db.again(forget).await
}

/// Returns the port that made an observation, and what it heard; holds its network from here on.
async fn sighting(write: &mut Write<'_>, observation_id: Id) -> Result<(IfEntry, Sighting)> {
    let viewer = write.viewer.clone();
    let heard = observation::Entity::visible_to(&viewer)
        .filter(observation::Column::Id.eq(observation_id))
        .one(&write.db)
        .await?;
    // An observation from a forwarding table has the id of its port.
    let port_id = heard.map_or(observation_id, |row| row.if_entry_id);
    let unknown = || Error::NotFound { kind: Kind::Observation, id: observation_id };
    write.hold_holder::<if_entries::Entity>(port_id, None).await.map_err(|_| unknown())?;
    let port = resource::find::<if_entries::Entity>(&write.db, &viewer, port_id).await?;
    let port = port.ok_or_else(unknown)?;
    write.require_held(port.network_id)?;
    let reader = Reader { db: &write.db, sets: &write.app.db, network_id: port.network_id };
    let entries = write.app.db.ids([port_id]);
    let sightings = reader.sightings(&entries).await?;
    let found = sightings
        .into_iter()
        .find(|sighting| sighting.id == observation_id && sighting.method != Method::Pinned);
    Ok((port, found.ok_or_else(unknown)?))
}

fn alias(sighting: &Sighting, network_id: Id) -> Result<Alias> {
    let identity = sighting.heard.strongest().ok_or_else(|| {
        Error::invalid(
            "observation_id",
            "the neighbor says nothing by which it could be known again; set the neighbor of the \
             interface-table entry instead",
        )
    })?;
    let now = Timestamp::now();
    Ok(Alias {
        id: Id::new(),
        created_at: now,
        updated_at: now,
        network_id,
        key: identity.key(),
        identity: identity.exact(),
        port: None,
        host_id: Id::nil(),
        if_entry_id: None,
    })
}

/// Refuses an identity that several devices share: teaching it would be wrong for the others.
async fn shared(reader: &Reader<'_, impl ConnectionTrait>, sighting: &Sighting) -> Result<()> {
    let facts = reader.facts_for(std::slice::from_ref(sighting)).await?;
    let count = facts.alike(&sighting.heard);
    let Some(identity) = sighting.heard.strongest().filter(|_| count > 1) else { return Ok(()) };
    let reason = format!(
        "`{identity}` belongs to {count} devices of the network, so it cannot be taught whose it is; \
         set the neighbor of the interface-table entry instead, or correct the record of the others"
    );
    Err(Error::invalid("observation_id", reason))
}

/// Finds the alias taught before for this identity, or for one port of it.
async fn known(write: &Write<'_>, alias: &Alias, port: Option<&str>) -> Result<Option<Alias>> {
    let of_port = match port {
        Some(port) => Column::Port.eq(port),
        None => Column::Port.is_null(),
    };
    Ok(Entity::visible_to(&write.viewer)
        .filter(Column::NetworkId.eq(alias.network_id))
        .filter(Column::Identity.eq(&alias.identity))
        .filter(of_port)
        .one(&write.db)
        .await?)
}
