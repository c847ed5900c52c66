//! The owners of the MAC addresses in a forwarding table.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sea_orm::{
    ConnectionTrait, DbBackend,
    sea_query::{Alias, Expr, Func, SimpleExpr, UnionType},
};
use toposcope_topology::{
    findings::mac_owners::{Owner, Switching},
    resolution::if_type,
};
use toposcope_types::{Id, Mac};

use crate::{
    db::IdSet,
    error::Result,
    resolution::reader::{Reader, column},
};

impl<C: ConnectionTrait> Reader<'_, C> {
    /// Finds the owners of these MAC addresses, in one statement.
    pub(super) async fn owners_of(&self, macs: &BTreeSet<Mac>) -> Result<HashMap<Mac, Vec<Owner>>> {
        let texts: BTreeSet<String> =
            macs.iter().map(|mac| mac.to_string().to_lowercase()).collect();
        let of = |table, id: SimpleExpr| {
            let lower = SimpleExpr::from(Func::lower(column("mac_address")));
            let mut statement = self.select(table, &["mac_address", "host_id"]);
            statement.expr(id).and_where(self.among(&texts, lower));
            statement
        };
        let mut statement = of("if_entry", column("id"));
        statement.union(UnionType::All, of("interface", Expr::cust("NULL")));
        let mut ports: BTreeMap<(Mac, Id), BTreeSet<Id>> = BTreeMap::new();
        for row in self.db.query_all(&statement).await? {
            let of_host = ports.entry((row.try_get_by_index(0)?, row.try_get_by_index(1)?));
            of_host.or_default().extend(row.try_get_by_index::<Option<Id>>(2)?);
        }
        let mut owners: HashMap<Mac, Vec<Owner>> = HashMap::new();
        for ((mac, host_id), ports) in ports {
            let if_entry_id = ports.first().copied().filter(|_| ports.len() == 1);
            owners.entry(mac).or_default().push(Owner { host_id, if_entry_id });
        }
        Ok(owners)
    }

    /// Finds the evidence that these devices are switches, in one statement.
    pub(super) async fn switching(&self, hosts: &IdSet) -> Result<HashMap<Id, Switching>> {
        let sockets = if_type::SOCKETS.map(|socket| socket.to_string()).join(", ");
        // A table may be large, so ask for its size, which the database knows without reading it.
        // With one address it has more than twenty octets, and without any, at most four.
        let size = match self.db.get_database_backend() {
            DbBackend::Postgres => "pg_column_size(fdb_macs)",
            _ => "octet_length(fdb_macs)",
        };
        let mut statement = self.looked_up("if_entry", &["host_id"]);
        statement
            .expr(Expr::cust(format!("COUNT(CASE WHEN {size} > 12 THEN 1 END)")))
            .expr(Expr::cust(format!("COUNT(CASE WHEN if_type IN ({sockets}) THEN 1 END)")))
            .and_where(hosts.includes(column("host_id")))
            .group_by_col(Alias::new("host_id"));
        let rows = self.db.query_all(&statement).await?;
        rows.iter()
            .map(|row| {
                let (tables, sockets) = (row.try_get_by_index(1)?, row.try_get_by_index(2)?);
                Ok((row.try_get_by_index(0)?, Switching { tables, sockets }))
            })
            .collect()
    }
}
