//! Diagrams for draw.io (diagrams.net), as uncompressed XML.
//!
//! The rule: labels are plain text (`html` is off), positions are those of the picture, and port
//! names stand at the ends of the lines.

use std::fmt::Write as _;

use crate::{
    layout::{Layout, Point, Rectangle, layout},
    text,
    view::{
        Node, NodeKind, View,
        canonical_order::{Edge, Sorted},
    },
};

/// Writes a view as a draw.io diagram.
pub(crate) fn write(view: &View) -> String {
    let sorted = Sorted::new(view);
    let layout = layout(view);
    let mut xml =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mxfile host=\"Toposcope\">\n".to_owned();
    let _ = writeln!(
        xml,
        "  <diagram id=\"topology\" name=\"{}\">\n    <mxGraphModel dx=\"0\" dy=\"0\" grid=\"1\" \
         gridSize=\"10\" page=\"0\" pageWidth=\"{}\" pageHeight=\"{}\">\n      <root>",
        text::xml(&format!("{} {}", view.network, view.layer.name())),
        layout.width,
        layout.height
    );
    xml.push_str("        <mxCell id=\"0\"/>\n        <mxCell id=\"1\" parent=\"0\"/>\n");
    for (rank, edge) in sorted.links.iter().enumerate() {
        write_edge(&mut xml, rank, edge, &sorted, &layout);
    }
    for (rank, node) in sorted.nodes.iter().enumerate() {
        write_node(&mut xml, rank, node, &layout.boxes[sorted.node_places[rank]]);
    }
    xml.push_str("      </root>\n    </mxGraphModel>\n  </diagram>\n</mxfile>\n");
    xml
}

fn write_node(xml: &mut String, rank: usize, node: &Node, bounds: &Rectangle) {
    let look = match node.kind {
        NodeKind::Host => "rounded=1;fillColor=#dae8fc;strokeColor=#6c8ebf;",
        NodeKind::Unknown => "rounded=1;fillColor=none;dashed=1;strokeColor=#666666;",
        NodeKind::Subnet => "ellipse;fillColor=#d5e8d4;strokeColor=#82b366;",
        NodeKind::Service => "shape=process;fillColor=#fff2cc;strokeColor=#d6b656;",
    };
    let _ = writeln!(
        xml,
        "        <object id=\"n{rank}\" label=\"{}\" node_id=\"{}\" kind=\"{}\"{}>",
        text::xml(&node.label),
        text::xml(&node.id),
        node.kind.name(),
        tooltip(&node.facts)
    );
    let _ = writeln!(
        xml,
        "          <mxCell style=\"{look}whiteSpace=wrap;overflow=hidden;html=0;\" vertex=\"1\" \
         parent=\"1\">\n            <mxGeometry x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" \
         as=\"geometry\"/>\n          </mxCell>\n        </object>",
        bounds.x, bounds.y, bounds.width, bounds.height
    );
}

fn tooltip(facts: &[(&'static str, String)]) -> String {
    let lines: Vec<String> = facts.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!(" tooltip=\"{}\"", text::xml(&lines.join("\n")))
}

fn write_edge(
    xml: &mut String,
    rank: usize,
    edge: &Edge<'_>,
    sorted: &Sorted<'_>,
    layout: &Layout,
) {
    let link = edge.link;
    let route = &layout.routes[sorted.link_places[rank]];
    let width = link.line_width();
    let arrow = if link.directed { "classic" } else { "none" };
    let state = if link.is_down() { "dashed=1;strokeColor=#c62828;" } else { "" };
    let mut style = format!(
        "html=0;rounded=0;startArrow=none;endArrow={arrow};strokeWidth={}.{};{state}",
        width / 10,
        width % 10
    );
    let ends = [(0, "exit", route.points.first()), (1, "entry", route.points.last())];
    for (end, name, point) in ends {
        let bounds = layout.boxes[sorted.node_places[edge.ends[end]]];
        if let Some(point) = point {
            style.push_str(&attachment(name, *point, bounds));
        }
    }
    let [a, b] = edge.ends;
    let _ = writeln!(
        xml,
        "        <object id=\"e{rank}\" label=\"{}\" link_id=\"{}\" state=\"{}\" speed_bps=\"{}\" \
         method=\"{}\">\n          <mxCell style=\"{style}\" edge=\"1\" parent=\"1\" \
         source=\"n{a}\" target=\"n{b}\">",
        text::xml(link.label.as_deref().unwrap_or_default()),
        text::xml(&link.id),
        link.state(),
        link.speed_bps.map(|speed| speed.to_string()).unwrap_or_default(),
        text::xml(link.known_by())
    );
    xml.push_str("            <mxGeometry relative=\"1\" as=\"geometry\">\n");
    xml.push_str("              <Array as=\"points\">\n");
    for point in route.points.iter().skip(1).take(route.points.len().saturating_sub(2)) {
        let _ = writeln!(xml, "                <mxPoint x=\"{}\" y=\"{}\"/>", point.x, point.y);
    }
    xml.push_str("              </Array>\n            </mxGeometry>\n");
    xml.push_str("          </mxCell>\n        </object>\n");
    for (end, at) in [(0, "-0.85"), (1, "0.85")] {
        if let Some(port) = edge.port(end) {
            write_port(xml, &format!("e{rank}p{end}"), &port.label, &format!("e{rank}"), at);
        }
    }
}

/// Pins the end of a line to a point on a box, as fractions of its size.
fn attachment(name: &str, point: Point, bounds: Rectangle) -> String {
    let share = |distance: i64, length: i64| {
        let thousandths = (distance * 1000 / length.max(1)).clamp(0, 1000);
        format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
    };
    let (x, y) =
        (share(point.x - bounds.x, bounds.width), share(point.y - bounds.y, bounds.height));
    format!("{name}X={x};{name}Y={y};{name}Dx=0;{name}Dy=0;{name}Perimeter=0;")
}

fn write_port(xml: &mut String, id: &str, label: &str, edge: &str, at: &str) {
    let _ = writeln!(
        xml,
        "        <mxCell id=\"{id}\" value=\"{}\" style=\"edgeLabel;html=0;resizable=0;fontSize=9;\" \
         vertex=\"1\" connectable=\"0\" parent=\"{edge}\">\n          <mxGeometry x=\"{at}\" \
         relative=\"1\" as=\"geometry\"/>\n        </mxCell>",
        text::xml(label)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_line_are_on_the_sides_of_its_boxes() {
        let bounds = Rectangle { x: 100, y: 50, width: 80, height: 30 };
        let pinned = attachment("exit", Point { x: 120, y: 80 }, bounds);
        assert!(pinned.starts_with("exitX=0.250;exitY=1.000;"), "{pinned}");
    }
}
