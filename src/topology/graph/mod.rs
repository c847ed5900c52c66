//! An undirected multigraph in compact form, and the answers that are read from it.
//!
//! Nodes and edges are numbers from 0. Parallel edges and edges from a node to itself are edges like
//! others. Nothing here recurses, so that a chain of any length is answered.

mod cuts;
mod cycles;
mod impact;
mod paths;

pub use cuts::Cuts;

/// No node or edge.
const NONE: u32 = u32::MAX;

/// An undirected multigraph.
#[derive(Debug)]
pub struct Graph {
    ends: Vec<[u32; 2]>,
    /// Where the arcs of each node begin, and at last where those of the last one end.
    first: Vec<u32>,
    /// What each node is joined to, and by which edge, in the order of nodes.
    arcs: Vec<Arc>,
}

/// One end of an edge, seen from the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arc {
    to: u32,
    edge: u32,
}

impl Graph {
    /// A graph with so many nodes and these edges, each by its two ends.
    pub fn new(nodes: u32, ends: Vec<[u32; 2]>) -> Self {
        let mut first = vec![0_u32; nodes as usize + 1];
        for [a, b] in &ends {
            first[*a as usize + 1] += 1;
            if a != b {
                first[*b as usize + 1] += 1;
            }
        }
        for node in 1..first.len() {
            first[node] += first[node - 1];
        }
        let mut next = first.clone();
        let mut arcs = vec![Arc { to: NONE, edge: NONE }; first[nodes as usize] as usize];
        for (edge, [a, b]) in (0_u32..).zip(&ends) {
            let mut put = |from: u32, to: u32| {
                let place = &mut next[from as usize];
                arcs[*place as usize] = Arc { to, edge };
                *place += 1;
            };
            put(*a, *b);
            if a != b {
                put(*b, *a);
            }
        }
        for node in 0..nodes as usize {
            arcs[first[node] as usize..first[node + 1] as usize].sort_unstable();
        }
        Self { ends, first, arcs }
    }

    /// How many nodes it has.
    pub fn nodes(&self) -> u32 {
        u32::try_from(self.first.len() - 1).unwrap_or(NONE)
    }

    /// How many edges it has.
    pub fn edges(&self) -> u32 {
        u32::try_from(self.ends.len()).unwrap_or(NONE)
    }

    /// The ends of an edge.
    pub fn ends(&self, edge: u32) -> [u32; 2] {
        self.ends[edge as usize]
    }

    fn arcs(&self, node: u32) -> &[Arc] {
        let node = node as usize;
        &self.arcs[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// How many edges end at a node; one from it to itself counts once.
    pub fn degree(&self, node: u32) -> u32 {
        u32::try_from(self.arcs(node).len()).unwrap_or(NONE)
    }

    /// The edges that end at a node, in the order of their other ends.
    pub fn edges_of(&self, node: u32) -> impl Iterator<Item = u32> {
        self.arcs(node).iter().map(|arc| arc.edge)
    }

    /// The edges between two nodes, in order.
    pub fn between(&self, one: u32, other: u32) -> impl Iterator<Item = u32> {
        let arcs = self.arcs(one);
        let begin = arcs.partition_point(|arc| arc.to < other);
        arcs[begin..].iter().take_while(move |arc| arc.to == other).map(|arc| arc.edge)
    }

    /// The nodes at most so many edges from a node with their distances, the nearest first, it
    /// included; it visits no others.
    pub fn within(&self, root: u32, hops: u32) -> Vec<(u32, u32)> {
        self.within_any(&[root], hops)
    }

    /// The same from several nodes.
    pub fn within_any(&self, roots: &[u32], hops: u32) -> Vec<(u32, u32)> {
        let mut known = std::collections::HashSet::new();
        let mut found: Vec<(u32, u32)> = Vec::new();
        found.extend(roots.iter().filter(|root| known.insert(**root)).map(|root| (*root, 0)));
        let (mut from, mut distance) = (0, 0);
        while distance < hops && from < found.len() {
            let level = from..found.len();
            from = found.len();
            distance += 1;
            for place in level {
                let node = found[place].0;
                for arc in self.arcs(node) {
                    if known.insert(arc.to) {
                        found.push((arc.to, distance));
                    }
                }
            }
            found[from..].sort_unstable();
        }
        found
    }

    /// The parts that hang together, each in order, in the order of their least nodes.
    pub fn components(&self) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.nodes() as usize];
        let mut components = Vec::new();
        for root in 0..self.nodes() {
            if std::mem::replace(&mut seen[root as usize], true) {
                continue;
            }
            let mut members = vec![root];
            let mut next = 0;
            while let Some(node) = members.get(next).copied() {
                next += 1;
                for arc in self.arcs(node) {
                    if !std::mem::replace(&mut seen[arc.to as usize], true) {
                        members.push(arc.to);
                    }
                }
            }
            members.sort_unstable();
            components.push(members);
        }
        components
    }
}
