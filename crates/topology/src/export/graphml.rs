//! GraphML: every fact as typed data, for graph libraries and editors, and a drawing for yEd.
//!
//! The rule: ids are generated (`n0`, `e0`), and all data from the network is character data.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::yed;
use crate::{
    layout::layout,
    text,
    view::{
        Node, View,
        canonical_order::{Edge, Sorted},
    },
};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
xmlns:y=\"http://www.yworks.com/xml/graphml\" \
xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns \
http://www.yworks.com/xml/schema/graphml/1.1/ygraphml.xsd\">\n";

/// The keys that are always declared: the element they belong to, the name, the type.
const KEYS: [(&str, &str, &str); 19] = [
    ("graph", "network_id", "string"),
    ("graph", "network", "string"),
    ("graph", "layer", "string"),
    ("graph", "revision", "long"),
    ("node", "node_id", "string"),
    ("node", "label", "string"),
    ("node", "kind", "string"),
    ("node", "area", "string"),
    ("edge", "link_id", "string"),
    ("edge", "label", "string"),
    ("edge", "speed_bps", "double"),
    ("edge", "state", "string"),
    ("edge", "method", "string"),
    ("edge", "line_width", "double"),
    ("edge", "one_way", "boolean"),
    ("edge", "source_port", "string"),
    ("edge", "source_port_id", "string"),
    ("edge", "target_port", "string"),
    ("edge", "target_port_id", "string"),
];

/// Writes a view as GraphML.
pub(crate) fn write(view: &View) -> String {
    let sorted = Sorted::new(view);
    let layout = layout(view);
    let mut graphml = HEAD.to_owned();
    for (domain, name, kind) in KEYS {
        let _ = writeln!(
            graphml,
            "  <key id=\"{domain}_{name}\" for=\"{domain}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>"
        );
    }
    let facts: BTreeSet<&str> =
        view.nodes.iter().flat_map(|node| node.facts.iter().map(|(name, _)| *name)).collect();
    for name in facts {
        let _ = writeln!(
            graphml,
            "  <key id=\"fact_{0}\" for=\"node\" attr.name=\"fact_{0}\" attr.type=\"string\"/>",
            text::xml(name)
        );
    }
    graphml.push_str(yed::KEYS);
    let default = if view.is_directed() { "directed" } else { "undirected" };
    let _ = writeln!(graphml, "  <graph id=\"g\" edgedefault=\"{default}\">");
    datum(&mut graphml, 4, "graph_network_id", &view.network_id);
    datum(&mut graphml, 4, "graph_network", &view.network);
    datum(&mut graphml, 4, "graph_layer", view.layer.name());
    datum(&mut graphml, 4, "graph_revision", &view.revision.to_string());
    for (rank, node) in sorted.nodes.iter().enumerate() {
        let _ = writeln!(graphml, "    <node id=\"n{rank}\">");
        // Before the data: readers that take the label from the drawing let the data prevail.
        yed::write_node(&mut graphml, node, &layout.boxes[sorted.node_places[rank]]);
        write_node(&mut graphml, node);
        graphml.push_str("    </node>\n");
    }
    for (rank, edge) in sorted.links.iter().enumerate() {
        let [a, b] = edge.ends;
        let _ = writeln!(graphml, "    <edge id=\"e{rank}\" source=\"n{a}\" target=\"n{b}\">");
        let boxes = edge.ends.map(|node| &layout.boxes[sorted.node_places[node]]);
        yed::write_link(&mut graphml, edge, boxes, &layout.routes[sorted.link_places[rank]]);
        write_edge(&mut graphml, edge);
        graphml.push_str("    </edge>\n");
    }
    graphml.push_str("  </graph>\n</graphml>\n");
    graphml
}

fn write_node(graphml: &mut String, node: &Node) {
    datum(graphml, 6, "node_node_id", &node.id);
    datum(graphml, 6, "node_label", &node.label);
    datum(graphml, 6, "node_kind", node.kind.name());
    if let Some(area) = &node.area {
        datum(graphml, 6, "node_area", area);
    }
    let mut written = BTreeSet::new();
    for (name, value) in &node.facts {
        if written.insert(name) {
            datum(graphml, 6, &format!("fact_{name}"), value);
        }
    }
}

fn write_edge(graphml: &mut String, edge: &Edge<'_>) {
    let link = edge.link;
    datum(graphml, 6, "edge_link_id", &link.id);
    // Empty if it has none but its ports have: NetworkX would take the name of a port for it.
    if link.label.is_some() || edge.port(0).or(edge.port(1)).is_some() {
        datum(graphml, 6, "edge_label", link.label.as_deref().unwrap_or_default());
    }
    if let Some(speed) = link.speed_bps {
        datum(graphml, 6, "edge_speed_bps", &speed.to_string());
    }
    datum(graphml, 6, "edge_state", link.state());
    if let Some(method) = link.method {
        datum(graphml, 6, "edge_method", method.spelled());
    }
    let width = link.line_width();
    datum(graphml, 6, "edge_line_width", &format!("{}.{}", width / 10, width % 10));
    datum(graphml, 6, "edge_one_way", if link.directed { "true" } else { "false" });
    for (end, side) in [(0, "source"), (1, "target")] {
        if let Some(port) = edge.port(end) {
            datum(graphml, 6, &format!("edge_{side}_port"), &port.label);
            datum(graphml, 6, &format!("edge_{side}_port_id"), &port.id);
        }
    }
}

fn datum(graphml: &mut String, indent: usize, key: &str, value: &str) {
    let (key, value) = (text::xml(key), text::xml(value));
    let _ = writeln!(graphml, "{:indent$}<data key=\"{key}\">{value}</data>", "");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::samples;

    #[test]
    fn every_key_that_is_used_is_declared() {
        let graphml = write(&samples::nasty());
        for used in graphml.split("<data key=\"").skip(1) {
            let key = used.split('"').next().unwrap();
            assert!(graphml.contains(&format!("<key id=\"{key}\"")), "{key}");
        }
    }
}
