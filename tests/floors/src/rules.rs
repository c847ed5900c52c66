//! The rules, each as what breaks it.

use std::collections::BTreeSet;

use crate::{
    house::{Arrow, File, House},
    plan::{
        FLOORS, Floor, GROUND_NAMES, LEFTOVERS, MOST_LINES, MOST_LINES_OF_TESTS, RAW_READS,
        SHARED_GRAPHQL, UNSCOPED_READS, UNTESTED,
    },
};

impl House {
    /// Everything that breaks a rule, one sentence each.
    pub fn broken(&self) -> Vec<String> {
        let mut broken = self.broken_in(FLOORS);
        broken.extend(self.protocols_that_meet());
        broken.extend(self.features_named_by_the_ground());
        broken.extend(self.faces_named_by_others());
        broken.extend(self.unscoped_reads());
        broken
    }

    /// The breaches of rules that hold in every crate: files import each other in a circle, or from
    /// a higher floor.
    pub fn broken_in(&self, floors: &[Floor]) -> Vec<String> {
        let mut broken = self.circles_told();
        broken.extend(self.upwards(floors));
        broken.extend(self.handed_on_unseen());
        broken
    }

    /// An item that is handed on by a glob cannot be followed to where it is defined.
    fn handed_on_unseen(&self) -> Vec<String> {
        let mut broken = Vec::new();
        for (path, paths) in &self.paths {
            for named in paths.named.iter().filter(|named| named.handed_on && named.is_glob()) {
                let line = named.line;
                broken.push(format!("{path}:{line} hands on all of a module: name what is meant"));
            }
        }
        broken
    }

    /// Finds where one of these crates, or modules of the standard library, is named, but for
    /// tests.
    pub fn naming(&self, names: &[&str]) -> Vec<String> {
        let mut broken = Vec::new();
        for (path, paths) in self.paths.iter().filter(|(path, _)| !path.ends_with("tests.rs")) {
            let own =
                paths.named.iter().filter(|named| !named.within.contains(&"tests".to_owned()));
            for named in own {
                let module = named.segments.iter().take(2).map(String::as_str).collect::<Vec<_>>();
                let module = module.join("::");
                if let Some(name) =
                    names.iter().find(|name| [named.first(), &module].contains(*name))
                {
                    let line = named.line;
                    broken
                        .push(format!("{path}:{line} names {name}, and is to know nothing of it"));
                }
            }
        }
        broken
    }

    fn circles_told(&self) -> Vec<String> {
        let told = |circle: &Vec<String>| format!("these import each other: {}", circle.join(", "));
        self.circles().iter().map(told).collect()
    }

    /// The floor of a file, from the top.
    fn floor_in(&self, floors: &[Floor], path: &str) -> Option<usize> {
        // How much of the path a room tells; one that is named counts before one of any feature.
        let told = |room: &str| match room.strip_prefix("*/") {
            Some(rest) => {
                let feature = self.feature(path)?;
                let room = format!("{feature}/{rest}");
                is_in(path, &room).then_some((room.len(), false))
            }
            None => is_in(path, room).then_some((room.len(), true)),
        };
        let rooms = floors.iter().enumerate();
        let rooms = rooms.flat_map(|(floor, of)| of.rooms.iter().map(move |room| (floor, room)));
        let fitting = rooms.filter_map(|(floor, room)| Some((told(room)?, floor)));
        fitting.max().map(|(_, floor)| floor)
    }

    fn floor(&self, path: &str) -> Option<usize> {
        self.floor_in(FLOORS, path)
    }

    fn upwards(&self, floors: &[Floor]) -> Vec<String> {
        let mut broken = Vec::new();
        for file in self.files.iter().filter(|file| file.path != "lib.rs") {
            if self.floor_in(floors, &file.path).is_none() {
                broken.push(format!("{} stands on no floor: give it one in plan.rs", file.path));
            }
        }
        for arrow in &self.arrows {
            if let (Some(from), Some(to)) =
                (self.floor_in(floors, &arrow.from), self.floor_in(floors, &arrow.to))
                && to < from
            {
                let (from, to) = (floors[from].name, floors[to].name);
                broken.push(format!("{}: from {from} up to {to}", told(arrow)));
            }
        }
        broken
    }

