//! Bidirectional search for one shortest path.
//!
//! Always advances the side with less ahead. Of the shortest paths it finds the one whose nodes are
//! smallest, compared in order: on the start side, the order of discovery is the order of the
//! smallest paths; on the end side, each node is discovered from the smallest that leads there.

use super::{Graph, Incidence, NumberSet, Without};

/// A path from one node to another that visits no node twice.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path {
    /// The nodes from the first to the last, both included.
    pub nodes: Vec<u32>,
    /// The edge of each hop, the smallest of parallel ones: one fewer than the nodes.
    pub edges: Vec<u32>,
}

impl Path {
    /// Returns the number of hops.
    pub fn hops(&self) -> usize {
        self.edges.len()
    }
}

/// A query for a shortest path.
pub(crate) struct Search<'a> {
    pub graph: &'a Graph,
    /// The absent nodes and edges.
    pub without: &'a Without,
    /// The nodes that the path must not touch.
    pub taken: &'a NumberSet,
    /// The nodes that the path must not visit directly after its start, ascending.
    pub(crate) barred: &'a [u32],
    pub from: u32,
    pub to: u32,
}

struct Discovery {
    node: u32,
    edge: u32,
    /// The index of the discovery that led to it.
    from: usize,
}

struct Side {
    seen: NumberSet,
    discoveries: Vec<Discovery>,
    /// The index where the last level starts.
    level: usize,
    /// The number of incidences ahead.
    ahead: usize,
}

impl Side {
    fn new(graph: &Graph, node: u32) -> Self {
        let mut seen = NumberSet::below(graph.node_count());
        seen.insert(node);
        let discoveries = vec![Discovery { node, edge: 0, from: 0 }];
        Self { seen, discoveries, level: 0, ahead: graph.around(node).len() }
    }

    /// Walks back from a discovery, yielding each edge and the node that it leads to.
    fn back(&self, mut place: usize) -> impl Iterator<Item = (u32, u32)> + '_ {
        std::iter::from_fn(move || {
            let edge = self.discoveries[place].edge;
            let before = Some(self.discoveries[place].from).filter(|_| place != 0)?;
            place = before;
            Some((edge, self.discoveries[before].node))
        })
    }
}

impl Search<'_> {
    /// Finds the path, and counts the incidences looked at.
    pub(crate) fn run(&self, looked_at: &mut usize) -> Option<Path> {
        let is_closed = |node| self.without.nodes.contains(node) || self.taken.contains(node);
        if is_closed(self.from) || is_closed(self.to) {
            return None;
        }
        let (mut start, mut end) =
            (Side::new(self.graph, self.from), Side::new(self.graph, self.to));
        let mut have_met = self.from == self.to;
        while !have_met {
            let near_start = start.ahead <= end.ahead;
            *looked_at += start.ahead.min(end.ahead) + 1;
            have_met = if near_start {
                self.advance(&mut start, &end)?
            } else {
                let have_met = self.advance(&mut end, &start)?;
                end.discoveries[end.level..].sort_unstable_by_key(|found| found.node);
                have_met
            };
        }
        Self::joined(&start, &end)
    }

    /// Discovers the next level and returns whether it touches the other side; `None` if nothing is
    /// ahead.
    fn advance(&self, side: &mut Side, other: &Side) -> Option<bool> {
        let (end, mut have_met) = (side.discoveries.len(), false);
        side.ahead = 0;
        for from in side.level..end {
            let node = side.discoveries[from].node;
            for &incidence in self.graph.around(node) {
                let Incidence { neighbor, edge } = incidence;
                if side.seen.contains(neighbor) || !self.allows(node, incidence) {
                    continue;
                }
                side.seen.insert(neighbor);
                side.ahead += self.graph.around(neighbor).len();
                side.discoveries.push(Discovery { node: neighbor, edge, from });
                have_met |= other.seen.contains(neighbor);
            }
        }
        side.level = end;
        Some(have_met).filter(|_| side.discoveries.len() > end)
    }

    fn allows(&self, node: u32, incidence: Incidence) -> bool {
        let Incidence { neighbor, .. } = incidence;
        let is_barred = (node == self.from && self.barred.binary_search(&neighbor).is_ok())
            || (neighbor == self.from && self.barred.binary_search(&node).is_ok());
        !is_barred && !self.taken.contains(neighbor) && self.without.allows(incidence)
    }

    /// Returns the path through the first start-side discovery that the end side shares.
    fn joined(start: &Side, end: &Side) -> Option<Path> {
        let (at_start, at_end) = (start.level..start.discoveries.len()).find_map(|place| {
            let node = start.discoveries[place].node;
            let last = Some(&end.discoveries[end.level..]).filter(|_| end.seen.contains(node))?;
            let at_end = last.binary_search_by_key(&node, |found| found.node).ok()?;
            Some((place, end.level + at_end))
        })?;
        let mut path = Path { nodes: vec![start.discoveries[at_start].node], edges: Vec::new() };
        let append = |path: &mut Path, (edge, node)| {
            path.edges.push(edge);
            path.nodes.push(node);
        };
        start.back(at_start).for_each(|step| append(&mut path, step));
        path.nodes.reverse();
        path.edges.reverse();
        end.back(at_end).for_each(|step| append(&mut path, step));
        Some(path)
    }
}
