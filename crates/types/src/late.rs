//! Placeholders in JSON for long values that are loaded later.

use std::cell::Cell;

use serde::{Serializer, ser::Error as _};

thread_local! {
    static MARKS: Cell<bool> = const { Cell::new(false) };
}

/// A text that nobody can have written, since no text contains a NUL.
const MARK: &str = "\0";
/// The mark as JSON.
const MARK_IN_JSON: &[u8] = br#""\u0000""#;

/// Runs `write`, which writes marks in place of values that are not read yet.
pub fn marked<T>(write: impl FnOnce() -> T) -> T {
    struct Marking;

    impl Drop for Marking {
        fn drop(&mut self) {
            MARKS.set(false);
        }
    }

    MARKS.set(true);
    let _marking = Marking;
    write()
}

/// Serializes a value that is not read yet: as a mark within `marked`, otherwise as an error.
pub fn unread<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    if MARKS.get() {
        return serializer.serialize_str(MARK);
    }
    Err(S::Error::custom("a long value was not read"))
}

/// Splits a JSON text at its marks.
pub fn split(json: &[u8]) -> Vec<Vec<u8>> {
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(quote) = json[at..].iter().position(|byte| *byte == b'"') {
        at += quote;
        if json[at..].starts_with(MARK_IN_JSON) {
            pieces.push(json[start..at].to_vec());
            at += MARK_IN_JSON.len();
            start = at;
        } else {
            at += 1;
        }
    }
    pieces.push(json[start..].to_vec());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_people_write_is_a_mark() {
        let texts = [r#"a"\u0000"b"#, "\\u0000", "\"", r#""\u0000""#];
        let json = serde_json::to_vec(&texts).unwrap();
        assert_eq!(split(&json), std::slice::from_ref(&json));
        let json = serde_json::to_vec(&[texts[0], MARK, texts[1], MARK]).unwrap();
        let pieces = split(&json);
        assert_eq!(pieces.len(), 3);
        let whole = pieces.join(&br#""x""#[..]);
        let read: Vec<String> = serde_json::from_slice(&whole).unwrap();
        assert_eq!(read, [texts[0], "x", texts[1], "x"]);
    }
}
