//! The ports of a host, given as one list.

use std::collections::HashSet;

use sea_orm::sea_query::{Expr, ExprTrait as _};
use toposcope_types::{Id, Timestamp};

use super::{Column, Entity, Port, PortInput};
use crate::{
    error::{Error, Result},
    hosts::entity::Model as Host,
    input::{OfHost, Part, given, listed},
    write::{Removable as _, Write, later},
};

/// Replaces the ports of a host with a list. Matches ports by id, then by number and protocol;
/// deletes ports that are not in the list.
pub async fn sync(
    write: &mut Write<'_>,
    host: &Host,
    stored: Vec<Port>,
    given: &[Part<PortInput, OfHost>],
) -> Result<Vec<Port>> {
    let now = Timestamp::now();
    let before = listed::matched(
        &stored,
        given,
        |row| row.id,
        |row, input| {
            (Some(i64::from(row.number)), Some(row.protocol)) == (input.number, input.protocol)
        },
    )
    .map_err(|error| error.within("ports"))?;
    let (mut seen, mut ports) = (HashSet::new(), Vec::with_capacity(given.len()));
    let (mut created, mut changed) = (Vec::new(), Vec::new());
    for ((nth, given), before) in given.iter().enumerate().zip(&before) {
        let within = |error: Error| error.within(&format!("ports[{nth}]"));
        let number = given.input.number().and_then(|number| given::required("number", number));
        let number = number.map_err(within)?;
        let protocol = given::required("protocol", given.input.protocol).map_err(within)?;
        if !seen.insert((number, protocol)) {
            return Err(Error::Duplicate { field: format!("ports[{nth}].number") });
        }
        let new = || Port {
            id: given.id.unwrap_or_else(Id::new),
            created_at: now,
            updated_at: now,
            host_id: host.id,
            network_id: host.network_id,
            number,
            protocol,
        };
        let port = Port { number, protocol, ..before.map_or_else(new, Clone::clone) };
        listed::sort_in(*before, port, &mut created, &mut changed, &mut ports, |row| {
            row.updated_at = later(row.updated_at);
        });
    }
    Entity::remove(write, listed::unmatched(&stored, &before, |row| row.id)).await?;
    if listed::swaps(&changed, |row| (row.number, row.protocol)) {
        write.park::<Entity>(&changed, Column::Number, Expr::col(Column::Number).mul(-1)).await?;
    }
    write.replace::<Entity>(changed).await?;
    write.insert::<Entity>(created).await?;
    Ok(ports)
}
