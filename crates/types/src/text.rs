//! Free text from people and devices: rejected if a database cannot store it, never truncated.

use std::{borrow::Cow, fmt::Write as _};

/// A control character where text was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("control character U+{:04X} at position {position}: remove it", u32::from(*.character))]
pub struct ControlCharacter {
    /// The character itself.
    pub character: char,
    /// Its position, in characters from 0.
    pub position: usize,
}

/// Strips the NULs that devices pad with, and normalizes line endings to a newline, as used
/// everywhere here. Returns an error for any control character other than tab or newline.
pub fn clean(text: &str) -> Result<Cow<'_, str>, ControlCharacter> {
    let text = text.trim_end_matches('\0');
    let text = if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    };
    let control = |character: char| character < ' ' && character != '\t' && character != '\n';
    match text.chars().enumerate().find(|&(_, character)| control(character)) {
        Some((position, character)) => Err(ControlCharacter { character, position }),
        None => Ok(text),
    }
}

/// Returns whether a spreadsheet may take a text for a formula: one that begins, after blanks, with
/// one of these characters, full-width ones included.
pub fn is_formula(text: &str) -> bool {
    let formula = |first: char| "=+-@\t\r\n\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".contains(first);
    text.trim_start_matches(' ').starts_with(formula)
}

/// Cleans a string like [`clean`], without a copy if only padding is stripped.
pub fn cleaned(mut text: String) -> Result<String, ControlCharacter> {
    match clean(&text)? {
        Cow::Owned(text) => Ok(text),
        Cow::Borrowed(clean) => {
            let length = clean.len();
            text.truncate(length);
            Ok(text)
        }
    }
}

/// Converts text from another device to a form that can be stored. Strips padding, ends lines with
/// a newline, and writes other control characters in the form `\\x07`. Text from devices is never
/// refused.
pub fn legible(text: &str) -> String {
    let text = text.trim_end_matches('\0').replace("\r\n", "\n").replace('\r', "\n");
    let mut legible = String::with_capacity(text.len());
    for one in text.chars() {
        if one < ' ' && one != '\t' && one != '\n' {
            // Writing to a string never fails.
            let _ = write!(legible, "\\x{:02X}", u32::from(one));
        } else {
            legible.push(one);
        }
    }
    legible
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn padding_goes_and_the_rest_stays() {
        for (text, expected) in [
            ("", ""),
            ("\0\0", ""),
            ("eth0\0\0\0", "eth0"),
            (" a\tb\nc ", " a\tb\nc "),
            ("Büro\u{7f}", "Büro\u{7f}"),
            ("Cisco IOS\r\nCompiled\r\n", "Cisco IOS\nCompiled\n"),
            ("a\rb\r\r\nc\0", "a\nb\n\nc"),
        ] {
            assert_eq!(clean(text).as_deref(), Ok(expected));
            assert_eq!(cleaned(text.to_owned()), Ok(expected.to_owned()));
        }
    }

    #[test]
    fn what_others_send_is_made_legible() {
        assert_eq!(legible("Cisco\r\nIOS\0\0"), "Cisco\nIOS");
        assert_eq!(legible("\0\u{7}a\u{1b}["), r"\x00\x07a\x1B[");
        assert_eq!(clean(&legible("\u{1}\u{2}\r")).as_deref(), Ok("\\x01\\x02\n"));
    }

    #[test]
    fn a_control_character_is_named_with_its_place() {
        for (text, character, position) in [
            ("é\0b", '\0', 1),
            ("\0\0b", '\0', 0),
            ("ab\r\n\u{7}", '\u{7}', 3),
            ("\u{1b}[2J", '\u{1b}', 0),
        ] {
            assert_eq!(clean(text), Err(ControlCharacter { character, position }));
        }
        let error = clean("ab\u{b}").unwrap_err();
        assert_eq!(error.to_string(), "control character U+000B at position 2: remove it");
    }

    proptest! {
        #[test]
        fn cleaning_twice_is_cleaning_once(text in "[\0\t\r\n a-zé]{0,12}") {
            if let Ok(once) = clean(&text) {
                let twice = clean(&once);
                prop_assert_eq!(twice.as_deref(), Ok(&*once));
                prop_assert!(text.starts_with(&*once) || text.contains('\r'));
            }
        }
    }
}
