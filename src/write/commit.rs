//! Commits a write: logs its changes, numbered without gaps.

use std::collections::{HashMap, HashSet};

use sea_orm::{
    ActiveModelTrait as _, ConnectionTrait as _, EntityTrait as _, IntoActiveModel as _,
    Iterable as _,
    sea_query::{Alias, CaseStatement, Condition, Expr, ExprTrait as _, Query},
};
use toposcope_types::{BigInt, ChangeAction, Id, Kind, Timestamp};

use super::transaction::{COUNT, Log, Write};
use crate::{
    changes::entity,
    db::{chunks, signal::Signal},
    error::{Error, Result},
    resolution::{
        change_set::Change,
        incremental::{self, Connected, Neighbors},
    },
};

/// A port that an answer shows after it was written.
pub trait ShownPort {
    /// Returns its id.
    fn id(&self) -> Id;

    /// Takes over the connection that resolution found, unless a person pinned one.
    fn connect(&mut self, connected: Connected);
}

impl Write<'_> {
    /// Resolves affected neighbors, writes the log and commits.
    pub async fn commit(self) -> Result<()> {
        self.resolve_and_commit().await.map(drop)
    }

    /// Commits, and gives ports that the answer shows the connections that they have now.
    pub async fn commit_with<'p, P: ShownPort + 'p>(
        self,
        ports: impl IntoIterator<Item = &'p mut P>,
    ) -> Result<()> {
        let neighbors = self.resolve_and_commit().await?;
        for port in ports {
            if let Some(connected) = neighbors.get(&port.id()) {
                port.connect(*connected);
            }
        }
        Ok(())
    }

    async fn resolve_and_commit(mut self) -> Result<Neighbors> {
        // For writes that locked nothing.
        self.read_rights().await?;
        let now = Timestamp::now();
        let neighbors = self.reconnect(now).await?;
        let mut counts: HashMap<Id, i64> = HashMap::new();
        let mut rows = Vec::with_capacity(self.entries.len());
        let entries = std::mem::take(&mut self.entries);
        for entry in entries {
            let action = match (&entry.before, &entry.after) {
                (None, _) => ChangeAction::Created,
                (_, None) => ChangeAction::Deleted,
                _ => ChangeAction::Updated,
            };
            let log_id = entry.log;
            let Some(log) = self.logs.get(&log_id) else {
                return Err(Error::Internal(anyhow::anyhow!("a log is not held")));
            };
            let count = counts.entry(log_id).or_default();
            *count += 1;
            rows.push(entity::Model {
                id: Id::new(),
                created_at: now,
                organization_id: self.viewer.organization_id,
                network_id: log.network.then_some(log_id),
                log_id,
                sequence: BigInt(log.before + *count),
                entity: entry.kind,
                entity_id: entry.id,
                action,
                before: entry.before,
                after: entry.after,
                user_id: Some(self.viewer.user_id).filter(|id| !id.is_nil()),
                api_key_id: self.viewer.api_key_id,
                session_id: self.viewer.session_id,
                request_id: self.viewer.request_id.as_deref().map(str::to_owned),
            });
        }
        self.touch_parents(now).await?;
        self.correct_counters(&counts).await?;
        let columns = entity::Column::iter().count();
        for rows in chunks(rows, self.variables() / columns) {
            let rows = rows.into_iter().map(|row| row.into_active_model().reset_all());
            entity::Entity::insert_many(rows).exec_without_returning(&self.db).await?;
        }
        if self.changes_rights {
            Signal::Auth.raise(&self.db).await?;
        }
        self.db.commit().await?;
        if self.changes_rights {
            self.app.credentials.forget();
        }
        Ok(neighbors)
    }

    async fn reconnect(&mut self, now: Timestamp) -> Result<Neighbors> {
        let mut neighbors = Neighbors::new();
        let held = self.logs.iter().filter(|(_, log)| log.network && !log.gone);
        let mut held: Vec<Id> = held.map(|(id, _)| *id).collect();
        // Networks that lose a port come first, while it is known what depended on the port.
        let changes = |network| {
            let of_network = move |((of, _), _): &(&(Id, Id), &Change)| *of == network;
            self.records.iter().filter(of_network).map(|(_, change)| change)
        };
        held.sort_by_key(|network| !changes(*network).any(Change::is_lost_port));
        for network_id in &held {
            let (changes, db) = (changes(*network_id), &self.app.db);
            let reconnected =
                incremental::resolve_incrementally(&self.db, db, *network_id, changes, now).await?;
            neighbors.extend(reconnected.neighbors);
            // Hosts show the connections of their ports as their own.
            self.parents.extend(reconnected.hosts.into_iter().map(|id| (Kind::Host, id)));
        }
        Ok(neighbors)
    }

    /// Creates a new version of hosts and services whose parts have changed, unless the write
    /// updates them itself: what they show has changed, and no client may overwrite it unread. The
    /// changes of the parts record this, so it is not logged again.
    async fn touch_parents(&self, now: Timestamp) -> Result<()> {
        let parents = |wanted: Kind| {
            let written = |id: &Id| self.places.contains_key(&(wanted, *id));
            let ids = self.parents.iter().filter(|(kind, _)| *kind == wanted).map(|(_, id)| *id);
            ids.filter(|id| !written(id)).collect::<Vec<_>>()
        };
        let (hosts, services) = (parents(Kind::Host), parents(Kind::Service));
        let mut of_hosts = Condition::any();
        if !services.is_empty() {
            let ids = self.app.db.ids(services);
            let of = Query::select()
                .column(Alias::new("host_id"))
                .from(Alias::new("service"))
                .and_where(ids.includes(Expr::col(Alias::new("id"))))
                .to_owned();
            of_hosts = of_hosts.add(Expr::col(Alias::new("id")).in_subquery(of));
            let ids = Condition::all().add(ids.includes(Expr::col(Alias::new("id"))));
            self.touch("service", ids, now).await?;
        }
        if !hosts.is_empty() {
            of_hosts = of_hosts.add(self.app.db.ids(hosts).includes(Expr::col(Alias::new("id"))));
        }
        if of_hosts.is_empty() {
            return Ok(());
        }
        let written: Vec<Id> =
            self.places.keys().filter(|(kind, _)| *kind == Kind::Host).map(|(_, id)| *id).collect();
        let unwritten = self.app.db.ids(written).includes(Expr::col(Alias::new("id"))).not();
        self.touch("host", Condition::all().add(of_hosts).add(unwritten), now).await
    }

    /// Creates a new version of rows, even if the clock was set back.
    pub(crate) async fn touch(
        &self,
        table: &'static str,
        rows: Condition,
        now: Timestamp,
    ) -> Result<()> {
        let statement = Query::update()
            .table(Alias::new(table))
            .value(Alias::new("updated_at"), self.app.db.later("updated_at", now))
            .cond_where(rows)
            .to_owned();
        self.db.execute(&statement).await?;
        Ok(())
    }

    /// Corrects the counters of locked networks and the organization where the advance count was
    /// wrong: one statement for networks, one for the organization.
    async fn correct_counters(&self, counts: &HashMap<Id, i64>) -> Result<()> {
        for network in [true, false] {
            let moved: Vec<(&Id, &Log, i64)> = self
                .logs
                .iter()
                .filter(|(_, log)| log.network == network && !log.gone)
                .map(|(id, log)| (id, log, counts.get(id).copied().unwrap_or_default()))
                .filter(|(_, log, count)| {
                    *count != log.expected || log.gained.values().any(|gain| *gain != 0)
                })
                .collect();
            if moved.is_empty() {
                continue;
            }
            let id = || Expr::col(Alias::new("id"));
            let mut statement = Query::update();
            statement.table(Alias::new(if network { "network" } else { "organization" }));
            let mut count = CaseStatement::new();
            let mut counters = HashSet::new();
            for (holder, log, more) in &moved {
                count = count.case(id().eq(**holder), log.before + more);
                counters.extend(log.gained.keys().copied());
            }
            statement.value(Alias::new(COUNT), count);
            for counter in counters {
                let mut gain = CaseStatement::new();
                for (holder, log, _) in &moved {
                    let gained = log.gained.get(counter).copied().unwrap_or_default();
                    gain = gain.case(id().eq(**holder), gained);
                }
                let counter = Alias::new(counter);
                statement.value(counter.clone(), Expr::col(counter).add(gain));
            }
            let holders: Vec<Id> = moved.iter().map(|(id, ..)| **id).collect();
            statement.and_where(self.app.db.ids(holders).includes(id()));
            self.db.execute(&statement).await?;
        }
        Ok(())
    }
}

/// Returns a moment after `before`, so that every change of a row changes its version.
pub fn later(before: Timestamp) -> Timestamp {
    Ord::max(Timestamp::now(), before + chrono::TimeDelta::microseconds(1))
}
