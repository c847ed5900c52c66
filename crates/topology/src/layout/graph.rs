//! The connected parts of a view, as graphs with their own indexes.
//!
//! The rule: nodes and links keep the order of the sorted view, on which every later choice rests;
//! so do the ends of an undirected link.

use super::measure::{LABEL_SIZE, PORT_SIZE, WIDEST_LABEL, WIDEST_PORT, text_width};
use crate::{text, view::canonical_order::Sorted};

/// A connected part of a view.
pub(crate) struct Graph {
    /// The index of each node among the sorted nodes.
    pub origins: Vec<usize>,
    /// The label width of each node, in pixels.
    pub label_widths: Vec<i64>,
    /// The links.
    pub wires: Vec<Wire>,
    /// The neighbors of each node and the links to them, without links to itself.
    pub around: Vec<Vec<(usize, usize)>>,
}

/// A link.
pub(crate) struct Wire {
    /// The index among the sorted links.
    pub origin: usize,
    /// Both ends, the smaller first unless the link is directed.
    pub ends: [usize; 2],
    /// Whether the view has them in the other order.
    pub turned: bool,
    /// Whether the link is directed from the first end to the second.
    pub directed: bool,
    /// The lengths of the port names in pixels, 0 where there is none.
    pub port_widths: [i64; 2],
    /// The width of its own label, 0 where it has none.
    pub label_width: i64,
}

impl Graph {
    /// Returns the number of nodes.
    pub(crate) const fn len(&self) -> usize {
        self.origins.len()
    }
}

/// Splits a view into its connected parts, in the order of their first nodes.
pub(crate) fn components(sorted: &Sorted<'_>) -> Vec<Graph> {
    let parts = parts(sorted);
    let mut locals = vec![(0, 0); sorted.nodes.len()];
    let mut graphs: Vec<Graph> = Vec::with_capacity(parts.len());
    for members in parts {
        for (local, &node) in members.iter().enumerate() {
            locals[node] = (graphs.len(), local);
        }
        let width = |&node: &usize| {
            text_width(&text::one_line(&sorted.nodes[node].label), LABEL_SIZE).min(WIDEST_LABEL)
        };
        graphs.push(Graph {
            label_widths: members.iter().map(width).collect(),
            around: vec![Vec::new(); members.len()],
            wires: Vec::new(),
            origins: members,
        });
    }
    for (origin, edge) in sorted.links.iter().enumerate() {
        let turned = edge.is_turned();
        let first = usize::from(turned);
        let [(part, a), (_, b)] = [first, 1 - first].map(|end| locals[edge.ends[end]]);
        let graph = &mut graphs[part];
        if a != b {
            graph.around[a].push((b, graph.wires.len()));
            graph.around[b].push((a, graph.wires.len()));
        }
        let port_width = |end| match edge.port_label(end) {
            "" => 0,
            label => text_width(&text::one_line(label), PORT_SIZE).min(WIDEST_PORT),
        };
        let label = edge.link.label.as_ref();
        graph.wires.push(Wire {
            origin,
            ends: [a, b],
            directed: edge.link.directed,
            turned,
            port_widths: [port_width(first), port_width(1 - first)],
            label_width: label
                .map_or(0, |label| text_width(&text::one_line(label), PORT_SIZE).min(WIDEST_PORT)),
        });
    }
    graphs
}

/// Finds the connected parts.
fn parts(sorted: &Sorted<'_>) -> Vec<Vec<usize>> {
    let mut around = vec![Vec::new(); sorted.nodes.len()];
    for edge in &sorted.links {
        let [a, b] = edge.ends;
        around[a].push(b);
        around[b].push(a);
    }
    let mut seen = vec![false; sorted.nodes.len()];
    let mut parts = Vec::new();
    for start in 0..sorted.nodes.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut members = vec![start];
        let mut next = 0;
        while let Some(&node) = members.get(next) {
            next += 1;
            for &other in &around[node] {
                if !seen[other] {
                    seen[other] = true;
                    members.push(other);
                }
            }
        }
        members.sort_unstable();
        parts.push(members);
    }
    parts
}
