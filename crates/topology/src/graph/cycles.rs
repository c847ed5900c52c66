//! Loops: a basis of all cycles of a network, and the nodes that a ring protects.
//!
//! Each edge outside a breadth-first forest closes one cycle of the basis. With m edges, n nodes
//! and c components there are m - n + c of them, and every cycle is a sum of these.

use super::{Components, Cuts, Graph, Without, forest::Forest};

/// A path back to its start that visits no other node twice.
///
/// Starts at its smallest node and continues to the smaller of that node's two neighbors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The nodes, each once.
    pub nodes: Vec<u32>,
    /// The edge from each node to the next, and finally back to the first: one for a self-loop, two
    /// for parallel links.
    pub edges: Vec<u32>,
}

/// A basis of the cycles of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycles {
    /// The number of cycles in the basis.
    pub total: usize,
    /// The shortest cycles of the basis, by length and then by the edge that closes them.
    pub shortest: Vec<Cycle>,
}

impl Graph {
    /// Finds a basis of all cycles, and lists its `at_most` shortest ones.
    pub fn cycles(&self, at_most: usize) -> Cycles {
        let forest = Forest::new(self);
        let mut closing = Vec::new();
        for (edge, &[one, other]) in (0u32..).zip(self.edges()) {
            if [one, other].iter().any(|end| forest.above(*end).edge == Some(edge)) {
                continue;
            }
            let meeting = forest.meeting(one, other);
            let hops = |end| forest.depth(end) - forest.depth(meeting);
            closing.push((hops(one) + hops(other), edge, meeting));
        }
        let total = closing.len();
        closing.sort_unstable();
        closing.truncate(at_most);
        let closed = |(_, edge, meeting)| self.closed(&forest, edge, meeting);
        Cycles { total, shortest: closing.into_iter().map(closed).collect() }
    }

    fn closed(&self, forest: &Forest, closing: u32, meeting: u32) -> Cycle {
        let [one, other] = self.ends(closing);
        let (mut nodes, mut edges) = forest.way(one, meeting).unzip::<_, _, Vec<_>, Vec<_>>();
        nodes.push(meeting);
        let down = forest.way(other, meeting).collect::<Vec<_>>();
        for (node, edge) in down.into_iter().rev() {
            nodes.push(node);
            edges.push(edge);
        }
        edges.push(closing);
        normal(Cycle { nodes, edges })
    }

    /// Groups the nodes that stay connected whichever single edge fails.
    ///
    /// A node alone in its component is connected to the others by bridges, or not at all.
    pub fn two_edge_connected(&self, cuts: &Cuts) -> Components {
        self.components_without(&Without::new([], cuts.bridges.iter().map(|bridge| bridge.edge)))
    }
}

/// Returns the same cycle from its smallest node on, towards the smaller of that node's two
/// neighbors; of two parallel links, the smaller comes first.
fn normal(mut cycle: Cycle) -> Cycle {
    let (nodes, edges) = (&mut cycle.nodes, &mut cycle.edges);
    let first = (0..nodes.len()).min_by_key(|place| nodes[*place]).unwrap_or(0);
    nodes.rotate_left(first);
    edges.rotate_left(first);
    let is_reversed = nodes.iter().skip(1).zip(nodes.iter().rev()).next();
    let is_reversed = is_reversed.is_some_and(|(next, last)| next > last)
        || nodes.len() == 2 && edges.first() > edges.last();
    if is_reversed {
        edges.reverse();
        nodes[1..].reverse();
    }
    cycle
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::reference::{any_graph, chain, groups, is_cycle, reaches};

    #[test]
    fn a_ring_is_a_cycle_from_its_smallest_node() {
        let graph = Graph::new(4, vec![[3, 1], [1, 2], [2, 0], [0, 3]]);
        let ring = Cycle { nodes: vec![0, 2, 1, 3], edges: vec![2, 1, 0, 3] };
        assert_eq!(graph.cycles(10), Cycles { total: 1, shortest: vec![ring] });
    }

    #[test]
    fn a_self_loop_is_a_cycle_of_one_edge_and_parallel_links_are_one_of_two() {
        let graph = Graph::new(2, vec![[1, 0], [1, 1], [0, 1]]);
        let cycles = graph.cycles(10).shortest;
        let expected = [
            Cycle { nodes: vec![1], edges: vec![1] },
            Cycle { nodes: vec![0, 1], edges: vec![0, 2] },
        ];
        assert_eq!(cycles, expected);
    }

    #[test]
    fn the_shortest_cycles_are_listed_first_and_all_are_counted() {
        let edges = vec![[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 4]];
        let cycles = Graph::new(7, edges).cycles(1);
        assert_eq!((cycles.total, &cycles.shortest[0].nodes), (2, &vec![4, 5, 6]));
    }

    #[test]
    fn a_long_ring_is_one_cycle() {
        let mut edges = chain(200_000).edges().to_vec();
        edges.push([199_999, 0]);
        let cycles = Graph::new(200_000, edges).cycles(1);
        assert_eq!((cycles.total, cycles.shortest[0].nodes.len()), (1, 200_000));
    }

    /// The number of independent rows over the field of two elements.
    fn rank(mut rows: Vec<u32>) -> usize {
        let mut rank = 0;
        while let Some(row) = rows.pop() {
            let Some(lowest) = 1u32.checked_shl(row.trailing_zeros()) else { continue };
            rank += 1;
            rows.iter_mut().filter(|other| **other & lowest != 0).for_each(|other| *other ^= row);
        }
        rank
    }

    proptest! {
        #[test]
        fn the_cycles_are_a_basis(graph in any_graph()) {
            let Cycles { total, shortest } = graph.cycles(usize::MAX);
            let components = groups(&reaches(&graph, &Without::default())).len();
            prop_assert_eq!(total + graph.nodes().len(), graph.edges().len() + components);
            prop_assert_eq!(total, shortest.len());
            for cycle in &shortest {
                prop_assert!(is_cycle(&graph, &cycle.nodes, &cycle.edges), "{:?}", cycle);
                prop_assert_eq!(cycle.nodes.iter().min(), cycle.nodes.first());
                prop_assert!(cycle.nodes.len() != 2 || cycle.edges.is_sorted());
                prop_assert!(cycle.nodes.len() < 3 || cycle.nodes.get(1) < cycle.nodes.last());
            }
            prop_assert!(shortest.is_sorted_by_key(|cycle| cycle.edges.len()));
            let row = |cycle: &Cycle| cycle.edges.iter().map(|edge| 1 << edge).sum();
            prop_assert_eq!(rank(shortest.iter().map(row).collect()), total);
        }

        #[test]
        fn fewer_cycles_are_the_first_of_all(graph in any_graph(), at_most in 0usize..5) {
            let (few, all) = (graph.cycles(at_most), graph.cycles(usize::MAX));
            prop_assert_eq!(few.total, all.total);
            prop_assert_eq!(&few.shortest[..], &all.shortest[..at_most.min(all.total)]);
        }

        #[test]
        fn two_edge_connected_nodes_survive_any_single_loss(graph in any_graph()) {
            let components = graph.two_edge_connected(&graph.cuts());
            let losses = (0u32..).take(graph.edges().len()).map(|edge| Without::new([], [edge]));
            let losses = losses.chain([Without::default()]);
            let reaches = losses.map(|loss| reaches(&graph, &loss)).collect::<Vec<_>>();
            for one in graph.nodes() {
                for other in graph.nodes() {
                    let is_kept = reaches.iter().all(|reach| reach[one as usize][other as usize]);
                    prop_assert_eq!(components.are_connected(one, other), is_kept);
                }
            }
        }
    }
}
