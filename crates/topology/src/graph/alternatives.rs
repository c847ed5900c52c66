//! Alternatives to a shortest path: the next shortest paths, none of which visits a node twice.
//!
//! Yen's algorithm (Management Science 17, 1971) with Lawler's division (18, 1972): each path found
//! divides the remaining paths into classes, by where they first turn off it. A class is searched
//! only when its bound, from the distances to the target, says that it may be next.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::{Graph, Incidence, NumberSet, Path, Without, search::Search};

/// The most alternatives that a query lists.
pub const MOST_ALTERNATIVES: usize = 100;

/// The number of incidences that a search looks at before it gives up.
const PATIENCE: usize = 50_000_000;

/// The cost of keeping a class, in incidences: bounds the memory to about 100 MB.
const KEPT: usize = 64;

const UNREACHED: u32 = u32::MAX;

/// Paths from one node to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alternatives {
    /// The paths, by hops and then by their nodes in order; no node sequence appears twice.
    pub paths: Vec<Path>,
    /// Whether the search gave up, in a network with very many paths, before it found as many as
    /// requested; the paths listed are still the first.
    pub gave_up: bool,
}

/// Paths that share the start of a found path and then turn off it. They are ordered by what to
/// look at next: at equal length, a class comes before a path, as it may hold a smaller one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    /// The hops of its shortest path, or a lower bound.
    hops: usize,
    /// Its first path, once searched.
    first: Option<Path>,
    /// The index of the path that it turns off.
    parent: usize,
    /// The index of the node where it turns off.
    turn: usize,
    /// The nodes that it must not turn to, ascending.
    barred: Vec<u32>,
}

struct Question<'a> {
    graph: &'a Graph,
    without: &'a Without,
    to: u32,
    /// The hops from each node to the target.
    distances: Vec<u32>,
    classes: BinaryHeap<Reverse<Class>>,
    /// The nodes of the current path before the turn.
    taken: NumberSet,
    found: Vec<Path>,
    /// The number of incidences looked at, plus the cost of the classes kept.
    looked_at: usize,
    /// The count after which no further class is searched.
    patience: usize,
}

impl Graph {
    /// Finds the shortest paths from one node to another when some nodes and edges are absent: at
    /// most `at_most`, and never more than [`MOST_ALTERNATIVES`].
    ///
    /// Parallel links count as one hop.
    pub fn alternatives(
        &self,
        from: u32,
        to: u32,
        at_most: usize,
        without: &Without,
    ) -> Alternatives {
        let at_most = at_most.min(MOST_ALTERNATIVES);
        self.patiently(from, to, at_most, without, PATIENCE)
    }

    fn patiently(
        &self,
        from: u32,
        to: u32,
        at_most: usize,
        without: &Without,
        patience: usize,
    ) -> Alternatives {
        let Some(shortest) = self.shortest(from, to, without).filter(|_| at_most > 0) else {
            return Alternatives::default();
        };
        let hops = shortest.hops();
        let first = Class { hops, first: Some(shortest), parent: 0, turn: 0, barred: Vec::new() };
        let question = Question {
            graph: self,
            without,
            to,
            distances: self.distances(to, without),
            classes: BinaryHeap::from([Reverse(first)]),
            taken: NumberSet::below(self.node_count()),
            found: Vec::new(),
            looked_at: 0,
            patience,
        };
        question.answer(at_most)
    }

    fn distances(&self, from: u32, without: &Without) -> Vec<u32> {
        let mut distances = vec![UNREACHED; self.node_count() as usize];
        distances[from as usize] = 0;
        let (mut reached, mut next) = (vec![from], 0);
        while let Some(&node) = reached.get(next) {
            next += 1;
            for &incidence in self.around(node) {
                let neighbor = incidence.neighbor as usize;
                if distances[neighbor] == UNREACHED && without.allows(incidence) {
                    distances[neighbor] = distances[node as usize] + 1;
                    reached.push(incidence.neighbor);
                }
            }
        }
        distances
    }
}

