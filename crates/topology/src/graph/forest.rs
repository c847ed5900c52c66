//! The breadth-first forest of a network: a shortest path from each node to a hub.
//!
//! Each tree grows from the node with the most incidences in its component, so that paths, and the
//! cycles that edges outside the forest close, are short.

use super::Graph;

/// A breadth-first tree in each component.
pub(crate) struct Forest {
    above: Vec<Above>,
    depths: Vec<u32>,
    /// The first node of each node's heavy path: the path up to a root has few of them.
    heads: Vec<u32>,
}

/// The parent of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Above {
    /// The parent; for a root, the root itself.
    pub node: u32,
    /// The edge to it; `None` for a root.
    pub edge: Option<u32>,
}

impl Forest {
    /// Grows the forest, in linear time.
    pub(crate) fn new(graph: &Graph) -> Self {
        let count = graph.node_count() as usize;
        let (mut above, mut depths) = (vec![None; count], vec![0; count]);
        let mut order = Vec::with_capacity(count);
        for members in graph.components().iter() {
            let degree = |node: &&u32| (graph.around(**node).len(), std::cmp::Reverse(**node));
            let mut next = order.len();
            order.extend(members.iter().max_by_key(degree));
            while let Some(&node) = order.get(next) {
                next += 1;
                above[node as usize].get_or_insert(Above { node, edge: None });
                for incidence in graph.around(node) {
                    let neighbor = incidence.neighbor as usize;
                    if above[neighbor].is_none() {
                        above[neighbor] = Some(Above { node, edge: Some(incidence.edge) });
                        depths[neighbor] = depths[node as usize] + 1;
                        order.push(incidence.neighbor);
                    }
                }
            }
        }
        let above = above.into_iter().flatten().collect::<Vec<_>>();
        let heads = heads(&above, &order);
        Self { above, depths, heads }
    }

    /// Returns the parent of a node.
    pub(crate) fn above(&self, node: u32) -> Above {
        self.above[node as usize]
    }

    /// Finds the lowest common ancestor of two connected nodes, in logarithmic time.
    pub(crate) fn meeting(&self, mut one: u32, mut other: u32) -> u32 {
        let head = |node: u32| self.heads[node as usize];
        while head(one) != head(other) {
            if self.depth(head(one)) < self.depth(head(other)) {
                (one, other) = (other, one);
            }
            one = self.above(head(one)).node;
        }
        if self.depth(one) < self.depth(other) { one } else { other }
    }

    /// Returns the number of hops from a node up to its root.
    pub(crate) fn depth(&self, node: u32) -> u32 {
        self.depths[node as usize]
    }

    /// Walks from a node up to one of its ancestors, yielding each node before the last and the
    /// edge that leads on.
    pub(crate) fn way(&self, from: u32, to: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let mut node = from;
        std::iter::from_fn(move || {
            let Above { node: next, edge } = self.above(node);
            let step = (node, edge.filter(|_| node != to)?);
            node = next;
            Some(step)
        })
    }
}

/// Divides the trees into heavy paths: each continues to the child with the largest subtree.
fn heads(above: &[Above], order: &[u32]) -> Vec<u32> {
    let mut sizes = vec![1u32; above.len()];
    let mut heaviest = vec![None; above.len()];
    for &node in order.iter().rev() {
        let up = above[node as usize];
        if up.edge.is_none() {
            continue;
        }
        let size = sizes[node as usize];
        sizes[up.node as usize] += size;
        let heavy = &mut heaviest[up.node as usize];
        if heavy.is_none_or(|(most, _)| size >= most) {
            *heavy = Some((size, node));
        }
    }
    let mut heads = vec![0; above.len()];
    for &node in order {
        let up = above[node as usize].node;
        let goes_on = heaviest[up as usize].is_some_and(|(_, heavy)| heavy == node);
        heads[node as usize] = if goes_on { heads[up as usize] } else { node };
    }
    heads
}
