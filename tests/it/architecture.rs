//! The floors of the house, read from the source: who may name whom, and how long a file may be.

use std::{collections::BTreeSet, fs, path::Path};

/// The features: one folder each.
const FEATURES: &[&str] = &[
    "api_keys",
    "bindings",
    "changes",
    "groups",
    "hosts",
    "if_entries",
    "interfaces",
    "networks",
    "organizations",
    "ports",
    "services",
    "subnets",
    "tags",
    "topology",
    "users",
];

/// Folders and files that know no feature, nor the floors above them.
const GROUND: &[&str] =
    &["app.rs", "error/", "playground.rs", "auth/", "db/", "types/", "http/", "graphql/", "rest/"];

/// Who on the ground names a feature all the same.
const GROUND_EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "app.rs",
        "services",
        "the table of well-known services is read once, at the start, for all requests",
    ),
    ("app.rs", "topology", "networks as graphs are remembered for all requests"),
    (
        "db/filter.rs",
        "services",
        "a generic filter lists by name the enumerations that it is made for",
    ),
    (
        "db/filter.rs",
        "changes",
        "a generic filter lists by name the enumerations that it is made for",
    ),
    ("rest/resource.rs", "changes", "the endpoints that delete are the same for every resource"),
];

/// Features whose `graphql.rs` another feature's `graphql.rs` may name: what they share is a
/// GraphQL type or a load, which nothing below knows of.
const SHARED_GRAPHQL: &[(&str, &str)] = &[
    (
        "bindings",
        "the interface `Binding`, the type of fields of services, groups, ports and interfaces",
    ),
    ("changes", "the mutations that delete, the same for every resource"),
    ("groups", "the load of the groups that services are in"),
    ("topology", "the links of ports and the neighbors of devices"),
    ("tags", "the load of the tags of whatever carries some"),
];

/// Who reads a table without asking who asks.
const UNSCOPED_READS: &[(&str, &str)] = &[
    ("api_keys/manage.rs", "the keys of users who are deleted, by whoever may do that"),
    ("auth/", "looks up who asks"),
    ("users/", "logging in, registering and the operator's commands come before there is a viewer"),
    ("organizations/", "the operator's commands; nobody over the network names an organization"),
    ("networks/mod.rs", "`find` and `of_organization` are for the operator's commands"),
];

struct File {
    /// Its path below the folder of sources.
    path: String,
    code: String,
}

impl File {
    /// Its lines without comments and without unit tests.
    fn product(&self) -> String {
        let code = self.code.split("#[cfg(test)]").next().unwrap();
        code.lines()
            .map(|line| line.split("//").next().unwrap())
            .fold(String::new(), |code, line| code + line + "\n")
    }

    /// Every path that its `use` declarations name, from the crate on.
    fn imports(&self) -> BTreeSet<String> {
        let product = self.product();
        let uses = product.split("\nuse ").skip(1).chain(product.split("\npub use ").skip(1));
        let mut paths = BTreeSet::new();
        for declaration in uses {
            let tree: String = declaration.split(';').next().unwrap().split_whitespace().collect();
            flatten("", &tree, &mut paths);
        }
        paths
            .into_iter()
            .filter_map(|path| path.strip_prefix("crate::").map(str::to_owned))
            .collect()
    }

    /// Whether it names this path of the crate, in a `use` or in full.
    fn names(&self, path: &str) -> bool {
        let within = format!("{path}::");
        self.imports().iter().any(|import| import == path || import.starts_with(&within))
            || self.product().contains(&format!("crate::{within}"))
    }

    /// Whether it names this module of a feature, in a `use` or through the feature.
    fn names_module(&self, feature: &str, module: &str) -> bool {
        self.names(&format!("{feature}::{module}"))
            || self
                .product()
                .split(|one: char| !(one.is_alphanumeric() || "_:".contains(one)))
                .any(|path| path.starts_with(&format!("{feature}::{module}::")))
    }

    /// The feature that it belongs to.
    fn feature(&self) -> Option<&str> {
        self.path
            .split_once('/')
            .map(|(folder, _)| folder)
            .filter(|folder| FEATURES.contains(folder))
    }

    /// Whether it has this name, or lies in a folder of a feature that stands for such a file.
    fn is(&self, name: &str) -> bool {
        let folder = name.trim_end_matches(".rs");
        let within = self.feature().map(|feature| format!("{feature}/{folder}/"));
        self.path.ends_with(&format!("/{name}"))
            || within.is_some_and(|within| self.path.starts_with(&within))
    }
}

