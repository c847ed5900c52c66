//! The files of a crate, the modules that they are, and who names whom.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs, io,
    path::Path,
    slice,
};

use crate::paths::{self, Named};

/// One file of sources.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path below the folder of the crate's sources, such as `hosts/entity.rs`.
    pub path: String,
    /// Its text.
    pub code: String,
}

/// That one file names another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    /// Who names.
    pub from: String,
    /// The file that is the module that is named, or holds what is.
    pub to: String,
    /// The line of the first place.
    pub line: usize,
    /// What is named there.
    pub name: String,
}

/// The sources of a crate.
#[derive(Debug)]
pub struct House {
    /// The files, by path.
    pub files: Vec<File>,
    /// Who names whom, each pair once.
    pub arrows: Vec<Arrow>,
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
    /// Reads who names whom in the files of a crate; `name` is what other crates call it.
    ///
    /// # Errors
    ///
    /// A file is not Rust.
    pub fn new(name: &str, files: Vec<File>) -> Result<Self, String> {
        let modules: HashMap<Vec<String>, &str> =
            files.iter().map(|file| (module(&file.path), file.path.as_str())).collect();
        let mut read = Vec::with_capacity(files.len());
        let mut imported = HashMap::new();
        for file in &files {
            let module = module(&file.path);
            let named =
                paths::read(&file.code).map_err(|error| format!("{}: {error}", file.path))?;
            let named = absolute(name, &module, &modules, &named);
            for one in named.iter().filter(|one| one.imported && one.within.is_empty()) {
                if let Some(last) = one.alias.as_ref().or(one.segments.last()) {
                    imported.insert(
                        [&module[..], slice::from_ref(last)].concat(),
                        one.segments.clone(),
                    );
                }
            }
            let words = paths::words(&file.code)?;
            read.push((file.path.as_str(), module, named, words));
        }
        let mut arrows = BTreeMap::new();
        for (from, module, named, words) in read {
            let first = |named: &Named| (!named.imported).then(|| named.first.clone());
            let used: BTreeSet<String> = named.iter().filter_map(first).collect();
            for named in named {
                // A folder hands on what its files define, and mostly uses none of it.
                if named.handed_on
                    && named.segments.starts_with(&module)
                    && !words.contains(named.called())
                {
                    continue;
                }
                // Unit tests stand above what they test, and may use anything.
                if named.within.first().is_some_and(|module| module == "tests") {
                    continue;
                }
                let path = defined(&imported, &modules, named.segments.clone());
                // Who imports a module names it again where something of it is used, but for a glob
                // and for what only texts of attributes name.
                let is_module = named.imported && modules.contains_key(&path);
                if is_module && !named.is_glob && used.contains(named.called()) {
                    continue;
                }
                let Some(to) = holder(&modules, &path) else { continue };
                if to != from {
                    let (from, to) = (from.to_owned(), to.to_owned());
                    let arrow = || Arrow {
                        from: from.clone(),
                        to: to.clone(),
                        line: named.line,
                        name: path.join("::"),
                    };
                    arrows.entry((from.clone(), to.clone())).or_insert_with(arrow);
                }
            }
        }
        let arrows = arrows.into_values().collect();
        Ok(Self { files, arrows })
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
    // What lies at the root of the crate is declared there, and no file's business.
    (1..=path.len()).rev().find_map(|length| modules.get(&path[..length])).copied()
}

/// Paths from the crate on; those of other crates are left out.
fn absolute(
    name: &str,
    here: &[String],
    modules: &HashMap<Vec<String>, &str>,
    named: &[Named],
) -> Vec<Named> {
    // A module sees what those around it import, unless it imports something else of that name.
    let mut imported: HashMap<(&[String], &str), Vec<String>> = HashMap::new();
    let mut found = Vec::new();
    for import in [true, false] {
        for one in named.iter().filter(|one| one.imported == import) {
            let mut path = one.segments.as_slice();
            if path.last().is_some_and(|last| last == "self" || last == "*") {
                path = &path[..path.len() - 1];
            }
            let Some((first, rest)) = path.split_first() else { continue };
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
            let Some(mut whole) = start else { continue };
            for segment in rest {
                match segment.as_str() {
                    "super" => drop(whole.pop()),
                    segment => whole.push(segment.to_owned()),
                }
            }
            if import && let Some(last) = one.alias.as_deref().or(path.last().map(String::as_str)) {
                imported.insert((&one.within, last), whole.clone());
            }
            let is_glob = one.segments.last().is_some_and(|last| last == "*");
            found.push(Named { segments: whole, is_glob, ..one.clone() });
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
