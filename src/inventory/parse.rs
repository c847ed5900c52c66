//! Reading the text of a document, with the place and the remedy of what is wrong in it.

use serde_json::Value;
use toposcope_types::json_path;

use super::{
    document::{Document, FORMAT},
    left_out::Faults,
    malformed::malformed,
    sieve::Sieve,
};
use crate::error::{Error, Result};

/// Parses a document; returns it with the paths of unknown keys, and with the elements that cannot
/// be read if it `skips` them.
pub fn parse(text: &str, skips: bool) -> Result<(Document, Vec<String>, Faults)> {
    let text = text.trim_start_matches('\u{feff}');
    require_object(text)?;
    let (document, unknown, faults) = match strict(text) {
        // Reading element by element takes longer, so only a document that needs it is read so.
        Err(Fault { in_element: true, .. }) if skips => {
            Sieve::read_all::<Document>(text).map_err(of_document)?
        }
        Err(Fault { error, .. }) => return Err(of_document(error)),
        Ok((document, unknown)) => (document, unknown, Faults::new(skips)),
    };
    if document.format != FORMAT {
        return Err(Error::invalid("format", format!("it must be `{FORMAT}`")));
    }
    Ok((document, unknown, faults))
}

/// Parses a document in which every value is valid; returns it with the paths of unknown keys.
fn strict(text: &str) -> std::result::Result<(Document, Vec<String>), Fault> {
    let mut unknown = Vec::new();
    let mut json = serde_json::Deserializer::from_str(text);
    let mut note = |path: serde_ignored::Path<'_>| unknown.push(json_path::of_ignored(&path));
    let reader = serde_ignored::Deserializer::new(&mut json, &mut note);
    let document: Document = serde_path_to_error::deserialize(reader).map_err(|error| {
        let (path, error) = (error.path().to_string(), error.into_inner());
        let message = error.to_string();
        Fault { error: malformed(&path, &error, message), in_element: error.is_data() }
    })?;
    json.end().map_err(|_| {
        let error = Error::invalid("document", "there is something after its end");
        Fault { error, in_element: false }
    })?;
    Ok((document, unknown))
}

/// The first fault of a document.
struct Fault {
    error: Error,
    /// Whether it may concern a single element: the document is JSON, as far as it has been read.
    in_element: bool,
}

/// Names the document as the place of an error that has none.
fn of_document(error: Error) -> Error {
    match error {
        Error::InvalidFormat { field, reason } if field.is_empty() => {
            Error::invalid("document", reason)
        }
        error => error,
    }
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