/// `a::{b, c::{self, d}}` as `a::b`, `a::c` and `a::c::d`.
fn flatten(before: &str, tree: &str, paths: &mut BTreeSet<String>) {
    let Some((path, group)) = tree.split_once('{') else {
        let path = format!("{before}{tree}");
        paths.insert(path.strip_suffix("::self").unwrap_or(&path).to_owned());
        return;
    };
    let group = group.strip_suffix('}').unwrap_or(group);
    let (mut depth, mut start) = (0, 0);
    for (at, character) in group.char_indices().chain([(group.len(), ',')]) {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if at > start {
                    flatten(&format!("{before}{path}"), &group[start..at], paths);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

fn read(folder: &Path, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push((path.to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The files below a folder of this repository.
fn files(below: &str) -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(below);
    let mut files = Vec::new();
    read(&folder, &mut files);
    let relative =
        |path: &str| path.strip_prefix(folder.to_str().unwrap()).unwrap()[1..].to_owned();
    files.into_iter().map(|(path, code)| File { path: relative(&path), code }).collect()
}

#[test]
fn uses_are_read_as_the_compiler_reads_them() {
    let code = "//! x\n\nuse std::fmt;\nuse crate::{\n    a,\n    b::{self, c::D},\n    e::F, // g::H\n};\npub use crate::i::J;\n";
    let file = File { path: "x.rs".to_owned(), code: code.to_owned() };
    let imports: Vec<_> = file.imports().into_iter().collect();
    assert_eq!(imports, ["a", "b", "b::c::D", "e::F", "i::J"]);
}

#[test]
fn the_features_are_all_known_here() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for entry in fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        if path.join("entity.rs").exists() {
            found.push(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
    }
    found.sort();
    assert_eq!(found, FEATURES);
}

#[test]
fn the_ground_floor_knows_no_feature() {
    let mut used = BTreeSet::new();
    for file in files("src") {
        if !GROUND.iter().any(|ground| {
            file.path == *ground || ground.ends_with('/') && file.path.starts_with(ground)
        }) {
            continue;
        }
        for feature in FEATURES.iter().filter(|feature| file.names(feature)) {
            let exception =
                GROUND_EXCEPTIONS.iter().find(|(path, of, _)| *path == file.path && of == feature);
            assert!(exception.is_some(), "{} names the feature {feature}", file.path);
            used.insert((file.path.clone(), *feature));
        }
        for above in ["router", "server", "cli"] {
            assert!(!file.names(above), "{} names {above}", file.path);
        }
    }
    assert_eq!(
        used.len(),
        GROUND_EXCEPTIONS.len(),
        "an exception is no longer needed; used are {used:?}"
    );
}

#[test]
fn storing_and_deciding_know_no_protocol() {
    for file in files("src") {
        if file.path.starts_with("db/")
            || file.path.starts_with("auth/")
            || file.path.starts_with("types/")
        {
            assert!(
                !file.names("graphql") && !file.names("rest"),
                "{} names a protocol",
                file.path
            );
        }
        let Some(feature) = file.feature() else { continue };
        if file.is("graphql.rs") {
            assert!(!file.names("rest"), "{} names REST", file.path);
        } else if file.is("rest.rs") {
            assert!(!file.names("graphql"), "{} names GraphQL", file.path);
        } else {
            for protocol in ["graphql", "rest"] {
                assert!(!file.names(protocol), "{} names {protocol}", file.path);
                for of in FEATURES.iter().filter(|of| **of != feature) {
                    assert!(
                        !file.names_module(of, protocol),
                        "{} names {of}::{protocol}",
                        file.path
                    );
                }
            }
        }
    }
}

#[test]
fn faces_of_features_are_named_by_the_lists_of_contents_only() {
    let mut shared = BTreeSet::new();
    for file in files("src") {
        if ["router.rs", "schema.rs"].contains(&file.path.as_str()) {
            continue;
        }
        for of in FEATURES.iter().filter(|of| Some(**of) != file.feature()) {
            if file.names_module(of, "rest") {
                let exception = GROUND_EXCEPTIONS
                    .iter()
                    .any(|(path, feature, _)| *path == file.path && feature == of);
                assert!(exception, "{} names {of}::rest", file.path);
            }
            if file.names_module(of, "graphql") {
                assert!(file.is("graphql.rs"), "{} names {of}::graphql", file.path);
                assert!(
                    SHARED_GRAPHQL.iter().any(|(one, _)| one == of),
                    "{} names {of}::graphql",
                    file.path
                );
                shared.insert(*of);
            }
        }
    }
    assert_eq!(
        shared.len(),
        SHARED_GRAPHQL.len(),
        "an exception is no longer needed; used are {shared:?}"
    );
}

#[test]
fn tables_are_read_through_the_one_door() {
    let mut used = BTreeSet::new();
    for file in files("src") {
        if file.is("entity.rs") || file.path == "db/resource.rs" {
            continue;
        }
        let product = file.product();
        if !product.contains("::find()") && !product.contains("::find_by_id(") {
            continue;
        }
        let exception = UNSCOPED_READS.iter().find(|(path, _)| file.path.starts_with(path));
        let (path, _) =
            exception.unwrap_or_else(|| panic!("{} reads a table past `visible_to`", file.path));
        used.insert(*path);
    }
    assert_eq!(
        used.len(),
        UNSCOPED_READS.len(),
        "an exception is no longer needed; used are {used:?}"
    );
}

#[test]
fn migrations_know_nothing_of_the_product() {
    let manifest =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations/Cargo.toml"))
            .unwrap();
    assert!(
        !manifest
            .lines()
            .any(|line| line.starts_with("toposcope ") || line.starts_with("toposcope."))
    );
    for file in files("migrations/src") {
        assert!(!file.product().contains("toposcope"), "{}", file.path);
    }
}

#[test]
fn modules_say_what_they_are_for_and_no_file_is_too_long() {
    for below in ["src", "migrations/src"] {
        for File { path, code } in files(below) {
            assert!(code.starts_with("//! "), "{below}/{path} does not begin with what it is for");
            let lines = code.lines().count();
            assert!(lines <= 400, "{below}/{path} has {lines} lines; split it");
        }
    }
}

#[test]
fn no_module_is_for_leftovers() {
    for file in files("src") {
        for name in ["utils", "util", "common", "shared", "misc", "helpers", "manager", "factory"] {
            let named = file.path.split('/').any(|part| part.trim_end_matches(".rs") == name);
            assert!(!named, "{} is for leftovers; put each thing where it is used", file.path);
        }
    }
}
