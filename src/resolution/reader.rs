//! Reads facts and sightings: the few that a request needs.
//!
//! The caller holds the network, or reads it for a viewer who can reach it. Resolution works with
//! the rows read here; no viewer sees them.

use std::collections::{BTreeSet, HashMap, HashSet};

use sea_orm::{
    ConnectionTrait, QueryResult,
    sea_query::{
        Alias, Expr, ExprTrait as _, JoinType, Query, SelectStatement, SimpleExpr, UnionType,
    },
};
use toposcope_topology::resolution::{
    find_host, forwarding_table,
    identity::Identity,
    identity_index::IdentityIndex,
    normalize,
    records::{AddressFacts, AliasFacts, HostFacts, PortFacts},
    resolved::Resolution,
    sighting::Sighting,
    trace::Trace,
};
use toposcope_types::{Id, Mac};

use super::rows::{Entry, HeardRow, TableRow};
use crate::{
    db::{Db, IdSet, columns::FromColumns},
    error::Result,
};

/// The maximum number of sightings to resolve inline; more would keep other requests waiting.
pub const FEW: usize = 1000;

/// A network and the connection to read it through.
#[derive(Debug)]
pub struct Reader<'a, C> {
    pub db: &'a C,
    pub sets: &'a Db,
    pub network_id: Id,
}

/// A row filter: a column holds one of these ids.
#[derive(Clone, Copy, Debug)]
pub struct In<'a>(pub &'static str, pub &'a IdSet);

pub fn column(name: &'static str) -> SimpleExpr {
    Expr::col(Alias::new(name))
}

fn columns_of(table: &'static str, columns: &[&'static str]) -> SelectStatement {
    Query::select()
        .columns(columns.iter().map(|name| Alias::new(*name)))
        .from(Alias::new(table))
        .to_owned()
}