    /// GraphQL and REST do not know each other, and who stores and decides knows neither.
    fn protocols_that_meet(&self) -> Vec<String> {
        let is = |path: &str, protocol: &str| {
            path.split('/').any(|part| part.trim_end_matches(".rs") == protocol)
        };
        let meet = |arrow: &&Arrow| {
            is(&arrow.from, "graphql") && is(&arrow.to, "rest")
                || is(&arrow.from, "rest") && is(&arrow.to, "graphql")
        };
        let told_meeting = |arrow: &Arrow| format!("{}: one protocol names the other", told(arrow));
        let mut broken: Vec<String> = self.arrows.iter().filter(meet).map(told_meeting).collect();
        let decides = |path: &str| self.feature(path).is_some() && self.face(path).is_none();
        let is_protocol = |path: &str| path.starts_with("graphql/") || path.starts_with("rest/");
        let deciding = |arrow: &&Arrow| decides(&arrow.from) && is_protocol(&arrow.to);
        let told_deciding =
            |arrow: &Arrow| format!("{}: who decides knows no protocol", told(arrow));
        broken.extend(self.arrows.iter().filter(deciding).map(told_deciding));
        broken
    }

    /// Only the lists of contents name the faces of features, and GraphQL those that are shared.
    fn faces_named_by_others(&self) -> Vec<String> {
        let mut broken = Vec::new();
        let mut shared = BTreeSet::new();
        for arrow in &self.arrows {
            let Some((feature, protocol)) = self.face(&arrow.to) else { continue };
            let is_list = ["router.rs", "schema.rs"].contains(&arrow.from.as_str());
            if is_list || arrow.from.starts_with(&format!("{feature}/")) {
                continue;
            }
            let by_graphql = arrow.from.split(['/', '.']).any(|part| part == "graphql");
            if protocol == "graphql"
                && by_graphql
                && SHARED_GRAPHQL.iter().any(|(of, _)| *of == feature)
            {
                shared.insert(feature);
            } else {
                broken.push(format!(
                    "{}: only a list of contents names the face of a feature",
                    told(arrow)
                ));
            }
        }
        broken.extend(unused(SHARED_GRAPHQL.iter().map(|(of, _)| *of), &shared, "is not shared"));
        broken
    }

    /// Layers that serve every feature import none of them.
    fn features_named_by_the_ground(&self) -> Vec<String> {
        let is_feature = |path: &str| self.feature(path).is_some();
        let decided = FLOORS.iter().position(|floor| floor.rooms.contains(&"*/"));
        let mut used = BTreeSet::new();
        let mut broken = Vec::new();
        for arrow in &self.arrows {
            let is_ground = self.floor(&arrow.from) > decided && !is_feature(&arrow.from);
            // An import that goes up is told as that.
            let is_down = self.floor(&arrow.from) <= self.floor(&arrow.to);
            if !is_ground || !is_down || !is_feature(&arrow.to) {
                continue;
            }
            let is_known = |(from, to, _): &&(&str, &str, &str)| {
                is_in(&arrow.from, from) && is_in(&arrow.to, to)
            };
            match GROUND_NAMES.iter().find(is_known) {
                Some((from, to, _)) => drop(used.insert((*from, *to))),
                None => broken.push(format!("{}: the ground names no feature", told(arrow))),
            }
        }
        for (from, to, _) in
            GROUND_NAMES.iter().filter(|(from, to, _)| !used.contains(&(*from, *to)))
        {
            broken.push(format!("{from} does not name {to}: strike it in plan.rs"));
        }
        broken
    }

    /// The feature and protocol of a face.
    fn face<'p>(&self, path: &'p str) -> Option<(&'p str, &'p str)> {
        let feature = self.feature(path)?;
        let protocol = path.split(['/', '.']).nth(1)?;
        ["graphql", "rest"].contains(&protocol).then_some((feature, protocol))
    }

    /// Tables are read through `visible_to`.
    fn unscoped_reads(&self) -> Vec<String> {
        let outside = |file: &&File| !file.path.ends_with("/entity.rs");
        let past = self.files.iter().filter(outside).filter(|file| reads_past_the_door(&file.code));
        let mut broken = excepted(UNSCOPED_READS, past, "reads a table past `visible_to`");
        let raw = self.files.iter().filter(|file| names_tables_by_hand(&file.code));
        broken.extend(excepted(RAW_READS, raw, "reads tables that it names by hand"));
        broken
    }
}

