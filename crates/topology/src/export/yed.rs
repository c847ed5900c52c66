//! The drawing that yEd reads from GraphML: a shape for each node and a line for each link.
//!
//! The rule: elements, their order and their values are those of yWorks' `ygraphml.xsd`; positions
//! are those of the picture; a text never becomes markup.

use std::fmt::Write as _;

use crate::{
    layout::{Anchor, Point, Rectangle, Route},
    text,
    view::{Node, NodeKind, canonical_order::Edge},
};

/// The keys of the drawings. yEd finds them by their type, whatever they are called.
pub(super) const KEYS: &str = "  \
<key id=\"node_drawing\" for=\"node\" yfiles.type=\"nodegraphics\"/>\n  \
<key id=\"edge_drawing\" for=\"edge\" yfiles.type=\"edgegraphics\"/>\n";

/// Writes the shape of a node.
pub(super) fn write_node(xml: &mut String, node: &Node, bounds: &Rectangle) {
    let (shape, fill, border) = match node.kind {
        NodeKind::Host => ("roundrectangle", "color=\"#DAE8FC\"", "color=\"#6C8EBF\""),
        NodeKind::Unknown => {
            ("rectangle", "hasColor=\"false\"", "color=\"#666666\" type=\"dashed\"")
        }
        NodeKind::Subnet => ("octagon", "color=\"#D5E8D4\"", "color=\"#82B366\""),
        NodeKind::Service => ("rectangle3d", "color=\"#FFF2CC\"", "color=\"#D6B656\""),
    };
    let _ = writeln!(
        xml,
        "      <data key=\"node_drawing\">\n        <y:ShapeNode>\n          \
         <y:Geometry x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n          \
         <y:Fill {fill}/>\n          <y:BorderStyle {border} width=\"1.0\"/>\n          \
         <y:NodeLabel autoSizePolicy=\"node_width\" configuration=\"CroppingLabel\" fontSize=\"12\" \
         modelName=\"internal\" modelPosition=\"c\">{}</y:NodeLabel>\n          \
         <y:Shape type=\"{shape}\"/>\n        </y:ShapeNode>\n      </data>",
        bounds.x,
        bounds.y,
        bounds.width,
        bounds.height,
        shown(&node.label)
    );
}

/// Writes the line of a link between two boxes.
pub(super) fn write_link(xml: &mut String, edge: &Edge<'_>, boxes: [&Rectangle; 2], route: &Route) {
    let link = edge.link;
    let width = link.line_width();
    let style = if link.is_down() {
        "color=\"#C62828\" type=\"dashed\""
    } else {
        "color=\"#4B6A8F\" type=\"line\""
    };
    xml.push_str("      <data key=\"edge_drawing\">\n        <y:PolyLineEdge>\n");
    write_path(xml, boxes, &route.points);
    let _ = writeln!(
        xml,
        "          <y:LineStyle {style} width=\"{}.{}\"/>\n          \
         <y:Arrows source=\"none\" target=\"{}\"/>",
        width / 10,
        width % 10,
        if link.directed { "standard" } else { "none" }
    );
    if let Some(label) = &link.label {
        let place = "modelName=\"centered\" modelPosition=\"center\" \
                     preferredPlacement=\"center_on_edge\"";
        write_label(xml, place, label);
    }
    for (end, position, side) in [(0, "shead", "source"), (1, "thead", "target")] {
        if let Some(port) = edge.port(end) {
            write_label(xml, &port_place(position, side, &route.port_labels[end]), &port.label);
        }
    }
    xml.push_str(
        "          <y:BendStyle smoothed=\"false\"/>\n        </y:PolyLineEdge>\n      </data>\n",
    );
}

/// Writes the corners of a line; its ends are relative to the middles of the boxes.
fn write_path(xml: &mut String, boxes: [&Rectangle; 2], points: &[Point]) {
    let end = |point: Option<&Point>, bounds: &Rectangle| {
        point.map_or([0, 0], |point| {
            let (across, down) = (point.x - bounds.x, point.y - bounds.y);
            [2 * across - bounds.width, 2 * down - bounds.height]
        })
    };
    let [from_x, from_y] = end(points.first(), boxes[0]).map(half);
    let [to_x, to_y] = end(points.last(), boxes[1]).map(half);
    let _ = writeln!(
        xml,
        "          <y:Path sx=\"{from_x}\" sy=\"{from_y}\" tx=\"{to_x}\" ty=\"{to_y}\">"
    );
    for Point { x, y } in points.iter().skip(1).take(points.len().saturating_sub(2)) {
        let _ = writeln!(xml, "            <y:Point x=\"{x}\" y=\"{y}\"/>");
    }
    xml.push_str("          </y:Path>\n");
}

