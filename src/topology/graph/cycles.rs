//! Independent loops: for each edge that a breadth-first search does not need, the loop that it
//! closes.

use super::{Graph, NONE};

impl Graph {
    /// At most so many independent loops, the short ones first, each as its edges in order around it.
    /// There are as many as edges less nodes plus components.
    pub fn cycles(&self, at_most: usize) -> Vec<Vec<u32>> {
        let nodes = self.nodes() as usize;
        let (mut parent, mut by, mut depth) =
            (vec![NONE; nodes], vec![NONE; nodes], vec![0_u32; nodes]);
        let mut seen = vec![false; nodes];
        let mut queue = Vec::with_capacity(nodes);
        for root in 0..self.nodes() {
            if std::mem::replace(&mut seen[root as usize], true) {
                continue;
            }
            let mut next = queue.len();
            queue.push(root);
            while let Some(node) = queue.get(next).copied() {
                next += 1;
                for arc in self.arcs(node) {
                    if !std::mem::replace(&mut seen[arc.to as usize], true) {
                        parent[arc.to as usize] = node;
                        by[arc.to as usize] = arc.edge;
                        depth[arc.to as usize] = depth[node as usize] + 1;
                        queue.push(arc.to);
                    }
                }
            }
        }
        let mut closing: Vec<(u32, u32)> = Vec::new();
        for (edge, [a, b]) in (0_u32..).zip(&self.ends) {
            if by[*a as usize] != edge && by[*b as usize] != edge {
                closing.push((depth[*a as usize] + depth[*b as usize], edge));
            }
        }
        let up = |node: u32| (parent[node as usize], by[node as usize]);
        let walk = |edge: u32| {
            let [mut a, mut b] = self.ends(edge);
            let (mut left, mut right) = (vec![edge], Vec::new());
            while a != b {
                let side = if depth[a as usize] >= depth[b as usize] {
                    (&mut a, &mut right)
                } else {
                    (&mut b, &mut left)
                };
                let (next, taken) = up(*side.0);
                *side.0 = next;
                side.1.push(taken);
            }
            right.reverse();
            left.append(&mut right);
            left
        };
        let mut cycles: Vec<Vec<u32>> = if closing.len() > at_most.saturating_mul(8) {
            // Depth bounds the length, so the shallow ones are near enough to the shortest.
            closing.sort_unstable();
            closing.iter().take(at_most).map(|(_, edge)| walk(*edge)).collect()
        } else {
            closing.iter().map(|(_, edge)| walk(*edge)).collect()
        };
        cycles.sort_by_key(Vec::len);
        cycles.truncate(at_most);
        cycles
    }

    /// How many independent loops there are.
    pub fn cycle_count(&self) -> usize {
        self.ends.len() + self.components().len() - self.nodes() as usize
    }
}
