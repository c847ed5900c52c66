//! The names of downloads, for names that users gave.

use proptest::prelude::*;
use toposcope::rest::file_name::{Place, content_disposition};

fn attachment(name: &str) -> String {
    content_disposition(Place::Attachment, name, "-l2.svg").to_str().unwrap().to_owned()
}

#[test]
fn a_name_of_plain_ascii_is_given_once() {
    for name in ["lab", "Head Office", "rack_1.b (old)", "a+b,c@d=e"] {
        assert_eq!(attachment(name), format!("attachment; filename=\"{name}-l2.svg\""));
    }
    assert_eq!(content_disposition(Place::Inline, "lab", ".json"), "inline; filename=\"lab.json\"");
}

#[test]
fn other_names_are_given_in_ascii_and_as_they_are() {
    for (name, plain, whole) in [
        ("Büro Zürich", "Buro Zurich", "B%C3%BCro%20Z%C3%BCrich"),
        // The same, each letter and its mark apart.
        ("Bu\u{308}ro", "Buro", "B%C3%BCro"),
        ("Straße", "Strasse", "Stra%C3%9Fe"),
        ("Łódź – Ærø", "Lodz - AEro", "%C5%81%C3%B3d%C5%BA%20%E2%80%93%20%C3%86r%C3%B8"),
        ("東京 2", "__ 2", "%E6%9D%B1%E4%BA%AC%202"),
        ("東京", "download", "%E6%9D%B1%E4%BA%AC"),
        ("50% off; it's", "50_ off_ it_s", "50%25%20off%3B%20it%27s"),
    ] {
        let both = format!("filename=\"{plain}-l2.svg\"; filename*=UTF-8''{whole}-l2.svg");
        assert_eq!(attachment(name), format!("attachment; {both}"), "{name}");
    }
}

#[test]
fn a_name_leaves_neither_its_quotes_nor_its_folder() {
    for (name, plain) in [
        ("a\"b", "a_b"),
        ("a\"; filename=\"b", "a_; filename=_b"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("C:\\lab", "C__lab"),
        ("a\r\nSet-Cookie: b", "a__Set-Cookie_ b"),
        ("a\0b\u{7f}", "a_b_"),
        ("lab\u{202e}gpj", "lab_gpj"),
        (".bashrc", "bashrc"),
        ("-rf", "rf"),
    ] {
        let value = attachment(name).replace("%20", " ").replace("%3B", ";").replace("%3D", "=");
        let safe = plain.replace(';', "_");
        assert!(value.starts_with(&format!("attachment; filename=\"{safe}-l2.svg\"")), "{value}");
        let whole = value.split_once("''").map_or(safe.as_str(), |(_, whole)| whole);
        assert_eq!(whole.trim_end_matches("-l2.svg"), plain, "{value}");
    }
}

#[test]
fn no_file_is_without_a_name() {
    for name in ["", " ", "\n", "..", "-", "///", "\"\"", " . "] {
        assert_eq!(attachment(name), "attachment; filename=\"download-l2.svg\"", "{name:?}");
    }
}

proptest! {
    #[test]
    fn any_name_is_safe_and_short(name in any::<String>(), again in "[äß東🚀/\"\\\\\r\n. ]{0,99}") {
        for name in [name, again] {
            let value = attachment(&name);
            let (plain, whole) = value
                .strip_prefix("attachment; filename=\"")
                .and_then(|rest| rest.split_once('"'))
                .unwrap();
            prop_assert!(plain.len() > "-l2.svg".len() && plain.len() < 255, "{}", value);
            prop_assert!(!plain.contains(['/', '\\', '%', ';']) && !plain.starts_with('.'));
            prop_assert!(plain.chars().all(|c| c.is_ascii_graphic() || c == ' '));
            if let Some(whole) = whole.strip_prefix("; filename*=UTF-8''") {
                let codes = whole.matches('%').count();
                prop_assert!(whole.len() - 2 * codes < 255, "{}", value);
                prop_assert!(!whole.contains(['"', ';', ' ', '/', '\'']), "{}", value);
            } else {
                prop_assert_eq!(whole, "");
            }
        }
    }
}
