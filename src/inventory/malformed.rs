//! What is wrong with a value that cannot be read.

use toposcope_types::json_path;

use crate::error::Error;

/// Returns which field is wrong and how, by the path of the value, the error and its words.
pub(super) fn malformed(path: &str, error: &serde_json::Error, message: String) -> Error {
    let path = if [".", "?"].contains(&path) { "" } else { path };
    if error.is_eof() {
        let reason = format!("the document ends too early: {message}; is the file complete?");
        return Error::invalid(path, reason);
    }
    if error.is_syntax() {
        return Error::invalid(path, format!("this is not JSON: {message}"));
    }
    if message.starts_with("invalid type: null") {
        return Error::Required { field: path.to_owned() };
    }
    // The position in the text helps to find an element that the path names only by index.
    let (fault, _) = message.rsplit_once(" at line ").unwrap_or((&message, ""));
    let missing = fault.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    match missing {
        Some(field) => Error::Required { field: json_path::join(path, field) },
        None => Error::invalid(path, message),
    }
}
