//! All rows of a device as one JSON text, which the database makes: to read a large network row by
//! row takes many times as long.

use futures_util::TryStreamExt as _;
use sea_orm::{ActiveEnum, DbBackend, QueryResult, Statement, StreamTrait};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _},
};
use tokio::sync::mpsc;
use toposcope_types::Id;

use crate::error::Result;

/// How many devices may be read ahead of whoever works with them, so that neither waits for the other
/// where one statement is quick to answer and slow to work with, and the next the other way round.
const AHEAD: usize = 8192;
/// How many devices are handed over at once: to wake whoever waits takes as long as to read one.
const BATCH: usize = 32;

/// Writes the parts of a statement that pack rows.
#[derive(Clone, Copy, Debug)]
pub struct Packer(pub DbBackend);

impl Packer {
    /// An id, which [`optional_id`] reads too.
    pub fn id(self, column: &str) -> String {
        match self.0 {
            DbBackend::Postgres => column.to_owned(),
            _ => format!("hex({column})"),
        }
    }

    /// A truth value, which [`flag`] reads.
    pub fn flag(self, column: &str) -> String {
        match self.0 {
            DbBackend::Postgres => format!("{column}::int"),
            _ => column.to_owned(),
        }
    }

    /// JSON, as a text.
    pub fn json(self, column: &str) -> String {
        match self.0 {
            DbBackend::Postgres => format!("{column}::text"),
            _ => column.to_owned(),
        }
    }

    /// One list as a text, or nothing where there is no row: for [`unpack_text`].
    pub fn one(self, columns: &[String], from: &str) -> String {
        let columns = columns.join(", ");
        match self.0 {
            DbBackend::Postgres => {
                format!("(SELECT json_build_array({columns})::text FROM {from})")
            }
            _ => format!("(SELECT json_array({columns}) || '' FROM {from})"),
        }
    }

    /// The rows, each a list of its columns, as a list.
    pub fn rows(self, columns: &[String], from: &str) -> String {
        format!("(SELECT {} FROM {from})", self.list(columns))
    }

    /// The rows of a group, each a list of its columns, as a list.
    pub fn list(self, columns: &[String]) -> String {
        let columns = columns.join(", ");
        match self.0 {
            DbBackend::Postgres => {
                format!("coalesce(json_agg(json_build_array({columns})), '[]')::text")
            }
            _ => format!("json_group_array(json_array({columns}))"),
        }
    }

    /// The devices of a network, with these columns.
    pub fn hosts(self, network_id: Id, columns: &[String]) -> Statement {
        let sql = format!("SELECT {} FROM host WHERE host.network_id = $1", columns.join(", "));
        Statement::from_sql_and_values(self.0, sql, [network_id.into()])
    }
}

/// Rows as they come from the database, for a thread that may block.
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

/// A way for rows from whoever reads them to whoever works with them.
pub fn pipe() -> (mpsc::Sender<Vec<QueryResult>>, Rows) {
    let (sender, batches) = mpsc::channel(AHEAD / BATCH);
    (sender, Rows { batches, batch: Vec::new().into_iter() })
}

/// Sends the rows of a statement on as they come, until nobody wants more of them.
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

/// The packed rows in a column.
pub fn unpack<T: DeserializeOwned>(row: &QueryResult, column: usize) -> Result<Vec<T>> {
    unpack_text(&row.try_get_by_index::<String>(column)?)
}

/// A packed list that is there as a text.
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

/// Reads a truth value.
pub fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<bool, D::Error> {
    Ok(u8::deserialize(deserializer)? != 0)
}

/// Reads what is stored as a number.
pub fn code<'de, D: Deserializer<'de>, T: ActiveEnum<Value = i32>>(
    deserializer: D,
) -> std::result::Result<T, D::Error> {
    T::try_from_value(&i32::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// Reads what is stored as a number, if at all.
pub fn optional_code<'de, D: Deserializer<'de>, T: ActiveEnum<Value = i32>>(
    deserializer: D,
) -> std::result::Result<Option<T>, D::Error> {
    let code = Option::<i32>::deserialize(deserializer)?;
    code.map(|code| T::try_from_value(&code)).transpose().map_err(D::Error::custom)
}
