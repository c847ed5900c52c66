//! Reading the text of a document, with the place and the remedy of what is wrong in it.

use serde_json::Value;
use toposcope_types::json_path;

use super::document::{Document, FORMAT};
use crate::error::{Error, Result};

/// Parses a document; returns it with the paths of unknown keys.
pub fn parse(text: &str) -> Result<(Document, Vec<String>)> {
    let text = text.trim_start_matches('\u{feff}');
    require_object(text)?;
    let mut unknown = Vec::new();
    let mut json = serde_json::Deserializer::from_str(text);
    let mut note = |path: serde_ignored::Path<'_>| unknown.push(json_path::of_ignored(&path));
    let reader = serde_ignored::Deserializer::new(&mut json, &mut note);
    let document: Document =
        serde_path_to_error::deserialize(reader).map_err(|error| malformed(&error))?;
    json.end().map_err(|_| Error::invalid("document", "there is something after its end"))?;
    if document.format != FORMAT {
        return Err(Error::invalid("format", format!("it must be `{FORMAT}`")));
    }
    Ok((document, unknown))
}

/// Rejects anything but an object; a list would be taken for the values of one.
fn require_object(text: &str) -> Result<()> {
    let text = text.trim_start();
    if text.starts_with('{') {
        return Ok(());
    }
    let fault = match serde_json::from_str(text) {
        Ok(Value::Array(_)) => "it is a list".to_owned(),
        Ok(_) => "it is a single value".to_owned(),
        Err(_) if text.is_empty() => "it is empty".to_owned(),
        Err(error) => format!("this is not JSON: {error}"),
    };
    Err(Error::invalid(
        "document",
        format!(
            "{fault}; it must be an object like {{\"format\": \"{FORMAT}\", \"network\": \
             {{\"name\": \"Lab\"}}, \"hosts\": [{{\"name\": \"switch1\"}}]}}; `toposcope export` \
             writes a whole one"
        ),
    ))
}

/// Returns which field is wrong and how, based on the error from serde.
fn malformed(error: &serde_path_to_error::Error<serde_json::Error>) -> Error {
    let path = error.path().to_string();
    let path = if [".", "?"].contains(&path.as_str()) { "" } else { path.as_str() };
    let whole = if path.is_empty() { "document" } else { path };
    let message = error.inner().to_string();
    if error.inner().is_eof() {
        let reason = format!("the document ends too early: {message}; is the file complete?");
        return Error::invalid(whole, reason);
    }
    if error.inner().is_syntax() {
        return Error::invalid(whole, format!("this is not JSON: {message}"));
    }
    if message.starts_with("invalid type: null") {
        return Error::Required { field: whole.to_owned() };
    }
    // The position in the text helps to find an element that the path names only by index.
    let (fault, _) = message.rsplit_once(" at line ").unwrap_or((&message, ""));
    let missing = fault.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    match missing {
        Some(field) => Error::Required { field: json_path::join(path, field) },
        None => Error::invalid(whole, message),
    }
}
