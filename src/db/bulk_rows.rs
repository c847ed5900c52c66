//! Rows passed to a statement as one parameter. A list of values for each of hundreds of thousands
//! of rows would take hundreds of statements, each of which takes longer to bind than to run.

use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement, Value};
use serde::Serialize;

use crate::error::Result;

/// The maximum number of rows per statement: more rows mean fewer statements, and more memory while
/// one runs.
const AT_ONCE: usize = 250_000;

/// The type of the values in a column.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    Id,
    Number,
    Flag,
    Text,
}

/// The columns of the rows, by name.
pub type Columns<'c> = &'c [(&'c str, Holds)];

/// Runs a statement for these rows, each a list of its columns. `sql` builds the statement from the
/// query that selects the rows.
pub async fn each<C: ConnectionTrait, R: Serialize>(
    db: &C,
    columns: Columns<'_>,
    rows: &[R],
    sql: impl FnOnce(&str) -> String,
) -> Result<()> {
    for statement in statements(db.get_database_backend(), columns, rows, &[], sql)? {
        db.execute_raw(statement).await?;
    }
    Ok(())
}

/// Runs a statement like `each`, and returns the rows that it returns. `more` holds its parameters
/// from the second on.
pub async fn returned<C: ConnectionTrait, R: Serialize>(
    db: &C,
    columns: Columns<'_>,
    rows: &[R],
    more: &[Value],
    sql: impl FnOnce(&str) -> String,
) -> Result<Vec<QueryResult>> {
    let mut returned = Vec::new();
    for statement in statements(db.get_database_backend(), columns, rows, more, sql)? {
        returned.extend(db.query_all_raw(statement).await?);
    }
    Ok(returned)
}

fn statements<R: Serialize>(
    backend: DbBackend,
    columns: Columns<'_>,
    rows: &[R],
    more: &[Value],
    sql: impl FnOnce(&str) -> String,
) -> Result<Vec<Statement>> {
    let sql = sql(&source(backend, columns));
    let statement = |rows: &[R]| {
        let rows = serde_json::to_string(rows).map_err(anyhow::Error::from)?;
        let values = std::iter::once(rows.into()).chain(more.iter().cloned());
        Ok(Statement::from_sql_and_values(backend, &sql, values))
    };
    rows.chunks(AT_ONCE).map(statement).collect()
}

/// Returns the query that reads the rows from the first parameter.
fn source(backend: DbBackend, columns: Columns<'_>) -> String {
    let postgres = backend == DbBackend::Postgres;
    let read = |(place, (name, holds)): (usize, &(&str, Holds))| {
        let value = format!("(value ->> {place})");
        let read = match (holds, postgres) {
            (Holds::Id, true) => format!("{value}::uuid"),
            (Holds::Number, true) => format!("{value}::int"),
            (Holds::Flag, true) => format!("{value}::boolean"),
            (Holds::Id, false) => format!("unhex({value}, '-')"),
            (Holds::Number | Holds::Flag, false) | (Holds::Text, _) => value,
        };
        format!("{read} AS \"{name}\"")
    };
    let list = columns.iter().enumerate().map(read).collect::<Vec<_>>().join(", ");
    // The condition tells SQLite that a conflict clause, if one follows, belongs to the insertion.
    let rows = if postgres { "jsonb_array_elements($1::jsonb)" } else { "json_each($1)" };
    format!("SELECT {list} FROM {rows} WHERE true")
}
