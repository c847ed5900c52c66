//! Paths of values within a JSON document, such as `hosts[3].interfaces[0].name`.

/// Returns the path of a value: `path` leads to it from the value at `parent`. Either is empty for
/// the value itself.
pub fn join(parent: &str, path: &str) -> String {
    match (parent, path) {
        (parent, "") => parent.to_owned(),
        (parent, path) if path.starts_with('[') => format!("{parent}{path}"),
        (parent, path) => of_key(parent, path),
    }
}

/// Returns the path of a key of the object at `parent`, whatever characters the key has.
pub fn of_key(parent: &str, key: &str) -> String {
    if parent.is_empty() { key.to_owned() } else { format!("{parent}.{key}") }
}

/// Returns the path of an element of the list at `parent`.
pub fn of_element(parent: &str, index: usize) -> String {
    format!("{parent}[{index}]")
}

/// Returns the path of a key that was ignored.
pub fn of_ignored(path: &serde_ignored::Path<'_>) -> String {
    use serde_ignored::Path;
    match path {
        Path::Root => String::new(),
        Path::Seq { parent, index } => of_element(&of_ignored(parent), *index),
        Path::Map { parent, key } => of_key(&of_ignored(parent), key),
        Path::Some { parent }
        | Path::NewtypeStruct { parent }
        | Path::NewtypeVariant { parent } => of_ignored(parent),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[test]
    fn a_path_continues_the_path_of_its_parent() {
        for (parent, path, whole) in [
            ("", "", ""),
            ("", "name", "name"),
            ("", "[3]", "[3]"),
            ("", "[3].name", "[3].name"),
            ("hosts", "", "hosts"),
            ("hosts", "[3]", "hosts[3]"),
            ("hosts", "[3].name", "hosts[3].name"),
            ("hosts[3]", "name", "hosts[3].name"),
            ("hosts[3]", "interfaces[0].name", "hosts[3].interfaces[0].name"),
            ("lists", "[0][1]", "lists[0][1]"),
        ] {
            assert_eq!(join(parent, path), whole, "`{parent}` and `{path}`");
        }
    }

    #[test]
    fn a_key_is_no_path_whatever_it_looks_like() {
        for (parent, key, whole) in [
            ("", "name", "name"),
            ("", "", ""),
            ("", "[3]", "[3]"),
            ("hosts[3]", "name", "hosts[3].name"),
            ("host", "[3]", "host.[3]"),
            ("host", "a.b", "host.a.b"),
            ("host", "", "host."),
        ] {
            assert_eq!(of_key(parent, key), whole, "`{parent}` and `{key}`");
        }
    }

    #[test]
    fn an_element_is_named_by_its_index() {
        for (parent, index, whole) in
            [("", 0, "[0]"), ("hosts", 12, "hosts[12]"), ("hosts[3].tags", 0, "hosts[3].tags[0]")]
        {
            assert_eq!(of_element(parent, index), whole);
        }
    }

    #[test]
    fn ignored_keys_are_named_by_their_paths() {
        #[derive(Deserialize)]
        struct Host {
            #[serde(rename = "interfaces")]
            _interfaces: Option<Vec<Interface>>,
        }
        #[derive(Deserialize)]
        struct Interface {
            #[serde(rename = "name")]
            _name: Option<String>,
        }
        let text = r#"{"color": 1, "": 2, "[0]": 3, "interfaces": [{"name": "a"},
            {"mac": 4, "a.b": 5, "[1]": 6, "": 7}]}"#;
        let (mut json, mut paths) = (serde_json::Deserializer::from_str(text), Vec::new());
        let mut note = |path: serde_ignored::Path<'_>| paths.push(of_ignored(&path));
        Host::deserialize(serde_ignored::Deserializer::new(&mut json, &mut note)).unwrap();
        assert_eq!(
            paths,
            [
                "color",
                "",
                "[0]",
                "interfaces[1].mac",
                "interfaces[1].a.b",
                "interfaces[1].[1]",
                "interfaces[1]."
            ]
        );
    }
}
