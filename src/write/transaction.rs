//! The write transaction: it locks the logs of what it changes, and logs what it changes.

use std::collections::{BTreeMap, BTreeSet, HashMap, hash_map};

use sea_orm::{ConnectionTrait as _, QueryFilter, sea_query::SimpleExpr};
use serde_json::Value;
use toposcope_topology::resolution::records::Record;
use toposcope_types::{Id, Kind, PermissionLevel};

use crate::{
    app::App,
    auth::Viewer,
    db::{Transaction, chunks},
    error::{Error, Outage, Result},
    networks::entity as networks,
    resolution::change_set::Change,
    resource::{self, Precondition, Resource, rows},
};

/// A transaction that writes.
///
/// It first locks the row of each network that it writes to (`hold…`). That raises the revision and
/// serializes the writers of one network: none decides on data that another is changing, and the
/// changes of a network are numbered without gaps. Committing logs the changes in the same
/// transaction; dropping it before that discards them.
pub struct Write<'a> {
    /// The application.
    pub app: &'a App,
    /// The writing viewer: as the caller passed it at first, and with current rights once the first
    /// log is locked.
    pub viewer: Viewer,
    /// The permission level that the viewer must have.
    pub(super) level: PermissionLevel,
    /// Whether the transaction has read the viewer's rights again.
    pub(super) rights_read: bool,
    /// Whether the transaction changes rights.
    pub(super) changes_rights: bool,
    /// The transaction.
    pub db: Transaction,
    pub(super) logs: BTreeMap<Id, Log>,
    pub(super) entries: Vec<Entry>,
    /// The records for resolution of the rows that the transaction changes, by network and row.
    pub(super) records: HashMap<(Id, Id), Change>,
    pub(super) places: HashMap<(Kind, Id), Vec<usize>>,
    /// The objects that show logged rows as their own, and so become new versions.
    pub(super) parents: BTreeSet<(Kind, Id)>,
    besides: BTreeMap<Kind, u64>,
}

/// A log that the transaction has locked, and how it changes the log's network.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) network: bool,
    /// The number of changes in the log before the transaction.
    pub(super) before: i64,
    /// The number of changes counted in advance when the log was locked.
    pub(super) expected: i64,
    /// The number of rows of each kind that the network gains.
    pub(super) gained: BTreeMap<&'static str, i64>,
    /// Whether the transaction deletes the network itself.
    pub(super) gone: bool,
}

/// A change to log at commit.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) id: Id,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
    /// The log that holds it.
    pub(super) log: Id,
}

impl<'a> Write<'a> {
    /// Begins a write that requires `level`.
    pub async fn begin(app: &'a App, viewer: &Viewer, level: PermissionLevel) -> Result<Self> {
        viewer.require(level)?;
        Ok(Self {
            app,
            viewer: viewer.clone(),
            level,
            rights_read: false,
            changes_rights: false,
            db: app.db.begin().await?,
            logs: BTreeMap::new(),
            entries: Vec::new(),
            records: HashMap::new(),
            places: HashMap::new(),
            parents: BTreeSet::new(),
            besides: BTreeMap::new(),
        })
    }

    /// Adopts a network that this transaction has just created.
    pub fn made_network(&mut self, network: &networks::Model) {
        let (gained, gone) = (BTreeMap::new(), false);
        let log = Log { network: true, before: 0, expected: 0, gained, gone };
        self.logs.insert(network.id, log);
        self.log::<networks::Entity>(None, Some(network));
    }

    /// Logs the deletion of a locked network, with everything in it.
    pub fn gone_network(&mut self, network: &networks::Model) {
        self.log::<networks::Entity>(Some(network), None);
        if let Some(log) = self.logs.get_mut(&network.id) {
            log.gone = true;
        }
    }

    /// Returns the locked networks.
    pub fn held(&self) -> impl Iterator<Item = Id> {
        self.logs.iter().filter(|(_, log)| log.network).map(|(id, _)| *id)
    }

    /// Fails, so that the write begins again, if the row that it read has moved to a network that
    /// it has not locked.
    pub fn require_held(&self, network_id: Id) -> Result<()> {
        if self.logs.contains_key(&network_id) {
            return Ok(());
        }
        Err(Error::unavailable(Outage::ChangedMeanwhile))
    }

    /// Returns the current row `id` of `E`, with its network and `also` locked. Fails if the row is
    /// out of the viewer's reach, or is not the version that the caller has seen.
    pub async fn current<E: Resource>(
        &mut self,
        id: Id,
        also: Option<Id>,
        precondition: &Precondition,
    ) -> Result<E::Model> {
        self.hold_holder::<E>(id, also).await?;
        let row = resource::get::<E>(&self.db, &self.viewer, id).await?;
        E::network_id(&row).map_or(Ok(()), |network| self.require_held(network))?;
        precondition.check(E::KIND, id, E::updated_at(&row))?;
        Ok(row)
    }

    /// Inserts rows.
    pub async fn insert<E: Resource>(&mut self, rows: Vec<E::Model>) -> Result<()> {
        for row in &rows {
            self.log::<E>(None, Some(row));
        }
        for rows in chunks(rows, self.variables() / rows::width::<E>()) {
            self.db.execute(&rows::inserted::<E>(rows)).await?;
        }
        Ok(())
    }

