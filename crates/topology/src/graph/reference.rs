//! Naive reference implementations for the tests, and graphs to run them on.
//!
//! Written from the definitions alone, without regard for speed.

use proptest::prelude::*;

use super::{Graph, Path, Without};

/// Generates small graphs with parallel edges, self-loops and several components.
pub(crate) fn any_graph() -> impl Strategy<Value = Graph> {
    (0u32..9, 0usize..16).prop_flat_map(|(nodes, edges)| {
        let edges = if nodes == 0 { 0 } else { edges };
        let end = 0..nodes.max(1);
        prop::collection::vec([end.clone(), end], edges)
            .prop_map(move |edges| Graph::new(nodes, edges))
    })
}

/// Generates small graphs, each with some nodes and edges to leave out.
pub(crate) fn any_loss() -> impl Strategy<Value = (Graph, Without)> {
    let nodes = prop::collection::vec(0u32..9, 0..3);
    let edges = prop::collection::vec(0u32..16, 0..4);
    (any_graph(), nodes, edges)
        .prop_map(|(graph, nodes, edges)| (graph, Without::new(nodes, edges)))
}

/// Creates a chain of `nodes` nodes.
pub(crate) fn chain(nodes: u32) -> Graph {
    Graph::new(nodes, (1..nodes).map(|node| [node - 1, node]).collect())
}

/// Lists the remaining edges, with their ends.
fn left<'a>(graph: &'a Graph, without: &'a Without) -> impl Iterator<Item = (u32, [u32; 2])> + 'a {
    let edges = (0u32..).zip(graph.edges().iter().copied());
    edges.filter(|(edge, ends)| {
        !without.edges.contains(*edge) && !ends.iter().any(|end| without.nodes.contains(*end))
    })
}

/// Returns whether each node reaches each other one, by closing the relation.
pub(crate) fn reaches(graph: &Graph, without: &Without) -> Vec<Vec<bool>> {
    let count = graph.node_count() as usize;
    let mut reach = vec![vec![false; count]; count];
    for node in graph.nodes().filter(|node| !without.nodes.contains(*node)) {
        reach[node as usize][node as usize] = true;
    }
    for (_, [one, other]) in left(graph, without) {
        reach[one as usize][other as usize] = true;
        reach[other as usize][one as usize] = true;
    }
    for by in 0..count {
        let onward = reach[by].clone();
        for row in reach.iter_mut().filter(|row| row[by]) {
            row.iter_mut().zip(&onward).for_each(|(reaches, more)| *reaches |= *more);
        }
    }
    reach
}

/// Groups the nodes that reach one another, by smallest node.
pub(crate) fn groups(reach: &[Vec<bool>]) -> Vec<Vec<u32>> {
    let members = |row: &Vec<bool>| {
        (0u32..).zip(row).filter(|(_, reaches)| **reaches).map(|(node, _)| node).collect::<Vec<_>>()
    };
    let mut groups =
        reach.iter().map(members).filter(|group| !group.is_empty()).collect::<Vec<_>>();
    groups.sort();
    groups.dedup();
    groups
}

/// Returns the hops from a node to each other one, by relaxing every edge until nothing changes.
pub(crate) fn distances(graph: &Graph, from: u32, without: &Without) -> Vec<Option<u32>> {
    let mut distances = vec![None; graph.node_count() as usize];
    distances[from as usize] = Some(0).filter(|_| !without.nodes.contains(from));
    for _ in graph.nodes() {
        for (_, [one, other]) in left(graph, without) {
            for (near, far) in [(one, other), (other, one)] {
                let Some(here) = distances[near as usize] else { continue };
                let there = &mut distances[far as usize];
                *there = Some(there.unwrap_or(u32::MAX).min(here + 1));
            }
        }
    }
    distances
}

/// Lists every path as a node sequence, by hops and then by nodes.
pub(crate) fn all_paths(graph: &Graph, from: u32, to: u32, without: &Without) -> Vec<Path> {
    let mut paths = Vec::new();
    let mut open = vec![Path { nodes: vec![from], edges: vec![] }];
    open.retain(|_| !without.nodes.contains(from));
    while let Some(path) = open.pop() {
        let last = path.nodes[path.nodes.len() - 1];
        if last == to {
            paths.push(path);
            continue;
        }
        for next in graph.nodes().filter(|next| !path.nodes.contains(next)) {
            let joins = |ends: &[u32; 2]| *ends == [last, next] || *ends == [next, last];
            if let Some((edge, _)) = left(graph, without).find(|(_, ends)| joins(ends)) {
                let mut longer = path.clone();
                longer.nodes.push(next);
                longer.edges.push(edge);
                open.push(longer);
            }
        }
    }
    paths.sort_by_key(|path| (path.edges.len(), path.nodes.clone()));
    paths
}

/// Returns whether the edges lead from each node to the next and back, with no node or edge twice.
pub(crate) fn is_cycle(graph: &Graph, nodes: &[u32], edges: &[u32]) -> bool {
    let is_once = |all: &[u32]| (1..all.len()).all(|place| !all[..place].contains(&all[place]));
    let next = nodes.iter().cycle().skip(1);
    let leads = |((edge, one), other): ((&u32, &u32), &u32)| {
        let ends = graph.ends(*edge);
        ends == [*one, *other] || ends == [*other, *one]
    };
    is_once(nodes)
        && is_once(edges)
        && nodes.len() == edges.len()
        && !nodes.is_empty()
        && edges.iter().zip(nodes).zip(next).all(leads)
}
