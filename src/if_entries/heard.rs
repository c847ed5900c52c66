//! What entries hear: checked, stored and logged.

use std::collections::HashMap;

use sea_orm::{
    ActiveModelTrait as _, ConnectionTrait, EntityTrait as _, IntoActiveModel as _,
    QueryFilter as _, sea_query::OnConflict,
};
use toposcope_types::{Id, Kind, LldpChassisId, LldpPortId, NeighborProtocol, text::legible};

use super::{IfEntry, Observation, observation};
use crate::{
    auth::Viewer,
    db::{IdSet, chunks},
    error::{Error, Result},
    input::text,
    resource::Resource as _,
    write::Write,
};

/// One interface's observation of one neighbor, before it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    pub chassis_id: Option<LldpChassisId>,
    pub port_id: Option<LldpPortId>,
    /// The port id without a subtype, as in CDP.
    pub port_name: Option<String>,
    pub port_desc: Option<String>,
    pub sys_name: Option<String>,
    pub sys_desc: Option<String>,
    pub mgmt_addr: Option<String>,
    pub platform: Option<String>,
}

impl From<observation::Model> for Heard {
    fn from(row: observation::Model) -> Self {
        let (chassis_id, port_id) = (row.chassis(), row.port());
        Self {
            port_name: row.port_id.filter(|_| port_id.is_none()),
            chassis_id,
            port_id,
            port_desc: row.port_desc,
            sys_name: row.sys_name,
            sys_desc: row.sys_desc,
            mgmt_addr: row.mgmt_addr,
            platform: row.platform,
        }
    }
}

impl Heard {
    /// Returns whether the interface heard nothing at all.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether a stored observation says the same.
    pub fn same_as(&self, stored: &observation::Model) -> bool {
        let row = self.clone().into_row(stored);
        row == *stored
    }

    /// Converts this to a row with the keys and times of `row`.
    pub fn into_row(self, row: &observation::Model) -> observation::Model {
        let (chassis_id_subtype, chassis_id) = match self.chassis_id {
            Some(LldpChassisId { subtype, value }) => (Some(subtype), Some(value)),
            None => (None, None),
        };
        let (port_id_subtype, port_id) = match self.port_id {
            Some(LldpPortId { subtype, value }) => (Some(subtype), Some(value)),
            None => (None, self.port_name),
        };
        observation::Model {
            chassis_id_subtype,
            chassis_id,
            port_id_subtype,
            port_id,
            port_desc: self.port_desc,
            sys_name: self.sys_name,
            sys_desc: self.sys_desc,
            mgmt_addr: self.mgmt_addr,
            platform: self.platform,
            ..row.clone()
        }
    }

    /// Makes every text legible, whatever neighbors sent, and checks its length. `field` returns
    /// the name of a part for errors.
    pub fn checked(self, field: impl Fn(&str) -> String) -> Result<Self> {
        let text = |part: &str, value: Option<String>| {
            let value = value.map(|value| legible(&value));
            text::optional(&field(part), value, text::MAX_TEXT)
        };
        let value = |part: &str, value: &str| {
            let name = format!("{}.value", field(part));
            text::required(&name, legible(value), 0, text::MAX_TEXT)
        };
        let chassis_id = self
            .chassis_id
            .map(LldpChassisId::legible)
            .map(|id| {
                let value = value("chassis_id", &id.value)?;
                Ok::<_, Error>(LldpChassisId { value, ..id }.normalised())
            })
            .transpose()?;
        let port_id = self
            .port_id
            .map(LldpPortId::legible)
            .map(|id| {
                let value = value("port_id", &id.value)?;
                Ok::<_, Error>(LldpPortId { value, ..id }.normalised())
            })
            .transpose()?;
        Ok(Self {
            chassis_id,
            port_id,
            port_name: text("port_id", self.port_name)?,
            port_desc: text("port_desc", self.port_desc)?,
            sys_name: text("sys_name", self.sys_name)?,
            sys_desc: text("sys_desc", self.sys_desc)?,
            mgmt_addr: text("mgmt_addr", self.mgmt_addr)?,
            platform: text("platform", self.platform)?,
        })
    }
}

/// Adds the observations of entries, before and after, to their logged changes.
pub fn log_heard(write: &mut Write<'_>, before: Vec<Observation>, after: Vec<Observation>) {
    let was: HashMap<Id, &Observation> = before.iter().map(|row| (row.id, row)).collect();
    let is: HashMap<Id, &Observation> = after.iter().map(|row| (row.id, row)).collect();
    for id in was.keys().chain(is.keys().filter(|id| !was.contains_key(*id))) {
        let (was, is) = (was.get(id).copied(), is.get(id).copied());
        if was != is {
            write.log::<observation::Entity>(was, is);
        }
    }
    let mut heard: HashMap<Id, [Vec<Observation>; 2]> = HashMap::new();
    for (which, rows) in [before, after].into_iter().enumerate() {
        for row in rows {
            heard.entry(row.if_entry_id).or_default()[which].push(row);
        }
    }
    for (id, [before, after]) in heard {
        write.log_part((Kind::IfEntry, id), "neighbors_heard", before, after);
    }
}

