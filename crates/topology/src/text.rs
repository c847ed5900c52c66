//! Text for pictures and exports: sanitized, put on one line, shortened; and formatted speeds.
//!
//! The rule: nothing in a label may break out of its context, and text that the format can carry
//! round-trips unchanged.

use std::borrow::Cow;

/// Replaces what XML 1.0 and YANG strings cannot hold: control characters other than tab and line
/// ends, and the two noncharacters at the end of the basic plane.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_forbidden) {
        let replaced = text.chars().map(|c| if is_forbidden(c) { '\u{fffd}' } else { c });
        Cow::Owned(replaced.collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns whether XML 1.0 or YANG forbids a character. C1 controls count as forbidden, since YANG
/// and terminals object to them.
fn is_forbidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\t' | '\n' | '\r'))
        || matches!(u32::from(c) & 0xffff, 0xfffe | 0xffff)
        || ('\u{fdd0}'..='\u{fdef}').contains(&c)
}

/// Escapes text for XML, both between tags and in a quoted attribute.
///
/// Tabs and line ends become character references, so that attribute and line end normalization
/// (XML 1.0, sections 2.11 and 3.3.3) leave them alone.
pub fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in printable(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Puts text on one line for drawing: each control character becomes a space or a replacement.
pub(crate) fn one_line(text: &str) -> String {
    printable(text).chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Shortens text to at most `most` characters, marking the cut with an ellipsis.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(std::iter::once('…')).collect()
}

/// Formats a speed for people, such as `10 Gbit/s`.
pub fn speed(bits_per_second: u64) -> String {
    const UNITS: [(u64, &str); 4] = [
        (1_000_000_000_000, "Tbit/s"),
        (1_000_000_000, "Gbit/s"),
        (1_000_000, "Mbit/s"),
        (1_000, "kbit/s"),
    ];
    let found = UNITS.iter().find(|(size, _)| bits_per_second >= *size);
    let Some(&(size, unit)) = found else { return format!("{bits_per_second} bit/s") };
    let tenths = bits_per_second / (size / 10);
    match tenths % 10 {
        0 => format!("{} {unit}", tenths / 10),
        tenth => format!("{}.{tenth} {unit}", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unescape(text: &str) -> String {
        [
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&quot;", "\""),
            ("&#39;", "'"),
            ("&#9;", "\t"),
            ("&#10;", "\n"),
        ]
        .iter()
        .fold(text.replace("&#13;", "\r"), |text, (code, plain)| text.replace(code, plain))
        .replace("&amp;", "&")
    }

    proptest! {
        #[test]
        fn any_text_is_well_formed_in_xml_and_comes_back(text in any::<String>()) {
            let escaped = xml(&text);
            prop_assert!(!escaped.contains(['<', '>', '"', '\'', '\n', '\r', '\t']));
            prop_assert!(!escaped.chars().any(char::is_control));
            prop_assert_eq!(unescape(&escaped), printable(&text));
        }

        #[test]
        fn text_on_one_line_has_no_control_character(text in any::<String>()) {
            prop_assert!(!one_line(&text).chars().any(char::is_control));
            prop_assert_eq!(one_line(&text).chars().count(), text.chars().count());
        }

        #[test]
        fn shortened_text_is_never_longer_than_asked(text in any::<String>(), most in 1_usize..40) {
            let short = shortened(&text, most);
            prop_assert!(short.chars().count() <= most);
            prop_assert!(short == text || short.ends_with('…'));
        }
    }

    #[test]
    fn characters_that_xml_cannot_hold_are_replaced() {
        assert_eq!(xml("a\u{0}\u{1b}\u{fffe}\u{85}b"), "a\u{fffd}\u{fffd}\u{fffd}\u{fffd}b");
    }

    #[test]
    fn a_section_end_and_a_script_do_not_survive_as_markup() {
        assert_eq!(xml("]]><script>-->"), "]]&gt;&lt;script&gt;--&gt;");
    }

    #[test]
    fn speeds_are_written_as_people_say_them() {
        assert_eq!(speed(10_000_000_000), "10 Gbit/s");
        assert_eq!(speed(2_500_000_000), "2.5 Gbit/s");
        assert_eq!(speed(100_000_000), "100 Mbit/s");
        assert_eq!(speed(12), "12 bit/s");
    }
}
