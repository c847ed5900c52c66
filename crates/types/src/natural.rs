//! The natural order of names: numbers in them compare by value, so `Ethernet1/2` comes before
//! `Ethernet1/10`.

/// The character between the two parts of a key. [`clean`](crate::text::clean) refuses it, so no
/// stored name contains it.
pub const TIE: char = '\u{1}';

/// The maximum length of a key, in bytes: PostgreSQL indexes no longer row than 2,704 bytes. The
/// key of a name of 255 characters always fits.
pub const MAX_KEY: usize = 2048;

/// Returns the sort key of a name. The keys of names in natural order are in the order of their
/// bytes, which is how both databases compare them.
///
/// Digits compare by the value of the number, and A to Z without regard to case. Names that differ
/// in nothing else are ordered by their own bytes.
///
/// # Examples
///
/// ```
/// # use toposcope_types::natural::natural_key;
/// assert!(natural_key("Ethernet1/2") < natural_key("ethernet1/10"));
/// assert!(natural_key("eth02") < natural_key("eth2"));
/// ```
pub fn natural_key(name: &str) -> String {
    let mut key = String::with_capacity(2 * name.len() + 8);
    let mut rest = name;
    while let Some(start) = rest.find(|one: char| one.is_ascii_digit()) {
        let (text, number) = rest.split_at(start);
        let end = number.find(|one: char| !one.is_ascii_digit()).unwrap_or(number.len());
        push_text(&mut key, text);
        push_number(&mut key, number[..end].trim_start_matches('0'));
        rest = &number[end..];
    }
    push_text(&mut key, rest);
    key.push(TIE);
    key.push_str(name);
    key.truncate(key.floor_char_boundary(MAX_KEY));
    key
}

/// Appends text with A to Z folded. What would sort below the end of a name is raised above it.
fn push_text(key: &mut String, text: &str) {
    key.extend(text.chars().map(|one| one.to_ascii_lowercase().max('\u{2}')));
}

/// Appends the number of digits, less one, and then the digits; a count above nine is a 9 and then
/// the count, written as any number. The result begins with a digit, so a number keeps its place
/// among other characters.
fn push_number(key: &mut String, digits: &str) {
    let digits = if digits.is_empty() { "0" } else { digits };
    if let Some(count) = "012345678".get(digits.len() - 1..digits.len()) {
        key.push_str(count);
    } else {
        key.push('9');
        push_number(key, &digits.len().to_string());
    }
    key.push_str(digits);
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_of_ports_are_in_the_order_of_their_numbers() {
        let in_order = [
            "",
            " ",
            "1",
            "2",
            "10",
            "Ethernet1",
            "ethernet1",
            "Ethernet1/1",
            "Ethernet1/2",
            "Ethernet1/10",
            "Ethernet1/10.1",
            "Ethernet1/10.20",
            "Ethernet2",
            "Ethernet9",
            "Ethernet48",
            "Ethernet49/1",
            "Ethernet53/1",
            "Ethernet999999999",
            "Ethernet1000000000",
            "Ethernet99999999999999999999",
            "Ethernet100000000000000000000",
            "EthernetA",
            "Gi1/0/2",
            "gi1/0/02",
            "Gi1/0/10",
            "gi1/0/10",
            "port 0",
            "port 00",
            "port 1",
            "ä1",
            "ä2",
            "ä10",
            "端口2",
            "端口10",
        ];
        for (nth, name) in in_order.iter().enumerate() {
            for (other, later) in in_order.iter().enumerate() {
                let ordering = natural_key(name).cmp(&natural_key(later));
                assert_eq!(ordering, nth.cmp(&other), "{name} and {later}");
            }
        }
    }

    #[test]
    fn the_key_of_every_name_that_may_be_stored_is_whole() {
        for name in ["1", "a", "\u{10ffff}", "1a", "1\u{10ffff}", "0"] {
            let longest: String = name.chars().cycle().take(255).collect();
            assert!(natural_key(&longest).ends_with(&format!("{TIE}{longest}")));
        }
        assert!(natural_key(&"é".repeat(5000)).len() <= MAX_KEY);
    }

    /// A character or a number of a name.
    #[derive(PartialEq, Eq)]
    enum Part {
        Character(char),
        Number(u128),
    }

    impl Part {
        fn compare(&self, other: &Self) -> Ordering {
            match (self, other) {
                (Self::Character(one), Self::Character(other)) => one.cmp(other),
                (Self::Number(one), Self::Number(other)) => one.cmp(other),
                (Self::Character(one), Self::Number(_)) => one.cmp(&'0'),
                (Self::Number(_), Self::Character(other)) => '0'.cmp(other),
            }
        }
    }

    fn parts(name: &str) -> Vec<Part> {
        let mut parts = Vec::new();
        for one in name.chars() {
            match (one.to_digit(10), parts.last_mut()) {
                (Some(digit), Some(Part::Number(number))) => {
                    *number = *number * 10 + u128::from(digit);
                }
                (Some(digit), _) => parts.push(Part::Number(digit.into())),
                (None, _) => parts.push(Part::Character(one.to_ascii_lowercase())),
            }
        }
        parts
    }

    /// Compares as the documentation says.
    fn compare(name: &str, other: &str) -> Ordering {
        let (one, two) = (parts(name), parts(other));
        let differing = one.iter().zip(&two).map(|(one, two)| one.compare(two));
        differing
            .fold(Ordering::Equal, Ordering::then)
            .then(one.len().cmp(&two.len()))
            .then_with(|| name.cmp(other))
    }

    proptest! {
        #[test]
        fn keys_compare_as_the_names_do(
            name in "[\t /a-cA-C0-9é]{0,16}",
            other in "[\t /a-cA-C0-9é]{0,16}",
        ) {
            prop_assert_eq!(natural_key(&name).cmp(&natural_key(&other)), compare(&name, &other));
        }

        #[test]
        fn different_names_have_different_keys(
            name in "[\0-\u{3}aA0]{0,6}",
            other in "[\0-\u{3}aA0]{0,6}",
        ) {
            prop_assert_eq!(natural_key(&name) == natural_key(&other), name == other);
        }

        #[test]
        fn what_differs_in_leading_zeros_only_stays_together(
            before in "[a-z]{0,3}", number in 0..u64::MAX, zeros in 1..9_usize, after in "[a-z]{0,3}",
        ) {
            let plain = natural_key(&format!("{before}{number}{after}"));
            let padded = natural_key(&format!("{before}{}{number}{after}", "0".repeat(zeros)));
            let next = natural_key(&format!("{before}{}{after}", u128::from(number) + 1));
            prop_assert!(plain < next && padded < next && plain != padded);
        }
    }
}
