//! Tables of comma-separated values (RFC 4180), safe to open in a spreadsheet.

use axum::{http::HeaderValue, response::Response};
use futures_util::{Stream, StreamExt as _};
use serde::Serialize;
use serde_json::Value;
use toposcope_topology::export::csv::add_line;
use toposcope_types::text::is_formula;

use super::{envelope::respond, spool::Spools};
use crate::error::Result;

const CSV: HeaderValue = HeaderValue::from_static("text/csv; charset=utf-8; header=present");

/// Writes a table with these columns while reading its rows. Lists and objects are written as JSON.
pub async fn stream<T: Serialize + Send + 'static>(
    spools: &Spools,
    columns: &'static [&'static str],
    chunks: impl Stream<Item = Result<Vec<T>>> + Send + 'static,
) -> Result<Response> {
    let mut names = String::new();
    add_line(&mut names, columns);
    let head = futures_util::stream::iter([Ok(names.into_bytes())]);
    let rows = chunks.map(move |chunk| {
        let rows = chunk?.iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>();
        let rows: Vec<Value> = rows.map_err(anyhow::Error::from)?;
        let mut table = String::with_capacity(rows.len() * 256);
        for row in &rows {
            add_line(&mut table, columns.iter().map(|column| text(&row[*column])));
        }
        Ok(table.into_bytes())
    });
    Ok(respond(spools.body(head.chain(rows)).await?, CSV))
}

/// Returns the text of a value; null is empty.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => harmless(text),
        value => value.to_string(),
    }
}

/// Returns a text that no spreadsheet takes for a formula: a leading apostrophe marks it as text.
fn harmless(text: &str) -> String {
    if is_formula(text) { format!("'{text}") } else { text.to_owned() }
}
