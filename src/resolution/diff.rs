//! Diffs stored resolutions against freshly computed ones.

use std::borrow::Cow;

use foldhash::{HashMap, HashSet, HashSetExt as _};
use sea_orm::Statement;
use serde::Deserialize;
use toposcope_topology::resolution::resolved::Resolution;
use toposcope_types::{HostTier, Id, Method, PortTier};

use super::writer::Difference;
use crate::{
    db::json_rows::{self, Packer, Rows, flag, optional_code, optional_id, unpack_text},
    error::Result,
};

/// Resolutions by the device of the port that heard the neighbor.
pub(super) type ByHost = HashMap<Id, Vec<Resolution>>;

/// Returns the query for stored resolutions, by the device that the port had when they were stored.
pub(super) fn packed(packer: Packer, network_id: Id) -> Statement {
    let id = |name| packer.id(name);
    let stored = [
        id("if_entry_id"),
        "method".to_owned(),
        "position".to_owned(),
        id("observation_id"),
        "chassis_key".to_owned(),
        "address_key".to_owned(),
        "name_key".to_owned(),
        id("far_host_id"),
        "host_tier".to_owned(),
        id("far_if_entry_id"),
        "port_tier".to_owned(),
        "possible_if_entry_ids".to_owned(),
        id("met_if_entry_id"),
        packer.flag("outranked"),
    ];
    let sql = format!(
        "SELECT host_id, {} FROM resolution WHERE network_id = $1 GROUP BY host_id",
        packer.list(&stored)
    );
    Statement::from_sql_and_values(packer.0, sql, [network_id.into()])
}

#[derive(Debug, Deserialize)]
struct PackedResolution<'t> {
    if_entry_id: Id,
    #[serde(deserialize_with = "json_rows::code")]
    method: Method,
    position: i32,
    observation_id: Id,
    #[serde(borrow)]
    chassis_key: Option<Text<'t>>,
    #[serde(borrow)]
    address_key: Option<Text<'t>>,
    #[serde(borrow)]
    name_key: Option<Text<'t>>,
    #[serde(deserialize_with = "optional_id")]
    far_host_id: Option<Id>,
    #[serde(deserialize_with = "optional_code")]
    host_tier: Option<HostTier>,
    #[serde(deserialize_with = "optional_id")]
    far_if_entry_id: Option<Id>,
    #[serde(deserialize_with = "optional_code")]
    port_tier: Option<PortTier>,
    #[serde(borrow)]
    possible_if_entry_ids: Option<Text<'t>>,
    #[serde(deserialize_with = "optional_id")]
    met_if_entry_id: Option<Id>,
    #[serde(deserialize_with = "flag")]
    outranked: bool,
}

/// A text that is copied only if it contains escapes.
#[derive(Debug, Deserialize)]
struct Text<'t>(#[serde(borrow)] Cow<'t, str>);

impl PackedResolution<'_> {
    fn is(&self, row: &Resolution) -> bool {
        let same = |text: &Option<Text<'_>>, of_row: &Option<String>| {
            text.as_ref().map(|text| &*text.0) == of_row.as_deref()
        };
        (self.if_entry_id, self.method, self.position) == row.key()
            && self.observation_id == row.observation_id
            && same(&self.chassis_key, &row.chassis_key)
            && same(&self.address_key, &row.address_key)
            && same(&self.name_key, &row.name_key)
            && (self.far_host_id, self.host_tier) == (row.far_host_id, row.host_tier)
            && (self.far_if_entry_id, self.port_tier) == (row.far_if_entry_id, row.port_tier)
            && same(&self.possible_if_entry_ids, &row.possible_if_entry_ids)
            && (self.met_if_entry_id, self.outranked) == (row.met_if_entry_id, row.outranked)
    }

    fn resolution(self, network_id: Id, host_id: Id) -> Resolution {
        let owned = |text: Option<Text<'_>>| text.map(|text| text.0.into_owned());
        Resolution {
            if_entry_id: self.if_entry_id,
            method: self.method,
            position: self.position,
            observation_id: self.observation_id,
            network_id,
            host_id,
            chassis_key: owned(self.chassis_key),
            address_key: owned(self.address_key),
            name_key: owned(self.name_key),
            far_host_id: self.far_host_id,
            host_tier: self.host_tier,
            far_if_entry_id: self.far_if_entry_id,
            port_tier: self.port_tier,
            possible_if_entry_ids: owned(self.possible_if_entry_ids),
            met_if_entry_id: self.met_if_entry_id,
            outranked: self.outranked,
        }
    }
}

/// Compares stored and computed resolutions device by device. Returns the differences, and the
/// resolutions that are stored correctly.
pub(super) fn compare(
    network_id: Id,
    mut after: ByHost,
    rows: Rows,
) -> Result<(Difference, ByHost)> {
    let mut difference = Difference::default();
    let mut same = HashSet::new();
    for row in rows {
        let host_id: Id = row.try_get_by_index(0)?;
        let text: String = row.try_get_by_index(1)?;
        let mut before: Vec<PackedResolution<'_>> = unpack_text(&text)?;
        let of_host = after.entry(host_id).or_default();
        before.sort_unstable_by_key(|row| (row.if_entry_id, row.method, row.position));
        of_host.sort_unstable_by_key(Resolution::key);
        if before.len() == of_host.len() && before.iter().zip(&*of_host).all(|(a, b)| a.is(b)) {
            same.insert(host_id);
            continue;
        }
        let before = before.into_iter().map(|stored| stored.resolution(network_id, host_id));
        difference.add(before.collect(), std::mem::take(of_host));
    }
    for (_, of_host) in after.extract_if(|host, _| !same.contains(host)) {
        difference.add(Vec::new(), of_host);
    }
    Ok((difference, after))
}
