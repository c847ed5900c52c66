//! Diffs stored resolutions against freshly computed ones.

use foldhash::{HashMap, HashSet, HashSetExt as _};
use sea_orm::Statement;
use toposcope_topology::resolution::resolved::Resolution;
use toposcope_types::Id;

use super::writer::Difference;
use crate::{
    db::{
        columns::FromColumns as _,
        json_rows::{Rows, unpack},
        packer::Packer,
    },
    error::Result,
};

/// Resolutions by the device of the port that heard the neighbor.
pub(super) type ByHost = HashMap<Id, Vec<Resolution>>;

/// Returns the query for stored resolutions, by the device that the port had when they were stored.
pub(super) fn packed(packer: Packer, network_id: Id) -> Statement {
    let stored = packer.list(&Resolution::packed(packer, "resolution"));
    let sql =
        format!("SELECT host_id, {stored} FROM resolution WHERE network_id = $1 GROUP BY host_id");
    Statement::from_sql_and_values(packer.0, sql, [network_id.into()])
}

/// Compares stored and computed resolutions device by device. Returns the differences, and the
/// resolutions that are stored correctly.
pub(super) fn compare(mut after: ByHost, rows: Rows) -> Result<(Difference, ByHost)> {
    let mut difference = Difference::default();
    let mut same = HashSet::new();
    for row in rows {
        let host_id: Id = row.try_get_by_index(0)?;
        let mut before: Vec<Resolution> = unpack(&row, 1)?;
        let of_host = after.entry(host_id).or_default();
        before.sort_unstable_by_key(Resolution::key);
        of_host.sort_unstable_by_key(Resolution::key);
        if before == *of_host {
            same.insert(host_id);
            continue;
        }
        difference.add(before, std::mem::take(of_host));
    }
    for (_, of_host) in after.extract_if(|host, _| !same.contains(host)) {
        difference.add(Vec::new(), of_host);
    }
    Ok((difference, after))
}