impl Question<'_> {
    fn answer(mut self, at_most: usize) -> Alternatives {
        while let Some(Reverse(class)) = self.classes.pop() {
            let Some(path) = class.first else {
                if self.looked_at > self.patience {
                    return Alternatives { paths: self.found, gave_up: true };
                }
                self.search(class);
                continue;
            };
            self.found.push(path);
            if self.found.len() == at_most {
                break;
            }
            self.divide(class.turn, class.barred);
        }
        Alternatives { paths: self.found, gave_up: false }
    }

    /// Finds the first path of a class, if it has one.
    fn search(&mut self, mut class: Class) {
        let parent = &self.found[class.parent];
        let (start, from) = (&parent.nodes[..class.turn], parent.nodes[class.turn]);
        self.looked_at += class.turn;
        self.taken.extend(start.iter().copied());
        self.taken.insert(from);
        let mut looked_at = 0;
        let straight = self.straight(from, &class, &mut looked_at);
        self.taken.remove(from);
        let (graph, without, to) = (self.graph, self.without, self.to);
        let search = Search { graph, without, taken: &self.taken, barred: &class.barred, from, to };
        let rest = straight.or_else(|| search.run(&mut looked_at));
        self.looked_at += looked_at;
        self.taken.remove_all(start);
        let Some(rest) = rest else { return };
        let nodes = [start, &rest.nodes].concat();
        let edges = [&parent.edges[..class.turn], &rest.edges].concat();
        class.hops = edges.len();
        class.first = Some(Path { nodes, edges });
        self.classes.push(Reverse(class));
    }

    /// Finds the path from a turn that comes nearer to the target with each hop after the first, to
    /// the smallest node that does. It is the first of its class, if it reaches the target.
    fn straight(&self, from: u32, class: &Class, looked_at: &mut usize) -> Option<Path> {
        let mut path = Path { nodes: vec![from], edges: Vec::new() };
        let (mut node, mut barred) = (from, &class.barred[..]);
        for left in (0..class.hops - class.turn).rev() {
            let around = self.graph.around(node);
            *looked_at += around.len();
            let next = around.iter().find(|incidence| {
                self.distances[incidence.neighbor as usize] as usize == left
                    && self.is_open(**incidence, barred)
            })?;
            path.nodes.push(next.neighbor);
            path.edges.push(next.edge);
            (node, barred) = (next.neighbor, &[]);
        }
        Some(path)
    }

    fn is_open(&self, incidence: Incidence, barred: &[u32]) -> bool {
        self.without.allows(incidence)
            && !self.taken.contains(incidence.neighbor)
            && barred.binary_search(&incidence.neighbor).is_err()
    }

    /// Divides the rest of the class of the path found last.
    fn divide(&mut self, turn: usize, mut barred: Vec<u32>) {
        let parent = self.found.len() - 1;
        let nodes = &self.found[parent].nodes;
        self.taken.extend(nodes[..turn].iter().copied());
        for (turn, hop) in nodes.windows(2).enumerate().skip(turn) {
            barred.push(hop[1]);
            barred.sort_unstable();
            self.looked_at += self.graph.around(hop[0]).len();
            self.taken.insert(hop[0]);
            let barred = std::mem::take(&mut barred);
            if let Some(rest) = self.bound(hop[0], &barred) {
                let hops = turn + rest;
                self.looked_at += KEPT;
                self.classes.push(Reverse(Class { hops, first: None, parent, turn, barred }));
            }
        }
        self.taken.remove_all(nodes);
    }

    /// Returns the least number of hops left from where a class turns off, or `None` if it has no
    /// path.
    fn bound(&self, turn: u32, barred: &[u32]) -> Option<usize> {
        let around = self.graph.around(turn).iter();
        let open = around.filter(|incidence| self.is_open(**incidence, barred));
        let distances = open.map(|incidence| self.distances[incidence.neighbor as usize]);
        distances.min().filter(|hops| *hops != UNREACHED).map(|hops| hops as usize + 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::reference::{all_paths, any_loss, chain};

    fn nodes(graph: &Graph, from: u32, to: u32, at_most: usize) -> Vec<Vec<u32>> {
        let found = graph.alternatives(from, to, at_most, &Without::default());
        found.paths.into_iter().map(|path| path.nodes).collect()
    }

    #[test]
    fn a_ring_has_two_ways() {
        let graph = Graph::new(5, vec![[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]]);
        assert_eq!(nodes(&graph, 0, 2, 10), [vec![0, 1, 2], vec![0, 4, 3, 2]]);
    }

    #[test]
    fn parallel_links_are_one_way() {
        assert_eq!(nodes(&Graph::new(2, vec![[0, 1], [0, 1], [0, 0]]), 0, 1, 10), [[0, 1]]);
    }

    #[test]
    fn there_is_one_way_to_itself_and_none_to_what_is_not_connected() {
        let graph = Graph::new(3, vec![[0, 1], [1, 0]]);
        assert_eq!(nodes(&graph, 0, 0, 10), [[0]]);
        assert_eq!(nodes(&graph, 0, 2, 10), Vec::<Vec<u32>>::new());
        assert_eq!(nodes(&graph, 0, 1, 0), Vec::<Vec<u32>>::new());
    }

    #[test]
    fn no_more_are_listed_than_the_most() {
        let all = (0..8).flat_map(|one| (0..one).map(move |other| [one, other])).collect();
        assert_eq!(nodes(&Graph::new(8, all), 0, 7, usize::MAX).len(), MOST_ALTERNATIVES);
    }

    #[test]
    fn a_long_chain_has_one_way() {
        assert_eq!(nodes(&chain(200_000), 0, 199_999, 100).len(), 1);
    }

    #[test]
    fn a_search_that_gives_up_says_so() {
        let all = (0..8).flat_map(|one| (0..one).map(move |other| [one, other])).collect();
        let graph = Graph::new(8, all);
        let found = graph.patiently(0, 7, 10, &Without::default(), 0);
        assert_eq!((found.paths.len(), found.gave_up), (1, true));
    }

    proptest! {
        #[test]
        fn alternatives_of_a_search_that_gives_up_are_the_first(
            (graph, loss) in any_loss(), patience in 0usize..2_000
        ) {
            for from in graph.nodes() {
                for to in graph.nodes() {
                    let mut expected = all_paths(&graph, from, to, &loss);
                    let found = graph.patiently(from, to, usize::MAX, &loss, patience);
                    if found.gave_up {
                        expected.truncate(found.paths.len());
                    }
                    prop_assert_eq!(found.paths, expected);
                }
            }
        }

        #[test]
        fn alternatives_are_the_first_of_all_paths((graph, loss) in any_loss(), at_most in 1usize..30) {
            for from in graph.nodes() {
                for to in graph.nodes() {
                    let mut expected = all_paths(&graph, from, to, &loss);
                    expected.truncate(at_most);
                    let found = graph.alternatives(from, to, at_most, &loss);
                    prop_assert!(!found.gave_up);
                    prop_assert_eq!(found.paths, expected);
                }
            }
        }
    }
}
