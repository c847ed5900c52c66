//! Single points of failure: the links and nodes whose loss divides the network.
//!
//! One depth-first pass finds both, and the sizes of the resulting parts. A pair of parallel links
//! is no bridge, and a self-loop changes nothing.

use super::{Graph, Incidence};

const UNSEEN: u32 = u32::MAX;

/// An edge whose loss divides its component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bridge {
    /// The edge.
    pub edge: u32,
    /// The number of nodes on the side of its first end, and on that of its second.
    pub sides: [u32; 2],
}

impl Bridge {
    /// Returns the number of nodes outside the largest resulting part.
    pub fn cut_off(&self) -> u32 {
        self.sides[0].min(self.sides[1])
    }
}

/// A node whose loss divides its component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArticulationPoint {
    /// The node.
    pub node: u32,
    /// The number of nodes in each resulting part, the largest first; at least two.
    pub parts: Vec<u32>,
}

impl ArticulationPoint {
    /// Returns the number of nodes outside the largest resulting part, without the lost one.
    pub fn cut_off(&self) -> u32 {
        self.parts.iter().skip(1).sum()
    }
}

/// The single points of failure of a network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cuts {
    /// The bridges, by edge.
    pub bridges: Vec<Bridge>,
    /// The articulation points, by node.
    pub articulation_points: Vec<ArticulationPoint>,
}

impl Graph {
    /// Finds the bridges and articulation points, in near-linear time.
    pub fn cuts(&self) -> Cuts {
        let mut pass = Pass::new(self);
        for root in self.nodes() {
            if pass.order[root as usize] == UNSEEN {
                pass.explore(root);
            }
        }
        pass.cuts.bridges.sort_unstable_by_key(|bridge| bridge.edge);
        pass.cuts.articulation_points.sort_unstable_by_key(|point| point.node);
        pass.cuts
    }
}

/// A node on the path from the root to the current position of the pass.
struct Visit<'a> {
    node: u32,
    /// The edge that led to it; `None` at the root.
    by: Option<u32>,
    rest: &'a [Incidence],
    /// The smallest discovery order that it and the nodes below it connect to.
    low: u32,
    /// The number of nodes below it, itself included.
    size: u32,
}

struct Pass<'a> {
    graph: &'a Graph,
    /// The discovery order of each node.
    order: Vec<u32>,
    next: u32,
    /// The parts that hang from nodes of the current component, with their sizes.
    hanging: Vec<(u32, u32)>,
    /// The bridges of the current component: the node below, the edge, the size below.
    bridges: Vec<(u32, u32, u32)>,
    cuts: Cuts,
}

impl<'a> Pass<'a> {
    fn new(graph: &'a Graph) -> Self {
        Self {
            graph,
            order: vec![UNSEEN; graph.node_count() as usize],
            next: 0,
            hanging: Vec::new(),
            bridges: Vec::new(),
            cuts: Cuts::default(),
        }
    }

    fn explore(&mut self, root: u32) {
        let mut way = vec![];
        let mut visit = self.visit(root, None);
        loop {
            if let Some((&Incidence { neighbor, edge }, rest)) = visit.rest.split_first() {
                visit.rest = rest;
                let order = self.order[neighbor as usize];
                if order == UNSEEN {
                    let below = self.visit(neighbor, Some(edge));
                    way.push(std::mem::replace(&mut visit, below));
                } else if visit.by != Some(edge) {
                    visit.low = visit.low.min(order);
                }
                continue;
            }
            let Some(above) = way.pop() else { break };
            let done = std::mem::replace(&mut visit, above);
            self.leave(&done, &mut visit);
        }
        self.measure_sides(root, visit.size);
    }

