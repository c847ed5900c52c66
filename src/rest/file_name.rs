//! The names that downloads are saved under, in `Content-Disposition` (RFC 6266).
//!
//! The rule: a name may hold whatever a user typed, so nothing of it can leave its header, its
//! quotes or its folder.

use std::fmt::Write as _;

use axum::http::HeaderValue;
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// The name of a file whose own is empty.
const NAMELESS: &str = "download";
/// The maximum length of a name before its suffix, in characters.
const MAX_CHARS: usize = 64;
/// The same in bytes: file systems allow 255 with the suffix.
const MAX_BYTES: usize = 200;

/// The place for a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The window, if the browser can show it there.
    Inline,
    /// A file.
    Attachment,
}

/// Returns the value of `Content-Disposition` for a name of any text and a suffix of plain ASCII.
///
/// A name of other characters is given twice: in ASCII, as near as possible, for clients that know
/// only `filename`, and as it is in `filename*` (RFC 8187).
pub fn content_disposition(place: Place, name: &str, suffix: &str) -> HeaderValue {
    let name = cleaned(name);
    let plain = in_ascii(&name);
    let mut value = match place {
        Place::Inline => "inline",
        Place::Attachment => "attachment",
    }
    .to_owned();
    let _ = write!(value, "; filename=\"{plain}{suffix}\"");
    if plain != name {
        let _ = write!(value, "; filename*=UTF-8''{}{suffix}", encoded(&name));
    }
    HeaderValue::from_str(&value).unwrap_or(HeaderValue::from_static("attachment"))
}

/// Replaces what a file system, a shell or a reader would take for something else: separators,
/// quotes, wildcards, control characters, and characters that reverse the direction of a text.
fn cleaned(name: &str) -> String {
    let refused = |c: char| {
        c.is_control()
            || matches!(c, '/' | '\\' | '"' | '<' | '>' | ':' | '|' | '?' | '*')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
            || c == '\u{feff}'
    };
    let mut room = MAX_BYTES;
    let kept = name.trim().nfc().take(MAX_CHARS).take_while(|c| {
        let fits = c.len_utf8() <= room;
        room = room.saturating_sub(c.len_utf8());
        fits
    });
    named(&kept.map(|c| if refused(c) { '_' } else { c }).collect::<String>())
}

/// Writes a name in the ASCII characters that every client reads alike, letters without their marks.
fn in_ascii(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for c in name.nfkd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'ß' => plain.push_str("ss"),
            'Æ' => plain.push_str("AE"),
            'æ' => plain.push_str("ae"),
            'Œ' => plain.push_str("OE"),
            'œ' => plain.push_str("oe"),
            'Þ' => plain.push_str("Th"),
            'þ' => plain.push_str("th"),
            'Ø' => plain.push('O'),
            'ø' => plain.push('o'),
            'Ł' => plain.push('L'),
            'ł' => plain.push('l'),
            'Đ' | 'Ð' => plain.push('D'),
            'đ' | 'ð' => plain.push('d'),
            'ı' => plain.push('i'),
            '‐'..='―' => plain.push('-'),
            c if c.is_ascii_alphanumeric() || " -._()+,@=".contains(c) => plain.push(c),
            _ => plain.push('_'),
        }
    }
    named(&plain)
}

/// Cuts what would hide a file, climb out of a folder or pass for an option; gives a name to what is
/// left without one.
fn named(name: &str) -> String {
    let name = name.trim_matches(|c: char| c.is_whitespace() || c == '.' || c == '-');
    if name.chars().all(|c| c == '_') { NAMELESS.to_owned() } else { name.to_owned() }
}

/// Encodes a name by RFC 8187, section 3.2.1.
fn encoded(name: &str) -> String {
    let mut encoded = String::with_capacity(name.len() * 3);
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}
