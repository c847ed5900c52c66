//! Tables of comma-separated values (RFC 4180), safe to open in a spreadsheet.

use axum::{http::HeaderValue, response::Response};
use futures_util::{Stream, StreamExt as _};
use serde::Serialize;
use serde_json::Value;
use toposcope_types::text::is_formula;

use super::{envelope::respond, spool::Spools};
use crate::error::{Error, Result};

const CSV: HeaderValue = HeaderValue::from_static("text/csv; charset=utf-8; header=present");

/// Writes a table with these columns while reading its rows. Lists and objects are written as JSON.
pub async fn stream<T: Serialize + Send + 'static>(
    spools: &Spools,
    columns: &'static [&'static str],
    chunks: impl Stream<Item = Result<Vec<T>>> + Send + 'static,
) -> Result<Response> {
    let head = futures_util::stream::iter([table(&[columns.iter().map(|name| (*name).into())])]);
    let rows = chunks.map(move |chunk| {
        let chunk = chunk?;
        let mut lines = Vec::with_capacity(chunk.len());
        for row in &chunk {
            let row = serde_json::to_value(row).map_err(anyhow::Error::from)?;
            lines.push(columns.iter().map(move |column| text(&row[*column])).collect::<Vec<_>>());
        }
        table(&lines)
    });
    Ok(respond(spools.body(head.chain(rows)).await?, CSV))
}

fn table<L>(lines: &[L]) -> Result<Vec<u8>>
where
    L: IntoIterator<Item = String> + Clone,
{
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::with_capacity(lines.len() * 256));
    for line in lines {
        writer.write_record(line.clone()).map_err(anyhow::Error::from)?;
    }
    writer.into_inner().map_err(|error| Error::Internal(error.into_error().into()))
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