    fn visit(&mut self, node: u32, by: Option<u32>) -> Visit<'a> {
        let low = self.next;
        self.order[node as usize] = low;
        self.next += 1;
        Visit { node, by, rest: self.graph.around(node), low, size: 1 }
    }

    fn leave(&mut self, done: &Visit<'_>, above: &mut Visit<'_>) {
        above.size += done.size;
        above.low = above.low.min(done.low);
        let order = self.order[above.node as usize];
        if done.low >= order {
            self.hanging.push((above.node, done.size));
        }
        if let Some(edge) = done.by.filter(|_| done.low > order) {
            self.bridges.push((done.node, edge, done.size));
        }
    }

    /// Computes the sizes of the parts, now that the size of the component is known.
    fn measure_sides(&mut self, root: u32, size: u32) {
        for (node, edge, below) in self.bridges.drain(..) {
            let [first, _] = self.graph.ends(edge);
            let sides = if first == node { [below, size - below] } else { [size - below, below] };
            self.cuts.bridges.push(Bridge { edge, sides });
        }
        self.hanging.sort_unstable();
        for hanging in self.hanging.chunk_by(|one, other| one.0 == other.0) {
            let node = hanging[0].0;
            let mut parts = hanging.iter().map(|(_, size)| *size).collect::<Vec<_>>();
            let rest = size - 1 - parts.iter().sum::<u32>();
            if node != root {
                parts.push(rest);
            }
            if parts.len() > 1 {
                parts.sort_unstable_by(|one, other| other.cmp(one));
                self.cuts.articulation_points.push(ArticulationPoint { node, parts });
            }
        }
        self.hanging.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::{
        Without,
        reference::{any_graph, chain, groups, reaches},
    };

    #[test]
    fn a_ring_has_no_single_point_of_failure() {
        let graph = Graph::new(4, vec![[0, 1], [1, 2], [2, 3], [3, 0]]);
        assert_eq!(graph.cuts(), Cuts::default());
    }

    #[test]
    fn a_pair_of_parallel_links_is_no_bridge() {
        let graph = Graph::new(3, vec![[0, 1], [1, 0], [1, 2], [2, 2]]);
        let cuts = graph.cuts();
        assert_eq!(cuts.bridges, [Bridge { edge: 2, sides: [2, 1] }]);
        assert_eq!(cuts.articulation_points, [ArticulationPoint { node: 1, parts: vec![1, 1] }]);
    }

    #[test]
    fn a_long_chain_is_all_bridges() {
        let cuts = chain(1_000_000).cuts();
        assert_eq!((cuts.bridges.len(), cuts.articulation_points.len()), (999_999, 999_998));
        assert_eq!(cuts.bridges[0], Bridge { edge: 0, sides: [1, 999_999] });
    }

    fn sizes(graph: &Graph, without: &Without, of: &[bool]) -> Vec<u32> {
        let mut sizes = Vec::new();
        for group in groups(&reaches(graph, without)) {
            if of[group[0] as usize] {
                sizes.push(u32::try_from(group.len()).unwrap());
            }
        }
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        sizes
    }

    proptest! {
        #[test]
        fn a_bridge_is_an_edge_whose_loss_divides_its_component(graph in any_graph()) {
            let reach = reaches(&graph, &Without::default());
            let mut expected = Vec::new();
            for (edge, &[one, other]) in (0u32..).zip(graph.edges()) {
                let left = reaches(&graph, &Without::new([], [edge]));
                if left[one as usize][other as usize] {
                    continue;
                }
                let side = |end: u32| left[end as usize].iter().map(|is_in| u32::from(*is_in)).sum();
                expected.push(Bridge { edge, sides: [side(one), side(other)] });
                let parts = sizes(&graph, &Without::new([], [edge]), &reach[one as usize]);
                prop_assert_eq!(expected.last().map(Bridge::cut_off), parts.get(1).copied());
            }
            prop_assert_eq!(graph.cuts().bridges, expected);
        }

        #[test]
        fn an_articulation_point_is_a_node_whose_loss_divides_its_component(graph in any_graph()) {
            let reach = reaches(&graph, &Without::default());
            let mut expected = Vec::new();
            for node in graph.nodes() {
                let parts = sizes(&graph, &Without::new([node], []), &reach[node as usize]);
                if parts.len() > 1 {
                    expected.push(ArticulationPoint { node, parts });
                }
            }
            prop_assert_eq!(graph.cuts().articulation_points, expected);
        }
    }
}
