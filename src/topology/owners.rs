//! Whose the addresses in a forwarding table are.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sea_orm::{
    ConnectionTrait, DbBackend,
    sea_query::{Alias, Expr, Func, SimpleExpr, UnionType},
};

use super::{
    if_type,
    read::{Reader, column},
    snapshot::Snapshot,
    wording::{SHOWN, listed},
};
use crate::{
    db::IdSet,
    error::Result,
    types::{Id, Mac},
};

/// A device that has a MAC address, and its port if only one has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    host_id: Id,
    if_entry_id: Option<Id>,
}

/// What speaks for it that a device switches frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Switching {
    /// How many of its ports have forwarding tables.
    tables: i64,
    /// How many sockets it has.
    sockets: i64,
}

/// Whose some MAC addresses are.
#[derive(Clone, Debug, Default)]
pub(super) struct Owners {
    /// The devices that have each of them.
    pub(super) of: BTreeMap<Mac, Vec<Owner>>,
    /// What speaks for it that these devices switch frames.
    pub(super) switching: HashMap<Id, Switching>,
}

/// Of how many addresses it is asked whose they are; more are not worth it, since no one reads them.
const ASKED: usize = 100;

/// The addresses of a table of which it is asked whose they are: all, or as many as are named.
pub(super) fn asked(usable: &HashSet<Mac>) -> Vec<Mac> {
    let mut asked: Vec<Mac> = usable.iter().copied().collect();
    asked.sort_unstable();
    if asked.len() > ASKED {
        asked.truncate(SHOWN);
    }
    asked
}

impl Owners {
    /// The devices that have these addresses, in the order of ids.
    pub(super) fn hosts(&self) -> BTreeSet<Id> {
        self.of.values().flatten().map(|owner| owner.host_id).collect()
    }

    /// Whose they are, of a table of so many, and what follows from it.
    pub(super) fn told(&self, snapshot: &Snapshot, count: usize) -> String {
        // Those that are somebody's come first.
        let mut named: Vec<(&Mac, &Vec<Owner>)> = self.of.iter().collect();
        named.sort_by_key(|(_, owners)| owners.is_empty());
        let told =
            |(mac, owners): (&Mac, &Vec<Owner>)| format!("`{mac}` is {}", called(snapshot, owners));
        // Whose one of them is may be a list itself.
        let mut named: Vec<String> = named.into_iter().take(SHOWN).map(told).collect();
        if count > named.len() {
            named.push(format!("and {} more", count - named.len()));
        }
        let named = named.join("; ");
        if let Some(host) = self.only(count) {
            let host = name(snapshot, host);
            return format!(
                "{named}. All of them are those of {host}, so which of its ports this one is \
                 connected to cannot be told."
            );
        }
        let hint = if self.are_hinting(count) { self.hint(snapshot) } else { String::new() };
        format!(
            "{named}. Several devices are behind it, and which of them is the next one cannot be \
             told.{hint}"
        )
    }

    /// The device that has all addresses of a table of so many.
    fn only(&self, count: usize) -> Option<Id> {
        let are_all_known = self.of.len() == count && !self.of.values().any(Vec::is_empty);
        let hosts = self.hosts();
        hosts.first().copied().filter(|_| are_all_known && hosts.len() == 1)
    }

    /// Whether it helps to know what speaks for it that a device switches frames, of a table of so
    /// many.
    pub(super) fn are_hinting(&self, count: usize) -> bool {
        self.of.len() == count && self.only(count).is_none()
    }

    /// Which device is likely to be the next one.
    fn hint(&self, snapshot: &Snapshot) -> String {
        let having = |counts: fn(&Switching) -> bool| -> Vec<Id> {
            let is = |host: &Id| self.switching.get(host).is_some_and(counts);
            self.hosts().into_iter().filter(is).collect()
        };
        let (tables, several) = (having(|one| one.tables > 0), having(|one| one.sockets > 1));
        let (host, what) = match (tables.as_slice(), several.as_slice()) {
            ([host], _) => (*host, "has forwarding tables itself"),
            ([], [host]) => (*host, "has several ports"),
            _ => return String::new(),
        };
        format!(
            " Of those that are known only {} {what}: if it is the next one, pin this port to it.",
            name(snapshot, host)
        )
    }
}

fn name(snapshot: &Snapshot, host: Id) -> String {
    let place = snapshot.host(host);
    place.map_or_else(
        || "a new device".to_owned(),
        |place| format!("`{}`", snapshot.hosts[place as usize].name),
    )
}

fn called(snapshot: &Snapshot, owners: &[Owner]) -> String {
    let one = |owner: &Owner| {
        let port = owner.if_entry_id.and_then(|port| snapshot.port(port));
        port.map_or_else(|| name(snapshot, owner.host_id), |port| snapshot.called(port))
    };
    match owners {
        [] => "nobody's".to_owned(),
        several => listed(several.iter().map(one).collect()),
    }
}

impl<C: ConnectionTrait> Reader<'_, C> {
    /// Whose these MAC addresses are, in one statement.
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

    /// What speaks for it that these devices switch frames, in one statement.
    pub(super) async fn switching(&self, hosts: &IdSet) -> Result<HashMap<Id, Switching>> {
        let sockets = if_type::SOCKETS.map(|socket| socket.to_string()).join(", ");
        // A table may be large, so its size is asked for, which is known without reading it. With one
        // address it has more than twenty octets, and without any four at most.
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
