//! What cuts a graph in parts: articulation points and bridges, by one depth-first search (Hopcroft
//! and Tarjan, 1973), aware of parallel edges.

use super::{Graph, NONE};

/// What cuts a graph in parts if it is lost, each with how many nodes it cuts off: those outside the
/// largest part that is left of what hung together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cuts {
    /// Nodes, in order.
    pub articulation_points: Vec<(u32, u32)>,
    /// Edges, in order.
    pub bridges: Vec<(u32, u32)>,
}

/// What the search knows of a node.
#[derive(Clone, Copy)]
struct Visit {
    /// When it was found, from 1; 0 is not yet.
    found: u32,
    /// The earliest that can be reached from below it by one edge that the search did not take.
    low: u32,
    /// The edge by which it was found.
    by: u32,
    /// How many nodes the search found below it, with it.
    size: u32,
    /// The largest part that its loss leaves below it, and all that such parts have together.
    largest: u32,
    below: u32,
    /// How many parts its loss leaves below it.
    parts: u32,
}

impl Graph {
    /// What cuts the graph in parts, in linear time.
    pub fn cuts(&self) -> Cuts {
        let blank = Visit { found: 0, low: 0, by: NONE, size: 1, largest: 0, below: 0, parts: 0 };
        let mut visits = vec![blank; self.nodes() as usize];
        let mut order = Vec::with_capacity(visits.len());
        let mut cuts = Cuts::default();
        for root in 0..self.nodes() {
            if visits[root as usize].found == 0 {
                let first = order.len();
                self.search(root, &mut visits, &mut order);
                self.judge(root, &visits, &order[first..], &mut cuts);
            }
        }
        cuts.articulation_points.sort_unstable();
        cuts.bridges.sort_unstable();
        cuts
    }

    /// Searches what hangs together with a root, and adds its nodes in the order of finding.
    fn search(&self, root: u32, visits: &mut [Visit], order: &mut Vec<u32>) {
        let mut stack: Vec<(u32, usize)> = vec![(root, 0)];
        let mut clock = 1;
        (visits[root as usize].found, visits[root as usize].low) = (clock, clock);
        order.push(root);
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            let Some(arc) = self.arcs(node).get(*next).copied() else {
                stack.pop();
                if let Some((parent, _)) = stack.last() {
                    self.leave(node, *parent, visits);
                }
                continue;
            };
            *next += 1;
            if arc.edge == visits[node as usize].by {
                continue;
            }
            let seen = visits[arc.to as usize].found;
            if seen > 0 {
                let low = &mut visits[node as usize].low;
                *low = (*low).min(seen);
                continue;
            }
            clock += 1;
            let visit = &mut visits[arc.to as usize];
            (visit.found, visit.low, visit.by) = (clock, clock, arc.edge);
            order.push(arc.to);
            stack.push((arc.to, 0));
        }
    }

    fn leave(&self, node: u32, parent: u32, visits: &mut [Visit]) {
        let child = visits[node as usize];
        let visit = &mut visits[parent as usize];
        visit.low = visit.low.min(child.low);
        visit.size += child.size;
        if child.low >= visit.found {
            visit.parts += 1;
            visit.below += child.size;
            visit.largest = visit.largest.max(child.size);
        }
    }

    /// Tells the cuts among nodes that hang together.
    fn judge(&self, root: u32, visits: &[Visit], members: &[u32], cuts: &mut Cuts) {
        let total = visits[root as usize].size;
        for node in members {
            let visit = visits[*node as usize];
            // The root is left without a part above it, every other node with one.
            if visit.parts > u32::from(*node == root) {
                let above = total - 1 - visit.below;
                let largest = visit.largest.max(above);
                cuts.articulation_points.push((*node, total - 1 - largest));
            }
            // A bridge leads to nodes from which nothing leads back above them.
            if visit.by != NONE && visit.low == visit.found {
                cuts.bridges.push((visit.by, visit.size.min(total - visit.size)));
            }
        }
    }
}
