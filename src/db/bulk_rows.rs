//! Rows that a statement is given as one parameter: a list of values for each of hundreds of thousands
//! of rows would be hundreds of statements, and each takes longer to bind than to run.

use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement, Value};
use serde::Serialize;

use crate::error::Result;

/// How many rows are given at once: more are fewer statements, and more memory while one runs.
const AT_ONCE: usize = 250_000;

/// What is in a column.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    Id,
    Number,
    Flag,
    Text,
}

/// The columns that are given, by their names.
pub type Columns<'c> = &'c [(&'c str, Holds)];

/// Runs a statement for these rows, each a list of its columns: `sql` makes it from what it selects
/// the rows from.
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

/// The same, and answers what the statement returns. `more` are its parameters from the second on.
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

/// A statement that reads the first parameter.
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
