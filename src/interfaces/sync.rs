//! The interfaces of a host, given as one list.

use std::collections::{HashMap, HashSet};

use sea_orm::{DbBackend, QueryFilter as _, sea_query::Expr};
use toposcope_types::{Id, Kind};

use super::{Column, Entity, Interface, InterfaceInput, check_address};
use crate::{
    error::{Error, Result},
    hosts::entity::Model as Host,
    input::{OfHost, Part, listed},
    resource::Resource as _,
    subnets::entity::{self as subnets, Model as Subnet},
    write::{Removable as _, Write, later},
};

/// Replaces the interfaces of a host with a list. Matches interfaces by id, then by subnet and
/// address; deletes interfaces that are not in the list.
pub async fn sync(
    write: &mut Write<'_>,
    host: &Host,
    stored: Vec<Interface>,
    given: &[Part<InterfaceInput, OfHost>],
) -> Result<Vec<Interface>> {
    let subnets = subnets_of(write, given).await?;
    let before = matched(&stored, given)?;
    let (mut seen, mut interfaces) = (HashSet::new(), Vec::with_capacity(given.len()));
    let (mut created, mut changed) = (Vec::new(), Vec::new());
    for ((position, given), before) in (0_i32..).zip(given).zip(&before) {
        let path = format!("interfaces[{position}]");
        let (subnet_id, ip_address) = given.input.place().map_err(|error| error.within(&path))?;
        let subnet = subnets.get(&subnet_id).ok_or_else(|| Error::ReferenceInvalid {
            kind: Kind::Subnet,
            field: format!("{path}.subnet_id"),
            id: subnet_id,
        })?;
        if subnet.network_id != host.network_id {
            return Err(Error::NetworkMismatch { kind: Kind::Subnet });
        }
        check_address(subnet, ip_address)?;
        if !seen.insert((subnet_id, ip_address)) {
            return Err(Error::Duplicate { field: format!("{path}.ip_address") });
        }
        let new = || {
            let id = given.id.unwrap_or_else(Id::new);
            Interface::blank(id, host.id, host.network_id, (subnet_id, ip_address), position)
        };
        let mut row = before.map_or_else(new, Clone::clone);
        row.position = position;
        let interface = given.input.apply(row).map_err(|error| error.within(&path))?;
        listed::sort_in(*before, interface, &mut created, &mut changed, &mut interfaces, |row| {
            row.updated_at = later(row.updated_at);
        });
    }
    Entity::remove(write, listed::unmatched(&stored, &before, |row| row.id)).await?;
    if listed::swaps(&changed, |row| (row.subnet_id, row.ip_address)) {
        let id = match write.app.db.backend() {
            DbBackend::Postgres => "id::text",
            _ => "hex(id)",
        };
        write.park::<Entity>(&changed, Column::IpAddress, Expr::cust(id)).await?;
    }
    write.replace::<Entity>(changed).await?;
    write.insert::<Entity>(created).await?;
    Ok(interfaces)
}

/// Returns whether a list matches the stored interfaces of a host.
pub fn are(stored: &[Interface], given: &[Part<InterfaceInput, OfHost>]) -> bool {
    let Ok(before) = matched(stored, given) else { return false };
    let unchanged = |given: &Part<InterfaceInput, OfHost>, row: &Interface| {
        given.input.apply(row.clone()).is_ok_and(|after| after == *row)
    };
    let mut pairs = given.iter().zip(before);
    stored.len() == given.len()
        && pairs.all(|(given, before)| before.is_some_and(|row| unchanged(given, row)))
}

/// Finds the stored interface for each element of a list.
fn matched<'a>(
    stored: &'a [Interface],
    given: &[Part<InterfaceInput, OfHost>],
) -> Result<Vec<Option<&'a Interface>>> {
    let same = |row: &Interface, input: &InterfaceInput| {
        (Some(row.subnet_id), Some(row.ip_address)) == (input.subnet_id, input.ip_address)
    };
    listed::matched(stored, given, |row| row.id, same).map_err(|error| error.within("interfaces"))
}

/// Reads the subnets that a list references, in one statement.
async fn subnets_of(
    write: &Write<'_>,
    given: &[Part<InterfaceInput, OfHost>],
) -> Result<HashMap<Id, Subnet>> {
    if given.is_empty() {
        return Ok(HashMap::new());
    }
    let named: HashSet<Id> = given.iter().filter_map(|given| given.input.subnet_id).collect();
    let ids = write.app.db.ids(named.into_iter().collect::<Vec<_>>());
    let found = subnets::Entity::visible_to(&write.viewer)
        .filter(ids.includes(subnets::Column::Id))
        .all(&write.db)
        .await?;
    Ok(found.into_iter().map(|subnet| (subnet.id, subnet)).collect())
}
