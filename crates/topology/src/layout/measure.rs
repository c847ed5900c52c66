//! Text widths, without a font.
//!
//! The rule: too wide rather than too narrow, since boxes are sized to fit the text.

use crate::text;

/// The font size in boxes, in pixels.
pub(crate) const LABEL_SIZE: i64 = 13;
/// The font size of port names, in pixels.
pub(crate) const PORT_SIZE: i64 = 11;
/// The maximum width of a label, in pixels.
pub(crate) const WIDEST_LABEL: i64 = 230;
/// The maximum length of a port name, in pixels.
pub(crate) const WIDEST_PORT: i64 = 84;

/// Converts a count to an `i64`, for pixels and sums.
pub(crate) fn whole(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Returns the width in pixels of a line of text at a font size.
pub(crate) fn text_width(text: &str, size: i64) -> i64 {
    text.chars().map(advance).sum::<i64>() * size / 100 + 1
}

/// Cuts text to a width of at most `most`, marking the cut with an ellipsis.
pub(crate) fn fitted(text: &str, size: i64, most: i64) -> String {
    let line = text::one_line(text);
    if text_width(&line, size) <= most {
        return line;
    }
    let mut left = most * 100 / size - advance('…');
    let kept = line.chars().take_while(|&c| {
        left -= advance(c);
        left >= 0
    });
    kept.chain(std::iter::once('…')).collect()
}

/// Returns the width of a character, in hundredths of the font size.
const fn advance(c: char) -> i64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 34,
        'I' | 'f' | 't' | 'r' | '/' | '\\' | '(' | ')' | '[' | ']' | '-' => 42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 100,
        'A'..='Z' | '&' | '+' | '=' | '<' | '>' | '#' | '~' => 78,
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' => 0,
        '\u{0}'..='\u{10ff}' => 62,
        _ => 130,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn fitted_text_fits(text in any::<String>(), most in 20_i64..200) {
            prop_assert!(text_width(&fitted(&text, LABEL_SIZE, most), LABEL_SIZE) <= most + 1);
        }
    }

    #[test]
    fn text_that_fits_is_not_cut() {
        assert_eq!(fitted("core-1", LABEL_SIZE, 190), "core-1");
        assert_eq!(fitted("a\nb", LABEL_SIZE, 190), "a b");
        assert!(fitted(&"x".repeat(500), LABEL_SIZE, 190).ends_with('…'));
    }
}
