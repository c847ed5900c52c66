//! Graphviz DOT: a `graph`, or a `digraph` if any link is directed.
//!
//! The rule: Graphviz shows labels exactly as they are: neither its escapes (`\N`, `\l`) nor its
//! HTML entities nor its records apply to them.

use std::fmt::Write as _;

use crate::{
    text,
    view::{
        Node, NodeKind, View,
        canonical_order::{Edge, Sorted},
    },
};

/// Writes a view as DOT.
pub(crate) fn write(view: &View) -> String {
    let sorted = Sorted::new(view);
    let (keyword, arrow) = if view.is_directed() { ("digraph", "->") } else { ("graph", "--") };
    let mut dot = format!("{keyword} {} {{\n", quoted(&view.network_id));
    let title = format!("{} · {} · revision {}", view.network, view.layer.name(), view.revision);
    let _ = writeln!(dot, "  graph [label={}, labelloc=t, overlap=false];", quoted(&title));
    dot.push_str("  node [shape=box, fontname=\"sans-serif\", fontsize=11];\n");
    dot.push_str("  edge [fontname=\"sans-serif\", fontsize=8];\n");
    for (rank, node) in sorted.nodes.iter().enumerate() {
        let _ = writeln!(dot, "  n{rank} [{}];", node_attributes(node));
    }
    for (rank, edge) in sorted.links.iter().enumerate() {
        let [a, b] = edge.ends;
        let _ = writeln!(dot, "  n{a} {arrow} n{b} [{}];", edge_attributes(rank, edge, view));
    }
    dot.push_str("}\n");
    dot
}

fn node_attributes(node: &Node) -> String {
    let facts: Vec<String> =
        node.facts.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let look = match node.kind {
        NodeKind::Host => "style=\"rounded,filled\", fillcolor=\"#e8f0fa\"",
        NodeKind::Unknown => "style=dotted",
        NodeKind::Subnet => "shape=ellipse",
        NodeKind::Service => "shape=component",
    };
    let tooltip = if facts.is_empty() { node.label.clone() } else { facts.join("\n") };
    let mut attributes = format!("label={}, {look}", quoted(&node.label));
    let _ = write!(attributes, ", tooltip={}, id={}", quoted(&tooltip), quoted(&node.id));
    let _ = write!(attributes, ", class={}", quoted(node.kind.name()));
    attributes
}

fn edge_attributes(rank: usize, edge: &Edge<'_>, view: &View) -> String {
    let link = edge.link;
    let width = link.line_width();
    let mut attributes = format!("key=e{rank}, id={}", quoted(&link.id));
    let _ = write!(attributes, ", penwidth={}.{}", width / 10, width % 10);
    for (end, name) in [(0, "taillabel"), (1, "headlabel")] {
        if let Some(port) = edge.port(end) {
            let _ = write!(attributes, ", {name}={}", quoted(&port.label));
        }
    }
    if let Some(label) = &link.label {
        let _ = write!(attributes, ", label={}", quoted(label));
    }
    if link.is_down() {
        attributes.push_str(", style=dashed, color=\"#c62828\"");
    }
    if view.is_directed() && !link.directed {
        attributes.push_str(", dir=none");
    }
    let mut tooltip = vec![link.state().to_owned()];
    tooltip.extend(link.speed_bps.map(text::speed));
    tooltip.extend(link.method.map(|method| method.spelled().to_owned()));
    let _ = write!(attributes, ", tooltip={}", quoted(&tooltip.join(" · ")));
    attributes
}

/// Quotes text as a Graphviz `escString`.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text::printable(text).chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("&#13;"),
            '&' => quoted.push_str("&amp;"),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::samples;
    use proptest::prelude::*;

    /// Reads a quoted string as the Graphviz lexer and label code do; `None` where it ends early.
    fn read(quoted: &str) -> Option<String> {
        let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
        let mut text = String::new();
        let mut rest = inner.chars();
        while let Some(c) = rest.next() {
            match c {
                '"' => return None,
                '\\' => text.push(match rest.next()? {
                    'n' => '\n',
                    other => other,
                }),
                other => text.push(other),
            }
        }
        Some(text.replace("&#13;", "\r").replace("&amp;", "&"))
    }

    proptest! {
        #[test]
        fn any_text_comes_back_from_its_quotes(text in "[\\\\\"&{}|<>\n\r\\PC]{0,20}") {
            prop_assert_eq!(read(&quoted(&text)), Some(text::printable(&text).into_owned()));
        }
    }

    #[test]
    fn links_that_lead_one_way_make_a_digraph() {
        let mut view = samples::small();
        assert!(write(&view).starts_with("graph "));
        view.links[0].directed = true;
        let directed = write(&view);
        assert!(directed.starts_with("digraph "));
        assert!(directed.contains("dir=none") && directed.contains(" -> "));
    }

    #[test]
    fn a_link_that_is_down_is_dashed() {
        let mut view = samples::small();
        view.links.iter_mut().for_each(|link| link.up = Some(true));
        assert!(!write(&view).contains("dashed"));
        view.links[0].up = Some(false);
        assert!(write(&view).contains("style=dashed"));
    }
}
