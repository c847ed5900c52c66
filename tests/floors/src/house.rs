//! The files of a crate, the modules that they are, and who names whom.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs, io,
    path::Path,
};

use crate::paths::{self, Named, Paths};

/// One file of sources.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path below the folder of the crate's sources, such as `hosts/entity.rs`.
    pub path: String,
    /// Its text.
    pub code: String,
}

/// An import of one file by another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    /// The importing file.
    pub from: String,
    /// The imported file: the module, or the one that defines the item.
    pub to: String,
    /// The line of the first import.
    pub line: usize,
    /// The imported path.
    pub name: String,
}

/// The sources of a crate.
#[derive(Debug)]
pub struct House {
    /// The files, by path.
    pub files: Vec<File>,
    /// The imports, one for each pair of files.
    pub arrows: Vec<Arrow>,
    /// The names in each file, by its path.
    pub paths: BTreeMap<String, Paths>,
    /// The features: the folders with a table.
    features: BTreeSet<String>,
}

/// A path from the crate on, and as it is written.
struct Resolved<'n> {
    path: Vec<String>,
    named: &'n Named,
}

/// The files with an ending below a folder, in the order of paths.
///
/// # Errors
///
/// The folder or a file cannot be read.
pub fn files(folder: &Path) -> io::Result<Vec<File>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let code = fs::read_to_string(&path)?;
                let below = path.strip_prefix(folder).unwrap_or(&path);
                found.push(File { path: below.display().to_string(), code });
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

impl House {
    /// Reads the imports between the files of a crate; other crates call it `name`.
    ///
    /// # Errors
    ///
    /// A file is not Rust.
    pub fn new(name: &str, files: Vec<File>) -> Result<Self, String> {
        let modules: HashMap<Vec<String>, &str> =
            files.iter().map(|file| (module(&file.path), file.path.as_str())).collect();
        let mut read = BTreeMap::new();
        for file in &files {
            let paths =
                paths::read(&file.code).map_err(|error| format!("{}: {error}", file.path))?;
            read.insert(file.path.clone(), paths);
        }
        let mut resolved = Vec::with_capacity(files.len());
        let mut imported = HashMap::new();
        for (path, paths) in &read {
            let module = module(path);
            let here = absolute(name, &module, &modules, &paths.named);
            for one in here.iter().filter(|one| one.named.imported && one.named.within.is_empty()) {
                let called = one.named.called().to_owned();
                imported.insert([&module[..], &[called]].concat(), one.path.clone());
            }
            resolved.push((path, module, paths, here));
        }
        let mut arrows = BTreeMap::new();
        for (from, module, paths, here) in resolved {
            let firsts = paths.named.iter().filter(|named| !named.imported).map(Named::first);
            let used: BTreeSet<&str> = firsts.collect();
            for Resolved { path, named } in here {
                // A folder hands on what its files define, and mostly uses none of it.
                let is_used = paths.words.contains(named.called());
                if named.handed_on && path.starts_with(&module) && !is_used {
                    continue;
                }
                // Unit tests may use anything, as if they stood above all floors.
                if named.within.first().is_some_and(|module| module == "tests") {
                    continue;
                }
                let path = defined(&imported, &modules, path);
                // A file that imports a module names the module again wherever it uses something of
                // it, but for a glob, and for modules that only the texts of attributes name.
                let is_module = named.imported && modules.contains_key(&path);
                if is_module && !named.is_glob() && used.contains(named.called()) {
                    continue;
                }
                let Some(to) = holder(&modules, &path).filter(|to| to != from) else { continue };
                arrows.entry((from, to)).or_insert_with(|| Arrow {
                    from: from.clone(),
                    to: to.to_owned(),
                    line: named.line,
                    name: path.join("::"),
                });
            }
        }
        let arrows = arrows.into_values().collect();
        let features = files.iter().filter_map(|file| file.path.strip_suffix("/entity.rs"));
        let features = features.map(str::to_owned).collect();
        Ok(Self { files, arrows, paths: read, features })
    }

    /// The feature in whose folder a file is.
    pub fn feature<'p>(&self, path: &'p str) -> Option<&'p str> {
        let (folder, _) = path.split_once('/')?;
        self.features.contains(folder).then_some(folder)
    }

    /// The circles: sets of files of which each is reached from each.
    pub fn circles(&self) -> Vec<Vec<String>> {
        let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for arrow in &self.arrows {
            next.entry(&arrow.from).or_default().push(&arrow.to);
        }
        let reach: BTreeMap<&str, BTreeSet<&str>> = self
            .files
            .iter()
            .map(|file| (file.path.as_str(), reached(&next, &file.path)))
            .collect();
        let mut circles = BTreeSet::new();
        for (file, own) in &reach {
            let circle: Vec<String> = own
                .iter()
                .filter(|other| reach.get(**other).is_some_and(|back| back.contains(file)))
                .map(|other| (*other).to_owned())
                .collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }
}

/// All files that one leads to.
fn reached<'f>(next: &BTreeMap<&str, Vec<&'f str>>, from: &'f str) -> BTreeSet<&'f str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(one) = open.pop() {
        let more = next.get(one).into_iter().flatten();
        open.extend(more.copied().filter(|one| reached.insert(*one)));
    }
    reached
}

/// The module that a file is.
fn module(path: &str) -> Vec<String> {
    let mut parts: Vec<String> =
        path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod" || last == "lib") {
        parts.pop();
    }
    parts
}

