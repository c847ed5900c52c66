//! The undirected multigraph from which every result is computed.
//!
//! Compact: each node has a slice of its incidences, and all slices share one array, ascending by
//! neighbor and then by edge. Every query that must choose follows that order.

use std::ops::Range;

use super::NumberSet;

/// A neighbor of a node, and the edge to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incidence {
    /// The node at the other end of the edge; for a self-loop, the node itself.
    pub neighbor: u32,
    /// The edge.
    pub edge: u32,
}

/// An undirected graph; parallel edges and self-loops are allowed.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: u32,
    edges: Vec<[u32; 2]>,
    /// The start index of each node's incidences, then the end index of the last node's.
    starts: Vec<usize>,
    incidences: Vec<Incidence>,
}

/// Nodes and edges treated as absent from a graph.
#[derive(Clone, Debug, Default)]
pub struct Without {
    /// The nodes that are absent, and with them their edges.
    pub nodes: NumberSet,
    /// The edges that are absent.
    pub edges: NumberSet,
}

impl Without {
    /// Treats nodes and edges as absent.
    pub fn new(nodes: impl IntoIterator<Item = u32>, edges: impl IntoIterator<Item = u32>) -> Self {
        Self { nodes: nodes.into_iter().collect(), edges: edges.into_iter().collect() }
    }

    /// Returns whether the edge and the neighbor that it leads to are both present.
    pub fn allows(&self, incidence: Incidence) -> bool {
        !self.edges.contains(incidence.edge) && !self.nodes.contains(incidence.neighbor)
    }
}

impl Graph {
    /// Creates a graph of the nodes below `nodes` and of edges between them, in linear time.
    ///
    /// # Panics
    ///
    /// When an end of an edge is not a node.
    pub fn new(nodes: u32, edges: Vec<[u32; 2]>) -> Self {
        let starts = starts(nodes, &edges);
        let all = starts[nodes as usize];
        let mut by_edge = vec![Incidence { neighbor: 0, edge: 0 }; all];
        let mut free = starts.clone();
        for (edge, &[one, other]) in (0u32..).zip(&edges) {
            place(&mut by_edge, &mut free, one, Incidence { neighbor: other, edge });
            if one != other {
                place(&mut by_edge, &mut free, other, Incidence { neighbor: one, edge });
            }
        }
        let mut incidences = vec![Incidence { neighbor: 0, edge: 0 }; all];
        free.copy_from_slice(&starts);
        for node in 0..nodes {
            for &Incidence { neighbor, edge } in &by_edge[slice(&starts, node)] {
                place(&mut incidences, &mut free, neighbor, Incidence { neighbor: node, edge });
            }
        }
        Self { nodes, edges, starts, incidences }
    }

    /// Returns the number of nodes.
    pub fn node_count(&self) -> u32 {
        self.nodes
    }

    /// Returns the nodes, ascending.
    pub fn nodes(&self) -> Range<u32> {
        0..self.nodes
    }

    /// Returns the two ends of each edge, as given.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Returns the two ends of an edge, as given.
    pub fn ends(&self, edge: u32) -> [u32; 2] {
        self.edges[edge as usize]
    }

    /// Returns the incidences of a node, ascending by neighbor and then by edge; a self-loop once.
    pub fn around(&self, node: u32) -> &[Incidence] {
        &self.incidences[slice(&self.starts, node)]
    }

    /// Returns the edges between two nodes, ascending: all parallel links of a hop, or the
    /// self-loops of a node.
    pub fn between(&self, one: u32, other: u32) -> impl ExactSizeIterator<Item = u32> + '_ {
        let around = self.around(one);
        let start = around.partition_point(|incidence| incidence.neighbor < other);
        let count = around[start..].partition_point(|incidence| incidence.neighbor == other);
        around[start..start + count].iter().map(|incidence| incidence.edge)
    }
}

fn starts(nodes: u32, edges: &[[u32; 2]]) -> Vec<usize> {
    let mut starts = vec![0; nodes as usize + 1];
    for &[one, other] in edges {
        assert!(one.max(other) < nodes, "an end of an edge is not a node");
        starts[one as usize] += 1;
        starts[other as usize] += usize::from(one != other);
    }
    let mut sum = 0;
    for start in &mut starts {
        let count = *start;
        *start = sum;
        sum += count;
    }
    starts
}

fn slice(starts: &[usize], node: u32) -> Range<usize> {
    starts[node as usize]..starts[node as usize + 1]
}

fn place(incidences: &mut [Incidence], free: &mut [usize], node: u32, incidence: Incidence) {
    incidences[free[node as usize]] = incidence;
    free[node as usize] += 1;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::reference::any_graph;

    #[test]
    fn a_graph_may_be_empty() {
        let graph = Graph::new(0, vec![]);
        assert_eq!((graph.nodes().count(), graph.edges().len()), (0, 0));
    }

    #[test]
    #[should_panic(expected = "an end of an edge is not a node")]
    fn an_edge_to_no_node_is_refused() {
        let graph = Graph::new(2, vec![[0, 2]]);
        assert_eq!(graph.node_count(), 2);
    }

    #[test]
    fn parallel_edges_and_self_loops_are_between_their_ends() {
        let graph = Graph::new(3, vec![[0, 1], [2, 2], [1, 0], [0, 2]]);
        assert_eq!(graph.between(0, 1).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(graph.between(1, 0).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(graph.between(2, 2).collect::<Vec<_>>(), [1]);
        assert_eq!(graph.between(1, 2).len(), 0);
    }

    proptest! {
        #[test]
        fn each_node_lists_its_edges_in_order(graph in any_graph()) {
            for node in graph.nodes() {
                let mut expected = Vec::new();
                for (edge, &[one, other]) in (0u32..).zip(graph.edges()) {
                    if one == node {
                        expected.push((other, edge));
                    } else if other == node {
                        expected.push((one, edge));
                    }
                }
                expected.sort_unstable();
                let listed = graph.around(node).iter().map(|i| (i.neighbor, i.edge));
                prop_assert_eq!(listed.collect::<Vec<_>>(), expected);
            }
        }
    }
}