    /// Updates rows, each given as it is before and after.
    pub async fn replace<E: Resource>(&mut self, rows: Vec<(E::Model, E::Model)>) -> Result<()> {
        for (before, after) in &rows {
            self.log::<E>(Some(before), Some(after));
        }
        if let [(_, after)] = rows.as_slice() {
            self.db.execute(&rows::updated::<E>(after.clone())).await?;
            return Ok(());
        }
        let rows: Vec<E::Model> = rows.into_iter().map(|(_, after)| after).collect();
        for rows in chunks(rows, self.variables() / rows::width::<E>()) {
            self.db.execute(&rows::overwritten::<E>(rows)).await?;
        }
        Ok(())
    }

    /// Sets unique temporary values on rows that are about to take over each other's values.
    pub async fn park<E: Resource>(
        &self,
        rows: &[(E::Model, E::Model)],
        column: E::Column,
        value: SimpleExpr,
    ) -> Result<()> {
        let ids = self.app.db.ids(rows.iter().map(|(row, _)| E::id(row)).collect::<Vec<_>>());
        E::update_many().col_expr(column, value).filter(ids.includes(E::ID)).exec(&self.db).await?;
        Ok(())
    }

    /// Deletes rows.
    pub async fn remove<E: Resource>(&mut self, rows: &[E::Model]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        for row in rows {
            self.log::<E>(Some(row), None);
        }
        let ids = self.app.db.ids(rows.iter().map(E::id).collect::<Vec<_>>());
        E::delete_many().filter(ids.includes(E::ID)).exec(&self.db).await?;
        Ok(())
    }

    /// Logs a change to a row that the caller writes in another way.
    pub fn log<E: Resource>(&mut self, before: Option<&E::Model>, after: Option<&E::Model>) {
        let network = |row: Option<&E::Model>| row.and_then(E::network_id);
        let (from, to) = (network(before), network(after));
        if let Some(counter) = E::COUNTER
            && from != to
        {
            for (network, gain) in [(from, -1), (to, 1)] {
                if let Some(log) = network.and_then(|id| self.logs.get_mut(&id)) {
                    *log.gained.entry(counter).or_default() += gain;
                }
            }
        }
        let Some(id) = before.or(after).map(E::id) else { return };
        for row in [before, after].into_iter().flatten() {
            self.parents.extend(E::parent(row));
        }
        let parts = match (from, to) {
            // A viewer who sees only one of the two networks learns only that the row came or went.
            (Some(from), Some(to)) if from != to => {
                [Some((from, before, None)), Some((to, None, after))]
            }
            _ => {
                let log = to.or(from).unwrap_or(self.viewer.organization_id);
                [Some((log, before, after)), None]
            }
        };
        for (log, before, after) in parts.into_iter().flatten() {
            self.change(log, id, before.and_then(E::record), after.and_then(E::record));
            if E::LOGGED {
                self.enter(E::KIND, id, log, before.map(E::logged), after.map(E::logged));
            }
        }
    }

    fn change(&mut self, network: Id, id: Id, before: Option<Record>, after: Option<Record>) {
        if before.is_none() && after.is_none() {
            return;
        }
        match self.records.entry((network, id)) {
            // Changed twice: what it was before and what it is after are of interest.
            hash_map::Entry::Occupied(mut change) => change.get_mut().after = after,
            hash_map::Entry::Vacant(change) => _ = change.insert(Change { id, before, after }),
        }
    }

    fn enter(&mut self, kind: Kind, id: Id, log: Id, before: Option<Value>, after: Option<Value>) {
        let places = self.places.entry((kind, id)).or_default();
        if let Some(place) = places.iter().find(|place| self.entries[**place].log == log) {
            // Changed twice: the log records the first state before and the last state after.
            self.entries[*place].after = after;
            return;
        }
        places.push(self.entries.len());
        self.entries.push(Entry { kind, id, before, after, log });
    }

    /// Adds a part that is stored elsewhere, such as tags, to the logged state of an object.
    pub fn log_part(
        &mut self,
        (kind, id): (Kind, Id),
        part: &str,
        before: impl serde::Serialize,
        after: impl serde::Serialize,
    ) {
        let (before, after) = (json(&before), json(&after));
        for place in self.places.get(&(kind, id)).into_iter().flatten() {
            let entry = &mut self.entries[*place];
            for (row, value) in [(&mut entry.before, &before), (&mut entry.after, &after)] {
                if let Some(Value::Object(row)) = row {
                    row.insert(part.to_owned(), value.clone());
                }
            }
        }
    }

    /// Counts deleted objects that are not logged one by one.
    pub fn gone_besides(&mut self, kind: Kind, count: u64) {
        *self.besides.entry(kind).or_default() += count;
    }

    /// Returns the number of objects deleted so far, by kind.
    pub fn deleted(&self) -> BTreeMap<Kind, u64> {
        let mut deleted = self.besides.clone();
        for entry in self.entries.iter().filter(|entry| entry.after.is_none()) {
            *deleted.entry(entry.kind).or_default() += 1;
        }
        deleted
    }

    /// Returns the maximum number of variables in one statement.
    pub fn variables(&self) -> usize {
        self.app.db.variables()
    }
}

/// The column that holds the number of changes in a log.
pub(super) const COUNT: &str = "change_count";

fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("rows have only string keys and no failing part")
}
