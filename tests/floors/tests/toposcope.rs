//! Toposcope keeps the rules.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use toposcope_floors::{
    house::{House, files},
    paths::{self, Named},
    plan::{IMPURE, PURE_DEPENDENCIES, TOPOLOGY_FLOORS, TYPES_FLOORS},
    rules::broken_by_files,
};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn assert_kept(broken: &[String]) {
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

#[test]
fn nobody_imports_from_above_or_in_a_circle_or_past_a_door() {
    let house = House::new("toposcope", files(&root().join("src")).unwrap()).unwrap();
    assert!(house.files.len() > 200, "the sources are elsewhere");
    assert_kept(&house.broken());
}

#[test]
fn the_crates_of_values_and_of_topology_keep_their_floors_and_stay_pure() {
    let crates: Vec<_> = fs::read_dir(root().join("crates")).unwrap().collect();
    assert_eq!(crates.len(), 2, "give a new crate floors in plan.rs");
    for (name, floors, files_wanted) in
        [("topology", TOPOLOGY_FLOORS, 60), ("types", TYPES_FLOORS, 20)]
    {
        let found = files(&root().join(format!("crates/{name}/src"))).unwrap();
        let house = House::new(&format!("toposcope_{name}"), found).unwrap();
        assert!(house.files.len() > files_wanted, "the sources of {name} are elsewhere");
        assert_kept(&house.broken_in(floors));
        if name == "topology" {
            assert_kept(&house.naming(IMPURE));
        }
    }
    let manifest = fs::read_to_string(root().join("crates/topology/Cargo.toml")).unwrap();
    let (_, dependencies) = manifest.split_once("\n[dependencies]\n").unwrap();
    let (dependencies, _) = dependencies.split_once("\n[").unwrap();
    let names = dependencies.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    assert_eq!(names, PURE_DEPENDENCIES);
    // With a feature of it would come what that is for.
    assert!(dependencies.contains("toposcope-types.workspace = true"));
    for kind in ["build-dependencies", "target."] {
        assert!(!manifest.contains(&format!("[{kind}")), "it needs no {kind}");
    }
}

#[test]
fn every_file_says_what_it_is_for_and_can_be_read_in_one_sitting() {
    for folder in [
        "src",
        "crates/topology/src",
        "crates/types/src",
        "migrations/src",
        "tests/it",
        "tests/floors",
        "benches",
    ] {
        assert_kept(&broken_by_files(folder, &files(&root().join(folder)).unwrap()));
    }
}

/// README names all files outside of features that list most resources.
#[test]
fn a_resource_is_in_the_lists_that_readme_names_and_in_no_other() {
    let house = House::new("toposcope", files(&root().join("src")).unwrap()).unwrap();
    let resources: BTreeSet<&str> = (house.files.iter())
        .filter_map(|file| file.path.strip_suffix("/entity.rs"))
        .filter(|folder| house.files.iter().any(|file| file.path == format!("{folder}/rest.rs")))
        .collect();
    assert!(resources.len() > 12, "{resources:?}");
    let mut named: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    // The contents of an inventory document are a decision of their own.
    for arrow in house.arrows.iter().filter(|arrow| !arrow.from.starts_with("inventory/")) {
        let outside = house.feature(&arrow.from).is_none_or(|folder| folder == "nodes");
        if let Some(resource) = house.feature(&arrow.to).filter(|_| outside) {
            named.entry(&arrow.from).or_default().insert(resource);
        }
    }
    named.retain(|_, resources_named| 3 * resources_named.len() > resources.len());
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, adding) = readme.split_once("\n## Adding a resource\n").unwrap();
    let (adding, _) = adding.split_once("\n## ").unwrap();
    let lists: Vec<&str> = named.into_keys().collect();
    assert_eq!(lists, ["nodes/graphql.rs", "nodes/mod.rs", "router.rs", "schema.rs"]);
    for list in lists {
        assert!(adding.contains(&format!("`src/{list}`")), "README does not name src/{list}");
    }
}

#[test]
fn migrations_know_nothing_of_the_product() {
    let manifest = fs::read_to_string(root().join("migrations/Cargo.toml")).unwrap();
    let names_it = |line: &str| line.starts_with("toposcope ") || line.starts_with("toposcope.");
    assert!(!manifest.lines().any(names_it));
    for file in files(&root().join("migrations/src")).unwrap() {
        let paths = paths::read(&file.code).unwrap();
        let names_it = |named: &Named| named.first() == "toposcope";
        assert!(!paths.named.iter().any(names_it), "{} names the product", file.path);
    }
}
