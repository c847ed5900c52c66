//! Reads what a write affects: ports whose neighbors may change, and the resolutions beside them.

use std::collections::{BTreeSet, HashSet};

use sea_orm::{
    ConnectionTrait,
    sea_query::{Alias, ExprTrait as _, Query, SelectStatement, UnionType},
};
use toposcope_topology::resolution::resolved::Resolution;
use toposcope_types::{Id, Method};

use super::{
    change_set::ChangeSet,
    reader::{Reader, column},
};
use crate::{
    db::{IdSet, columns::FromColumns as _},
    error::Result,
};

impl<C: ConnectionTrait> Reader<'_, C> {
    /// Returns the ports whose neighbors may have changed: changed ports, ports that heard a
    /// neighbor with a key that a device gained or lost, ports that hear a device whose ports
    /// changed or may be ports of that device hearing itself, and ports whose forwarding table may
    /// leave out another address.
    pub(super) async fn affected_ports(&self, touched: &ChangeSet) -> Result<IdSet> {
        let mut entries: BTreeSet<Id> = touched.entries.clone();
        let mut selects = Vec::new();
        if !touched.keys.is_empty() {
            for name in ["chassis_key", "address_key", "name_key"] {
                let mut select = self.select("resolution", &["if_entry_id"]);
                select.and_where(self.among(&touched.keys, column(name)));
                selects.push(select);
            }
        }
        if !touched.far_hosts.is_empty() {
            let hosts = self.sets.ids(touched.far_hosts.iter().copied().collect::<Vec<_>>());
            let mut select = self.looked_up("resolution", &["if_entry_id"]);
            select.and_where(hosts.includes(column("far_host_id")));
            selects.push(select);
            // A port that heard only its own device is unresolved until that device has the named
            // port.
            let mut ports = self.looked_up("if_entry", &["id"]);
            ports.and_where(hosts.includes(column("host_id")));
            let unknown = Query::select()
                .column(Alias::new("if_entry_id"))
                .from(Alias::new("resolution"))
                .and_where(column("if_entry_id").in_subquery(ports))
                .and_where(column("far_host_id").is_null())
                .to_owned();
            selects.push(unknown);
        }
        if !touched.own_macs.is_empty() {
            let hosts = self.sets.ids(touched.own_macs.iter().copied().collect::<Vec<_>>());
            let mut select = self.looked_up("if_entry", &["id"]);
            select
                .and_where(hosts.includes(column("host_id")))
                .and_where(column("fdb_macs").is_not_null());
            selects.push(select);
        }
        if let Some(statement) = union(selects) {
            for row in self.db.query_all(&statement).await? {
                entries.insert(row.try_get_by_index(0)?);
            }
        }
        Ok(self.sets.ids(entries.into_iter().collect::<Vec<_>>()))
    }

    /// Reads the other resolutions between the same two devices, from ports other than `except`.
    pub async fn between(
        &self,
        pairs: &HashSet<(Id, Id)>,
        except: &IdSet,
    ) -> Result<Vec<Resolution>> {
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let hosts: BTreeSet<Id> = pairs.iter().flat_map(|(one, other)| [*one, *other]).collect();
        let hosts = self.sets.ids(hosts.into_iter().collect::<Vec<_>>());
        let mut select = self.looked_up("resolution", Resolution::NAMES);
        select
            .and_where(hosts.includes(column("far_host_id")))
            .and_where(hosts.includes(column("host_id")));
        let except: HashSet<Id> = except.ids().iter().copied().collect();
        let rows = self.db.query_all(&select).await?;
        let rows = rows.iter().map(Resolution::of_row).collect::<Result<Vec<_>>>()?;
        let wanted = |row: &Resolution| {
            !except.contains(&row.if_entry_id)
                && row.pair().is_some_and(|pair| pairs.contains(&pair))
        };
        Ok(rows.into_iter().filter(wanted).collect())
    }

    /// Reads what these ports heard and what was heard of them, by all methods or by one.
    pub async fn about(
        &self,
        ports: &BTreeSet<Id>,
        method: Option<Method>,
    ) -> Result<Vec<Resolution>> {
        if ports.is_empty() {
            return Ok(Vec::new());
        }
        let ports = self.sets.ids(ports.iter().copied().collect::<Vec<_>>());
        let selects = ["if_entry_id", "far_if_entry_id", "met_if_entry_id"].map(|name| {
            let mut select = self.looked_up("resolution", Resolution::NAMES);
            select
                .and_where(ports.includes(column(name)))
                .and_where_option(method.map(|method| column("method").eq(method)));
            select
        });
        let Some(statement) = union(selects.into()) else { return Ok(Vec::new()) };
        self.db.query_all(&statement).await?.iter().map(Resolution::of_row).collect()
    }
}

fn union(selects: Vec<SelectStatement>) -> Option<SelectStatement> {
    let mut selects = selects.into_iter();
    let mut all = selects.next()?;
    for select in selects {
        all.union(UnionType::Distinct, select);
    }
    Some(all)
}
