//! Writing: a transaction that holds the logs of what it changes, and logs what it changes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sea_orm::{
    ActiveModelTrait as _, ColumnTrait as _, IdenStatic as _, IntoActiveModel as _, Iterable as _,
    QueryFilter,
    sea_query::{OnConflict, SimpleExpr},
};
use serde_json::Value;
use toposcope_types::{Id, Kind, PermissionLevel};

use crate::{
    app::App,
    auth::Viewer,
    db::{Transaction, chunks},
    error::{CHANGED_MEANWHILE, Error, Result},
    networks::entity as networks,
    resource::{self, Precondition, Resource},
};

/// A transaction that writes.
///
/// It takes the row of each network that it writes into first (`hold…`), which raises the revision
/// and puts the writers of one network in line: none decides on what another is changing, and the
/// changes of a network are numbered without gaps. What is written through it is logged in the same
/// transaction, when it is committed; what is dropped before is as if it had never been.
pub struct Write<'a> {
    /// The application.
    pub app: &'a App,
    /// Who writes: as the caller says at first, and once the first log is held with the rights of
    /// that moment.
    pub viewer: Viewer,
    /// The level that the writer must have.
    pub(super) level: PermissionLevel,
    /// Whether the rights of the viewer were read within the transaction.
    pub(super) rights_read: bool,
    /// Whether it changes who may do what.
    pub(super) changes_rights: bool,
    /// The transaction.
    pub db: Transaction,
    pub(super) logs: BTreeMap<Id, Log>,
    pub(super) entries: Vec<Entry>,
    pub(super) places: HashMap<(Kind, Id), Vec<usize>>,
    /// What shows the rows that are logged as its own, and so becomes another version.
    pub(super) parents: BTreeSet<(Kind, Id)>,
    besides: BTreeMap<Kind, u64>,
}

/// A log that the transaction holds, and how its network changes by it.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) network: bool,
    /// How many changes it held before.
    pub(super) before: i64,
    /// How many were reckoned with when it was taken.
    pub(super) expected: i64,
    /// How many rows of each kind the network gains.
    pub(super) gained: BTreeMap<&'static str, i64>,
    /// The network itself goes.
    pub(super) gone: bool,
}

/// A change that will be logged.
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
    /// Begins to write, which needs `level`.
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
            places: HashMap::new(),
            parents: BTreeSet::new(),
            besides: BTreeMap::new(),
        })
    }

    /// Takes over a network that this transaction has just made.
    pub fn made_network(&mut self, network: &networks::Model) {
        let (gained, gone) = (BTreeMap::new(), false);
        let log = Log { network: true, before: 0, expected: 0, gained, gone };
        self.logs.insert(network.id, log);
        self.log::<networks::Entity>(None, Some(network));
    }

    /// Logs that a network that is held goes, with all that it holds.
    pub fn gone_network(&mut self, network: &networks::Model) {
        self.log::<networks::Entity>(Some(network), None);
        if let Some(log) = self.logs.get_mut(&network.id) {
            log.gone = true;
        }
    }

    /// The networks that are held.
    pub fn held(&self) -> impl Iterator<Item = Id> {
        self.logs.iter().filter(|(_, log)| log.network).map(|(id, _)| *id)
    }

    /// Has a write begun again when the row that it read had come to a network that it does not hold.
    pub fn require_held(&self, network_id: Id) -> Result<()> {
        if self.logs.contains_key(&network_id) {
            return Ok(());
        }
        Err(Error::unavailable(CHANGED_MEANWHILE))
    }

    /// The row `id` of `E` as it is now, with its network and `also` held; refused when it is not in
    /// reach, or another version than the caller has seen.
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

    /// Adds new rows.
    pub async fn insert<E: Resource>(&mut self, rows: Vec<E::Model>) -> Result<()> {
        for row in &rows {
            self.log::<E>(None, Some(row));
        }
        let columns = E::Column::iter().count();
        for rows in chunks(rows, self.variables() / columns) {
            let rows = rows.into_iter().map(|row| row.into_active_model().reset_all());
            E::insert_many(rows).exec_without_returning(&self.db).await?;
        }
        Ok(())
    }

    /// Replaces rows, each given as it was and as it shall be.
    pub async fn replace<E: Resource>(&mut self, rows: Vec<(E::Model, E::Model)>) -> Result<()> {
        for (before, after) in &rows {
            self.log::<E>(Some(before), Some(after));
        }
        if let [(_, after)] = rows.as_slice() {
            let id = E::id(after);
            let mut row = after.clone().into_active_model().reset_all();
            row.not_set(E::ID);
            E::update_many().set(row).filter(E::ID.eq(id)).exec(&self.db).await?;
            return Ok(());
        }
        let columns = E::Column::iter().count();
        let rows: Vec<E::Model> = rows.into_iter().map(|(_, after)| after).collect();
        for rows in chunks(rows, self.variables() / columns) {
            let rows = rows.into_iter().map(|row| row.into_active_model().reset_all());
            let columns = E::Column::iter().filter(|column| {
                [E::ID, E::CREATED_AT].iter().all(|key| key.as_str() != column.as_str())
            });
            let replace = OnConflict::column(E::ID).update_columns(columns).to_owned();
            E::insert_many(rows).on_conflict(replace).exec_without_returning(&self.db).await?;
        }
        Ok(())
    }

    /// Gives rows values that nothing else has, before they get those of each other.
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

    /// Removes rows.
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

    /// Logs a change of a row that is written in another way.
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
        if !E::LOGGED {
            return;
        }
        let value = |row: Option<&E::Model>| row.map(E::logged);
        match (from, to) {
            // One who sees only one of two networks learns only that it came or went.
            (Some(from), Some(to)) if from != to => {
                self.enter(E::KIND, id, from, value(before), None);
                self.enter(E::KIND, id, to, None, value(after));
            }
            _ => {
                let log = to.or(from).unwrap_or(self.viewer.organization_id);
                self.enter(E::KIND, id, log, value(before), value(after));
            }
        }
    }

    fn enter(&mut self, kind: Kind, id: Id, log: Id, before: Option<Value>, after: Option<Value>) {
        let places = self.places.entry((kind, id)).or_default();
        if let Some(place) = places.iter().find(|place| self.entries[**place].log == log) {
            // Changed twice: the log tells what it was before and what it came to be.
            self.entries[*place].after = after;
            return;
        }
        places.push(self.entries.len());
        self.entries.push(Entry { kind, id, before, after, log });
    }

    /// Adds to what is logged of a thing a part that is stored elsewhere, such as its tags.
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

    /// Counts things that go without being logged one by one.
    pub fn gone_besides(&mut self, kind: Kind, count: u64) {
        *self.besides.entry(kind).or_default() += count;
    }

    /// How many things are deleted so far, by kind.
    pub fn deleted(&self) -> BTreeMap<Kind, u64> {
        let mut deleted = self.besides.clone();
        for entry in self.entries.iter().filter(|entry| entry.after.is_none()) {
            *deleted.entry(entry.kind).or_default() += 1;
        }
        deleted
    }

    /// How many variables one statement may have.
    pub fn variables(&self) -> usize {
        self.app.db.variables()
    }
}

/// The column that says how many changes a log holds.
pub(super) const COUNT: &str = "change_count";

fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("rows have only string keys and no failing part")
}
