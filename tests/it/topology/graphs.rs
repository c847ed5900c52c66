//! Holds the answers about real networks against those of `NetworkX`.
//!
//! `tests/graph/compare.py` writes both, and says what each line means. Skipped where
//! `TOPOSCOPE_GRAPHS` does not name their folder.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use toposcope_topology::graph::{Graph, MOST_ALTERNATIVES, Without};

/// The number of paths that are looked for, as in `compare.py`.
const PATHS_OF_A_PAIR: usize = 8;

/// Rows of numbers, each on a line of its own.
type ExpectedRows = Vec<Vec<Option<u32>>>;

#[test]
fn real_networks_are_answered_as_by_networkx() {
    let Some(folder) = env::var_os("TOPOSCOPE_GRAPHS") else {
        println!("skipped: TOPOSCOPE_GRAPHS names no folder written by tests/graph/compare.py");
        return;
    };
    let mut compared = 0;
    for file in graph_files(Path::new(&folder)) {
        let graph = read_graph(&file);
        let mut expected = read_expected(&file.with_extension("expected"));
        let name = file.display().to_string();
        compare_components(&name, &graph, &mut expected);
        compare_cuts(&name, &graph, &mut expected);
        compare_distances(&name, &graph, &mut expected);
        compare_paths(&name, &graph, &mut expected);
        compare_impact(&name, &graph, &mut expected);
        assert!(expected.is_empty(), "{name}: nothing compares {:?}", expected.keys());
        compared += 1;
    }
    assert!(compared > 0, "there is no network in {}", folder.display());
    println!("compared {compared} networks");
}

fn graph_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_graph = |file: &PathBuf| file.extension().is_some_and(|kind| kind == "graph");
    let mut files = entries.filter(is_graph).collect::<Vec<_>>();
    files.sort();
    files
}

fn read_graph(file: &Path) -> Graph {
    let text = fs::read_to_string(file).unwrap();
    let mut rows = text.lines().map(|line| {
        let mut numbers = line.split(' ').map(|word| word.parse::<u32>().unwrap());
        [numbers.next().unwrap(), numbers.next().unwrap()]
    });
    let [nodes, links] = rows.next().unwrap();
    let edges = rows.collect::<Vec<_>>();
    assert_eq!(edges.len(), links as usize, "{}", file.display());
    Graph::new(nodes, edges)
}

fn read_expected(file: &Path) -> BTreeMap<String, ExpectedRows> {
    let mut expected = BTreeMap::<_, ExpectedRows>::new();
    for line in fs::read_to_string(file).unwrap().lines() {
        let (word, numbers) = line.split_once(' ').unwrap();
        let number = |word: &str| (word != "-").then(|| word.parse().unwrap());
        let row = numbers.split(' ').map(number).collect();
        expected.entry(word.to_owned()).or_default().push(row);
    }
    expected
}

fn take(expected: &mut BTreeMap<String, ExpectedRows>, word: &str) -> Vec<Vec<u32>> {
    let rows = expected.remove(word).unwrap_or_default();
    let mut rows =
        rows.iter().map(|row| row.iter().flatten().copied().collect()).collect::<Vec<_>>();
    rows.sort();
    rows
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap()
}

fn compare_components(name: &str, graph: &Graph, expected: &mut BTreeMap<String, ExpectedRows>) {
    let components = graph.components();
    let found = components.iter().map(<[u32]>::to_vec).collect::<Vec<_>>();
    assert_eq!(found, take(expected, "component"), "components of {name}");
    let count = vec![vec![number(components.count())]];
    assert_eq!(count, take(expected, "components"), "number of components of {name}");
    let cycles = vec![vec![number(graph.cycles(0).total)]];
    assert_eq!(cycles, take(expected, "cycles"), "cycles of {name}");
}

fn compare_cuts(name: &str, graph: &Graph, expected: &mut BTreeMap<String, ExpectedRows>) {
    let cuts = graph.cuts();
    let bridges = cuts.bridges.iter().map(|bridge| vec![bridge.edge]).collect::<Vec<_>>();
    assert_eq!(bridges, take(expected, "bridge"), "bridges of {name}");
    let points = cuts.articulation_points.iter().map(|point| vec![point.node]).collect::<Vec<_>>();
    assert_eq!(points, take(expected, "point"), "articulation points of {name}");
    for row in take(expected, "parts") {
        let point = cuts.articulation_points.iter().find(|point| point.node == row[0]);
        let parts = point.map(|point| &point.parts[..]);
        assert_eq!(parts, Some(&row[1..]), "parts of {name} without {}", row[0]);
    }
    let protected = graph.two_edge_connected(&cuts);
    let protected = protected.iter().map(<[u32]>::to_vec).collect::<Vec<_>>();
    assert_eq!(protected, take(expected, "protected"), "two-edge-connected parts of {name}");
}

fn compare_distances(name: &str, graph: &Graph, expected: &mut BTreeMap<String, ExpectedRows>) {
    for row in expected.remove("distances").unwrap_or_default() {
        let from = row[0].unwrap();
        let mut found = vec![None; row.len() - 1];
        for reached in graph.within(from, u32::MAX) {
            found[reached.node as usize] = Some(reached.distance);
        }
        assert_eq!(found, row[1..], "distances from {from} in {name}");
        for (to, hops) in (0u32..).zip(found) {
            let path = graph.shortest(from, to, &Without::default());
            let length = path.map(|path| number(path.hops()));
            assert_eq!(length, hops, "shortest path from {from} to {to} in {name}");
        }
    }
}

fn compare_paths(name: &str, graph: &Graph, expected: &mut BTreeMap<String, ExpectedRows>) {
    for row in take(expected, "paths") {
        let (from, to) = (row[0], row[1]);
        // Fewer than were looked for are all there are.
        let is_all = row.len() - 2 < PATHS_OF_A_PAIR;
        let at_most = if is_all { MOST_ALTERNATIVES } else { PATHS_OF_A_PAIR };
        let found = graph.alternatives(from, to, at_most, &Without::default());
        assert!(!found.gave_up);
        let hops = found.paths.iter().map(|path| number(path.hops())).collect::<Vec<_>>();
        assert_eq!(hops, row[2..], "paths from {from} to {to} in {name}");
    }
}

fn compare_impact(name: &str, graph: &Graph, expected: &mut BTreeMap<String, ExpectedRows>) {
    let nodes = take(expected, "lost_node").concat();
    let links = take(expected, "lost_link").concat();
    let impact = graph.impact(&Without::new(nodes.iter().copied(), links), &[]);
    assert_eq!(impact.lost, nodes, "lost nodes of {name}");
    let mut cut_off = impact.cut_off;
    cut_off.sort();
    assert_eq!(cut_off, take(expected, "cut_off"), "parts cut off of {name}");
}
