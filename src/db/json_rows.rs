//! All rows of a device as one JSON text, built by the database: reading a large network row by row
//! takes many times as long.

use futures_util::TryStreamExt as _;
use sea_orm::{ActiveEnum, DbBackend, QueryResult, Statement, StreamTrait};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _},
};
use tokio::sync::mpsc;
use toposcope_types::Id;

use crate::error::Result;

/// The number of devices that may be read ahead of the consumer. It keeps reader and consumer from
/// waiting for each other if one statement is quick to read and slow to process, and the next the
/// other way round.
const AHEAD: usize = 8192;
/// The number of devices handed over at once: waking the consumer takes as long as reading one.
const BATCH: usize = 32;

/// A builder for the parts of a statement that pack rows.
#[derive(Clone, Copy, Debug)]
pub struct Packer(pub DbBackend);

impl Packer {
    /// Returns the SQL for an id, which [`optional_id`] reads too.
    pub fn id(self, column: &str) -> String {
        match self.0 {
            DbBackend::Postgres => column.to_owned(),
            _ => format!("hex({column})"),
        }
    }

    /// Returns the SQL for a Boolean, which [`flag`] reads.
    pub fn flag(self, column: &str) -> String {
        match self.0 {
            DbBackend::Postgres => format!("{column}::int"),
            _ => column.to_owned(),
        }
    }

    /// Returns the SQL for JSON, as a text.
    pub fn json(self, column: &str) -> String {
        match self.0 {
            DbBackend::Postgres => format!("{column}::text"),
            _ => column.to_owned(),
        }
    }

    /// Returns the SQL for one list as a text, or nothing if there is no row: for [`unpack_text`].
    pub fn one(self, columns: &[String], from: &str) -> String {
        let columns = columns.join(", ");
        match self.0 {
            DbBackend::Postgres => {
                format!("(SELECT json_build_array({columns})::text FROM {from})")
            }
            _ => format!("(SELECT json_array({columns}) || '' FROM {from})"),
        }
    }

    /// Returns the SQL for a list of rows, each a list of its columns.
    pub fn rows(self, columns: &[String], from: &str) -> String {
        format!("(SELECT {} FROM {from})", self.list(columns))
    }

    /// Returns the SQL for a list of the rows in a group, each a list of its columns.
    pub fn list(self, columns: &[String]) -> String {
        let columns = columns.join(", ");
        match self.0 {
            DbBackend::Postgres => {
                format!("coalesce(json_agg(json_build_array({columns})), '[]')::text")
            }
            _ => format!("json_group_array(json_array({columns}))"),
        }
    }

    /// Returns the statement that reads these columns of the devices of a network.
    pub fn hosts(self, network_id: Id, columns: &[String]) -> Statement {
        let sql = format!("SELECT {} FROM host WHERE host.network_id = $1", columns.join(", "));
        Statement::from_sql_and_values(self.0, sql, [network_id.into()])
    }
}

/// Rows as they arrive from the database, for a thread that may block.
#[derive(Debug)]
pub struct Rows {
    batches: mpsc::Receiver<Vec<QueryResult>>,
    batch: std::vec::IntoIter<QueryResult>,
}

impl Iterator for Rows {
    type Item = QueryResult;

    fn next(&mut self) -> Option<QueryResult> {
        loop {
            if let Some(row) = self.batch.next() {
                return Some(row);
            }
            self.batch = self.batches.blocking_recv()?.into_iter();
        }
    }
}

/// Creates a channel that passes rows from their reader to their consumer.
pub fn pipe() -> (mpsc::Sender<Vec<QueryResult>>, Rows) {
    let (sender, batches) = mpsc::channel(AHEAD / BATCH);
    (sender, Rows { batches, batch: Vec::new().into_iter() })
}

/// Sends the rows of a statement on as they arrive, until the receiver is dropped.
pub async fn pour(
    db: &impl StreamTrait,
    statement: Statement,
    to: mpsc::Sender<Vec<QueryResult>>,
) -> Result<()> {
    let rows = db.stream_raw(statement).await?;
    let mut batches = std::pin::pin!(rows.try_chunks(BATCH));
    while let Some(batch) = batches.try_next().await.map_err(|error| error.1)? {
        if to.send(batch).await.is_err() {
            break;
        }
    }
    Ok(())
}

/// Reads the packed rows in a column.
pub fn unpack<T: DeserializeOwned>(row: &QueryResult, column: usize) -> Result<Vec<T>> {
    unpack_text(&row.try_get_by_index::<String>(column)?)
}

/// Reads a packed list from a text.
pub fn unpack_text<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T> {
    Ok(serde_json::from_str(text).map_err(anyhow::Error::from)?)
}

/// Reads an id that may be missing.
pub fn optional_id<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Option<Id>, D::Error> {
    let text = Option::<&str>::deserialize(deserializer)?;
    text.filter(|text| !text.is_empty()).map(str::parse).transpose().map_err(D::Error::custom)
}

/// Reads a Boolean.
pub fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<bool, D::Error> {
    Ok(u8::deserialize(deserializer)? != 0)
}

/// Reads an enum value that is stored as a number.
pub fn code<'de, D: Deserializer<'de>, T: ActiveEnum<Value = i32>>(
    deserializer: D,
) -> std::result::Result<T, D::Error> {
    T::try_from_value(&i32::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// Reads an optional enum value that is stored as a number.
pub fn optional_code<'de, D: Deserializer<'de>, T: ActiveEnum<Value = i32>>(
    deserializer: D,
) -> std::result::Result<Option<T>, D::Error> {
    let code = Option::<i32>::deserialize(deserializer)?;
    code.map(|code| T::try_from_value(&code)).transpose().map_err(D::Error::custom)
}