impl<C: ConnectionTrait> Reader<'_, C> {
    pub fn select(&self, table: &'static str, columns: &[&'static str]) -> SelectStatement {
        columns_of(table, columns).and_where(column("network_id").eq(self.network_id)).to_owned()
    }

    /// Selects rows that are looked up by something other than their network. It compares the
    /// network in a form that no index serves, lest a planner without statistics scan all of it.
    pub fn looked_up(&self, table: &'static str, columns: &[&'static str]) -> SelectStatement {
        let of_network = column("network_id").ne(self.network_id).not();
        columns_of(table, columns).and_where(of_network).to_owned()
    }

    /// Returns the condition that a text is one of these.
    pub fn among(&self, texts: &BTreeSet<String>, text: SimpleExpr) -> SimpleExpr {
        self.sets.texts(&texts.iter().cloned().collect::<Vec<_>>(), text)
    }

    async fn rows(
        &self,
        table: &'static str,
        columns: &[&'static str],
        In(name, ids): In<'_>,
    ) -> Result<Vec<QueryResult>> {
        if ids.ids().is_empty() {
            return Ok(Vec::new());
        }
        let mut statement = self.looked_up(table, columns);
        statement.and_where(ids.includes(column(name)));
        Ok(self.db.query_all(&statement).await?)
    }

    async fn read<T: FromColumns>(&self, table: &'static str, which: In<'_>) -> Result<Vec<T>> {
        self.rows(table, T::NAMES, which).await?.iter().map(T::of_row).collect()
    }

    pub async fn hosts(&self, which: In<'_>) -> Result<Vec<HostFacts>> {
        self.read("host", which).await
    }

    pub async fn ports(&self, which: In<'_>) -> Result<Vec<PortFacts>> {
        self.read("if_entry", which).await
    }

    pub async fn addresses(&self, which: In<'_>) -> Result<Vec<AddressFacts>> {
        self.read("interface", which).await
    }

    pub async fn aliases(&self, keys: Option<&BTreeSet<String>>) -> Result<Vec<AliasFacts>> {
        let mut statement = self.select("alias", AliasFacts::NAMES);
        if let Some(keys) = keys {
            statement.and_where(self.among(keys, column("key")));
        }
        self.db.query_all(&statement).await?.iter().map(AliasFacts::of_row).collect()
    }

    /// Reads everything that these sightings resolve by, in at most five statements.
    pub async fn facts_for(&self, sightings: &[Sighting]) -> Result<IdentityIndex> {
        let mut identities = BTreeSet::new();
        for sighting in sightings {
            let claims = sighting.heard.claims();
            identities.extend(claims.into_iter().map(|claim| claim.identity));
        }
        let keys: BTreeSet<String> = identities.iter().map(Identity::key).collect();
        let aliases = if keys.is_empty() { Vec::new() } else { self.aliases(Some(&keys)).await? };
        let mut carried = self.carried(&identities, &keys).await?;
        // In id order, each carrier is added at the end, however many others there are.
        carried.sort_unstable_by_key(|(host, _)| *host);
        let hosts = carried.iter().map(|(host, _)| *host);
        let hosts: BTreeSet<Id> = hosts.chain(aliases.iter().map(|alias| alias.host_id)).collect();
        let hosts = self.sets.ids(hosts.into_iter().collect::<Vec<_>>());
        let known = self.hosts(In("id", &hosts)).await?;
        let mut facts = IdentityIndex::new(known, Vec::new(), Vec::new(), aliases);
        for (host, identity) in carried {
            facts.carry(host, identity);
        }
        let found = if sightings.len() > FEW { hosts } else { self.found(&facts, sightings) };
        for port in self.ports(In("host_id", &found)).await? {
            facts.add_port(port);
        }
        for address in self.addresses(In("host_id", &found)).await? {
            facts.add_address(address);
        }
        Ok(facts)
    }

    /// Finds the devices that were heard. The ports of the other devices are not read, since
    /// thousands may have one address or name.
    fn found(&self, facts: &IdentityIndex, sightings: &[Sighting]) -> IdSet {
        let found = sightings.iter().filter_map(|sighting| {
            let claims = sighting.heard.claims();
            find_host::find(facts, sighting, claims, &mut Trace::forgotten())
        });
        let found: BTreeSet<Id> = found.map(|found| found.host_id).collect();
        self.sets.ids(found.into_iter().collect::<Vec<_>>())
    }

    /// Reads the devices that carry one of these identities, in one statement: each with the
    /// address by which it does, or with none if its own record matches.
    async fn carried(
        &self,
        identities: &BTreeSet<Identity>,
        keys: &BTreeSet<String>,
    ) -> Result<Vec<(Id, Option<Identity>)>> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let (mut macs, mut addresses) = (BTreeSet::new(), BTreeSet::new());
        for identity in identities {
            match identity {
                Identity::Mac(mac) => {
                    macs.insert(mac.to_string().to_lowercase());
                }
                Identity::Address(address) => {
                    addresses.insert(address.to_string());
                    if let std::net::IpAddr::V4(four) = address.addr() {
                        addresses.insert(four.to_ipv6_mapped().to_string());
                    }
                }
                _ => {}
            }
        }
        let lower = |name| SimpleExpr::from(sea_orm::sea_query::Func::lower(column(name)));
        let mut statement = self.select("host_key", &["host_id"]);
        statement.expr(Expr::cust("''")).and_where(self.among(keys, column("key")));
        for (table, name, values) in [
            ("interface", "mac_address", &macs),
            ("if_entry", "mac_address", &macs),
            ("interface", "ip_address", &addresses),
        ] {
            if !values.is_empty() {
                let mut more = self.select(table, &["host_id", name]);
                more.and_where(self.among(values, lower(name)));
                statement.union(UnionType::Distinct, more);
            }
        }
        let carried = |row: &QueryResult| {
            let text: String = row.try_get_by_index(1)?;
            let address = || normalize::plain_address(&text).map(Identity::Address);
            let identity = normalize::mac(&text).map(Identity::Mac).or_else(address);
            Ok((row.try_get_by_index(0)?, identity))
        };
        self.db.query_all(&statement).await?.iter().map(carried).collect()
    }

    /// Reads stored resolutions.
    pub async fn resolutions(&self, which: In<'_>) -> Result<Vec<Resolution>> {
        self.read("resolution", which).await
    }

    /// Reads what these ports heard or are pinned to, in at most three statements; skips missing
    /// ports.
    pub async fn sightings(&self, ports: &IdSet) -> Result<Vec<Sighting>> {
        let name = |name: &'static str| (Alias::new("near"), Alias::new(name));
        let statement = Query::select()
            .columns(PortFacts::NAMES.iter().chain(TableRow::NAMES).map(|column| name(column)))
            .column((Alias::new("far"), Alias::new("host_id")))
            .from_as(Alias::new("if_entry"), Alias::new("near"))
            .join_as(
                JoinType::LeftJoin,
                Alias::new("if_entry"),
                Alias::new("far"),
                Expr::col(name("neighbor_if_entry_id"))
                    .equals((Alias::new("far"), Alias::new("id"))),
            )
            .and_where(Expr::col(name("network_id")).ne(self.network_id).not())
            .and_where(ports.includes(Expr::col(name("id"))))
            .to_owned();
        let heard = self.heard(In("if_entry_id", ports)).await?;
        let rows = self.db.query_all(&statement).await?;
        let entry = |row: &QueryResult| {
            let mut at = 0;
            let (port, table) = (PortFacts::read(row, &mut at)?, TableRow::read(row, &mut at)?);
            Ok(Entry::new(&port, table, row.try_get_by_index(at)?))
        };
        let entries = rows.iter().map(entry).collect::<Result<Vec<Entry>>>()?;
        let own = self.own_macs(&entries, &heard).await?;
        let mut sightings = Vec::with_capacity(heard.len());
        let mut by_entry: HashMap<Id, Vec<Sighting>> = HashMap::new();
        for sighting in heard {
            by_entry.entry(sighting.if_entry_id).or_default().push(sighting);
        }
        for entry in entries {
            let heard = by_entry.remove(&entry.id).unwrap_or_default();
            entry.sightings(heard, own.get(&entry.host_id), &mut sightings);
        }
        Ok(sightings)
    }

    /// Reads what ports heard by protocols, without the devices of the ports.
    async fn heard(&self, which: In<'_>) -> Result<Vec<Sighting>> {
        let rows = self.read::<HeardRow>("observation", which).await?;
        Ok(rows.into_iter().map(|row| row.sighting(Id::nil())).collect())
    }

    /// Reads the MAC addresses of the devices whose forwarding tables resolution uses.
    async fn own_macs(
        &self,
        entries: &[Entry],
        heard: &[Sighting],
    ) -> Result<HashMap<Id, HashSet<Mac>>> {
        let hearing: HashSet<Id> = heard.iter().map(|sighting| sighting.if_entry_id).collect();
        let looked_into = entries.iter().filter(|entry| {
            entry.fdb.is_some()
                && forwarding_table::counts(entry.if_type)
                && !hearing.contains(&entry.id)
        });
        let hosts: BTreeSet<Id> = looked_into.map(|entry| entry.host_id).collect();
        self.macs_of(&self.sets.ids(hosts.into_iter().collect::<Vec<_>>())).await
    }

    /// Reads the MAC addresses of devices, on their ports and their addresses, and as chassis ids.
    pub async fn macs_of(&self, hosts: &IdSet) -> Result<HashMap<Id, HashSet<Mac>>> {
        let mut own: HashMap<Id, HashSet<Mac>> = HashMap::new();
        if hosts.ids().is_empty() {
            return Ok(own);
        }
        let of = |table| {
            let mut statement = self.looked_up(table, &["host_id", "mac_address"]);
            statement
                .and_where(hosts.includes(column("host_id")))
                .and_where(column("mac_address").is_not_null());
            statement
        };
        let mut chassis = self.looked_up("host", &["id", "chassis_id"]);
        chassis
            .and_where(hosts.includes(column("id")))
            .and_where(column("chassis_id").is_not_null());
        let (mut statement, more) = (of("if_entry"), of("interface"));
        statement.union(UnionType::All, more).union(UnionType::All, chassis);
        for row in self.db.query_all(&statement).await? {
            let text: String = row.try_get_by_index(1)?;
            own.entry(row.try_get_by_index(0)?).or_default().extend(normalize::mac(&text));
        }
        Ok(own)
    }
}