/// The files that do what only these may, and the exceptions that nobody needs any more.
fn excepted<'f>(
    exceptions: &[(&str, &str)],
    files: impl Iterator<Item = &'f File>,
    does: &str,
) -> Vec<String> {
    let (mut used, mut broken) = (BTreeSet::new(), Vec::new());
    for file in files {
        match exceptions.iter().find(|(path, _)| is_in(&file.path, path)) {
            Some((path, _)) => drop(used.insert(*path)),
            None => broken.push(format!("{} {does}", file.path)),
        }
    }
    let names = exceptions.iter().map(|(path, _)| *path);
    broken.extend(unused(names, &used, &format!("no longer {does}")));
    broken
}

/// The exceptions that nobody needs any more.
fn unused<'e>(
    exceptions: impl Iterator<Item = &'e str>,
    used: &BTreeSet<&str>,
    why: &str,
) -> Vec<String> {
    let unused = exceptions.filter(|one| !used.contains(one));
    unused.map(|one| format!("{one} {why}: strike it in plan.rs")).collect()
}

fn told(arrow: &Arrow) -> String {
    format!("{}:{} names {}", arrow.from, arrow.line, arrow.name)
}

/// Returns whether a path is a room, or lies in one that is a folder.
fn is_in(path: &str, room: &str) -> bool {
    path == room || (room.ends_with('/') || room.is_empty()) && path.starts_with(room)
}

/// Returns whether code asks a table for rows without saying for whom.
fn reads_past_the_door(code: &str) -> bool {
    let mut product = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    product.any(|line| line.contains("::find()") || line.contains("::find_by_id("))
}

/// Returns whether code builds statements that read tables by their names.
fn names_tables_by_hand(code: &str) -> bool {
    let mut product = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    product.any(|line| line.contains("Query::select()") || line.contains("SELECT "))
}

/// The breaches of each file by itself: it says what it is for, and none is too long, for
/// leftovers, or has tests where they are not compiled.
pub fn broken_by_files(folder: &str, files: &[File]) -> Vec<String> {
    let most = if folder.starts_with("tests") { MOST_LINES_OF_TESTS } else { MOST_LINES };
    let mut broken = Vec::new();
    for File { path, code } in files {
        if !code.starts_with("//! ") {
            broken.push(format!("{folder}/{path} does not begin with what it is for"));
        }
        let lines = code.lines().count();
        if lines > most {
            broken.push(format!(
                "{folder}/{path} has {lines} lines, and {most} are the most: split it"
            ));
        }
        if path.split('/').any(|part| LEFTOVERS.contains(&part.trim_end_matches(".rs"))) {
            broken
                .push(format!("{folder}/{path} is for leftovers: put each thing where it is used"));
        }
        if UNTESTED.contains(&folder) && has_tests(code) {
            broken
                .push(format!("{folder}/{path} has tests that nobody runs: put them in tests/it"));
        }
    }
    broken
}

