//! The level of each node: the core at the top, everything that hangs from it below.
//!
//! The rule: in an undirected network, a link connects nodes of one level or of two neighboring
//! ones; directed links lead down, except those that close a cycle.

use std::collections::{BTreeSet, VecDeque};

use super::graph::Graph;

/// The most nodes to measure distances from when finding the core.
const MOST_SOURCES: usize = 128;
/// The most links of a node in a list.
const MOST_LEAF_LINKS: usize = 3;

/// Finds the owner of each node that is drawn in the list of its only neighbor.
pub(crate) fn owners(graph: &Graph) -> Vec<Option<usize>> {
    let mut self_linked = vec![false; graph.len()];
    for wire in graph.wires.iter().filter(|wire| wire.ends[0] == wire.ends[1]) {
        self_linked[wire.ends[0]] = true;
    }
    let only_neighbor = |node: usize| {
        let (first, _) = *graph.around[node].first()?;
        graph.around[node].iter().all(|&(other, _)| other == first).then_some(first)
    };
    let leads_up = |node: usize| {
        graph.around[node]
            .iter()
            .any(|&(_, wire)| graph.wires[wire].directed && graph.wires[wire].ends[0] == node)
    };
    (0..graph.len())
        .map(|node| {
            let owner = only_neighbor(node)?;
            let listed = only_neighbor(owner).is_none()
                && graph.around[node].len() <= MOST_LEAF_LINKS
                && !self_linked[node]
                && !leads_up(node);
            listed.then_some(owner)
        })
        .collect()
}

/// Finds the level of each node, 0 for the core.
pub(crate) fn levels(graph: &Graph, owners: &[Option<usize>]) -> Vec<usize> {
    let directed = graph.wires.iter().filter(|wire| wire.directed).count();
    if directed * 2 > graph.wires.len() {
        return levels_by_direction(graph);
    }
    let mut levels = vec![usize::MAX; graph.len()];
    let mut queue: VecDeque<usize> = core(graph, owners).into();
    for &node in &queue {
        levels[node] = 0;
    }
    while let Some(node) = queue.pop_front() {
        for &(other, _) in &graph.around[node] {
            if levels[other] == usize::MAX {
                levels[other] = levels[node] + 1;
                queue.push_back(other);
            }
        }
    }
    levels
}

/// The centrality of a node; less is further in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Centrality {
    /// The sum of its distances from the measured nodes.
    distances: usize,
    /// The number of nodes in its list.
    leaves: usize,
    /// The number of neighbors, more first.
    degree: std::cmp::Reverse<usize>,
}

/// Finds the core: the node nearest to all others, and those that are as near. Where these are no
/// small part of the network, keeps only those that share most of its neighbors.
fn core(graph: &Graph, owners: &[Option<usize>]) -> Vec<usize> {
    let inner: Vec<usize> = (0..graph.len()).filter(|&node| owners[node].is_none()).collect();
    let centrality = centrality(graph, owners, &inner);
    let Some(&best) = inner.iter().min_by_key(|&&node| (centrality[node], node)) else {
        return vec![0];
    };
    let near = |node: usize| centrality[node].distances * 50 <= centrality[best].distances * 51;
    let alike = |node: usize| (centrality[node].leaves > 0) == (centrality[best].leaves > 0);
    let nearest: Vec<usize> =
        inner.iter().copied().filter(|&node| near(node) && alike(node)).collect();
    if nearest.len() * 2 <= inner.len() || inner.len() <= 2 {
        return nearest;
    }
    let neighbors_of =
        |node: usize| graph.around[node].iter().map(|&(other, _)| other).collect::<BTreeSet<_>>();
    let of_best = neighbors_of(best);
    let is_twin = |node: usize| {
        let of_node = neighbors_of(node);
        let shared = of_best.intersection(&of_node).count();
        node == best || (shared * 2 > of_best.len() && shared * 2 > of_node.len())
    };
    nearest.into_iter().filter(|&node| is_twin(node)).collect()
}

fn centrality(graph: &Graph, owners: &[Option<usize>], inner: &[usize]) -> Vec<Centrality> {
    let mut found: Vec<Centrality> = graph
        .around
        .iter()
        .map(|around| Centrality {
            distances: 0,
            leaves: 0,
            degree: std::cmp::Reverse(around.len()),
        })
        .collect();
    for owner in owners.iter().flatten() {
        found[*owner].leaves += 1;
    }
    let step = inner.len().div_ceil(MOST_SOURCES).max(1);
    let mut distances = vec![usize::MAX; graph.len()];
    for &source in inner.iter().step_by(step) {
        distances.fill(usize::MAX);
        distances[source] = 0;
        let mut queue = VecDeque::from([source]);
        while let Some(node) = queue.pop_front() {
            found[node].distances += distances[node];
            for &(other, _) in &graph.around[node] {
                if distances[other] == usize::MAX && owners[other].is_none() {
                    distances[other] = distances[node] + 1;
                    queue.push_back(other);
                }
            }
        }
    }
    found
}

/// Puts each node one level below the lowest node that leads to it.
fn levels_by_direction(graph: &Graph) -> Vec<usize> {
    let mut incoming = vec![0_usize; graph.len()];
    for wire in graph.wires.iter().filter(|wire| wire.ends[0] != wire.ends[1]) {
        incoming[wire.ends[1]] += 1;
    }
    let mut waiting: BTreeSet<(usize, usize)> =
        incoming.iter().enumerate().map(|(node, &count)| (count, node)).collect();
    let mut levels = vec![0; graph.len()];
    let mut done = vec![false; graph.len()];
    while let Some((_, node)) = waiting.pop_first() {
        done[node] = true;
        for &(other, wire) in &graph.around[node] {
            if graph.wires[wire].ends[0] == node && !done[other] {
                waiting.remove(&(incoming[other], other));
                incoming[other] -= 1;
                waiting.insert((incoming[other], other));
                levels[other] = levels[other].max(levels[node] + 1);
            }
        }
    }
    levels
}
