//! Shortest paths, and the next shortest ones without loops (Yen, 1971).

use std::collections::{BTreeSet, HashMap, HashSet};

use super::Graph;

/// What a search must not use.
#[derive(Default)]
struct Barred {
    nodes: HashSet<u32>,
    /// Steps from a node to another.
    steps: HashSet<(u32, u32)>,
}

impl Graph {
    /// A shortest path as its nodes: of several, the first in the order of nodes from the end.
    pub fn shortest(&self, from: u32, to: u32) -> Option<Vec<u32>> {
        self.shortest_without(from, to, &Barred::default())
    }

    /// At most so many shortest paths without loops, as their nodes, the shortest first.
    pub fn alternatives(&self, from: u32, to: u32, at_most: usize) -> Vec<Vec<u32>> {
        let mut paths: Vec<Vec<u32>> = Vec::from_iter(self.shortest(from, to));
        if from == to || at_most == 0 {
            paths.truncate(at_most);
            return paths;
        }
        let mut candidates: BTreeSet<(usize, Vec<u32>)> = BTreeSet::new();
        while paths.len() < at_most {
            let Some(last) = paths.last() else { break };
            for place in 0..last.len() - 1 {
                let root = &last[..=place];
                let mut barred = Barred::default();
                barred.nodes.extend(&root[..place]);
                for path in paths.iter().filter(|path| path.starts_with(root)) {
                    if let Some(next) = path.get(place + 1) {
                        barred.steps.insert((last[place], *next));
                    }
                }
                if let Some(rest) = self.shortest_without(last[place], to, &barred) {
                    let path = [&root[..place], rest.as_slice()].concat();
                    candidates.insert((path.len(), path));
                }
            }
            let known = |path: &Vec<u32>| paths.contains(path);
            candidates.retain(|(_, path)| !known(path));
            let Some((_, next)) = candidates.pop_first() else { break };
            paths.push(next);
        }
        paths
    }

    /// Searches from both ends, a level of the smaller side at a time.
    fn shortest_without(&self, from: u32, to: u32, barred: &Barred) -> Option<Vec<u32>> {
        if from == to {
            return Some(vec![from]);
        }
        let mut sides = [Side::new(from), Side::new(to)];
        loop {
            let which = usize::from(sides[1].frontier.len() < sides[0].frontier.len());
            if sides[which].frontier.is_empty() {
                return None;
            }
            let mut met = Vec::new();
            let frontier = std::mem::take(&mut sides[which].frontier);
            let mut found = Vec::new();
            for node in frontier {
                for arc in self.arcs(node) {
                    let step = if which == 0 { (node, arc.to) } else { (arc.to, node) };
                    if barred.nodes.contains(&arc.to) || barred.steps.contains(&step) {
                        continue;
                    }
                    if sides[which].by.contains_key(&arc.to) {
                        continue;
                    }
                    sides[which].by.insert(arc.to, node);
                    found.push(arc.to);
                    if sides[1 - which].by.contains_key(&arc.to) {
                        met.push(arc.to);
                    }
                }
            }
            found.sort_unstable();
            sides[which].frontier = found;
            // All who met in this level are equally far, so the least of them decides.
            if let Some(middle) = met.into_iter().min() {
                return Some(join(&sides, middle));
            }
        }
    }
}

/// What a search from one end has found.
struct Side {
    /// From where each node was found; the end itself, from itself.
    by: HashMap<u32, u32>,
    frontier: Vec<u32>,
}

impl Side {
    fn new(end: u32) -> Self {
        Self { by: HashMap::from([(end, end)]), frontier: vec![end] }
    }

    /// From a node back to the end.
    fn back(&self, node: u32) -> Vec<u32> {
        let mut path = vec![node];
        let mut at = node;
        while self.by[&at] != at {
            at = self.by[&at];
            path.push(at);
        }
        path
    }
}

fn join(sides: &[Side; 2], middle: u32) -> Vec<u32> {
    let mut path = sides[0].back(middle);
    path.reverse();
    path.extend(sides[1].back(middle).into_iter().skip(1));
    path
}