/// Returns half of a number, which a whole number of pixels need not be.
fn half(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let number = number.unsigned_abs();
    format!("{sign}{}.{}", number / 2, number % 2 * 5)
}

/// Returns the place of a port name. Without a position for each end, yEd puts both names on the
/// same spot.
fn port_place(position: &str, side: &str, anchor: &Anchor) -> String {
    let turn = if anchor.upright { " rotationAngle=\"270.0\"" } else { "" };
    format!(
        "modelName=\"six_pos\" modelPosition=\"{position}\" preferredPlacement=\"{side}\"{turn}"
    )
}

fn write_label(xml: &mut String, place: &str, label: &str) {
    let label = shown(label);
    let _ = writeln!(
        xml,
        "          <y:EdgeLabel configuration=\"AutoFlippingLabel\" fontSize=\"10\" {place}>{label}</y:EdgeLabel>"
    );
}

/// Puts a text on one line. yEd draws what begins with `<html>` as a page with pictures from
/// anywhere, so a character without width is put before it.
fn shown(label: &str) -> String {
    let line = text::one_line(label);
    let start = line.trim_start().get(..5);
    let guard =
        if start.is_some_and(|it| it.eq_ignore_ascii_case("<html")) { "\u{200b}" } else { "" };
    format!("{guard}{}", text::xml(&line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        export::{Export, write},
        view::samples,
    };

    #[test]
    fn a_line_ends_on_the_sides_of_its_boxes() {
        let boxes = [
            Rectangle { x: 100, y: 50, width: 81, height: 30 },
            Rectangle { x: 0, y: 200, width: 40, height: 30 },
        ];
        let points = [(120, 80), (120, 140), (20, 140), (20, 200)].map(|(x, y)| Point { x, y });
        let mut xml = String::new();
        write_path(&mut xml, [&boxes[0], &boxes[1]], &points);
        assert!(xml.contains("sx=\"-20.5\" sy=\"15.0\" tx=\"0.0\" ty=\"-15.0\""), "{xml}");
        assert!(xml.contains("<y:Point x=\"120\" y=\"140\"/>"), "{xml}");
        assert_eq!(xml.matches("<y:Point").count(), 2, "{xml}");
    }

    #[test]
    fn halves_keep_their_sign() {
        assert_eq!([-3, -2, -1, 0, 1].map(half), ["-1.5", "-1.0", "-0.5", "0.0", "0.5"]);
    }

    #[test]
    fn the_names_of_both_ports_stand_apart() {
        let view = samples::campus(2, 2, 2);
        let graphml = write(Export::Graphml, &view);
        let ports =
            |end: usize| view.links.iter().filter(move |link| link.ends[end].port.is_some());
        assert!(ports(0).count() > 0);
        assert_eq!(graphml.matches("modelPosition=\"shead\"").count(), ports(0).count());
        assert_eq!(graphml.matches("modelPosition=\"thead\"").count(), ports(1).count());
    }

    #[test]
    fn arrows_and_dashes_say_what_is_directed_and_what_is_down() {
        let mut view = samples::small();
        view.links[0].directed = true;
        view.links[0].up = Some(false);
        for link in &mut view.links[1..] {
            link.directed = false;
            link.up = Some(true);
        }
        let graphml = write(Export::Graphml, &view);
        assert_eq!(graphml.matches("target=\"standard\"").count(), 1);
        assert_eq!(graphml.matches("<y:LineStyle color=\"#C62828\" type=\"dashed\"").count(), 1);
    }

    #[test]
    fn a_name_is_not_drawn_as_a_page() {
        assert_eq!(shown("<html>x"), "\u{200b}&lt;html&gt;x");
        assert_eq!(shown(" <HTML><img>"), "\u{200b} &lt;HTML&gt;&lt;img&gt;");
        assert_eq!(shown("core\n1 <x>"), "core 1 &lt;x&gt;");
        assert_eq!(shown(""), "");
    }
}
