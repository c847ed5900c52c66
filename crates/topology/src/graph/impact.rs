//! The impact of losing nodes and edges of a network.
//!
//! Of each component, the largest remaining part counts as the network; ties go to the part with
//! the smallest node. A component that had roots is judged by them instead: every part that still
//! has one counts as the network. All other parts are cut off. A loss elsewhere cuts nothing off,
//! so a component that never had a root is judged by size even where others have roots.

use std::cmp::Reverse;

use super::{Components, Graph, NumberSet, Without};

/// The remainder of a network after a loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impact {
    /// The lost nodes themselves, ascending.
    pub lost: Vec<u32>,
    /// The parts that are cut off, the largest first, then by smallest node; nodes ascending.
    pub cut_off: Vec<Vec<u32>>,
    /// The number of nodes that are still in the network.
    pub connected: usize,
}

impl Impact {
    /// Returns the number of nodes cut off, without the lost ones.
    pub fn cut_off_count(&self) -> usize {
        self.cut_off.iter().map(Vec::len).sum()
    }
}

impl Graph {
    /// Computes what a loss cuts off, in linear time; `roots` are the nodes that give access to the
    /// network, such as gateways.
    pub fn impact(&self, without: &Without, roots: &[u32]) -> Impact {
        let (before, after) = (self.components(), self.components_without(without));
        let network = network(&before, &after, roots);
        let mut cut_off = Vec::new();
        for (part, members) in (0u32..).zip(after.iter()) {
            if !network.contains(part) {
                cut_off.push(members.to_vec());
            }
        }
        cut_off.sort_by_key(|members| Reverse(members.len()));
        let lost = self.nodes().filter(|node| without.nodes.contains(*node)).collect::<Vec<_>>();
        let left = self.nodes().len() - lost.len();
        let connected = left - cut_off.iter().map(Vec::len).sum::<usize>();
        Impact { lost, cut_off, connected }
    }
}

/// Returns the parts that still count as the network.
fn network(before: &Components, after: &Components, roots: &[u32]) -> NumberSet {
    let had_roots = roots.iter().filter_map(|root| before.of(*root)).collect::<NumberSet>();
    let mut network = roots.iter().filter_map(|root| after.of(*root)).collect::<NumberSet>();
    let mut largest = vec![None; before.count()];
    for (part, members) in (0u32..).zip(after.iter()) {
        let Some(component) = members.first().and_then(|node| before.of(*node)) else { continue };
        let most = &mut largest[component as usize];
        if !had_roots.contains(component) && most.is_none_or(|(size, _)| members.len() > size) {
            *most = Some((members.len(), part));
        }
    }
    network.extend(largest.into_iter().flatten().map(|(_, part)| part));
    network
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::graph::reference::{any_graph, any_loss, chain, groups, reaches};

    fn lost(graph: &Graph, nodes: &[u32], roots: &[u32]) -> Impact {
        graph.impact(&Without::new(nodes.iter().copied(), []), roots)
    }

    #[test]
    fn of_parts_as_large_that_with_the_smallest_node_is_the_network() {
        let impact = lost(&chain(5), &[2], &[]);
        let expected = Impact { lost: vec![2], cut_off: vec![vec![3, 4]], connected: 2 };
        assert_eq!(impact, expected);
    }

    #[test]
    fn a_small_part_with_a_root_is_the_network() {
        let impact = lost(&chain(5), &[3], &[4]);
        assert_eq!((&impact.cut_off[..], impact.connected), (&[vec![0, 1, 2]][..], 1));
        assert_eq!(lost(&chain(5), &[3], &[0, 4]).cut_off_count(), 0);
    }

    #[test]
    fn all_is_cut_off_where_every_root_is_lost() {
        assert_eq!(lost(&chain(4), &[1], &[1]).cut_off, [vec![2, 3], vec![0]]);
    }

    #[test]
    fn a_component_that_never_had_a_root_goes_by_size() {
        let graph = Graph::new(5, vec![[0, 1], [2, 3], [3, 4]]);
        assert_eq!(lost(&graph, &[0], &[0]).cut_off, [[1]]);
        assert_eq!(lost(&graph, &[4], &[0]).cut_off_count(), 0);
    }

    /// The same by pairs: a part is weighed against each other part of its component.
    fn expected(graph: &Graph, without: &Without, roots: &BTreeSet<u32>) -> BTreeSet<Vec<u32>> {
        let (before, parts) =
            (reaches(graph, &Without::default()), groups(&reaches(graph, without)));
        let mut cut_off = BTreeSet::new();
        for part in &parts {
            let component = &before[part[0] as usize];
            let is_better = |other: &Vec<u32>| {
                component[other[0] as usize]
                    && (other.len() > part.len() || other.len() == part.len() && other < part)
            };
            let is_network = if roots.iter().any(|root| component[*root as usize]) {
                part.iter().any(|node| roots.contains(node))
            } else {
                !parts.iter().any(is_better)
            };
            if !is_network {
                cut_off.insert(part.clone());
            }
        }
        cut_off
    }

    proptest! {
        #[test]
        fn what_is_cut_off_is_what_is_left_outside_the_network(
            (graph, loss) in any_loss(), roots in prop::collection::btree_set(0u32..12, 0..3)
        ) {
            let roots = roots.into_iter().filter(|root| *root < graph.node_count());
            let roots = roots.collect::<BTreeSet<_>>();
            let impact = graph.impact(&loss, &Vec::from_iter(roots.clone()));
            let parts = expected(&graph, &loss, &roots);
            prop_assert!(impact.cut_off.is_sorted_by_key(|part| (Reverse(part.len()), part[0])));
            prop_assert_eq!(BTreeSet::from_iter(impact.cut_off.clone()), parts);
            let all = impact.lost.len() + impact.cut_off_count() + impact.connected;
            prop_assert_eq!(all, graph.nodes().len());
            prop_assert!(impact.lost.iter().all(|node| loss.nodes.contains(*node)));
        }

        #[test]
        fn a_loss_of_nothing_cuts_nothing_off(
            graph in any_graph(), roots in prop::collection::vec(0u32..12, 0..3)
        ) {
            let roots = roots.into_iter().filter(|root| *root < graph.node_count());
            let impact = graph.impact(&Without::default(), &roots.collect::<Vec<_>>());
            // A component with a root is one part, and that part has the root.
            prop_assert_eq!((impact.cut_off_count(), impact.lost.len()), (0, 0));
        }
    }
}
