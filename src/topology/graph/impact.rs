//! What is cut off when nodes and edges are lost.

use std::collections::{HashMap, HashSet};

use super::{Graph, NONE};

impl Graph {
    /// The parts that are cut off when these nodes and edges are lost, the largest first. The network
    /// is every part with a root; of what hung together with no root in it, the largest part that is
    /// left, by its least node where two are equal.
    pub fn impact(&self, nodes: &[u32], edges: &[u32], roots: &[u32]) -> Vec<Vec<u32>> {
        let (lost, cut): (HashSet<u32>, HashSet<u32>) =
            (nodes.iter().copied().collect(), edges.iter().copied().collect());
        let roots: HashSet<u32> = roots.iter().copied().collect();
        let mut before = vec![NONE; self.nodes() as usize];
        for (number, members) in (0_u32..).zip(self.components()) {
            for member in members {
                before[member as usize] = number;
            }
        }
        let touched: HashSet<u32> = nodes
            .iter()
            .copied()
            .chain(edges.iter().flat_map(|edge| self.ends(*edge)))
            .map(|node| before[node as usize])
            .collect();
        let mut by_component: HashMap<u32, Vec<Vec<u32>>> = HashMap::new();
        let mut seen = vec![false; self.nodes() as usize];
        for root in 0..self.nodes() {
            let component = before[root as usize];
            if !touched.contains(&component) || lost.contains(&root) || seen[root as usize] {
                continue;
            }
            let part = self.part(root, &lost, &cut, &mut seen);
            by_component.entry(component).or_default().push(part);
        }
        let mut cut_off: Vec<Vec<u32>> = Vec::new();
        for mut parts in by_component.into_values() {
            let rooted = |part: &Vec<u32>| part.iter().any(|node| roots.contains(node));
            if parts.iter().any(rooted) {
                parts.retain(|part| !rooted(part));
            } else if !roots.is_empty() && nodes.iter().any(|node| roots.contains(node)) {
                // Its roots are lost themselves, so all of it is cut off.
            } else if let Some(stays) =
                (0..parts.len()).max_by_key(|part| (parts[*part].len(), std::cmp::Reverse(*part)))
            {
                parts.remove(stays);
            }
            cut_off.append(&mut parts);
        }
        cut_off.sort_by_key(|part| (std::cmp::Reverse(part.len()), part.first().copied()));
        cut_off
    }

    /// What still hangs together with a node.
    fn part(
        &self,
        root: u32,
        lost: &HashSet<u32>,
        cut: &HashSet<u32>,
        seen: &mut [bool],
    ) -> Vec<u32> {
        let mut members = vec![root];
        seen[root as usize] = true;
        let mut next = 0;
        while let Some(node) = members.get(next).copied() {
            next += 1;
            for arc in self.arcs(node) {
                let barred = lost.contains(&arc.to) || cut.contains(&arc.edge);
                if !barred && !std::mem::replace(&mut seen[arc.to as usize], true) {
                    members.push(arc.to);
                }
            }
        }
        members.sort_unstable();
        members
    }
}