/// The path by which something is defined, whoever hands it on.
fn defined(
    imported: &HashMap<Vec<String>, Vec<String>>,
    modules: &HashMap<Vec<String>, &str>,
    mut path: Vec<String>,
) -> Vec<String> {
    let mut seen = BTreeSet::new();
    while seen.insert(path.clone()) {
        // A module may be called as something in it, and that is handed on under the same path.
        let step = (1..=path.len()).find_map(|length| {
            let from = imported.get(&path[..length])?;
            let is_module = length < path.len() && modules.contains_key(&path[..length]);
            (!is_module).then(|| [&from[..], &path[length..]].concat())
        });
        match step {
            Some(next) => path = next,
            None => break,
        }
    }
    path
}

/// The file that a path leads to: that of the deepest module on it.
fn holder<'f>(modules: &HashMap<Vec<String>, &'f str>, path: &[String]) -> Option<&'f str> {
    // The root of the crate declares its modules, which is no file's business.
    (1..=path.len()).rev().find_map(|length| modules.get(&path[..length])).copied()
}

/// Paths from the crate on; those of other crates are left out.
fn absolute<'n>(
    name: &str,
    here: &[String],
    modules: &HashMap<Vec<String>, &str>,
    named: &'n [Named],
) -> Vec<Resolved<'n>> {
    // A module sees what those around it import, unless it imports something else of that name.
    let mut imported: HashMap<(&[String], &str), Vec<String>> = HashMap::new();
    let mut found = Vec::new();
    for import in [true, false] {
        for one in named.iter().filter(|one| one.imported == import) {
            let Some((first, rest)) = one.path().split_first() else { continue };
            let around = [here, &one.within].concat();
            let start = match first.as_str() {
                "crate" => Some(Vec::new()),
                "self" => Some(around),
                "super" => Some(around[..around.len().saturating_sub(1)].to_vec()),
                first if first == name => Some(Vec::new()),
                first => {
                    let child = [&around[..], &[first.to_owned()]].concat();
                    let mut scopes = (0..=one.within.len()).rev().map(|depth| &one.within[..depth]);
                    let seen = scopes.find_map(|scope| imported.get(&(scope, first)).cloned());
                    seen.or_else(|| modules.contains_key(&child).then_some(child))
                }
            };
            let Some(mut path) = start else { continue };
            for segment in rest {
                match segment.as_str() {
                    "super" => drop(path.pop()),
                    segment => path.push(segment.to_owned()),
                }
            }
            if import && !one.is_glob() {
                imported.insert((&one.within, one.called()), path.clone());
            }
            found.push(Resolved { path, named: one });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{File, House};

    fn house(files: &[(&str, &str)]) -> House {
        let file = |(path, code): &(&str, &str)| File {
            path: (*path).to_owned(),
            code: (*code).to_owned(),
        };
        House::new("it", files.iter().map(file).collect()).unwrap()
    }

    fn arrows(files: &[(&str, &str)]) -> Vec<String> {
        house(files).arrows.iter().map(|arrow| format!("{} > {}", arrow.from, arrow.to)).collect()
    }

    #[test]
    fn names_lead_to_the_file_that_is_the_module() {
        let a = "use crate::b::{self, c::D};\nuse super::e as f;\nfn x() { b::c::y(); f::z(); g::h() }\nmod g;";
        let files =
            [("a/mod.rs", a), ("a/g.rs", ""), ("b/mod.rs", ""), ("b/c.rs", ""), ("e.rs", "")];
        let wanted = ["a/mod.rs > a/g.rs", "a/mod.rs > b/c.rs", "a/mod.rs > e.rs"];
        assert_eq!(arrows(&files), wanted);
    }

    #[test]
    fn what_stands_below_the_tests_of_a_file_is_read_too_but_not_they() {
        let code = "mod tests { use super::*; use super::super::b; } fn f() { crate::c::g() }";
        assert_eq!(arrows(&[("a.rs", code), ("b.rs", ""), ("c.rs", "")]), ["a.rs > c.rs"]);
    }

    #[test]
    fn what_a_module_imports_is_its_own() {
        let code =
            "use crate::b; fn f() { b::g() } mod inner { use crate::c as b; fn f() { b::g() } }";
        let files = [("a.rs", code), ("b.rs", ""), ("c.rs", "")];
        assert_eq!(arrows(&files), ["a.rs > b.rs", "a.rs > c.rs"]);
    }

    #[test]
    fn what_a_folder_hands_on_counts_where_it_uses_it() {
        let files = [("a/mod.rs", "pub use self::b::f;"), ("a/b.rs", "")];
        assert_eq!(arrows(&files), [""; 0]);
        let files = [("a/mod.rs", "pub use self::b::f; fn g() { f(1) }"), ("a/b.rs", "")];
        assert_eq!(arrows(&files), ["a/mod.rs > a/b.rs"]);
    }

    #[test]
    fn modules_that_are_imported_count_where_no_path_names_them_again() {
        let attribute = "use crate::b; struct S { #[serde(with = \"b::c\")] x: u8 }";
        assert_eq!(arrows(&[("a.rs", attribute), ("b.rs", "")]), ["a.rs > b.rs"]);
        assert_eq!(arrows(&[("a.rs", "use crate::b::*;"), ("b.rs", "")]), ["a.rs > b.rs"]);
    }

    #[test]
    fn a_circle_is_found_however_long_it_is() {
        let files = [
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "use crate::c::C;"),
            ("c.rs", "fn f() -> crate::a::A { todo!() }"),
            ("d.rs", "use crate::a::A;"),
        ];
        assert_eq!(house(&files).circles(), [["a.rs", "b.rs", "c.rs"]]);
        assert!(house(&files[..2]).circles().is_empty());
    }
}
