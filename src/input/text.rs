//! Free text of an input: cleaned, and checked for its length.

use toposcope_types::text::cleaned;

use crate::error::Error;

/// The maximum number of characters in a name that devices and scanners report.
pub const MAX_NAME: usize = 255;

/// The maximum number of characters in a name that people choose: of a network, a group, a key.
pub const MAX_TITLE: usize = 100;

/// The maximum number of characters in a description that people write.
pub const MAX_DESCRIPTION: usize = 500;

/// The maximum number of characters in a text that devices report, and in a text of a filter.
pub const MAX_TEXT: usize = 4096;

/// Returns the length that limits apply to: characters, not bytes.
pub fn length(text: &str) -> usize {
    text.chars().count()
}

/// Cleans a required text of an input and checks its length in characters.
pub fn required(field: &str, text: String, min: usize, max: usize) -> Result<String, Error> {
    let text = cleaned(text).map_err(|error| Error::invalid(field, error))?;
    let length = length(&text);
    if length < min {
        return Err(Error::MinLength { field: field.to_owned(), min });
    }
    if length > max {
        return Err(Error::MaxLength { field: field.to_owned(), max });
    }
    Ok(text)
}

/// Cleans an optional text of an input and checks its length in characters.
pub fn optional(field: &str, text: Option<String>, max: usize) -> Result<Option<String>, Error> {
    text.map(|text| required(field, text, 0, max)).transpose()
}
