//! The neighborhood of a node.
//!
//! Costs only what it visits: two hops on half a million nodes take microseconds.

use super::{Graph, NumberSet};

/// A node and its distance from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The node.
    pub node: u32,
    /// Its distance in hops.
    pub distance: u32,
}

impl Graph {
    /// Finds the nodes within `hops` of `root`, the root first, by distance and then by node.
    pub fn within(&self, root: u32, hops: u32) -> Vec<Reached> {
        let mut seen = NumberSet::below(self.node_count());
        seen.insert(root);
        let mut reached = vec![Reached { node: root, distance: 0 }];
        let mut level = 0;
        for distance in 1..=hops {
            let end = reached.len();
            for place in level..end {
                for incidence in self.around(reached[place].node) {
                    if seen.insert(incidence.neighbor) {
                        reached.push(Reached { node: incidence.neighbor, distance });
                    }
                }
            }
            if reached.len() == end {
                break;
            }
            reached[end..].sort_unstable_by_key(|found| found.node);
            level = end;
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::{
        Without,
        reference::{any_graph, distances},
    };

    #[test]
    fn nothing_is_within_no_hops_but_the_node_itself() {
        let graph = Graph::new(2, vec![[0, 1]]);
        assert_eq!(graph.within(1, 0), [Reached { node: 1, distance: 0 }]);
    }

    #[test]
    fn a_long_chain_is_walked_to_its_end() {
        let graph = crate::graph::reference::chain(200_000);
        let last = Reached { node: 199_999, distance: 199_999 };
        assert_eq!(graph.within(0, u32::MAX).last(), Some(&last));
    }

    proptest! {
        #[test]
        fn the_nodes_within_some_hops_are_those_no_farther(graph in any_graph(), hops in 0u32..5) {
            for root in graph.nodes() {
                let distances = distances(&graph, root, &Without::default());
                let near = (0u32..).zip(distances).filter_map(|(node, distance)| {
                    let distance = distance.filter(|distance| *distance <= hops)?;
                    Some(Reached { node, distance })
                });
                let mut expected = near.collect::<Vec<_>>();
                expected.sort_by_key(|found| (found.distance, found.node));
                prop_assert_eq!(graph.within(root, hops), expected);
            }
        }
    }
}
