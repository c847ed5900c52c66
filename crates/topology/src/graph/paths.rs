//! Shortest paths, by hops.
//!
//! A path is a sequence of nodes. Of parallel links, it names the smallest; [`Graph::between`]
//! lists the others. Of the shortest paths, the one whose nodes are smallest in order wins.

use super::{
    Graph, NumberSet, Without,
    search::{Path, Search},
};

impl Graph {
    /// Finds the shortest path from one node to another when some nodes and edges are absent.
    pub fn shortest(&self, from: u32, to: u32, without: &Without) -> Option<Path> {
        let taken = &NumberSet::default();
        Search { graph: self, without, taken, barred: &[], from, to }.run(&mut 0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::reference::{all_paths, any_loss, chain, distances};

    fn shortest(graph: &Graph, from: u32, to: u32) -> Option<Path> {
        graph.shortest(from, to, &Without::default())
    }

    #[test]
    fn the_way_to_itself_has_no_hop() {
        let graph = Graph::new(1, vec![[0, 0]]);
        assert_eq!(shortest(&graph, 0, 0), Some(Path { nodes: vec![0], edges: vec![] }));
        assert_eq!(graph.shortest(0, 0, &Without::new([0], [])), None);
    }

    #[test]
    fn of_two_ways_as_long_the_smaller_nodes_are_taken() {
        let graph = Graph::new(4, vec![[0, 2], [2, 3], [3, 1], [1, 0]]);
        assert_eq!(shortest(&graph, 0, 3), Some(Path { nodes: vec![0, 1, 3], edges: vec![3, 2] }));
        assert_eq!(shortest(&graph, 3, 0).map(|path| path.nodes), Some(vec![3, 1, 0]));
    }

    #[test]
    fn of_parallel_links_the_smallest_that_is_present_is_named() {
        let graph = Graph::new(2, vec![[1, 0], [0, 1]]);
        assert_eq!(shortest(&graph, 0, 1).map(|path| path.edges), Some(vec![0]));
        let without = Without::new([], [0]);
        assert_eq!(graph.shortest(0, 1, &without).map(|path| path.edges), Some(vec![1]));
    }

    #[test]
    fn a_long_chain_is_one_path() {
        let path = shortest(&chain(200_000), 199_999, 0);
        assert_eq!(path.map(|path| path.hops()), Some(199_999));
    }

    proptest! {
        #[test]
        fn a_shortest_path_is_the_smallest_of_all_paths((graph, loss) in any_loss()) {
            for from in graph.nodes() {
                let distances = distances(&graph, from, &loss);
                for to in graph.nodes() {
                    let found = graph.shortest(from, to, &loss);
                    let hops = found.as_ref().map(Path::hops);
                    prop_assert_eq!(hops, distances[to as usize].map(|hops| hops as usize));
                    let expected = all_paths(&graph, from, to, &loss).into_iter().next();
                    prop_assert_eq!(found, expected);
                }
            }
        }
    }
}