/// The changes to the first observations of entries.
#[derive(Debug, Default)]
pub(super) struct ObservationChanges {
    gone: Vec<Observation>,
    said: Vec<Observation>,
}

/// Returns the changes that make each entry's first observation of each protocol match the input.
/// Observations further down the list stay as they are.
pub(super) fn changes(
    before: &[Observation],
    said: Vec<(IfEntry, Vec<(NeighborProtocol, Heard)>)>,
) -> ObservationChanges {
    let first = before.iter().filter(|row| row.position == 0);
    let first: HashMap<(Id, NeighborProtocol), &Observation> =
        first.map(|row| ((row.if_entry_id, row.protocol), row)).collect();
    let mut changes = ObservationChanges::default();
    for (entry, heard) in said {
        for (protocol, heard) in heard {
            match first.get(&(entry.id, protocol)).copied() {
                Some(row) if heard.is_empty() => changes.gone.push(row.clone()),
                Some(row) if heard.same_as(row) && row.network_id == entry.network_id => {}
                None if heard.is_empty() => {}
                row => changes.said.push(new_observation(&entry, protocol, 0, heard, row)),
            }
        }
    }
    changes
}

impl ObservationChanges {
    /// Returns the ids of the entries whose observations change, some more than once.
    pub(super) fn touched(&self) -> impl Iterator<Item = Id> {
        self.gone.iter().chain(&self.said).map(|row| row.if_entry_id)
    }

    /// Returns the observations as they are after the changes.
    pub(super) fn after(&self, before: &[Observation]) -> Vec<Observation> {
        let replaced: std::collections::HashSet<Id> =
            self.gone.iter().chain(&self.said).map(|row| row.id).collect();
        let kept = before.iter().filter(|row| !replaced.contains(&row.id));
        kept.chain(&self.said).cloned().collect()
    }

    /// Writes the changes, in two statements if one can hold all the observations.
    pub(super) async fn write(self, write: &Write<'_>) -> Result<()> {
        if !self.gone.is_empty() {
            let gone = self.gone.iter().map(|row| row.id).collect::<Vec<_>>();
            observation::Entity::delete_many()
                .filter(write.app.db.ids(gone).includes(observation::Column::Id))
                .exec(&write.db)
                .await?;
        }
        let all = <observation::Column as sea_orm::Iterable>::iter();
        for rows in chunks(self.said, write.variables() / all.len()) {
            let columns = <observation::Column as sea_orm::Iterable>::iter().filter(|column| {
                !matches!(column, observation::Column::Id | observation::Column::CreatedAt)
            });
            let replace =
                OnConflict::column(observation::Column::Id).update_columns(columns).to_owned();
            let rows = rows.into_iter().map(|row| row.into_active_model().reset_all());
            observation::Entity::insert_many(rows)
                .on_conflict(replace)
                .exec_without_returning(&write.db)
                .await?;
        }
        Ok(())
    }
}

/// Returns the row for what an entry heard, in place of `before` if given.
pub fn new_observation(
    entry: &IfEntry,
    protocol: NeighborProtocol,
    position: i32,
    heard: Heard,
    before: Option<&Observation>,
) -> Observation {
    heard.into_row(&Observation {
        id: before.map_or_else(Id::new, |row| row.id),
        created_at: before.map_or(entry.updated_at, |row| row.created_at),
        updated_at: entry.updated_at,
        network_id: entry.network_id,
        if_entry_id: entry.id,
        protocol,
        position,
        chassis_id_subtype: None,
        chassis_id: None,
        port_id_subtype: None,
        port_id: None,
        port_desc: None,
        sys_name: None,
        sys_desc: None,
        mgmt_addr: None,
        platform: None,
    })
}

/// Reads the observations of many entries, in the order in which they heard them, in one statement.
pub async fn heard(
    db: &impl ConnectionTrait,
    viewer: &Viewer,
    entries: &IdSet,
) -> Result<Vec<Observation>> {
    use sea_orm::QueryOrder;
    Ok(observation::Entity::visible_to(viewer)
        .filter(entries.includes(observation::Column::IfEntryId))
        .order_by_asc(observation::Column::Protocol)
        .order_by_asc(observation::Column::Position)
        .all(db)
        .await?)
}