/// Returns whether code has tests of its own.
fn has_tests(code: &str) -> bool {
    let mut attributes = code.lines().map(str::trim_start).filter(|line| line.starts_with("#["));
    attributes
        .any(|line| ["test)", "test]", "test(", "(test,"].iter().any(|test| line.contains(test)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The breaches of some files of a house that otherwise has all that the plan names.
    fn broken(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, code): &(&str, &str)| File {
            path: (*path).to_owned(),
            code: (*code).to_owned(),
        };
        let house = House::new("it", files.iter().map(file).collect()).unwrap();
        house.broken().into_iter().filter(|told| !told.contains("strike it")).collect()
    }

    #[test]
    fn a_house_that_keeps_all_rules_is_not_complained_of() {
        let files = [
            ("main.rs", "use it::cli::run;"),
            ("cli/mod.rs", "use crate::hosts::list;"),
            ("hosts/mod.rs", "pub use list::list; use entity::Model;"),
            ("hosts/list.rs", "use super::entity::Model; fn f() { crate::resource::visible_to() }"),
            ("hosts/entity.rs", "use crate::error::Error;"),
            ("hosts/rest.rs", "use super::list;"),
            ("resource/mod.rs", "fn f() { Self::find() }"),
            ("error/mod.rs", ""),
        ];
        assert_eq!(broken(&files), [""; 0]);
    }

    #[test]
    fn each_rule_is_missed_when_it_is_broken() {
        let table = ("hosts/entity.rs", "");
        for (files, told) in [
            (
                vec![("db/a.rs", "use super::b::B;"), ("db/b.rs", "fn f() { super::a::f() }")],
                "import each other: db/a.rs, db/b.rs",
            ),
            (
                vec![table, ("error/mod.rs", "fn f() { use crate::hosts::entity::Model; }")],
                "from errors up to tables",
            ),
            (
                vec![table, ("write/commit.rs", "use crate::hosts::name;"), ("hosts/mod.rs", "")],
                "from writing up to the operations",
            ),
            (vec![("somewhere.rs", "")], "somewhere.rs stands on no floor"),
            (
                vec![
                    table,
                    ("hosts/mod.rs", "use crate::rest::query::Query;"),
                    ("rest/query.rs", ""),
                ],
                "who decides knows no protocol",
            ),
            (
                vec![
                    table,
                    ("hosts/rest.rs", "fn f(x: super::graphql::X) {}"),
                    ("hosts/graphql.rs", ""),
                ],
                "one protocol names the other",
            ),
            (
                vec![
                    table,
                    ("users/entity.rs", ""),
                    ("users/rest.rs", "use crate::hosts::rest::X;"),
                    ("hosts/rest.rs", ""),
                ],
                "only a list of contents",
            ),
            (vec![table, ("hosts/mod.rs", "fn f() { Entity::find() }")], "past `visible_to`"),
            (vec![table, ("hosts/mod.rs", "fn f() { Query::select() }")], "names by hand"),
            (vec![table, ("hosts/mod.rs", "const A: &str = \"SELECT 1\";")], "names by hand"),
            (
                vec![table, ("resource/list.rs", "use crate::hosts::entity::Model;")],
                "the ground names no feature",
            ),
        ] {
            let broken = broken(&files);
            assert!(broken.len() == 1 && broken[0].contains(told), "{told}: {broken:?}");
        }
    }

    #[test]
    fn a_crate_has_floors_of_its_own_and_crates_that_it_must_not_name() {
        let floors =
            [Floor { name: "above", rooms: &["a/"] }, Floor { name: "below", rooms: &["b/"] }];
        let file = |path: &str, code: &str| File { path: path.to_owned(), code: code.to_owned() };
        let files =
            vec![file("a/x.rs", "use sea_orm::Select;"), file("b/y.rs", "use crate::a::x;")];
        let house = House::new("it", files).unwrap();
        assert_eq!(house.broken_in(&floors), ["b/y.rs:1 names a::x: from below up to above"]);
        assert_eq!(
            house.naming(&["sea_orm"]),
            ["a/x.rs:1 names sea_orm, and is to know nothing of it"]
        );
        assert!(house.naming(&["axum", "std::fs"]).is_empty());
        let files = vec![file("a.rs", "use std::{fmt, fs::File};")];
        let told = House::new("it", files).unwrap().naming(&["std::fs"]);
        assert_eq!(told, ["a.rs:1 names std::fs, and is to know nothing of it"]);
        let house = House::new("it", vec![file("a/mod.rs", "pub use self::x::*;")]).unwrap();
        assert_eq!(
            house.broken_in(&floors),
            ["a/mod.rs:1 hands on all of a module: name what is meant"]
        );
    }

    #[test]
    fn files_that_break_a_rule_by_themselves_are_told() {
        let file = |path: &str, code: &str| File { path: path.to_owned(), code: code.to_owned() };
        let long = format!("//! x\n{}", "\n".repeat(MOST_LINES));
        for (path, code, told) in [
            ("a.rs", "fn f() {}", "does not begin"),
            ("b.rs", long.as_str(), "split it"),
            ("utils.rs", "//! x", "leftovers"),
            ("c.rs", "//! x\n#[cfg(test)]\nmod tests {}", "nobody runs"),
            ("d.rs", "//! x\n    #[tokio::test]", "nobody runs"),
        ] {
            let broken = broken_by_files("src", &[file(path, code)]);
            assert!(broken.len() == 1 && broken[0].contains(told), "{told}: {broken:?}");
        }
        assert!(broken_by_files("tests/it", &[file("b.rs", &long)]).is_empty());
        let test = file("a.rs", "//! x\n#[test]");
        assert!(broken_by_files("crates/types/src", &[test]).is_empty());
    }
}
